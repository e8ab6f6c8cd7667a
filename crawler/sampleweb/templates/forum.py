"""A forum thread: posts between name boxes, quotations and signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.sampleweb.templates import parts

if TYPE_CHECKING:
    from crawler.sampleweb.article import Block
    from crawler.sampleweb.view import View
    from crawler.sampleweb.writer import PageWriter


def render(w: PageWriter, view: View) -> None:
    """Write the body of *view*."""
    site = view.site
    parts.cookie(w, view, "top")
    parts.line(w, view, site.furniture.brand, slot="brand")
    parts.menu(w, view, view.nav, slot="nav", shape="pipe")
    parts.trail(w, view)
    parts.title(w, view)
    for number, post in enumerate(posts(view.article.blocks)):
        _post(w, view, number, post)
    parts.related(w, view)
    parts.sidebar(w, view)
    parts.footer(w, view)
    parts.cookie(w, view, "bottom")


def posts(blocks: tuple[Block, ...]) -> list[list[Block]]:
    """Cut *blocks* into posts, each of which begins with a block of kind ``post``."""
    cut: list[list[Block]] = []
    for block in blocks:
        if block.kind == "post" or not cut:
            cut.append([])
        cut[-1].append(block)
    return cut


def _post(w: PageWriter, view: View, number: int, post: list[Block]) -> None:
    site = view.site
    w.raw(f"<table{site.at('post')}><tr><td{site.at('user')}>")
    w.boiler(site.furniture.labels[9 + number % 10])
    w.raw("<br>")
    w.boiler(f"{site.furniture.headings[5]}: {17 * number + 3}")
    w.raw(f"</td><td{site.at('body')}>")
    parts.content(w, view, post)
    if view.noise and number % 3 == 0:
        parts.line(w, view, view.sentence(), slot="signature")
    w.raw(f"</td></tr></table>{site.style.newline}")
