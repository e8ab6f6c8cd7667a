"""A raw server on loopback that answers each host with the very bytes it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from tests.conftest import ROOT, scrapy_command, scrapy_environment

if TYPE_CHECKING:
    import ssl
    from pathlib import Path

# Running text, which the language gate knows: the large model of languages is not loaded for it.
TEXT = b"""\
The old mill stands where the road leaves the village and turns towards the hills. For more than two
hundred years the people of the valley brought their grain here, and the miller's family kept a careful
account of every sack that passed through the door. After the war, when larger works in the town began
to grind flour at half the price, the wheel was stopped and the building was used for storing timber.
Last spring a group of neighbours decided that something should be done before the roof fell in. They
asked the council for help, found a carpenter who understood the machinery, and spent most of the summer
clearing stones from the channel. """
HTML = b"Content-Type: text/html"
ENDS = (ConnectionError, asyncio.IncompleteReadError, TimeoutError)


def page(words: bytes = b"") -> bytes:
    return b"<html><title>T</title><body><p>" + TEXT + words + b"</p></body></html>"


def reply(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    """An answer whose end is the end of the connection, unless *headers* say how long it is."""
    head = [b"HTTP/1.1 " + status, *headers, b"Connection: close", b"", b""]
    return b"\r\n".join(head) + body


class Endless(NamedTuple):
    """An answer without end: *head*, then *piece* again and again, *pause_secs* between two."""

    head: bytes
    piece: bytes
    pause_secs: float = 0.0


class Closed(NamedTuple):
    """*host_and_path* was asked, and *secs* later the client closed an answer without end."""

    host_and_path: str
    secs: float


Answer = bytes | Endless


class Hostile:
    """*answers*: host and path → an answer, or a list of them in turn, the last one ever after.

    *silent*: hosts and paths that never answer. Kept: *asked*, host and path of each request, *asked_at*, *heads*; and
    *closed*.
    """

    def __init__(
        self, answers: dict[str, Answer | list[Answer]], silent: frozenset[str] = frozenset()
    ):
        self.answers = answers
        self.silent = silent
        self.asked: list[str] = []
        self.asked_at: list[float] = []
        self.heads: list[str] = []
        self.closed: list[Closed] = []

    def wait_for(self, n_asked: int) -> None:
        """Wait until *n_asked* requests came, at most a minute."""
        deadline = time.monotonic() + 60
        while len(self.asked) < n_asked:
            assert time.monotonic() < deadline, f"{len(self.asked)} of {n_asked} requests came"
            time.sleep(0.02)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(*ENDS):  # the crawler has had enough
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split()[1]
            host = head.lower().split("host: ")[1].split()[0].partition(".")[0]
            self.asked.append(host + path)
            self.asked_at.append(time.monotonic())
            self.heads.append(head)
            if host + path in self.silent:
                await self._answer_for_ever(host + path, Endless(b"", b"", 60.0), reader, writer)
            default = page() if path != "/robots.txt" else reply(b"", status=b"404 Not Found")
            answer = self.answers.get(host + path, default)
            if isinstance(answer, list):
                answer = answer.pop(0) if len(answer) > 1 else answer[0]
            if isinstance(answer, Endless):
                await self._answer_for_ever(host + path, answer, reader, writer)
            else:
                writer.write(answer)
                await writer.drain()
        writer.close()

    async def _answer_for_ever(
        self,
        asked: str,
        answer: Endless,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        start = time.monotonic()
        gone = asyncio.ensure_future(reader.read())
        with contextlib.suppress(*ENDS):
            writer.write(answer.head)
            while not gone.done():
                writer.write(answer.piece)
                await writer.drain()
                await asyncio.wait({gone}, timeout=answer.pause_secs)
        self.closed.append(Closed(asked, time.monotonic() - start))
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError, *ENDS):
            await gone


async def _end(writers: list[asyncio.StreamWriter]) -> None:
    """End all tasks and connections: one that is left open is told of in a later test, when its memory is freed."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for writer in writers:
        writer.transport.abort()
    # A connection is closed in the turn behind the one that says so, TLS's one later.
    for _ in range(3):
        await asyncio.sleep(0)


@contextlib.contextmanager
def listening(
    hostile: Hostile,
    *,
    address: str = "127.0.0.1",
    port: int = 0,
    tls: ssl.SSLContext | None = None,
):
    """Let *hostile* answer at *address* while the block runs; yield its port, 0 for any."""
    loop = asyncio.new_event_loop()
    writers: list[asyncio.StreamWriter] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await hostile.answer(reader, writer)

    server = loop.run_until_complete(asyncio.start_server(answer, address, port, ssl=tls))
    loop.set_exception_handler(lambda *_: None)  # connections that break in TLS's hands
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.run_until_complete(_end(writers))
        loop.close()


@contextlib.contextmanager
def served_bytes(folder: Path, hostile: Hostile):
    """Serve *hostile* while the block runs; write seeds.txt and hosts.tsv of its hosts to *folder*."""
    hosts = sorted({name.partition("/")[0] for name in hostile.answers})
    with listening(hostile) as port:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "seeds.txt").write_text(
            "".join(f"http://{host}.sample/\n" for host in hosts), encoding="utf-8"
        )
        (folder / "hosts.tsv").write_text(
            "".join(f"{host}.sample\t127.0.0.1\t{port}\n" for host in hosts), encoding="utf-8"
        )
        yield folder


class Crawled(NamedTuple):
    """A crawl that ended: what it printed, and the most memory that it had."""

    returncode: int
    out: str
    err: str
    peak_bytes: int


def hosts_arguments(folder: Path) -> list[str]:
    """The arguments of the crawl of the hosts of *folder* into its ``corpus``, with the log on stderr."""
    return [
        *("crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "-L", "INFO"),
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
    ]


# The peak of a process is at least that of the one which started it: this one has little.
STARTER = """
import os, subprocess, sys
from pathlib import Path
started = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(started.pid, 0)
started.returncode = os.waitstatus_to_exitcode(status)
Path(sys.argv[1]).write_text(f"{started.returncode} {1024 * usage.ru_maxrss}")
"""


def crawl_measured(folder: Path, *arguments: object) -> Crawled:
    """Crawl the hosts of *folder* in a process of its own, whose memory is measured."""
    out, err, end = (folder / name for name in ("out.txt", "err.txt", "end.txt"))
    command = scrapy_command(*hosts_arguments(folder), *arguments)
    with out.open("wb") as stdout, err.open("wb") as stderr:
        subprocess.run(
            [sys.executable, "-c", STARTER, str(end), *command],
            cwd=ROOT,
            env=scrapy_environment(),
            stdout=stdout,
            stderr=stderr,
            check=True,
        )
    returncode, peak_bytes = map(int, end.read_text().split())
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in (out, err)]
    return Crawled(returncode, *texts, peak_bytes)
