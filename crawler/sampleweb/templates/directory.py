"""A link directory: an introduction, then entries of a link and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.sampleweb.templates import parts

if TYPE_CHECKING:
    from crawler.sampleweb.view import View
    from crawler.sampleweb.writer import PageWriter


def render(w: PageWriter, view: View) -> None:
    """Write the body of *view*."""
    site = view.site
    parts.line(w, view, site.furniture.brand, slot="brand", tag="h1")
    parts.menu(w, view, view.nav, slot="nav", shape="pipe")
    parts.cookie(w, view, "top")
    parts.trail(w, view)
    if site.style.side_first:
        _categories(w, view)
    w.raw(f"<div{site.at('list')}>")
    parts.title(w, view)
    parts.content(w, view)
    w.raw("</div>")
    parts.related(w, view)
    if not site.style.side_first:
        _categories(w, view)
    parts.footer(w, view)
    parts.cookie(w, view, "bottom")


def _categories(w: PageWriter, view: View) -> None:
    w.raw(f"<div{view.site.at('side')}>")
    parts.sidebar(w, view)
    for _ in range(view.noise - 1):
        parts.line(w, view, view.sentence(), slot="promo", tag="p")
    w.raw("</div>")
