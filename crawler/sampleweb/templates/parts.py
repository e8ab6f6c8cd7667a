"""What templates are put together from: menus, banners, side bars, footers, and the main text.

Every function writes to the page's writer in the style of the page's site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.sampleweb.writer import Link

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from crawler.sampleweb.article import Block
    from crawler.sampleweb.view import View
    from crawler.sampleweb.writer import PageWriter

_PARAGRAPH = {
    "p": ("<p>", "</p>"),
    "div": ("<div{at}>", "</div>"),
    "br": ("", "<br><br>"),
}


def menu(w: PageWriter, view: View, links: Sequence[Link], *, slot: str, shape: str = "") -> None:
    """Write *links* as a menu: a list, a line with bars, a block or a line each."""
    shape = shape or view.site.style.menu
    at = view.site.at(slot)
    opening, before, after, closing = {
        "ul": (f"<ul{at}>", "<li>", "</li>", "</ul>"),
        "pipe": (f"<div{at}>", "", " | ", "</div>"),
        "div": (f"<div{at}>", "<div>", "</div>", "</div>"),
        "br": (f"<div{at}>", "", "<br>", "</div>"),
        "span": (f"<p{at}>", "<span>", "</span> ", "</p>"),
    }[shape]
    newline = view.site.style.newline
    w.raw(opening)
    for link in links:
        w.raw(newline + before)
        w.link(link)
        w.raw(after)
    w.raw(closing + newline)


def heading(w: PageWriter, view: View, number: int, tag: str = "h3") -> None:
    """Write the host's heading *number* (0 to 5) for a piece of boilerplate."""
    w.raw(f"<{tag}{view.site.at(f'heading{number}')}>")
    w.boiler(view.site.furniture.headings[number])
    w.raw(f"</{tag}>{view.site.style.newline}")


def line(w: PageWriter, view: View, words: str, *, slot: str, tag: str = "div") -> None:
    """Write *words* of boilerplate in an element of their own."""
    w.raw(f"<{tag}{view.site.at(slot)}>")
    w.boiler(words)
    w.raw(f"</{tag}>{view.site.style.newline}")


def cookie(w: PageWriter, view: View, place: str) -> None:
    """Write the cookie banner if this host shows it at *place* (``top`` or ``bottom``)."""
    if view.site.style.cookie != place:
        return
    words = view.site.furniture.cookie if view.noise else view.site.furniture.cookie_button
    w.raw(f"<div{view.site.at('cookie')}>")
    line(w, view, words, slot="cookie-text", tag="p")
    line(w, view, view.site.furniture.cookie_button, slot="cookie-button", tag="button")
    w.raw("</div>")


def trail(w: PageWriter, view: View) -> None:
    """Write the breadcrumb trail if this host has one."""
    if view.site.style.trail:
        menu(w, view, view.trail, slot="trail", shape="pipe")


def teasers(w: PageWriter, view: View, links: Iterable[Link], *, slot: str) -> None:
    """Write *links* with a sentence each: text that is none of this page's."""
    for link in links:
        w.raw(f"<div{view.site.at(slot)}><b>")
        w.link(link)
        w.raw("</b><br>")
        w.boiler(view.sentence())
        w.raw(f"</div>{view.site.style.newline}")


def sidebar(w: PageWriter, view: View) -> None:
    """Write what stands beside the text: latest pages, partners on other hosts, a claim."""
    heading(w, view, 0)
    menu(w, view, view.recent, slot="recent", shape="ul")
    if view.partners:
        heading(w, view, 1)
        menu(w, view, view.partners, slot="partners", shape="ul")
    if view.noise > 1:
        line(w, view, view.sentence(), slot="aside")


def related(w: PageWriter, view: View, tag: str = "h3") -> None:
    """Write the links to further pages, with teasers for some on noisy pages."""
    heading(w, view, 2, tag)
    n_teasers = min(view.noise, len(view.related)) if view.site.style.noise > 0.4 else 0
    teasers(w, view, view.related[:n_teasers], slot="related")
    menu(w, view, [*view.related[n_teasers:], *view.children], slot="more", shape="ul")


