"""Hardly any template: a heading, paragraphs, a long list of links and a disclaimer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.sampleweb.templates import parts

if TYPE_CHECKING:
    from crawler.sampleweb.view import View
    from crawler.sampleweb.writer import PageWriter


def render(w: PageWriter, view: View) -> None:
    """Write the body of *view*."""
    site = view.site
    if site.style.side_first:
        parts.menu(w, view, view.nav, slot="nav", shape="pipe")
    parts.title(w, view, "h1")
    parts.content(w, view)
    w.raw("<hr>")
    parts.heading(w, view, 0, "h4")
    n_teasers = 2 * view.noise
    parts.teasers(w, view, view.related[:n_teasers], slot="teaser")
    links = [*view.related[n_teasers:], *view.children, *view.recent, *view.partners]
    parts.menu(w, view, links, slot="links", shape="br")
    if not site.style.side_first:
        parts.menu(w, view, view.nav, slot="nav", shape="pipe")
    for _ in range(view.noise):
        parts.line(w, view, view.sentence(), slot="note", tag="p")
    parts.line(w, view, site.furniture.imprint, slot="imprint", tag="address")
