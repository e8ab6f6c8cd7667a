"""Decompression: Scrapy's, of what is packed by codings that are known, in whatever way the header lists them."""

from __future__ import annotations

import zlib
from itertools import chain
from typing import TYPE_CHECKING

import brotli
from scrapy.downloadermiddlewares.httpcompression import (
    ACCEPTED_ENCODINGS,
    HttpCompressionMiddleware,
)
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.responsetypes import responsetypes

from crawler.downloadermiddlewares.warc import is_decoded
from crawler.durable.zstandard import zstd
from crawler.failures import BadAnswer
from crawler.page.encoding.charsets import charset_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.http import Request

# As curl has it; each is unpacked up to DOWNLOAD_MAXSIZE.
MAX_ENCODINGS = 5

# What a body that cannot be unpacked makes the decoders raise, and one that is too large.
UNDECODABLE = (
    *(BadAnswer, IgnoreRequest, brotli.error, zlib.error, zstd.ZstdError),
    *(EOFError, OSError, ValueError),
)

# RFC 9110 8.4.1.3: x-gzip is gzip.
_KNOWN = frozenset({*ACCEPTED_ENCODINGS, b"x-gzip"})
# Names that pack nothing: RFC 9110 12.5.3, the transfer encodings of mail, and what S3 leaves of an upload.
_NO_CODINGS = frozenset({b"", b"identity", b"none", b"binary", b"7bit", b"8bit", b"aws-chunked"})


def codings_of(values: Iterable[bytes]) -> list[bytes]:
    """Return the codings that the Content-Encoding headers *values* list, the last one that was applied last.

    A page's encoding, which some servers name there, is none. Raises :exc:`BadAnswer` for one that is not known,
    and for more than MAX_ENCODINGS.

    >>> codings_of([b"GZIP , identity,", b"br"])
    [b'gzip', b'br']
    """
    names = [name.strip().lower() for name in chain(*(value.split(b",") for value in values))]
    codings = [name for name in names if name not in _NO_CODINGS and not _is_charset(name)]
    if len(codings) > MAX_ENCODINGS or not _KNOWN.issuperset(codings):
        raise BadAnswer("content_encoding")
    return codings


def _is_charset(name: bytes) -> bool:
    return charset_of(name.decode("latin-1")) is not None


class CompressionMiddleware(HttpCompressionMiddleware):
    """Decompresses as Scrapy's middleware does; what it gives back of bodies packed by codings that both know is equal.

    Scrapy's asks the compressed response for its encoding and then forgets the answer. Where the header
    does not say it, that is a statistical guess, a third of a millisecond, on bytes that are no text.

    Scrapy's leaves a body as it is, packed, for a name in the header that it does not know, ``identity`` too. Here one
    that cannot be unpacked is no page (``content_encoding``). Only of an answer of status 2xx: of any other the body
    does not matter, and becomes empty. A body that is no product of its coding is taken as it is, as one of a WARC file
    is: it can be read.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]  # its third argument is deprecated
        values = response.headers.getlist("Content-Encoding")
        if not values or request.method == "HEAD":
            return response
        try:
            return self._unpacked(request, response, codings_of(values))
        except UNDECODABLE as error:
            # Of what unpacks to too much, a few bytes may look like text.
            if not isinstance(error, IgnoreRequest) and is_decoded(response.body):
                return _plain(response)
            if 200 <= response.status < 300:
                raise
            return _plain(response.replace(body=b""))

    def _unpacked(
        self, request: Request, response: Response, codings: list[bytes]
    ) -> Request | Response:
        if not codings:
            return _plain(response)
        packed = Response(**{name: getattr(response, name) for name in Response.attributes})
        packed.headers["Content-Encoding"] = codings
        return super().process_response(request, packed)


def _plain(response: Response) -> Response:
    """Return *response*, whose body is not packed, without the header, as what it is then."""
    values = {name: getattr(response, name) for name in Response.attributes}
    del values["headers"]["Content-Encoding"]
    kind = responsetypes.from_args(headers=response.headers, url=response.url, body=response.body)
    return kind(**values)
