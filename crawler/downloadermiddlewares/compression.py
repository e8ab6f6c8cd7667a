"""Decompression: Scrapy's, without a look for the encoding of what is still compressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import Response, TextResponse

if TYPE_CHECKING:
    from scrapy.http import Request


class CompressionMiddleware(HttpCompressionMiddleware):
    """Decompresses as Scrapy's middleware does; what it gives back is equal.

    Scrapy's asks the compressed response for its encoding and then forgets the answer. Where the header
    does not say it, that is a statistical guess, a third of a millisecond, on bytes that are no text.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]  # its third argument is deprecated
        if isinstance(response, TextResponse) and response.headers.getlist("Content-Encoding"):
            values = {name: getattr(response, name) for name in Response.attributes}
            response = Response(**values)
        return super().process_response(request, response)
