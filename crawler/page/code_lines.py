"""The text of code line by line, as it stands on the page; that of other blocks has but spaces.

Cost: O(n) in bytes of the code, and of what stands before it. Invariant: the words are those of the block.
"""

from __future__ import annotations

import re
from functools import cache
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

# Tags that begin no line, and nothing else.
_INLINE_TAGS = re.compile(
    rb"""(?:</?(?:span|a|b|i|em|strong)(?: [^<>"']*(?:"[^"<>]*"[^<>"']*)*)?>)*"""
)
# Bytes that a reader sees otherwise.
_NOT_AS_SHOWN = re.compile(rb"[^\t\n -%'-~]")
# What str.splitlines() takes for the end of a line, besides the line feed.
_OTHER_ENDS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


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
    # Highlighted code has the same few tokens and tags over and over.
    shown, kept_between = cache(_shown), cache(_between)
    starts, ends, blocks = (column.tolist() for column in page.found_runs.T)
    texts: dict[int, list[str]] = {}
    for run in np.flatnonzero(is_code[page.found_runs[:, 2]]).tolist():
        is_first = blocks[run] not in texts
        its = texts.setdefault(blocks[run], [])
        before = ends[run - 1] if run else 0
        if is_first and run:  # with the blanks of the text before it
            before = starts[run - 1] + len(page.source[starts[run - 1] : before].rstrip())
        between = kept_between(page.source[before : starts[run]])
        text = shown(page.source[starts[run] : ends[run]])
        its.append(_indented(between, text) if is_first else between + text)
    return {number: _trimmed("".join(its)) for number, its in texts.items()}


def _indented(between: str, text: str) -> str:
    """Return the first *text* of a block with the blanks before it if it begins a line, else without any."""
    _, line_end, blanks = between.rpartition("\n")
    if line_end and not blanks.strip():
        return blanks + text
    return text if "\n" in text[: len(text) - len(text.lstrip())] else text.lstrip()


def _shown(source: bytes) -> str:
    return text_of(source, verbatim=True) if _NOT_AS_SHOWN.search(source) else source.decode()


def _between(markup: bytes) -> str:
    """Return what stands between two texts of blocks, as far as it is of the code: signs, blanks, ends of lines."""
    if _INLINE_TAGS.fullmatch(markup):
        return ""
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
    lines = _OTHER_ENDS.sub(" ", text).rstrip().split("\n")
    first = next(place for place, line in enumerate(lines) if line.strip())
    return "\n".join(line.rstrip() for line in lines[first:])
