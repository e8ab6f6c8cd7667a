"""Nothing but nested ``div`` and ``span``: the page builder's template."""

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
    w.raw(f"<div{site.at('page')}><div{site.at('head')}>")
    parts.line(w, view, site.furniture.brand, slot="brand", tag="span")
    parts.line(w, view, site.furniture.tagline, slot="tagline")
    parts.menu(w, view, view.nav, slot="nav", shape="div")
    w.raw("</div>")
    if site.style.side_first:
        _side(w, view)
    for level in range(site.style.depth):
        w.raw(f"<div{site.at(f'wrap{level}')}>")
    parts.trail(w, view)
    _share(w, view)
    parts.title(w, view, "div")
    parts.content(w, view)
    w.raw("</div>" * site.style.depth)
    parts.related(w, view, "div")
    if not site.style.side_first:
        _side(w, view)
    parts.footer(w, view)
    w.raw("</div>")
    parts.cookie(w, view, "bottom")


def _share(w: PageWriter, view: View) -> None:
    w.raw(f"<div{view.site.at('share')}>")
    for number in range(9, 13):
        parts.line(w, view, view.site.furniture.labels[number], slot="button", tag="span")
    w.raw("</div>")


def _side(w: PageWriter, view: View) -> None:
    w.raw(f"<div{view.site.at('side')}>")
    parts.sidebar(w, view)
    for _ in range(view.noise):
        parts.line(w, view, view.sentence(), slot="promo")
    w.raw("</div>")
