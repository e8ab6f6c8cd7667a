"""The sample web on loopback: one listening socket an address, many hosts behind it.

The host is taken from the Host header, as every virtual host is, so that the port means nothing.

*On disk*: ``requests.tsv`` has a line a request, ``seconds<TAB>host<TAB>path<TAB>status`` with the
monotonic clock's seconds at the request's arrival, written when the answer is known, and goes on
when the same web is served again;
``hosts.tsv`` a line a host, ``host<TAB>address<TAB>port``; it is there as soon as the server is. A host
``*.x`` is every name below x that has no line.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import brotli
from aiohttp import web

from crawler.durable.files import write_atomic
from crawler.sampleweb.editions import in_edition, is_not_modified, validators

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from crawler.sampleweb.answers import Answer
    from crawler.sampleweb.web import SampleWeb

HOSTS_FILE = "hosts.tsv"
REQUESTS_FILE = "requests.tsv"

# Fast settings: the server shares the machine with the crawler it is there for.
_GZIP_LEVEL = 1
_BROTLI_QUALITY = 1

# Answers that are kept, some 10 kB each: who crawls the web once more is not kept waiting while its pages are made.
_ANSWERS = 5000

# How long a stopping server waits for open connections, in seconds.
_SHUTDOWN_SECS = 0.5


class SampleServer:
    """Serves *web* while it is entered (``async with``); the request log goes to *folder*.

    *port* 0 takes a free port on every address. Served is *edition* of the web
    (crawler.sampleweb.editions).
    """

    def __init__(self, sample: SampleWeb, folder: Path, *, port: int = 0, edition: int = 1) -> None:
        self.sample = sample
        self.folder = folder
        self.port = port
        self.edition = edition
        self.ports: dict[str, int] = {}
        self._seen: Counter[tuple[str, str]] = Counter()
        self._answer = lru_cache(maxsize=_ANSWERS)(sample.page)
        server = web.Server(self._handle, access_log=None)
        self._runner = web.ServerRunner(server, shutdown_timeout=_SHUTDOWN_SECS)

    async def __aenter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / HOSTS_FILE).unlink(missing_ok=True)
        self._log = (self.folder / REQUESTS_FILE).open("a", encoding="utf-8", buffering=1)
        try:
            await self._listen()
        except BaseException:
            await self.close()
            raise
        hosts = "".join(f"{name}\t{address}\t{port}\n" for name, address, port in self.addresses())
        write_atomic(self.folder / HOSTS_FILE, hosts.encode())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def addresses(self) -> Iterator[tuple[str, str, int]]:
        """Yield (host, address, port) for every host of the web."""
        for name, address in self.sample.addresses():
            yield name, address, self.ports[address]

    async def close(self) -> None:
        """Stop listening and close the log."""
        await self._runner.cleanup()
        self._log.close()

    async def _listen(self) -> None:
        await self._runner.setup()
        for address in sorted({self.sample.address(host.name) for host in self.sample.hosts()}):
            await web.TCPSite(self._runner, address, self.port).start()
            listening = self._runner.addresses[-1]
            self.ports[address] = listening[1]

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        start = time.monotonic()
        name = request.headers.get("Host", "").partition(":")[0].rstrip(".").lower()
        path = request.path_qs if request.raw_path is None else request.raw_path
        answer = self._answer(name, path)
        if answer is None:
            return web.Response(status=421, text="no such host here\n")
        answer = in_edition(answer, name, path, self.edition)
        status = answer.status
        if answer.first_status:
            self._seen[name, path] += 1
            status = answer.first_status if self._seen[name, path] == 1 else status
        known = validators(answer, name, path, self.edition) if status == answer.status else {}
        if is_not_modified(known, request.headers):
            status = 304
        self._log.write(f"{start:.6f}\t{name}\t{path}\t{status}\n")
        if answer.delay_secs:
            await asyncio.sleep(answer.delay_secs)
        if status == 304:
            return web.Response(status=status, headers=known)
        return _response(answer, status, request.headers.get("Accept-Encoding", ""), known)


def _response(answer: Answer, status: int, accepted: str, known: Mapping[str, str]) -> web.Response:
    headers = dict(known)
    if answer.content_type:
        headers["Content-Type"] = answer.content_type
    if answer.location:
        headers["Location"] = answer.location
    if answer.retry_after_secs and status >= 400:
        headers["Retry-After"] = str(answer.retry_after_secs)
    body = answer.body if status == answer.status else b"later\n"
    if answer.coding and answer.coding in accepted:
        headers["Content-Encoding"] = answer.coding
        body = _compress(body, answer.coding)
    return web.Response(status=status, body=body, headers=headers)


def _compress(body: bytes, coding: str) -> bytes:
    if coding == "gzip":
        return zlib.compress(body, _GZIP_LEVEL, wbits=31)
    return bytes(brotli.compress(body, quality=_BROTLI_QUALITY))
