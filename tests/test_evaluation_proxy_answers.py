"""What proxies that are subjects answer, good and bad."""

from __future__ import annotations

import socket
import threading
import time
from urllib.parse import urlsplit

import pytest

from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.harness import subject
from pipelines.evaluation.harness.live_proxy import LiveProxies
from tests.live_proxies import HTML, PAGE, answering, extracted, fetched, listening, request_of


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (HTML + b"\r\n<p>to the <b>e</b>nd<script>x()</script>", "to the end"),
        (HTML + b"Content-Length: 8\r\n\r\n<p>exactand more", "exact"),
        (HTML + b"Content-Length: 0\r\n\r\n", ""),
        (HTML + b"Transfer-Encoding: chunked\r\n\r\n4;x=1\r\n<p>a\r\n2\r\nb \r\n0\r\n\r\n", "ab"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + HTML + b"Content-Length: 4\r\n\r\n<p>a", "a"),
        (b"HTTP/1.0 200\nContent-Type: text/plain; charset=latin-1\n\na < b\n\xfc", "a < b\nü"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", ""),
        (b"HTTP/1.1 203 Cleaned\r\n\r\n<html><p>no type", "no type"),
    ],
)
def test_answers(answer, text):
    # The client goes by what the answer says of its length, and not by the end of the connection.
    waits = b"Content-Length" in answer or b"chunked" in answer or b" 204 " in answer

    def serve(client):
        fetched(request_of(client))
        client.sendall(answer)
        if waits:
            client.recv(1)

    with listening(serve) as port:
        found = extracted(port)
    assert (found.text, found.error) == (text, None)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"", "Died"),
        (b"HTTP/1.1 200", "Died"),
        (HTML + b"Content-Length: 90\r\n\r\n<p>short", "Died"),
        (HTML + b"Transfer-Encoding: chunked\r\n\r\n9\r\nab", "Died"),
        (b"nonsense", "NoHTTP"),
        (b"SSH-2.0-x\r\n", "NoHTTP"),
        (b"x" * 2**18, "NoHTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 2**15 + b"\r\n", "NoHTTP"),
        (HTML + b"Content-Length: -5\r\n\r\n<p>a", "NoHTTP"),
        (HTML + b"Transfer-Encoding: chunked\r\n\r\nz\r\n", "NoHTTP"),
        (HTML + b"Content-Length: 9999999999\r\n\r\n", "TooLarge"),
        (HTML + b"\r\n" + b"x" * (2**20 + 1), "TooLarge"),
        (
            HTML + b"Transfer-Encoding: chunked\r\n\r\n" + b"80000\r\n%s\r\n" % (b"x" * 2**19) * 3,
            "TooLarge",
        ),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno!", "Status404"),
        (b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", "Status302"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG", "NotText"),
        (HTML + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b", "NotText"),
    ],
)
def test_what_a_proxy_does_wrong_is_named(answer, error):
    with listening(answering(lambda _: answer)) as port:
        found = extracted(port)
    assert (found.text, found.error) == ("", error)


def test_a_page_that_is_fetched_late_is_not_the_next_one():
    n_bytes, late = 2**24, threading.Event()
    large = GoldPage(
        "set", "a", b"<p>" + b"x" * n_bytes, "text/html", url="http://a.sample/", gold=""
    )
    asked = []

    def serve(client):
        asked.append(urlsplit(request_of(client)))
        if len(asked) == 1:
            with socket.create_connection((asked[0].hostname, asked[0].port)) as server:
                server.sendall(f"GET {asked[0].path} HTTP/1.1\r\n\r\n".encode())
                late.wait(20)
                while server.recv(2**20):
                    pass
                late.clear()
        else:
            late.set()
            while late.is_set():
                time.sleep(0.01)
            client.sendall(HTML + b"\r\n<p>of my own")

    with listening(serve) as port:
        proxies = LiveProxies(1.0)
        address = subject(f"proxy/http://127.0.0.1:{port}").proxy
        try:
            errors = [proxies.extract(address, page).error for page in (large, PAGE)]
        finally:
            late.set()
            proxies.close()
    assert errors == ["Timeout", "NotAsked"]


def test_a_proxy_that_hangs_drips_or_asks_for_nothing():
    def hang(client):
        request_of(client)
        client.recv(1)

    def drip(client):
        request_of(client)
        client.sendall(HTML)
        while True:
            client.sendall(b"A: b\r\n")
            time.sleep(0.05)

    def make_up(client):
        request_of(client)
        client.sendall(HTML + b"\r\n<p>of my own")

    for serve, error in ((hang, "Timeout"), (drip, "Timeout"), (make_up, "NotAsked")):
        with listening(serve) as port:
            found = extracted(port, secs=0.5)
        assert (found.text, found.error) == ("", error)
