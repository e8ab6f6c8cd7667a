"""Renderers that show a page's own markup: mark, delete, hide, replace, restructure.

*Source: Gottron 2008, section 4.3.* The spans of main content are the runs of text of the blocks that
are kept; a run never crosses a tag, so that none has to be divided. Signs and blanks without a word,
which make no block, stay where the text before and after them in a line is kept. All other text is
outside: that of other blocks and that of no block. Tags, comments, scripts and attributes stay as they
are. What is returned begins with a byte order mark, which tells a browser that it is UTF-8 whatever the
page says; opened in a browser it runs and loads nothing (:mod:`.quiet`). Where the page was read as without
scripts, ``noscript`` with text of blocks gets a name that browsers do not know: they show nothing of that one.

Cost: O(n).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.markup_events import (
    NO_BLOCK,
    Markup,
    Text,
    end_of_body,
    events,
    markup_of,
)
from crawler.page.shown_text import has_word, text_of
from pipelines.boilerplate.renderers.outline import is_inline, outline
from pipelines.boilerplate.renderers.outline_html import outline_html
from pipelines.boilerplate.renderers.quiet import NO_REFRESH, POLICY, end_of_doctype, is_refresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from crawler.page import PageModel
    from crawler.page.markup_events import Tag
    from pipelines.boilerplate.labels import Labels

    Change = Callable[[bytes, Text], bytes]

ELLIPSIS = "…"
# Without quotes: one would end a value that the page never does.
_MARK = b"<mark class=winnow-content>", b"</mark>"
# Important: the page's own style may say how all of its spans are shown.
_HIDDEN = b"<span class=winnow-hidden hidden style=display:none!important>", b"</span>"
# Before the name of a tag.
_SHOWN = b"winnow-"
_REST = b"\n<section class=winnow-rest>\n", b"\n</section>\n"
# A character as a browser shows it: a reference, or one of UTF-8.
_CHARACTER = re.compile(
    rb"&(?:#[xX][0-9a-fA-F]++;?|#[0-9]++;?|[A-Za-z][A-Za-z0-9]*+;)|[^\s\x80-\xbf][\x80-\xbf]*+"
)


def mark(page: PageModel, labels: Labels) -> str:
    """Return *page* with each run of main content in a ``mark`` element."""
    return _changed(page, labels, content=lambda text, _: text.join(_MARK))


def delete(page: PageModel, labels: Labels) -> str:
    """Return *page* without all other text; its tags stay, and a blank where words would meet."""
    return _changed(page, labels, other=_left_out)


def hide(page: PageModel, labels: Labels) -> str:
    """Return *page* with all other text hidden, but still in it.

    Blocks are put in elements that are not shown. Text of no block may stand where no element is
    allowed (drawings, selections), and becomes comments.
    """
    return _changed(page, labels, other=_hidden)


def replace(page: PageModel, labels: Labels, *, fill: str = " ") -> str:
    """Return *page* with each other character that is no whitespace replaced by *fill*.

    An ellipsis stands once for a whole text. Raises ValueError when *fill* is not one character.
    """
    if len(fill) != 1:
        raise ValueError(f"fill must be one character, got {fill!r}")
    written = {"&": "&amp;", "<": "&lt;"}.get(fill, fill).encode()
    if fill == ELLIPSIS:
        return _changed(page, labels, other=lambda _text, _place: written)
    return _changed(page, labels, other=lambda text, _: _CHARACTER.sub(lambda _: written, text))


def restructure(page: PageModel, labels: Labels) -> str:
    """Return *page* with the other blocks moved to its end, as plain headings, lists and paragraphs.

    Other text of no block is left out. Where the page never ends a quoted value, what is added may end it.
    """
    markup = markup_of(page)
    rest = outline(page, ~labels.kept, with_links=True)
    moved = outline_html(rest).encode().join(_REST) if rest else b""
    end = end_of_body(markup)
    return _written(markup, labels, other=_left_out, added=(end, moved))


def _left_out(text: bytes, place: Text) -> bytes:  # noqa: ARG001  one of the changes
    return max(_blanks(text))


def _blanks(text: bytes) -> tuple[bytes, bytes]:
    """Return what keeps the words before and after *text* apart when it is not shown."""
    shown = text_of(text, verbatim=True)
    return b" " * shown[:1].isspace(), b" " * shown[-1:].isspace()


def _hidden(text: bytes, place: Text) -> bytes:
    if place.block == NO_BLOCK:
        # Nothing but ">" ends a comment.
        return b"<!-- " + text.replace(b">", b"&gt;") + b" -->"
    before, after = _blanks(text)
    return before + text.join(_HIDDEN) + after


def _as_it_is(text: bytes, place: Text) -> bytes:  # noqa: ARG001  one of the changes
    return text


def _changed(
    page: PageModel, labels: Labels, *, content: Change = _as_it_is, other: Change = _as_it_is
) -> str:
    return _written(markup_of(page), labels, content=content, other=other)


def _written(
    markup: Markup,
    labels: Labels,
    *,
    content: Change = _as_it_is,
    other: Change = _as_it_is,
    added: tuple[int, bytes] = (0, b""),
) -> str:
    """Return *markup* with its texts changed, and the bytes of *added* put in at its place."""
    source = markup.source
    start, (at, more) = end_of_doctype(source), added
    put_in = [(start, start, POLICY), (at, at, more)]
    changes = sorted(
        [*put_in, *_changes(markup, labels, content, other)], key=lambda each: each[:2]
    )
    parts = [b"\xef\xbb\xbf"]
    done = 0
    for start, end, new in changes:
        parts += [source[done:start], new]
        done = end
    return b"".join((*parts, source[done:])).decode("utf-8", "replace")


def _changes(
    markup: Markup, labels: Labels, content: Change, other: Change
) -> Iterator[tuple[int, int, bytes]]:
    """Yield where the source changes, from and to, and what stands there then."""
    source = markup.source
    # The last entry is that of NO_BLOCK.
    is_content = np.append(labels.kept, False).tolist()
    found = list(events(markup))
    for place in _shown_noscripts(found):
        yield place, place, _SHOWN
    signs = _kept_signs(source, found, is_content)
    for event in found:
        if isinstance(event, Text):
            text = source[event.start : event.end]
            if not text.isspace() and event.start not in signs:
                change = content if is_content[event.block] else other
                yield event.start, event.end, change(text, event)
        elif is_refresh(event):
            name_end = event.start + len("<meta")
            yield name_end, name_end, NO_REFRESH


def _shown_noscripts(found: Sequence[Text | Tag]) -> Iterator[int]:
    """Yield where the names of the tags of ``noscript`` begin that has text of a block."""
    waiting: list[int] = []
    n_shown = 0
    for event in found:
        if isinstance(event, Text):
            if waiting and event.block != NO_BLOCK:
                yield from waiting
                n_shown += len(waiting)
                waiting.clear()
        elif event.name == "noscript":
            name_start = event.start + len("</" if event.is_end else "<")
            if not event.is_end:
                waiting.append(name_start)
            elif waiting:
                waiting.pop()
            elif n_shown:
                yield name_start
                n_shown -= 1


def _kept_signs(source: bytes, found: Sequence[Text | Tag], is_content: list[bool]) -> set[int]:
    """Return where the texts without a word begin that stay with the content around them in a line."""
    kept: set[int] = set()
    waiting: list[int] = []
    # Whether the last text in the line is content; None where there was none.
    goes_on: bool | None = None
    for event in found:
        if not isinstance(event, Text):
            if not is_inline(event.name) and event.name != "br":
                kept.update(waiting if goes_on else ())
                waiting, goes_on = [], None
        elif event.block != NO_BLOCK:
            kept.update(waiting if goes_on is not False and is_content[event.block] else ())
            waiting, goes_on = [], is_content[event.block]
        elif not has_word(text_of(source[event.start : event.end], verbatim=True)):
            waiting.append(event.start)
    kept.update(waiting if goes_on else ())
    return kept
