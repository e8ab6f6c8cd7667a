"""A shop: description and data of one article, then what others say and buy."""

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
    w.raw(f"<div{site.at('head')}>")
    parts.line(w, view, site.furniture.brand, slot="brand", tag="span")
    parts.line(w, view, site.furniture.headings[5], slot="cart", tag="button")
    w.raw("</div>")
    parts.menu(w, view, view.nav, slot="nav", shape="ul")
    parts.trail(w, view)
    w.raw(f"<div{site.at('item')}>")
    parts.title(w, view)
    price = f"€ {10 + len(view.article.text) % 190},{len(view.article.title) % 10}9"
    parts.line(w, view, price, slot="price", tag="span")
    parts.line(w, view, site.furniture.headings[4], slot="buy", tag="button")
    parts.content(w, view)
    w.raw("</div>")
    _reviews(w, view)
    parts.related(w, view)
    parts.sidebar(w, view)
    parts.footer(w, view)
    parts.cookie(w, view, "bottom")


def _reviews(w: PageWriter, view: View) -> None:
    parts.heading(w, view, 3)
    for stars in range(view.noise):
        w.raw(f"<div{view.site.at('review')}><span>")
        w.boiler(f"{5 - stars}/5 {view.label()}")
        w.raw("</span><p>")
        w.boiler(view.sentence())
        w.raw("</p></div>")
