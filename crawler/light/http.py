"""A GET over a connection that has answered before: what most requests of a crawl are.

Twisted's agent, pool, parser and body protocol take half a millisecond of a page. On a connection that has
given one whole answer, one line of request and one header with a length need none of them. Whatever is
not as plain as that (another method, a proxy, a header that is not regular, a body in chunks or
without a length, one that is too long) goes Scrapy's way, with the bytes that have come: what such an
answer becomes is decided in one place only.
"""

from __future__ import annotations

import asyncio
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.core.downloader.handlers.http11 import _ScrapyAgent
from scrapy.exceptions import DownloadTimeoutError
from scrapy.utils._download_handlers import wrap_twisted_exceptions
from twisted.internet.defer import Deferred, succeed
from twisted.internet.tcp import Client
from twisted.web._newclient import Request as TxRequest
from twisted.web.client import URI

from crawler.light.plain_answers import answer_kind, read_head
from crawler.light.plain_requests import address_of, written
from crawler.light.signals import is_heard

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
    from scrapy.http import Request, Response
    from twisted.python.failure import Failure
    from twisted.web.http_headers import Headers as TxHeaders
    from twisted.web.iweb import IResponse

    from crawler.http_client import BoundedProtocol
    from crawler.light.plain_answers import Head


_BEGINNING = b"HTTP/"
_SPECIAL_META = ("proxy", "bindaddress", "download_fail_on_dataloss", "download_warnsize")


class NoAnswerError(Exception):
    """The connection ended before anything came: it had been closed in the meantime. Or what came is no answer."""


class Exchange:
    """One answer on its way over *protocol*.

    *done* has its header, its body and whether that is whole; or the Response that *go_on* makes of an answer
    that is not plain, of which it is given what came.
    """

    def __init__(
        self,
        protocol: BoundedProtocol,
        max_bytes: int,
        go_on: Callable[[bytes], Deferred[Response]],
    ):
        loop = asyncio.get_running_loop()
        self.done: asyncio.Future[tuple[Head, bytes, bool] | Response] = loop.create_future()
        self.protocol = protocol
        self.max_bytes = max_bytes
        self.go_on = go_on
        self.began_at = self.headed_at = monotonic()
        self.continued: Deferred[Response] | None = None
        self.is_exact = True
        self._head: Head | None = None
        self._pieces: list[bytes | memoryview] = []
        self._missing = 0

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        if self.done.done():
            self.is_exact = False
            return
        head = self._head
        if head is None:
            self.headed_at = monotonic()
            self._head = head = read_head(data, self.max_bytes)
            if head is None and not _may_be_answer(data):
                self.done.set_exception(NoAnswerError())
                self.protocol.transport.abortConnection()
                return
            if head is None:
                self._continue(data)
                return
            self._missing = head.length + head.size
            self._pieces.append(memoryview(data)[head.size :])
        else:
            self._pieces.append(data)
        self._missing -= len(data)
        if self._missing <= 0:
            self.is_exact = self._missing == 0
            body = b"".join(self._pieces)
            self.done.set_result((head, body[: head.length], True))

    def connection_lost(self) -> None:
        """Take the end of the connection."""
        if self.done.done():
            return
        if self._head is None:
            self.done.set_exception(NoAnswerError())
        else:
            self.done.set_result((self._head, b"".join(self._pieces), False))

    def give_up(self, error: Exception | None) -> None:
        """Break the exchange off; whoever waits for it gets *error*, if there is one."""
        if error is not None and not self.done.done():
            self.done.set_exception(error)
        if self.continued is not None:
            self.continued.cancel()
        self.protocol.light = None
        if self.protocol.transport is not None:
            self.protocol.transport.abortConnection()

    def _continue(self, data: bytes) -> None:
        self.protocol.light = None
        self.continued = self.go_on(data)
        self.continued.addCallbacks(self._settle, self._fail)

    def _settle(self, response: Response) -> None:
        if not self.done.done():
            self.done.set_result(response)

    def _fail(self, failure: Failure) -> None:
        if not self.done.done():
            assert failure.value is not None
            self.done.set_exception(failure.value)


class _Sent(TxRequest):
    """A request that is on its way already."""

    def writeTo(self, transport: Any) -> Deferred[None]:  # noqa: N802, ARG002  Twisted's name
        return succeed(None)


class _ContinuingAgent(_ScrapyAgent):
    """Reads an answer that is not plain as Scrapy does; it is Twisted's agent too, for a request that is sent."""

    def start(self, protocol: BoundedProtocol, uri: URI) -> None:
        """Read what *protocol* receives in answer to a request for *uri*."""
        self.protocol, self.uri = protocol, uri

    def _get_agent(self, request: Request, timeout: float) -> Any:  # noqa: ARG002  Scrapy's
        return self

    def request(
        self, method: bytes, _: bytes, headers: TxHeaders, body: None
    ) -> Deferred[IResponse]:
        """Return the answer; its header and body are read by `crawler.http_client.BoundedParser`."""
        headers.addRawHeader(b"Host", self.uri.netloc)
        sent: Any = _Sent
        request = sent._construct(method, self.uri.originForm, headers, body, persistent=True)
        return self.protocol.request(request)


