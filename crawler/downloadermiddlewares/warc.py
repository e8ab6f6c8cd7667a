"""The WARC middleware: answers from a stored response, before robots and without a socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http.headers import Headers
from scrapy.responsetypes import responsetypes

if TYPE_CHECKING:
    from scrapy.http import Request, Response

    from crawler.seeds.warc import WarcResponse

# A WARC writer stores the body as it was before chunking, or says that it did; the lengths and
# transfer codings of the wire no longer fit.
_WIRE_HEADERS = frozenset({"transfer-encoding", "content-length"})


class WarcMiddleware:
    """Meta: ``winnow_warc`` (the stored response); it sets ``winnow_fetched_at`` from its date."""

    def process_request(self, request: Request) -> Response | None:
        record: WarcResponse | None = request.meta.get("winnow_warc")
        if record is None:
            return None
        request.meta["winnow_fetched_at"] = record.fetched_at
        headers = Headers()
        for name, value in record.headers:
            if name.lower() not in _WIRE_HEADERS:
                headers.appendlist(name, value)
        cls = responsetypes.from_args(headers=headers, url=request.url, body=record.body)
        return cls(request.url, status=record.status, headers=headers, body=record.body)
