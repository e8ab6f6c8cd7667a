"""The WARC middleware: answers from a stored response, before robots and without a socket."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scrapy.http.headers import Headers
from scrapy.responsetypes import responsetypes

from crawler.transfer_codings import packing_codings

if TYPE_CHECKING:
    from scrapy.http import Request, Response

    from crawler.seeds.warc import WarcResponse

# A WARC writer stores the body as it was before chunking, or says that it did; the lengths and
# transfer codings of the wire no longer fit, but for those that pack.
_WIRE_HEADERS = frozenset({b"transfer-encoding", b"content-length"})

# Some writers decode the body and keep the header, those of Common Crawl did until 2018. What reads as markup is
# not encoded, nor is what has a byte order mark or, in as many bytes as browsers look at, none that no text has:
# of 100 bytes of a compressed page one in 10**5 has none.
_MARKUP = re.compile(rb"\s*<[!?A-Za-z]")
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_NO_TEXT = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SNIFFED_BYTES = 1445


class WarcMiddleware:
    """Meta: ``winnow_warc`` (the stored response)."""

    def process_request(self, request: Request) -> Response | None:
        record: WarcResponse | None = request.meta.get("winnow_warc")
        if record is None:
            return None
        headers = Headers()
        for name, value in record.headers:
            if name.lower() not in _WIRE_HEADERS:
                headers.appendlist(name, value)
        for coding in packing_codings(
            value for name, value in record.headers if name.lower() == b"transfer-encoding"
        ):
            headers.appendlist("Content-Encoding", coding)
        if is_decoded(record.body):
            headers.pop("Content-Encoding", None)
        cls = responsetypes.from_args(headers=headers, url=request.url, body=record.body)
        return cls(request.url, status=record.status, headers=headers, body=record.body)


def is_decoded(body: bytes) -> bool:
    """Tell whether *body* is no product of a content coding."""
    if body.startswith(_MARKS) or _MARKUP.match(body):
        return True
    return _NO_TEXT.search(body, 0, _SNIFFED_BYTES) is None
