"""The text of code line by line, as it stands on the page; that of other blocks has but spaces.

Cost: O(n) in bytes of the code, and of what stands before it. Invariant: the words are those of the block.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.markup_events import Tag, events_between
from crawler.page.shown_text import has_word, text_of
from crawler.page.tags import names

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.blocks import Blocks
    from crawler.page.model import PageModel

CODE = names("pre listing plaintext")
_CODE_BYTES = tuple(map(str.encode, CODE))
# Tables and lists of numbered lines.
ENDS_LINE = frozenset({"div", "p", "li", "tr"})

# Tags of these, and what they hold, are text of no block, or no text.
_RAW = "script|style|textarea|title|xmp|iframe|noembed|noframes|template"
_LINE = "|".join(sorted(ENDS_LINE | {"br"}))
_CODE = "|".join(sorted(CODE))
# The rest of a tag in which no quotation has what may end it.
_REST = r"""(?:\s[^<>"']*+(?>(?:(?:"[^"<>]*+"|'[^'<>]*+')[^<>"']*+)*))?/?>"""
_OTHER = rf"(?!(?:{_RAW}|{_LINE}|{_CODE})[\s/>])[a-z][a-z0-9]*+"
# Comments among them.
_INLINE_TAG = re.compile(rf"<(?:/?{_OTHER}{_REST}|!--[^<>]*+(?<=--)>)".encode(), re.IGNORECASE)
_LINE_TAG = re.compile(f"</?(?:{_LINE}){_REST}".encode(), re.IGNORECASE)
_CODE_TAG = re.compile(f"</?(?:{_CODE}){_REST}".encode(), re.IGNORECASE)
# Bytes that a reader sees otherwise.
_NOT_AS_SHOWN = re.compile(rb"[^\t\n -%'-~]")
_REFERENCES = ((b"&lt;", b"<"), (b"&gt;", b">"), (b"&quot;", b'"'), (b"&#39;", b"'"))
# What str.splitlines() takes for the end of a line, besides the line feed.
OTHER_ENDS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def stands_in_code(blocks: Blocks) -> npt.NDArray[np.bool_]:
    """Tell which of *blocks* stand in preformatted text, bool[n]."""
    paths = blocks.paths.joined.utf8
    if not any(name in paths for name in _CODE_BYTES):  # as on most pages
        return np.zeros(len(blocks), np.bool_)
    of_path = [not CODE.isdisjoint(path.split("/")) for path in blocks.paths.strings]
    return np.array(of_path, np.bool_)[blocks.path_number]


def code_texts(page: PageModel) -> dict[int, str]:
    """Return the texts of the blocks of *page* that stand in code, by number, lines and blanks as they are."""
    is_code = stands_in_code(page.blocks)
    if not is_code.any():
        return {}
    texts: dict[int, str] = {}
    starts, ends, blocks = (column.tolist() for column in page.found_runs.T)
    run = 0
    for number in np.flatnonzero(is_code).tolist():
        run = bisect_left(blocks, number, run)
        after = bisect_right(blocks, number, run)
        before = (
            starts[run - 1] + len(page.source[starts[run - 1] : ends[run - 1]].rstrip())
            if run
            else 0
        )
        between = _between(page.source[before : starts[run]])
        text = _marked(page.source[starts[run] : ends[after - 1]])
        if " ".join(text.split()) != page.blocks.text[number]:
            pieces = zip(starts[run:after], ends[run:after], strict=True)
            text = _pieces(page.source, list(pieces))
        texts[number] = _trimmed(_indented(between, text))
    return texts


def _marked(source: bytes) -> str:
    """Return the text of *source*, which has tags that begin no line, or none; else it is not the block's."""
    return _shown(_INLINE_TAG.sub(b"", _with_line_feeds(source)))


def _with_line_feeds(source: bytes) -> bytes:
    # Before tags go: one of two bytes ends no line once more where a tag stands between them.
    return source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _pieces(source: bytes, runs: list[tuple[int, int]]) -> str:
    """Return the text of *runs* of *source*, and of what stands between them."""
    parts = []
    before = runs[0][0]
    for start, end in runs:
        parts += [_between(source[before:start]), _shown(source[start:end])]
        before = end
    return "".join(parts)


def _indented(between: str, text: str) -> str:
    """Return the first *text* of a block with the blanks before it if it begins a line, else without any."""
    _, line_end, blanks = between.rpartition("\n")
    if line_end and not blanks.strip():
        return blanks + text
    return text if "\n" in text[: len(text) - len(text.lstrip())] else text.lstrip()


def _shown(source: bytes) -> str:
    if not _NOT_AS_SHOWN.search(source):
        return source.decode()
    for reference, sign in _REFERENCES:
        source = source.replace(reference, sign)
    # The last to be read, and not when others are left: what it makes is no reference.
    if not _NOT_AS_SHOWN.search(source.replace(b"&amp;", b"")):
        return source.replace(b"&amp;", b"&").decode()
    return text_of(source, verbatim=True)


def _between(markup: bytes) -> str:
    """Return what stands between two texts of blocks, as far as it is of the code: signs, blanks, ends of lines."""
    text = _without_tags(markup)
    if b"<" in text or _NOT_AS_SHOWN.search(text.replace(b"&nbsp;", b"")):
        return _read_between(markup)
    shown = text.decode().replace("&nbsp;", "\xa0")
    return _read_between(markup) if has_word(shown) else shown


def _without_tags(markup: bytes) -> bytes:
    """Return the text of *markup* from its last code on, a line feed for what ends a line; a tag that is not plain is
    left.
    """
    text = _INLINE_TAG.sub(b"", _with_line_feeds(markup))
    if b"<" not in text:
        return text
    text = _CODE_TAG.sub(b"\r", _LINE_TAG.sub(b"\n", text))
    _, code, in_code = text.rpartition(b"\r")
    return text if b"<" in text or not code else b"\n" + in_code


def _read_between(markup: bytes) -> str:
    """Return the same, read tag by tag."""
    parts: list[str] = []
    for event in events_between(markup, 0, len(markup)):
        if isinstance(event, Tag):
            if event.name == "br" or event.name in ENDS_LINE:
                parts.append("\n")
            elif event.name in CODE:
                parts = ["\n"]
        else:
            # Signs alone; what has words is hidden, or of a script.
            text = _shown(markup[event.start : event.end])
            parts.append("" if has_word(text) else text)
    return "".join(parts)


def _trimmed(text: str) -> str:
    lines = OTHER_ENDS.sub(" ", text).rstrip().split("\n")
    first = next(place for place, line in enumerate(lines) if line.strip())
    return "\n".join(line.rstrip() for line in lines[first:])
