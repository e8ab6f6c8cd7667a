"""From places to what the server sends: bytes in the host's charset, redirects, errors."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from crawler.sampleweb import charsets, resources
from crawler.sampleweb.answers import Answer
from crawler.sampleweb.charsets import UTF8
from crawler.sampleweb.pages import PageMaker

if TYPE_CHECKING:
    from crawler.sampleweb.article import Article
    from crawler.sampleweb.document import Document
    from crawler.sampleweb.library import Library
    from crawler.sampleweb.places import Place, Places

_DOCUMENTS = 64

_BODIES = {
    "application/pdf": b"%PDF-1.4\n%%EOF\n",
    "application/json": b'{"pages": [1, 2, 3]}\n',
    "image/png": b"\x89PNG\r\n\x1a\n",
}


class Replies:
    """Makes documents and answers; keeps the latest documents."""

    def __init__(self, library: Library, places: Places) -> None:
        self.library = library
        self.places = places
        self.maker = PageMaker(library)
        self.document = lru_cache(maxsize=_DOCUMENTS)(self._document)

    def answer(self, place: Place) -> Answer:
        """Return what the server sends for *place*."""
        if place.kind == "resource":
            return resources.resource(self.places, place.host, place.path)
        if place.kind == "missing":
            return _error(404)
        special = place.special
        if special is None:
            return self._html(place)
        if special.status >= 400:
            return _error(special.status, retry_after_secs=special.retry_after_secs)
        if special.kind.startswith("redirect"):
            return Answer(special.status, b"", location=special.header or special.location)
        if special.media_type == "text/plain":
            return self._plain(place)
        if special.media_type in _BODIES or special.kind == "empty":
            return Answer(200, _BODIES.get(special.media_type, b""), special.media_type)
        return self._html(place)

    def text(self, place: Place) -> Article:
        """Return the article of a plain text file."""
        special = place.special
        assert special is not None
        return self.library.fresh(place.host, place.path, special.n_words)

    def has_document(self, place: Place) -> bool:
        """Whether an HTML document stands at *place*."""
        special = place.special
        if special is None:
            return place.kind not in ("resource", "missing")
        is_html = special.media_type in ("text/html", "application/xhtml+xml")
        return is_html and special.status == 200 and special.kind != "empty"

    def _document(self, place: Place) -> Document:
        host, path = place.host, place.path
        if place.special is not None:
            return self.maker.special(host, path, place.special)
        if place.page < 0:
            return self.maker.trap(host, path, [*place.following])
        extra = self.places.home_links(host) if place.page == 0 else []
        return self.maker.numbered(host, place.page, path=path, session=place.session, extra=extra)

    def _html(self, place: Place) -> Answer:
        host, special = place.host, place.special
        body = charsets.encode(self.document(place).html, host.charset)
        media_type = special.media_type if special else "text/html"
        return Answer(
            200,
            body,
            charsets.content_type(host.charset, media_type),
            coding=host.coding,
            delay_secs=special.delay_secs if special else 0.0,
            first_status=special.first_status if special else 0,
            retry_after_secs=special.retry_after_secs if special else 0,
        )

    def _plain(self, place: Place) -> Answer:
        article = self.text(place)
        body = "\n\n".join((article.title, *(block.shown for block in article.blocks)))
        return Answer(200, body.encode(), charsets.content_type(UTF8, "text/plain"))


def _error(status: int, *, retry_after_secs: int = 0) -> Answer:
    body = f"<html><body><p>Error {status}</p></body></html>".encode()
    return Answer(status, body, "text/html", retry_after_secs=retry_after_secs)
