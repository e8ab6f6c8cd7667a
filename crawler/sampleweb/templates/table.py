"""Layout by tables, as around 1999: menu cell, text cell, news cell; paragraphs parted by ``br``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.sampleweb.templates import parts

if TYPE_CHECKING:
    from crawler.sampleweb.view import View
    from crawler.sampleweb.writer import PageWriter


def render(w: PageWriter, view: View) -> None:
    """Write the body of *view*."""
    site = view.site
    w.raw(f'<table width="100%" border="0"{site.at("frame")}><tr><td colspan="3">')
    w.boiler(site.furniture.brand)
    w.raw(f"</td></tr>{site.style.newline}<tr><td colspan=3>")
    w.boiler(site.furniture.tagline)
    w.raw("</td></tr><tr>")
    if site.style.side_first:
        _side(w, view)
    w.raw(f'<td width="60%" valign="top"{site.at("middle")}><font size="2">')
    parts.trail(w, view)
    parts.title(w, view, "b")
    w.raw("<br><br>")
    parts.content(w, view)
    w.raw("</font><hr>")
    parts.related(w, view, "b")
    w.raw("</td>")
    if not site.style.side_first:
        _side(w, view)
    _news(w, view)
    w.raw("</tr><tr><td colspan=3>")
    parts.footer(w, view, "center")
    w.raw("</td></tr></table>")
    parts.cookie(w, view, "bottom")


def _side(w: PageWriter, view: View) -> None:
    w.raw(f'<td width="20%"{view.site.at("left")}>')
    parts.menu(w, view, view.nav, slot="nav", shape="br")
    w.raw("</td>")


def _news(w: PageWriter, view: View) -> None:
    w.raw(f'<td width="20%"{view.site.at("right")}>')
    parts.sidebar(w, view)
    for _ in range(view.noise):
        w.raw("<hr>")
        w.boiler(view.sentence())
    w.raw("</td>")
