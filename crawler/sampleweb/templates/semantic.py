"""HTML5 with its elements of meaning; teasers stand in ``article`` elements too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.sampleweb.templates import parts

if TYPE_CHECKING:
    from crawler.sampleweb.view import View
    from crawler.sampleweb.writer import PageWriter


def render(w: PageWriter, view: View) -> None:
    """Write the body of *view*."""
    site = view.site
    parts.cookie(w, view, "top")
    w.raw(f"<header{site.at('head')}>")
    parts.line(w, view, site.furniture.brand, slot="brand", tag="p")
    parts.line(w, view, site.furniture.tagline, slot="tagline", tag="p")
    w.raw("</header><nav>")
    parts.menu(w, view, view.nav, slot="nav", shape="ul")
    parts.trail(w, view)
    w.raw("</nav>")
    if site.style.side_first:
        _aside(w, view)
    w.raw(f"<main><article{site.at('article')}><header>")
    parts.title(w, view, "h1")
    w.raw("<time>")
    w.boiler(f"{site.furniture.labels[9]} {2000 + len(view.article.title) % 26}")
    w.raw("</time></header><section>")
    parts.content(w, view)
    w.raw("</section></article>")
    _figure(w, view)
    w.raw("</main>")
    if not site.style.side_first:
        _aside(w, view)
    parts.footer(w, view, "footer")
    parts.cookie(w, view, "bottom")


def _figure(w: PageWriter, view: View) -> None:
    """Write further articles in short, each with a sentence that is none of this page's text."""
    for link in view.related[: view.noise]:
        w.raw(f"<article{view.site.at('teaser')}><h3>")
        w.link(link)
        w.raw("</h3><p>")
        w.boiler(view.sentence())
        w.raw("</p></article>")


def _aside(w: PageWriter, view: View) -> None:
    w.raw(f"<aside{view.site.at('aside')}>")
    parts.sidebar(w, view)
    parts.heading(w, view, 2)
    rest = view.related if not view.noise else view.related[view.noise :]
    parts.menu(w, view, [*rest, *view.children], slot="more", shape="ul")
    w.raw("</aside>")
