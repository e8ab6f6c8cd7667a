"""The light way of a request, over a connection that answered before, ends as Scrapy's way does."""

from __future__ import annotations

import itertools
import json
import socketserver
import threading
import time
from contextlib import contextmanager

import pytest

from crawler.light.plain_answers import read_head
from tests.asked_answers import ANSWERS, RESTS
from tests.conftest import scrapy_environment
from tests.forked_commands import complete_python


class Server(socketserver.ThreadingTCPServer):
    """Answers by path; *heads* are the requests, *n_connections* how many connections there were."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Connection)
        self.heads: list[str] = []
        self.n_connections = 0


class Connection(socketserver.StreamRequestHandler):
    def handle(self):
        self.server.n_connections += 1
        # Lines to an empty one, or to the end of the connection.
        rest = b""
        while head := b"".join(itertools.takewhile(bytes.strip, self.rfile)):
            self.server.heads.append(head.decode())
            path = head.split()[1].decode().strip("/")
            for piece in [*filter(None, [rest]), *ANSWERS[path]]:
                if not piece:
                    return
                try:
                    self.wfile.write(piece)
                except OSError:
                    return
                time.sleep(0.02)  # so that it comes by itself
            rest = RESTS.get(path, b"")


@contextmanager
def serving():
    with Server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def asked(handler, downloader):
    """What came, the requests without the port, and the number of connections."""
    with serving() as server:
        port = server.server_address[1]
        arguments = ("-m", "tests.asked_answers", handler, downloader, str(port))
        done = complete_python(*arguments, environment=scrapy_environment())
    assert done.returncode == 0, done.stderr
    heads = [head.replace(str(port), "PORT") for head in server.heads]
    return json.loads(done.stdout.replace(str(port), "PORT")), heads, server.n_connections


@pytest.fixture(scope="module")
def light():
    return asked(
        "crawler.download_handler.BriefIdleHandler", "crawler.light.chains.LightDownloader"
    )


@pytest.fixture(scope="module")
def scrapys():
    handler = "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"
    return asked(handler, "scrapy.core.downloader.Downloader")


def test_answers_are_scrapys(light, scrapys):
    assert len(light[0]) == 2 * len(ANSWERS) + 4
    before = [None, *(answer["path"] for answer in light[0])]
    for own, other, path in zip(light[0], scrapys[0], before[:-1], strict=True):
        if path in RESTS:  # which Scrapy takes for the answer
            assert other["error"] == "bad_http"
            assert own == light[0][0]
        elif own["path"] == "header-too-long":  # which Scrapy takes
            assert own["error"] == "header_too_large"
        else:
            assert own == other


def test_listeners_to_what_comes_are_told_and_may_stop_it(light):
    told = [(answer["heard"], answer["flags"]) for answer in light[0] if "heard" in answer]
    url = "http://127.0.0.1:PORT/plain#part"
    assert told == 2 * [
        ([["header", url], ["body", url]], []),
        ([["header", url]], ["download_stopped"]),
    ]


def test_requests_and_connections_are_scrapys(light, scrapys):
    def of(heads):
        return [sorted(head.splitlines()) for head in heads]

    # What is no answer has the request sent again, over a new connection.
    again = of(light[1])
    for head in of(scrapys[1]):
        again.remove(head)
    lines = sorted(line for head in again for line in head if line.startswith("GET "))
    assert lines == ["GET /no-http HTTP/1.1", "GET /plain HTTP/1.1"]
    assert light[2] == scrapys[2] + 1


@pytest.mark.parametrize(
    ("name", "is_plain"),
    [
        ("plain", True), ("no-phrase", True), ("names", True), ("of-connection", True),
        ("no-body", True), ("not-found", True), ("close", True),
        ("chunks", False), ("same-length-twice", False), ("folded", False), ("line-feeds", False),
        ("old", False), ("same", False), ("interim", False), ("no-length", False), ("no-http", False),
    ],
)  # fmt: skip
def test_what_is_plain(name, is_plain):
    assert (read_head(ANSWERS[name][0], 1000) is not None) == is_plain


def test_a_body_that_is_too_long_is_not_plain():
    assert read_head(ANSWERS["plain"][0], 649) is None
    assert read_head(ANSWERS["plain"][0], 650) is not None


def test_bytes_of_any_kind_are_read_or_left():
    for cut in range(len(ANSWERS["names"][0])):
        head = read_head(ANSWERS["names"][0][:cut], 0)
        assert head is None or head.size <= cut


def test_connections_read_in_larger_pieces():
    from twisted.internet.abstract import FileDescriptor
    from twisted.internet.protocol import Protocol

    from crawler.http_client import READ_BYTES, BoundedProtocol

    connection, encrypted = FileDescriptor(object()), Protocol()
    encrypted.transport = FileDescriptor(object())
    for transport, inside in ((connection, connection), (encrypted, encrypted.transport)):
        BoundedProtocol().makeConnection(transport)
        assert inside.bufferSize == READ_BYTES