class LightClient:
    """Fetches over the idle connections of a handler's pool."""

    def __init__(self, handler: HTTP11DownloadHandler):
        self.handler = handler
        self.crawler = handler._crawler
        self.pool: Any = handler._pool
        self.is_usual = not (
            handler._bind_address
            or handler._fail_on_dataloss
            or handler._default_warnsize
            or handler._tls_verbose_logging
        )

    async def fetch(self, request: Request) -> Response | None:
        """Return the answer to *request*, None for one that is to be sent in Scrapy's way."""
        if not self._is_plain(request):
            return None
        url = request.url.partition("#")[0]
        address = address_of(url.encode("ascii"))
        if address is None:
            return None
        message = written(request, address)
        # The pool's key, with the address that Scrapy binds to.
        key = (address.scheme, address.host, address.port, None)
        if message is None or (protocol := self._idle_connection(key)) is None:
            return None
        max_bytes = request.meta.get("download_maxsize", self.handler._default_maxsize)
        go_on = partial(self._continue, request, protocol, url)
        exchange = protocol.light = Exchange(protocol, max_bytes, go_on)
        _send(protocol.transport, message)
        found = await self._answer(exchange, request)
        if not isinstance(found, tuple):
            return found
        head, body, is_whole = found
        if is_whole and exchange.is_exact and not head.is_last and protocol.state == "QUIESCENT":
            self.pool._putConnection(key, protocol)
        else:
            protocol.transport.loseConnection()
        response = answer_kind(head.headers, url, body)(
            url,
            head.status,
            body=body,
            flags=None if is_whole else ["dataloss"],
            certificate=protocol.certificate,
            ip_address=protocol.ip_address,
            protocol="HTTP/1.1",
        )
        response.headers = head.headers
        return response

    async def _answer(
        self, exchange: Exchange, request: Request
    ) -> tuple[Head, bytes, bool] | Response | None:
        secs = request.meta.get("download_timeout") or 10
        error = DownloadTimeoutError(f"Getting {request.url} took longer than {secs} seconds.")
        timer = asyncio.get_running_loop().call_later(secs, exchange.give_up, error)
        try:
            with wrap_twisted_exceptions():
                found = await exchange.done
        except NoAnswerError:
            return None
        except asyncio.CancelledError:
            exchange.give_up(None)
            raise
        finally:
            timer.cancel()
            exchange.protocol.light = None
            request.meta["download_latency"] = exchange.headed_at - exchange.began_at
        return found

    def _is_plain(self, request: Request) -> bool:
        sender = self.crawler.signals.sender
        return (
            self.is_usual
            and request.method == "GET"
            and not request.body
            and request.url.isascii()
            and request.meta.keys().isdisjoint(_SPECIAL_META)
            and not hasattr(self.crawler.spider, "download_maxsize")
            and not is_heard(sender, signals.headers_received)
            and not is_heard(sender, signals.bytes_received)
        )

    def _idle_connection(self, key: tuple[Any, ...]) -> BoundedProtocol | None:
        """Take an idle connection out of the pool."""
        idle = self.pool._connections.get(key)
        if not idle or idle[0].state != "QUIESCENT":
            return None
        protocol: BoundedProtocol = idle.pop(0)
        self.pool._timeouts.pop(protocol).cancel()
        return protocol

    def _continue(
        self, request: Request, protocol: BoundedProtocol, url: str, data: bytes
    ) -> Deferred[Response]:
        handler = self.handler
        agent = _ContinuingAgent(
            contextFactory=handler._contextFactory,
            pool=handler._pool,
            maxsize=handler._default_maxsize,
            warnsize=handler._default_warnsize,
            fail_on_dataloss=handler._fail_on_dataloss,
            crawler=self.crawler,
        )
        agent.start(protocol, URI.fromBytes(url.encode("ascii")))  # type: ignore[no-untyped-call]  # Twisted's
        answer = agent.download_request(request)
        # Not before: the body's reader asks the connection for its peer, which it has while it reads.
        protocol.dataReceived(data)
        return answer


def _may_be_answer(data: bytes) -> bool:
    """Tell whether an answer may begin with *data*, on a connection that has answered before.

    Else it is mostly the rest of the answer before, whose header told too small a length: the page that is asked for
    has nothing to do with it, and is to be had over a new connection.
    """
    # A blank line may come first.
    beginning = data.lstrip()[: len(_BEGINNING)]
    return beginning.upper() == _BEGINNING[: len(beginning)]


def _send(transport: Any, message: bytes) -> None:
    """Write *message* at once, as far as the system takes it; Twisted would at the reactor's next turn."""
    is_plain = type(transport) is Client and not transport.TLS
    if is_plain and not transport.dataBuffer and not transport._tempDataBuffer:
        n_sent = transport.writeSomeData(message)
        # Twisted finds out by itself that a connection is lost.
        if isinstance(n_sent, int):
            message = message[n_sent:]
    if message:
        transport.write(message)