def footer(w: PageWriter, view: View, tag: str = "div") -> None:
    """Write the foot of the page: imprint, menu, and a claim of two sentences on noisy pages."""
    furniture = view.site.furniture
    w.raw(f"<{tag}{view.site.at('foot')}>")
    if view.noise:
        line(w, view, furniture.claim, slot="claim", tag="p")
    menu(w, view, view.nav[:5], slot="footmenu", shape="pipe")
    _no_links(w, view)
    line(w, view, f"© 2026 {furniture.brand}. {furniture.imprint}", slot="imprint", tag="p")
    w.raw(f"</{tag}>")


def _no_links(w: PageWriter, view: View) -> None:
    """Write what looks like links and leads nowhere: fragments, mail, scripts."""
    label = view.site.furniture.labels[11]
    href = ("#top", "mailto:office@mail.invalid", "javascript:history.back()")[len(label) % 3]
    w.raw(f'<a href="{href}">')
    w.boiler(label)
    w.raw("</a> ")


def title(w: PageWriter, view: View, tag: str = "") -> None:
    """Write the title of the article."""
    tag = tag or view.site.style.heading
    w.raw(f"<{tag}{view.site.at('title')}>")
    w.main(view.article.title)
    w.raw(f"</{tag}>{view.site.style.newline}")


def content(w: PageWriter, view: View, blocks: Iterable[Block] | None = None) -> None:
    """Write *blocks*, by default all of the article's, each kind in its element."""
    newline = view.site.style.newline
    group = ""
    for block in view.article.blocks if blocks is None else blocks:
        wanted = _GROUP.get(block.kind, "")
        if wanted != group:
            w.raw(
                _CLOSING.get(group, "") + _OPENING.get(wanted, "").format(at=view.site.at(wanted))
            )
            group = wanted
        _block(w, view, block)
        w.raw(newline)
    w.raw(_CLOSING.get(group, ""))


_GROUP = {"li": "list", "entry": "entries", "key": "table", "value": "table"}
_OPENING = {"list": "<ul{at}>", "entries": "<ul{at}>", "table": "<table{at}>"}
_CLOSING = {"list": "</ul>", "entries": "</ul>", "table": "</table>"}


def _block(w: PageWriter, view: View, block: Block) -> None:
    at = view.site.at(block.kind)
    if block.kind == "entry":
        w.raw("<li>")
        target = view.inline[len(block.text) % len(view.inline)].url if view.inline else ""
        w.link(Link(target, block.anchor), main=True) if target else w.main(block.anchor)
        w.raw(" ")
        w.main(block.text)
        w.raw("</li>")
        return
    opening, closing = _ELEMENTS.get(block.kind) or _PARAGRAPH[view.site.style.paragraph]
    w.raw(opening.format(at=at))
    if block.kind in ("p", "post") and view.noise and view.inline and view.rng.random() < 0.3:
        _linked(w, view, block.text)
    else:
        w.main(block.text)
    w.raw(closing)


_ELEMENTS = {
    "h2": ("<h3{at}>", "</h3>"),
    "li": ("<li>", "</li>"),
    "key": ("<tr><td>", "</td>"),
    "value": ("<td>", "</td></tr>"),
    "quote": ("<blockquote{at}>", "</blockquote>"),
}


def _linked(w: PageWriter, view: View, text: str) -> None:
    """Write *text* with two to four of its words as a link."""
    words = text.split(" ")
    if len(words) >= 12:
        start = view.rng.randint(2, len(words) - 6)
        stop = start + view.rng.randint(2, 4)
        head, anchor, tail = (
            " ".join(words[:start]) + " ",
            " ".join(words[start:stop]),
            " " + " ".join(words[stop:]),
        )
    elif len(words) < 4 and len(text) > 40:  # a script without spaces
        start = view.rng.randint(4, 20)
        head, anchor, tail = text[:start], text[start : start + 6], text[start + 6 :]
    else:
        head, anchor, tail = text, "", ""
    w.main(head)
    if anchor:
        w.link(Link(view.rng.choice(view.inline).url, anchor), main=True)
        w.main(tail)
