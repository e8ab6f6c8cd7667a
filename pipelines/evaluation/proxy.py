"""The replay proxy: an HTTP proxy on loopback that answers with a gold standard's pages, cleaned.

A client that goes through it sees the stored pages as a method leaves them; so what is built for browsers
can be tried on them. The client asks for a page by its URL; the proxy cleans the stored bytes and answers
with HTML, or with 404 where the standard does not hold that URL. *Source: Gottron 2008, sections 5.1 and
7.2.3: methods as proxies, whose upstream is a package of documents.* Here method and package are one
process, and the page is cleaned before the first byte of the answer is sent, as by a proxy that buffers.

It answers GET and HEAD requests in absolute form (``GET http://host/path HTTP/1.1``), one a connection.
Other methods, ``CONNECT`` too, get 405; other forms 400; a request head above `MAX_HEAD_BYTES` 431; one
that has not come after `HEAD_SECS` 408. Each of these says in its body what to ask instead. Which page a URL asks for: `pipelines.evaluation.replayed_pages`. Without a method, pages are answered as
they were stored: the proxy is then the upstream of somebody else's.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from crawler.page import build_page
from crawler.wording import counted
from pipelines.boilerplate.labels import rules_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from crawler.page import PageModel
    from pipelines.boilerplate.labels import Cleaner, Labels
    from pipelines.evaluation.replayed_pages import Pages

    Render = Callable[[PageModel, Labels], str]

LOOPBACK = "127.0.0.1"
MAX_HEAD_BYTES = 16 * 1024
HEAD_SECS = 10.0
_ALLOWED = ("GET", "HEAD")
_HTML = "text/html; charset=utf-8"
# What a line of a head may hold: RFC 9110, section 5.5.
_HEAD_VALUE = re.compile(r"[\t\x20-\x7e]+")
_SAID = {
    HTTPStatus.BAD_REQUEST: "Ask a proxy by the whole address: GET http://host/path HTTP/1.1.",
    HTTPStatus.NOT_FOUND: "No stored page has this address; ask for one of the gold standard's.",
    HTTPStatus.METHOD_NOT_ALLOWED: "Ask by GET or HEAD; for an https page with http:// in its place.",
    HTTPStatus.REQUEST_TIMEOUT: "The head of the request did not end; send it at once, with an empty line behind.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: f"Ask with a head of at most {MAX_HEAD_BYTES} bytes.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The method fails on this page; clean it by scrapy clean to see why.",
}


@dataclass(frozen=True, slots=True)
class ReplayProxy:
    """Answers with *pages*, cleaned by *cleaner* and made HTML by *render*; with None, as stored.

    With *origin* it is the web server of that address, too: a path is one below it. *served* is told each time that
    a page is sent whole.
    """

    pages: Pages
    cleaner: Cleaner | None
    render: Render
    head_secs: float = HEAD_SECS
    origin: str | None = None
    served: Callable[[], None] | None = None

    async def start(self, port: int) -> asyncio.Server:
        """Listen on loopback at *port*, a free one for 0; return the server."""
        return await listen(self.answer, port)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the one request of a connection, and close it."""
        # Else a page would count as sent that waits for its reader.
        writer.transport.set_write_buffer_limits(0)
        try:
            await self._send(writer, await self._response(reader))
            # What else the client sends, such as a form: closed on that, the connection would be reset, and
            # the answer lost.
            with suppress(TimeoutError):
                await asyncio.wait_for(_read_on(reader), self.head_secs)
        except OSError:
            pass  # The client is gone; nobody is left to tell.
        finally:
            writer.close()

    async def _send(self, writer: asyncio.StreamWriter, response: _Response) -> None:
        status, content_type, body, is_head = response
        head = [
            f"HTTP/1.1 {status.value} {status.phrase}",
            f"Content-Type: {content_type}",
            f"Content-Length: {len(body)}",
            "Cache-Control: no-store",
            "Connection: close",
        ]
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            head.append(f"Allow: {', '.join(_ALLOWED)}")
        writer.write("\r\n".join([*head, "", ""]).encode("ascii"))
        if not is_head:
            writer.write(body)
        await writer.drain()
        if self.served is not None and status is HTTPStatus.OK and not is_head:
            self.served()
        writer.write_eof()

    async def _response(self, reader: asyncio.StreamReader) -> _Response:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), self.head_secs)
        except TimeoutError:
            return _said(HTTPStatus.REQUEST_TIMEOUT)
        except asyncio.LimitOverrunError:
            return _said(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        except (asyncio.IncompleteReadError, ConnectionError):
            return _said(HTTPStatus.BAD_REQUEST)
        method, _, rest = _text(head.lstrip(b"\r\n").partition(b"\r\n")[0]).partition(" ")
        url, _, version = rest.rpartition(" ")
        is_head = method == "HEAD"
        if not version.startswith("HTTP/1."):
            return _said(HTTPStatus.BAD_REQUEST, is_head=is_head)
        if method not in _ALLOWED:
            return _said(HTTPStatus.METHOD_NOT_ALLOWED)
        if self.origin is not None and url.startswith("/"):
            url = self.origin + url
        if not url.lower().startswith(("http://", "https://")):
            return _said(HTTPStatus.BAD_REQUEST, is_head=is_head)
        # A thread of its own: other clients are answered while a page is cleaned.
        try:
            found = await asyncio.to_thread(self._cleaned, url)
        except Exception:  # noqa: BLE001 - a method of somebody else's may raise anything
            return _said(HTTPStatus.INTERNAL_SERVER_ERROR, is_head=is_head)
        if found is None:
            return _said(HTTPStatus.NOT_FOUND, is_head=is_head)
        return _Response(HTTPStatus.OK, *found, is_head)

    def _cleaned(self, url: str) -> tuple[str, bytes] | None:
        page = self.pages.get(url)
        if page is None:
            return None
        if self.cleaner is None:
            said = page.content_type or ""
            return said if _HEAD_VALUE.fullmatch(said) else "text/html", page.body
        model = build_page(
            page.body, url=page.url, content_type=page.content_type, rules=rules_of(self.cleaner)
        )
        html = self.render(model, self.cleaner.label(model))
        return _HTML, html.encode("utf-8", "replace")


class _Response(NamedTuple):
    status: HTTPStatus
    content_type: str
    body: bytes
    is_head: bool = False


def _said(status: HTTPStatus, *, is_head: bool = False) -> _Response:
    html = f"<!DOCTYPE html><title>{status.phrase}</title><p>{_SAID[status]}"
    return _Response(status, _HTML, html.encode("ascii"), is_head)


async def listen(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], port: int
) -> asyncio.Server:
    """Listen on loopback at *port*, a free one for 0; each connection is given to *answer*."""
    return await asyncio.start_server(answer, LOOPBACK, port, limit=MAX_HEAD_BYTES)


async def _read_on(reader: asyncio.StreamReader) -> None:
    """Read what comes until the client ends it."""
    while await reader.read(MAX_HEAD_BYTES):
        pass


def _text(line: bytes) -> str:
    """Return a *line* of a request, in UTF-8 where a client did not escape its address."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def plain_html(page: PageModel, labels: Labels) -> str:
    """Return the kept blocks of *page* as HTML: its title, headings and paragraphs."""
    names = [
        kind.replace("heading", "h") if kind.startswith("heading") else "p"
        for kind in page.blocks.kind
    ]
    blocks = [
        f"<{name}>{escape(text)}</{name}>"
        for name, text in zip(names, page.blocks.text, strict=True)
    ]
    head = f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>{escape(page.title or "")}</title>'
    return "\n".join([head, *compress(blocks, labels.kept.tolist()), ""])


async def serve(proxy: ReplayProxy, port: int, *, say: Callable[[str], None]) -> None:
    """Serve until cancelled; *say* is told the address once it listens."""
    server = await proxy.start(port)
    async with server:
        host, bound = server.sockets[0].getsockname()[:2]
        say(f"{counted(len(proxy.pages), 'page')} by the proxy http://{host}:{bound}")
        await server.serve_forever()
