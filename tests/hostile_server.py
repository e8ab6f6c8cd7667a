"""A raw server on loopback that answers each host with the very bytes it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TEXT = b"This is a sentence of the main text, with words enough to be kept as content. " * 8
HTML = b"Content-Type: text/html"


def page(words: bytes = b"") -> bytes:
    return b"<html><title>T</title><body><p>" + TEXT + words + b"</p></body></html>"


def reply(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    """An answer whose end is the end of the connection, unless *headers* say how long it is."""
    head = [b"HTTP/1.1 " + status, *headers, b"Connection: close", b"", b""]
    return b"\r\n".join(head) + body


class Hostile:
    """*answers*: host and path → bytes, or a list of them in turn, the last one ever after.

    *endless*: hosts that repeat theirs for ever; *silent*: hosts and paths that never answer.
    """

    def __init__(
        self,
        answers: dict[str, bytes | list[bytes]],
        endless: frozenset[str] = frozenset(),
        silent: frozenset[str] = frozenset(),
    ):
        self.answers = answers
        self.endless = endless
        self.silent = silent
        self.asked: list[str] = []
        self.asked_at: list[float] = []

    def wait_for(self, n_asked: int) -> None:
        """Wait until *n_asked* requests came, at most a minute."""
        deadline = time.monotonic() + 60
        while len(self.asked) < n_asked:
            assert time.monotonic() < deadline, f"{len(self.asked)} of {n_asked} requests came"
            time.sleep(0.02)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split()[1]
            host = head.lower().split("host: ")[1].split()[0].partition(".")[0]
            self.asked.append(host + path)
            self.asked_at.append(time.monotonic())
            if host + path in self.silent:
                await reader.read()  # until the crawl has had enough
            default = page() if path != "/robots.txt" else reply(b"", status=b"404 Not Found")
            bytes_out = self.answers.get(host + path, default)
            if isinstance(bytes_out, list):
                bytes_out = bytes_out.pop(0) if len(bytes_out) > 1 else bytes_out[0]
            writer.write(bytes_out)
            while host in self.endless and path == "/":
                writer.write(b"words of no end " * 1000)
                await writer.drain()
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the crawler has had enough
        finally:
            writer.close()


async def _end_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.contextmanager
def served_bytes(folder: Path, hostile: Hostile):
    """Serve *hostile* while the block runs; write seeds.txt and hosts.tsv of its hosts to *folder*."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(hostile.answer, "127.0.0.1", 0))
    port = server.sockets[0].getsockname()[1]
    hosts = sorted({name.partition("/")[0] for name in hostile.answers} | hostile.endless)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "seeds.txt").write_text(
        "".join(f"http://{host}.sample/\n" for host in hosts), encoding="utf-8"
    )
    (folder / "hosts.tsv").write_text(
        "".join(f"{host}.sample\t127.0.0.1\t{port}\n" for host in hosts), encoding="utf-8"
    )
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield folder
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.run_until_complete(_end_tasks())
        loop.close()
