"""A program that cleans pages as an HTTP proxy does, as a subject: what a client gets through it is the extract.

For each page a replay server has that page alone, and 404 for all else; the page is asked for through the proxy:
by an address of the server's own, ``http://127.0.0.1:PORT/N.html``, or, with an *upstream* port, by the page's. The
proxy is then set up to ask the proxy on that port, which is our server, and never the web. The answer is HTML, or text
by its ``Content-Type``; its text counts.
*Source: Gottron 2008, 5.3.3 and, for the pages' own addresses, 7.2.3.*

Time is that of the clock, from the end of serving to the end of receipt, so that what a proxy does while a page still
comes is not counted; where it asked for nothing, as our own ``--proxy`` that has the pages itself, from the request.
Pages are asked for one after the other, uncompressed, once each; a first one is not timed.

A page is given *secs* and `MAX_BYTES`. What goes wrong is an empty extraction that bears its reason: ``Timeout``;
``Died``, of a connection that ended before its answer; ``Refused``; ``TooLarge``; ``NoHTTP``; ``Status404`` and the
like; ``NotText``, of another type, or packed; ``NotAsked``, of an answer to a page of ours that the proxy had not
asked for.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from crawler.page import PageRules, build_page
from crawler.page.encoding.text import decode
from crawler.page.words import nfc
from pipelines.evaluation.harness.isolation import DIED, TIMEOUT, Extraction
from pipelines.evaluation.harness.proxy_answers import NOT_TEXT, BadAnswerError, read_answer
from pipelines.evaluation.proxy import LOOPBACK, ReplayProxy, listen, plain_html
from pipelines.evaluation.replayed_pages import StoredPage, asked_address, stored_page

if TYPE_CHECKING:
    from pipelines.evaluation.gold import GoldPage
    from pipelines.evaluation.harness.proxy_answers import Answer
    from pipelines.evaluation.harness.specs import ProxyAddress

REFUSED, NOT_ASKED = "Refused", "NotAsked"
# What the page model reads of a page.
MAX_BYTES = 64 * 2**20
# What of our server the proxy is asked for by path; no page of a standard has it.
_ORIGIN = "http://served.invalid"
_PLAIN = re.compile(r"\s*text/plain\s*(?:;|$)", re.IGNORECASE)
_WARM_UP = StoredPage(
    f"{_ORIGIN}/warm-up.html", "text/html", b"<title>A page</title><p>The words of a paragraph."
)


class LiveProxies:
    """Asks proxies for pages, each of which is given *secs*; `close` ends the servers."""

    def __init__(self, secs: float, max_bytes: int = MAX_BYTES) -> None:
        self._secs = secs
        self._max_bytes = max_bytes
        self._runner: asyncio.Runner | None = None
        self._servers: dict[int, _PageServer] = {}
        self._n_asked = 0

    def close(self) -> None:
        """End the servers."""
        for server in self._servers.values():
            server.close()
        self._servers = {}
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    def load_error(self, proxy: ProxyAddress) -> str | None:
        """Ask *proxy* for a page that is not counted; return why none can be asked for, None when they can."""
        try:
            found = self._run(proxy, _WARM_UP)
        except OSError as error:
            return f"port {proxy.upstream} cannot be listened on: {error.strerror}"
        return REFUSED if found.error == REFUSED else None

    def extract(self, proxy: ProxyAddress, page: GoldPage) -> Extraction:
        """Return what *proxy* leaves of *page*; never raises for what it does."""
        stored = stored_page(page)
        if proxy.upstream is None:
            self._n_asked += 1
            stored = stored._replace(url=f"{_ORIGIN}/{self._n_asked}.html")
        return self._run(proxy, stored)

    def _run(self, proxy: ProxyAddress, page: StoredPage) -> Extraction:
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(self._extraction(proxy, page))

    async def _extraction(self, proxy: ProxyAddress, page: StoredPage) -> Extraction:
        server = await self._server(proxy.upstream or 0)
        server.asked = asked = _Asked(page)
        address = asked_address(page.url)
        if proxy.upstream is None:
            address = address.replace(_ORIGIN, f"http://{LOOPBACK}:{server.port}", 1)
        start = time.perf_counter()
        text, error = "", None
        try:
            async with asyncio.timeout(self._secs):
                answer = await _asked(proxy, address, self._max_bytes)
        except TimeoutError:
            error = TIMEOUT
        except ConnectionRefusedError:
            error = REFUSED
        except (OSError, EOFError):
            error = DIED
        except BadAnswerError as bad:
            error = bad.reason
        # Of one that streams, the last of the answer may come before the server knows that all is sent.
        secs = max(0.0, time.perf_counter() - (asked.served_at or start))
        if error is None:
            text, error = _text(answer)
        if error is None and proxy.upstream is None and asked.served_at is None:
            text, error = "", NOT_ASKED
        return Extraction(text, secs, error)

    async def _server(self, port: int) -> _PageServer:
        if port not in self._servers:
            server = _PageServer()
            await server.start(port)
            self._servers[port] = server
        return self._servers[port]


class _Asked:
    """The one page that may be had while it is asked for, and when it was last sent whole."""

    def __init__(self, page: StoredPage) -> None:
        self.page = page
        self.served_at: float | None = None

    def get(self, url: str) -> StoredPage | None:
        """Return the page when it is that of *url*."""
        return self.page if asked_address(url) == asked_address(self.page.url) else None

    def __len__(self) -> int:
        return 1

    def note(self) -> None:
        """Note that it was sent."""
        self.served_at = time.perf_counter()


class _PageServer:
    """Answers for the page that was asked for when a connection was made, so that late ones say nothing of the next."""

    def __init__(self) -> None:
        self.asked = _Asked(_WARM_UP)
        self.port = 0
        self._server: asyncio.Server | None = None

    async def start(self, port: int) -> None:
        """Listen on loopback at *port*; raises OSError."""
        self._server = await listen(self._answer, port)
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Listen no longer."""
        if self._server is not None:
            self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = self.asked
        server = ReplayProxy(asked, None, plain_html, origin=_ORIGIN, served=asked.note)
        await server.answer(reader, writer)


async def _asked(proxy: ProxyAddress, address: str, max_bytes: int) -> Answer:
    """Return what *proxy* answers to a request for *address*."""
    reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
    host = address.split("/")[2]
    try:
        head = (
            f"GET {address} HTTP/1.1",
            f"Host: {host}",
            "Accept: text/html, text/plain;q=0.9",
            "Accept-Encoding: identity",
            "Cache-Control: no-cache",
            "Connection: close",
        )
        writer.write("\r\n".join([*head, "", ""]).encode("ascii"))
        with suppress(ConnectionError):
            # One that answers before it reads: what it says counts.
            await writer.drain()
        return await read_answer(reader, max_bytes)
    finally:
        writer.transport.abort()


def _text(answer: Answer) -> tuple[str, str | None]:
    """Return the text of *answer*, and what is wrong with it, None when nothing is."""
    if not 200 <= answer.status < 300:
        return "", f"Status{answer.status}"
    if _PLAIN.match(answer.content_type or ""):
        # As it is: the page model would join lines.
        decoded = decode(answer.body, content_type=answer.content_type, is_html=False)
        return nfc(decoded.utf8.decode("utf-8", "replace")), None
    page = build_page(
        answer.body, url="", content_type=answer.content_type, rules=PageRules(inline="phrasing")
    )
    if page.reject not in {None, "empty"}:
        return "", NOT_TEXT
    return "\n".join(page.blocks.text), None
