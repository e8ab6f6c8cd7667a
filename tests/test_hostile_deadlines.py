"""A request is over by its time-out and one second, whatever it waits for, and whatever came before.

===========================================  ============================================
what the host is slow at                     what comes of it
===========================================  ============================================
its name (nobody answers)                    ``dns``, before anything is asked of it
the connection                               ``timeout``
the encryption                               ``timeout``
line, header, body, chunks, interim answers  ``timeout``
its robots.txt, in one answer or in five     ``timeout``, the page is not asked for; or it is
redirects that take a second each            parked
===========================================  ============================================

The time is the reactor's own (tests/reactor_clock.py): what the machine does beside has no part in it.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack, contextmanager

import pytest

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_answers import SLOW
from tests.hostile_server import HTML, Hostile, listening, page, reply
from tests.reactor_clock import MIDDLEWARES, TICK_SECS

TIMEOUT_SECS = 2
HOPS = 5


class Reluctant(Hostile):
    """Answers as Hostile does; redirects of robots.txt take it a second each."""

    async def answer(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        if b"host: hops" in head.lower():
            await asyncio.sleep(1)
        await super().answer(_Read(head, reader), writer)


class _Read:
    """A reader whose head was read."""

    def __init__(self, head, reader):
        self.head, self.reader = head, reader

    async def readuntil(self, _):
        return self.head

    async def read(self):
        return await self.reader.read()


class Speechless(Hostile):
    """Takes connections, and never says a word."""

    async def answer(self, reader, writer):
        await reader.read()
        writer.close()


@contextmanager
def full():
    """The port of a server that takes no more connections: they are neither made nor refused."""
    with ExitStack() as sockets:
        server = sockets.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            client = sockets.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(server.getsockname())
        yield server.getsockname()[1]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """(seconds of the reactor's clock by URL, reasons by URL)."""
    folder = tmp_path_factory.mktemp("deadlines")
    hop = {
        f"hops/{n or 'robots.txt'}": reply(b"", b"Location: /%d" % (n + 1), status=b"302 Found")
        for n in range(HOPS + 1)
    }
    answers = {f"{name}/": answer for name, (answer, _) in SLOW.items()} | hop
    answers |= {"robots/robots.txt": SLOW["slowbody"][0], "robots/": page(), "hops/": page()}
    answers |= {"good/": reply(page(), HTML)}
    with (
        listening(Reluctant(answers)) as port,
        listening(Speechless({})) as silent,
        full() as stuck,
    ):
        hosts = {asked.partition("/")[0]: port for asked in answers}
        hosts |= {"mute": port, "speechless": silent, "stuck": stuck}
        (folder / "hosts.tsv").write_text(
            "".join(f"{host}.sample\t127.0.0.1\t{at}\n" for host, at in hosts.items()), encoding="utf-8"
        )  # fmt: skip
        schemes = {host: "https" if host == "speechless" else "http" for host in hosts}
        (folder / "seeds.txt").write_text(
            "".join(f"{scheme}://{host}.sample/\n" for host, scheme in schemes.items()), encoding="utf-8"
        )  # fmt: skip
        done = run_scrapy(
            "crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "-L", "INFO",
            *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
            *("-s", f"DOWNLOAD_TIMEOUT={TIMEOUT_SECS}", "-s", "FETCH_RETRIES=0", "-s", "IP_DELAY_SECS=0.001"),
            *("-s", f"REACTOR_CLOCK={folder / 'clock.tsv'}", "-s", f"DOWNLOADER_MIDDLEWARES={MIDDLEWARES}"),
            *("-s", 'EXTENSIONS={"tests.reactor_clock.MuteResolver": 101}', "-s", "IDLE_END_SECS=0.1"),
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    lines = (folder / "clock.tsv").read_text(encoding="utf-8").splitlines()
    times = {line.split("\t")[0]: TICK_SECS * int(line.split("\t")[1]) for line in lines}
    rows = Corpus.open(folder / "corpus").rejected(["url", "reason"])
    return times, {row["url"]: row["reason"] for row in rows}


def test_no_request_takes_longer_than_its_time_out_and_a_second(crawled):
    times, _ = crawled
    assert max(times.values()) < TIMEOUT_SECS + 1, times
    slow = [f"http://{name}.sample/" for name in (*SLOW, "stuck", "mute", "robots", "hops")]
    assert {url: times[url] for url in slow if times[url] < TIMEOUT_SECS / 2} == {}
    assert times["https://speechless.sample/robots.txt"] > TIMEOUT_SECS / 2


def test_each_has_its_reason(crawled):
    _, reasons = crawled
    slow = {f"http://{name}.sample/": "timeout" for name in (*SLOW, "stuck", "robots")}
    slow["https://speechless.sample/"] = "timeout"
    slow["http://mute.sample/"] = "dns"
    assert {url: reasons.get(url) for url in slow} == slow
    assert "http://good.sample/" not in reasons
    assert "http://hops.sample/" not in reasons  # it waits for its robots.txt
