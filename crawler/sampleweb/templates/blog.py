"""A blog: one entry, its tags, and what the readers wrote under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.sampleweb.templates import parts

if TYPE_CHECKING:
    from crawler.sampleweb.view import View
    from crawler.sampleweb.writer import PageWriter


def render(w: PageWriter, view: View) -> None:
    """Write the body of *view*."""
    site = view.site
    w.raw(f"<div{site.at('blog')}><div{site.at('head')}>")
    parts.line(w, view, site.furniture.brand, slot="brand", tag="h1")
    parts.line(w, view, site.furniture.tagline, slot="tagline", tag="p")
    w.raw("</div>")
    parts.cookie(w, view, "top")
    parts.menu(w, view, view.nav, slot="nav")
    w.raw(f"<div{site.at('entry')}>")
    parts.title(w, view, "h2")
    parts.line(w, view, f"{view.label()}, {site.furniture.labels[10]}", slot="byline", tag="small")
    parts.content(w, view)
    parts.menu(w, view, view.children, slot="tags", shape="span")
    w.raw("</div>")
    _comments(w, view)
    _blogroll(w, view)
    parts.footer(w, view)
    w.raw("</div>")
    parts.cookie(w, view, "bottom")


def _comments(w: PageWriter, view: View) -> None:
    parts.heading(w, view, 3)
    w.raw(f"<ol{view.site.at('comments')}>")
    for _ in range(view.rng.randint(0, 2 * view.noise)):
        w.raw("<li><b>")
        w.boiler(view.label())
        w.raw("</b><br>")
        w.boiler(view.sentence())
        w.raw(f"</li>{view.site.style.newline}")
    w.raw("</ol><form><input type=text><textarea></textarea>")
    parts.line(w, view, view.site.furniture.headings[4], slot="send", tag="button")
    w.raw("</form>")


def _blogroll(w: PageWriter, view: View) -> None:
    w.raw(f"<div{view.site.at('side')}>")
    parts.sidebar(w, view)
    parts.heading(w, view, 2)
    parts.menu(w, view, view.related, slot="more", shape="ul")
    w.raw("</div>")
