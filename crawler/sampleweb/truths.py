"""The answers: all that is known of what stands at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.page.words import density_tokens
from crawler.sampleweb.answers import Truth
from crawler.sampleweb.article import THIN_BELOW_WORDS
from crawler.sampleweb.sins import ANY_SOFT404
from crawler.sampleweb.writer import Arc

if TYPE_CHECKING:
    from crawler.sampleweb.library import Library
    from crawler.sampleweb.places import Place, Places
    from crawler.sampleweb.replies import Replies

TRAPS = frozenset({"session", "calendar", "endless"})

# Kinds of special pages whose text is no document's: the crawler drops them for their type.
_NOT_TEXT = frozenset({"not_text", "empty"})


class Truths:
    """Answers for every URL of a web."""

    def __init__(self, library: Library, places: Places, replies: Replies) -> None:
        self.library = library
        self.places = places
        self.replies = replies

    def of(self, place: Place) -> Truth:
        """Return what is known of *place*."""
        host, special = place.host, place.special
        known: dict[str, Any] = {
            "url": host.root + place.path,
            "kind": place.kind,
            "status": special.status if special else 200,
            "template": host.template,
            "language": host.language,
            "category": host.category,
            "charset": host.charset.label,
            "disallowed": self.places.robots(host).forbids(place.path),
            "trap": place.kind in TRAPS,
            "first_status": special.first_status if special else 0,
            "is_text": place.kind not in _NOT_TEXT,
        }
        if place.kind == "resource":
            return Truth(**known | {"is_text": False})
        if place.kind == "missing":
            return Truth(**known | {"status": 404})
        return Truth(**known | self._content(place) | self._kin(place))

    def _content(self, place: Place) -> dict[str, Any]:
        special = place.special
        if self.replies.has_document(place):
            document = self.replies.document(place)
            article = document.article
            main_text = article.text if article else ""
            return {
                "title": article.title if article else "",
                "main_text": main_text,
                "thin": len(density_tokens(main_text)) < THIN_BELOW_WORDS,
                "boilerplate": document.boilerplate,
                "arcs": document.arcs,
                "noindex": document.noindex,
                "nofollow": document.nofollow,
            }
        if special is None or special.status >= 400:
            return {}
        if special.location:
            return {"arcs": (Arc(special.location, nofollow=False),)}
        if special.media_type == "text/plain":
            article = self.replies.text(place)
            return {"title": article.title, "main_text": article.text, "charset": "utf-8"}
        return {}

    def _kin(self, place: Place) -> dict[str, Any]:
        """Return what *place* shares with other pages: cluster, planted twin, quotation."""
        host = place.host
        if place.kind == "soft404":
            return {"cluster": f"{host.root}{ANY_SOFT404}"}
        if place.page < 0:
            return {"cluster": host.root + place.path}
        layout = self.library.layout(host.content)
        kind = layout.kind(place.page)
        shown = layout.original(place.page) if kind == "copy" else place.page
        kin: dict[str, Any] = {"cluster": self.url(host.content, shown)}
        if kind == "near" and host.content == host.index:
            pair = layout.pair(place.page)
            kin |= {"partner": self.url(pair.host, pair.number), "planted": pair.resemblance}
        if kind == "quote":
            kin["quoted"] = self.url(*self.library.quoted(layout, place.page))
        return kin

    def url(self, host: int, page: int) -> str:
        """Return the URL of page number *page* of host number *host*."""
        return self.library.table.host(host).root + self.library.layout(host).path(page)
