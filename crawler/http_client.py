"""The HTTP client of the download handler: Scrapy's, with bounds that it lacks.

An answer whose header has no end is cut, and a connection that leads to an address that must not be
reached is closed before anything is sent. The address guard judged the address before; this second
look is at the peer that the connection really has, whoever resolved its name.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import (
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
    _LenientHTTPClientParser,
)
from twisted.internet import ssl
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.protocol import connectionDone
from twisted.web._newclient import STATUS
from twisted.web.client import HTTPConnectionPool
from twisted.web.http import _ChunkedTransferDecoder
from twisted.web.http_headers import InvalidHeaderName

from crawler.failures import BadAnswer
from crawler.transfer_codings import CHUNKED, transfer_codings

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress
    from twisted.python.failure import Failure
    from twisted.web._newclient import Request
    from twisted.web.iweb import IResponse

    from crawler.light.http import Exchange
    from crawler.urls.addresses import Reach

# What Chromium takes of all header lines, interim answers (1xx) included.
HEADER_MAX_BYTES = 256 * 1024

# Bytes of one read. Twisted's 64 KiB make twice as many of a page of 176 kB; each is a turn of the reactor.
READ_BYTES = 128 * 1024

# Charged for each line, so that short ones cost no more than long ones: about 4,000 lines.
_LINE_BYTES = 64

# As Twisted has it.
_HTTP11 = b"HTTP", 1, 1
_HALF_VERSION = re.compile(rb"HTTP(?:/[0-9]+)?")


class PaddedChunks(_ChunkedTransferDecoder):
    """Takes sizes of chunks with blanks behind them, as old servers fill them up, and any extension, as browsers do."""

    def _dataReceived_CHUNK_LENGTH(self) -> bool:  # noqa: N802  Twisted's name
        end = self._buffer.find(b"\r\n", self._start)
        size, semicolon, _ = self._buffer[: max(end, 0)].partition(b";")
        if semicolon or size.endswith((b" ", b"\t")):
            self._buffer[:end] = size.rstrip(b" \t")
            self._start = 0
        return super()._dataReceived_CHUNK_LENGTH()


class BoundedParser(_LenientHTTPClientParser):
    """Gives up an answer whose header is longer than HEADER_MAX_BYTES: ``header_too_large``.

    It takes headers that Twisted refuses, and browsers do not:

    - behind an empty line, or behind one that begins with a blank but continues no header;
    - with blanks before the colon, which are removed (as by a proxy, RFC 9112, 5.1);
    - beside a line whose name is no name of a header, which is left out;
    - with several blanks in the status line, or half a version (``HTTP/1``).

    Of transfer codings Twisted knows ``chunked``, and that only by itself. One that packs is handed on as the last
    content coding. Chunks say where a body ends; without them its length does, as in browsers, or the end of the
    connection. A redirect whose connection may stay open, for all that it says, has none: browsers do not wait for it.

    What one read brings of a chunked body is handed on at once: a signal for each of a million chunks
    of a byte would take a minute.
    """

    MAX_LENGTH = HEADER_MAX_BYTES
    n_header_bytes = 0
    pieces: list[bytes] | None = None

    def lineReceived(self, line: bytes) -> None:  # noqa: N802  Twisted's name
        self.n_header_bytes += len(line) + _LINE_BYTES
        if self.n_header_bytes > HEADER_MAX_BYTES:
            raise BadAnswer("header_too_large")
        if self.state == STATUS:
            is_passed_over = not line.strip()
        else:
            is_passed_over = self._partialHeader is None and line[:1] in {b" ", b"\t"}
        if not is_passed_over:
            super().lineReceived(line)

    def statusReceived(self, status: bytes) -> None:  # noqa: N802  Twisted's name
        version, *others = status.split(None, 2)
        if _HALF_VERSION.fullmatch(version):
            version = b"HTTP/1.0"
        super().statusReceived(b" ".join([version, *others]))  # type: ignore[no-untyped-call]  # Twisted's

    def headerReceived(self, name: bytes, value: bytes) -> None:  # noqa: N802  Twisted's name
        with suppress(InvalidHeaderName):
            super().headerReceived(name.rstrip(b" \t"), value)  # type: ignore[no-untyped-call]  # Twisted's

    def allHeadersReceived(self) -> None:  # noqa: N802  Twisted's name
        values = self.connHeaders.getRawHeaders(b"transfer-encoding", [])
        self.connHeaders.removeHeader(b"transfer-encoding")
        for coding in transfer_codings(values):
            if coding == CHUNKED:
                self.connHeaders.setRawHeaders(b"transfer-encoding", [CHUNKED])
            else:
                self.headers.addRawHeader(b"content-encoding", coding)
        if self._redirects_without_end():
            self.connHeaders.setRawHeaders(b"content-length", [b"0"])
            self.connHeaders.setRawHeaders(b"connection", [b"close"])
        super().allHeadersReceived()  # type: ignore[no-untyped-call]  # Twisted's

    def _redirects_without_end(self) -> bool:
        """Tell whether the answer leads elsewhere, and does not say how long it is, nor that its connection ends."""
        said = self.connHeaders
        has_end = said.hasHeader(b"content-length") or said.hasHeader(b"transfer-encoding")
        is_last = b"close" in b",".join(said.getRawHeaders(b"connection", [])).lower()
        is_redirect = 300 <= self.response.code < 400 and self.headers.hasHeader(b"location")
        return is_redirect and not (has_end or is_last) and self.response.version == _HTTP11

    def lineLengthExceeded(self, line: bytes) -> None:  # noqa: N802, ARG002  Twisted's name
        raise BadAnswer("header_too_large")

    def switchToBodyMode(self, decoder: Any) -> None:  # noqa: N802  Twisted's name
        if isinstance(decoder, _ChunkedTransferDecoder):
            # As Scrapy puts in its own parser: Twisted has no other way.
            decoder.__class__ = PaddedChunks
            self.pieces = []
            decoder.dataCallback = self.pieces.append
            decoder.finishCallback = self._finish_chunks
        super().switchToBodyMode(decoder)  # type: ignore[no-untyped-call]  # Twisted's

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        try:
            super().rawDataReceived(data)  # type: ignore[no-untyped-call]  # Twisted's
        finally:
            self._hand_on()

    def _finish_chunks(self, rest: bytes) -> None:
        self._hand_on()
        self._finished(rest)  # type: ignore[no-untyped-call]  # Twisted's

    def _hand_on(self) -> None:
        if self.pieces:
            body = b"".join(self.pieces)
            self.pieces.clear()
            self.response._bodyDataReceived(body)


class BoundedProtocol(_LenientHTTP11ClientProtocol):
    """One connection; each of its answers goes through a :class:`BoundedParser`.

    While *light* is set it is the one that takes what comes (`crawler.light.http`).
    """

    transport: Any
    light: Exchange | None = None

    @cached_property
    def certificate(self) -> ssl.Certificate | None:
        """The peer's certificate, None without encryption."""
        with suppress(AttributeError):
            return ssl.Certificate(self.transport.getPeerCertificate())  # type: ignore[no-untyped-call]  # Twisted's
        return None

    @cached_property
    def ip_address(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
        """The peer's address."""
        return ipaddress.ip_address(self.transport.getPeer().host)

    def connectionMade(self) -> None:  # noqa: N802  Twisted's name
        super().connectionMade()
        # The connection is inside of what encrypts it.
        getattr(self.transport, "transport", self.transport).bufferSize = READ_BYTES

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        if self.light is not None:
            self.light.data_received(data)
        else:
            super().dataReceived(data)  # type: ignore[no-untyped-call]  # Twisted's

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: N802  Twisted's name
        super().connectionLost(reason)  # type: ignore[no-untyped-call]  # Twisted's
        if self.light is not None:
            self.light.connection_lost()

    def request(self, request: Request) -> Deferred[IResponse]:
        answer = super().request(request)
        # As Scrapy puts in its own parser: Twisted has no other way.
        self._parser.__class__ = BoundedParser
        return answer


class BriefPool(HTTPConnectionPool):
    """Keeps idle connections as Twisted's pool, with the loop's own timers: Twisted's cost 40 us a page."""

    def _putConnection(self, key: Any, connection: BoundedProtocol) -> None:  # noqa: N802  Twisted's name
        connections = self._connections.setdefault(key, [])
        if connection.state != "QUIESCENT" or len(connections) >= self.maxPersistentPerHost:
            super()._putConnection(key, connection)  # type: ignore[no-untyped-call]  # Twisted's
            return
        connections.append(connection)
        self._timeouts[connection] = asyncio.get_running_loop().call_later(
            self.cachedConnectionTimeout, self._removeConnection, key, connection
        )


class GuardedFactory(_LenientHTTP11ClientFactory):
    """Makes the protocol of a connection unless its peer must not be reached.

    *report* is called with the address of one that is not within *reach*, and the reason.
    """

    def __init__(self, reach: Reach, report: Callable[[str, str], None], *pool_arguments: Any):
        super().__init__(*pool_arguments)  # type: ignore[no-untyped-call]  # Twisted's
        self.reach = reach
        self.report = report

    def buildProtocol(self, addr: IAddress | None) -> BoundedProtocol:  # noqa: N802  Twisted's name
        if isinstance(addr, IPv4Address | IPv6Address) and (
            refusal := self.reach.refusal(addr.host)
        ):
            self.report(addr.host, refusal)
            raise BadAnswer(refusal)
        return BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]  # Twisted's
