"""The maker of pages: puts article, links and template together for every kind of page."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from crawler.sampleweb.article import THIN_BELOW_WORDS
from crawler.sampleweb.document import Document, write_document
from crawler.sampleweb.seeded import number, stream
from crawler.sampleweb.site import Site
from crawler.sampleweb.view import N_RECENT, N_RELATED, Linker, View
from crawler.sampleweb.writer import Arc, Link

if TYPE_CHECKING:
    from random import Random

    from crawler.sampleweb.article import Article
    from crawler.sampleweb.hosts import Host
    from crawler.sampleweb.library import Library
    from crawler.sampleweb.sins import Special

_SITES = 256
N_SESSIONS = 2
CALENDAR_MONTHS = 36
_ROBOTS = {"noindex": "noindex", "nofollow": "index, nofollow"}


class PageMaker:
    """Makes the documents of a web; *extra* links are those that a home page has beside the usual."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.site = lru_cache(maxsize=_SITES)(lambda host: Site(library, library.table.host(host)))

    def numbered(
        self, host: Host, page: int, *, path: str, session: str = "", extra: list[Link]
    ) -> Document:
        """Make page number *page* of *host* at *path*, in the session called *session* if any."""
        layout = self.library.layout(host.content)
        kind = layout.kind(page)
        shown = layout.original(page) if kind == "copy" else page
        rng = stream(self.library.table.seed, "page", host.content, shown)
        quiet = kind in ("near", "thin") or layout.is_paired(page)
        view = self._view(host, self.library.article(host.content, page), rng, page=shown)
        view.noise = 0 if quiet else rng.randint(1, 3)
        view.robots = _ROBOTS.get(kind, "")
        if "sessions" in host.roles:
            offered = sessions(host, self.library.table.seed)
            _enter_sessions(view, path.partition("?")[0], session, offered)
        view.recent += extra
        if host.content % 4 == 0:
            view.recent.append(
                Link(f"{host.root}/files/{view.site.name('asset')}.pdf", view.label())
            )
        if "dangling" in host.roles and page % 2 and not view.children:
            _drop_links(view)
        return write_document(view, path)

    def special(self, host: Host, path: str, special: Special) -> Document:
        """Make the HTML page *special* that stands at *path* of *host*."""
        if special.kind == "frames":
            return self._frames(host, special)
        key = special.kind if special.kind == "soft404" else path
        article = self.library.fresh(host, key, special.n_words)
        rng = stream(self.library.table.seed, "page", host.content, key)
        view = self._view(host, article, rng, page=None)
        view.noise = min(1, special.n_words // THIN_BELOW_WORDS)
        if special.kind == "refresh":
            view.refresh = (special.header, special.location)
        return write_document(view, path)

    def trap(self, host: Host, path: str, following: list[Link]) -> Document:
        """Make the page of a trap at *path*: next to no text, and links to the *following* ones."""
        article = self.library.fresh(host, path, 12)
        rng = stream(self.library.table.seed, "page", host.content, path)
        view = self._view(host, article, rng, page=None)
        view.noise = 0
        view.recent = following
        return write_document(view, path)

    def _view(self, host: Host, article: Article, rng: Random, *, page: int | None) -> View:
        site = self.site(host.content)
        linker = Linker(self.library, site, host)
        view = View(
            host=host,
            site=site,
            article=article,
            rng=rng,
            noise=1,
            nav=linker.nav(),
            trail=linker.trail(page or 0),
            children=[] if page is None else linker.children(page),
            related=linker.some(rng, N_RELATED),
            recent=linker.some(rng, N_RECENT, skew=2.0),
            partners=[],
            inline=linker.some(rng, 3),
        )
        n_internal = len(view.nav) + len(view.children) + len(view.related) + len(view.recent)
        view.partners = linker.partners(rng, n_internal)
        return view

    def _frames(self, host: Host, special: Special) -> Document:
        inner, target = f"{host.root}/frames/inner", special.location
        arcs = (Arc(inner, False), Arc(target, False))
        body = {
            "set": '<frameset cols="20%,80%"><frame src="/frames/inner"><frame src="{0}"></frameset>',
            "inline": '<body><iframe src="/frames/inner"></iframe><iframe src="{0}"></iframe></body>',
            "map": '<body><map name="m"><area href="/frames/inner"><area href="{0}"></map></body>',
        }[special.header]
        html = f"<html><head><title>{special.header}</title></head>{body}</html>"
        return Document(html.format(escape(target)), None, "", arcs)


def sessions(host: Host, seed: int) -> list[str]:
    """Return the session ids that *host* gives out."""
    return [f"{number(seed, 'session', host.index, turn):016x}" for turn in range(N_SESSIONS)]


def _enter_sessions(view: View, path: str, session: str, offered: list[str]) -> None:
    """Put *session* into all links of the host, and offer the page at *path* in every session."""
    query = f"?sid={session}" if session else ""
    for links in (view.nav, view.trail, view.children, view.related, view.recent, view.inline):
        links[:] = [Link(link.url + query, link.text, link.nofollow) for link in links]
    root = view.host.root
    view.nav += [Link(f"{root}{path}?sid={sid}", view.label()) for sid in offered]


def _drop_links(view: View) -> None:
    for links in (view.nav, view.trail, view.related, view.recent, view.partners, view.inline):
        links.clear()
