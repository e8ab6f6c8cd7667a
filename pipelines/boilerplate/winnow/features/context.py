"""Features of the blocks around a block: windows, neighbours, sections, its place on the page.

What lies in windows of blocks is told by ``windows.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part, part
from pipelines.boilerplate.winnow.features import windows
from pipelines.boilerplate.winnow.features.character_classes import SENTENCE_END
from pipelines.boilerplate.winnow.features.characters import FUNCTION, IN_TITLE, LAST
from pipelines.boilerplate.winnow.features.characters import WORDS as TOKENS
from pipelines.boilerplate.winnow.features.local import (
    ROW_OF_FUNCTIONS,
    ROW_OF_LINKS,
    ROW_OF_WORDS,
)
from pipelines.boilerplate.winnow.features.measures import GOOD, LINKED, WORDS
from pipelines.boilerplate.winnow.features.rows import copy, shift

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.features.measures import F32, F64, U32, Measures

_NEIGHBOURS = (-2, -1, 1, 2)
_N_NEIGHBOURS = len(_NEIGHBOURS)
_OFFSETS = np.array(_NEIGHBOURS, np.int64)
_OF_NEIGHBOUR = (
    "words",
    "link share",
    "good",
    "ends a sentence",
    "heading",
    "same path",
    "function words",
)
_SECTIONS = ("comment", "related", "any")
_OF_SECTION = ("blocks since", "words since")
FAR = 999.0
NAMES = (
    *windows.NAMES,
    *(f"{name} at {offset}" for offset in _NEIGHBOURS for name in _OF_NEIGHBOUR),
    *("blocks since good", "words since good", "blocks to good", "words to good", "between good"),
    *(f"{name} {section} heading" for section in _SECTIONS for name in _OF_SECTION),
    *("in section words", "section links", "heading level", "level above"),
    *(
        "place",
        "place in words",
        "place in good",
        "place in bytes",
        "blocks to end",
        "since first heading",
    ),
    *("title likeness", "since title", "longest so far"),
)
# Where the rows of a group begin.
_AT_NEIGHBOURS = len(windows.NAMES)
_AT_WAYS = _AT_NEIGHBOURS + len(_OF_NEIGHBOUR) * _N_NEIGHBOURS
_AT_SECTIONS = _AT_WAYS + 5
_AT_PLACES = _AT_SECTIONS + 10
_LEVELS_FIRST, _LEVELS_LAST = 14, 19
# A block less like the title than this does not repeat it.
_LEAST_LIKENESS = 0.35
# Rows of what is known of each block.
_LIKENESS, _LEVELS, _GOOD_WORDS, _SENTENCE_END, N_KNOWN = range(5)


@part
def _is_good(m: Measures, i: int) -> bool:
    good = m.sums[GOOD, i + 1] - m.sums[GOOD, i]
    return bool(good >= 10 and good >= m.n_words[i])


@cold_part
def _level(m: Measures, i: int) -> int:
    """Return the level of the heading that the block stands in, looked for two elements up."""
    element = m.block_element[i]
    for _ in range(3):
        name = m.elements.name[element]
        if _LEVELS_FIRST <= name <= _LEVELS_LAST:
            return int(name - _LEVELS_FIRST + 1)
        element = m.elements.parent[element]
    return 0


@part
def context_features(  # noqa: PLR0913, PLR0917 - room comes from outside
    m: Measures, n_title: int, n_source: int, known: F32, wide: F64, local: F32, x: F32
) -> None:
    """Fill in *x*, float32[len(NAMES), n], of a page with a title of *n_title* words.

    *local*: the features of the blocks by themselves. Room: *known*, float32[N_KNOWN, n], and *wide*, of
    :func:`windows.room_for_sums`.
    """
    _know(m, n_title, known)
    windows.windows(m, wide, x)
    for k in range(_N_NEIGHBOURS):
        _neighbour(m, known, local, _OFFSETS[k], _AT_NEIGHBOURS + len(_OF_NEIGHBOUR) * k, x)
    _ways_to_good(m, x)
    _sections(m, known[_LEVELS], x, _AT_SECTIONS)
    copy(known[_LIKENESS], x[_AT_PLACES + 6])
    _places(m, known[_LIKENESS], known[_LEVELS], n_source, x)


@cold_part
def _know(m: Measures, n_title: int, known: F32) -> None:
    for i in range(len(m.n_words)):
        known[_LEVELS, i] = _level(m, i)
        known[_LIKENESS, i] = m.counts[IN_TITLE, i] / max(m.counts[TOKENS, i], n_title, 1)
        known[_GOOD_WORDS, i] = m.sums[GOOD, i + 1] - m.sums[GOOD, i]
        known[_SENTENCE_END, i] = m.counts[LAST, i] == SENTENCE_END


@part
def _neighbour(m: Measures, known: F32, local: F32, offset: int, at: int, x: F32) -> None:
    shift(local[ROW_OF_WORDS], offset, x[at])
    shift(local[ROW_OF_LINKS], offset, x[at + 1])
    shift(known[_GOOD_WORDS], offset, x[at + 2])
    shift(known[_SENTENCE_END], offset, x[at + 3])
    shift(known[_LEVELS], offset, x[at + 4])
    _like(m.path_number, offset, x[at + 5])
    shift(local[ROW_OF_FUNCTIONS], offset, x[at + 6])


@cold_part
def _like(numbers: U32, offset: int, row: F32) -> None:
    n = len(row)
    for i in range(n):
        j = i + offset
        row[i] = numbers[j] == numbers[i] if 0 <= j < n else -1


@cold_part
def _ways_to_good(m: Measures, x: F32) -> None:
    n, words, at = len(m.n_words), m.sums[WORDS], _AT_WAYS
    last = -1
    for i in range(n):
        x[at, i] = i - last if last >= 0 else FAR
        x[at + 1, i] = words[i] - words[last + 1] if last >= 0 else FAR
        if _is_good(m, i):
            last = i
    following = -1
    for back in range(n):
        i = n - 1 - back
        x[at + 2, i] = following - i if following >= 0 else FAR
        x[at + 3, i] = words[following] - words[i + 1] if following >= 0 else FAR
        x[at + 4, i] = min(x[at, i] + x[at + 2, i], FAR)
        if _is_good(m, i):
            following = i


@cold_part
def _places(m: Measures, likeness: F32, levels: F32, n_source: int, x: F32) -> None:
    n, sums, at = len(m.n_words), m.sums, _AT_PLACES
    total_words, total_good = max(sums[WORDS, n], 1.0), max(sums[GOOD, n], 1.0)
    first_heading = title = -1
    best = np.float32(_LEAST_LIKENESS)
    for i in range(n):
        if first_heading < 0 and levels[i] == 1:
            first_heading = i
        if likeness[i] > best:
            best = likeness[i]
            title = i
    longest = 0
    for i in range(n):
        x[at, i] = i / n
        x[at + 1, i] = sums[WORDS, i] / total_words
        x[at + 2, i] = sums[GOOD, i] / total_good
        x[at + 3, i] = m.start[i] / max(n_source, 1)
        x[at + 4, i] = n - i
        x[at + 5, i] = i - first_heading if first_heading >= 0 else -FAR
        x[at + 7, i] = i - title if title >= 0 else -FAR
        x[at + 8, i] = longest
        longest = max(longest, int(m.n_words[i]))


@cold_part
def _sections(m: Measures, levels: F32, x: F32, at: int) -> None:
    n = len(m.n_words)
    comment = related = heading = -1
    level_above = np.float32(0)
    start = 0
    for i in range(n):
        words = m.n_words[i]
        is_heading = levels[i] > 0
        talk, related_words = m.counts[FUNCTION + 3, i], m.counts[FUNCTION + 5, i]
        if is_heading or words <= 6:
            if talk > 0 and (is_heading or talk * 4 >= words) and m.n_links[i] <= 1:
                comment = i
            elif related_words > 0 and is_heading:
                related = i
        x[at, i] = i - comment if comment >= 0 else FAR
        x[at + 1, i] = m.sums[WORDS, i] - m.sums[WORDS, comment] if comment >= 0 else -1
        x[at + 2, i] = i - related if related >= 0 else FAR
        x[at + 3, i] = m.sums[WORDS, i] - m.sums[WORDS, related] if related >= 0 else -1
        x[at + 4, i] = i - heading if heading >= 0 else FAR
        x[at + 5, i] = m.sums[WORDS, i] - m.sums[WORDS, heading] if heading >= 0 else -1
        x[at + 9, i] = level_above
        if is_heading:
            _close_section(m.sums, start, i, x, at + 6)
            start = i
            heading = i
            level_above = levels[i]
    _close_section(m.sums, start, n, x, at + 6)
    copy(levels, x[at + 8])


@cold_part
def _close_section(sums: F64, start: int, end: int, x: F32, at: int) -> None:
    """Tell the blocks from *start* to *end* the words and the share of links of all of them."""
    words = sums[WORDS, end] - sums[WORDS, start]
    links = sums[LINKED, end] - sums[LINKED, start]
    x[at, start:end] = words
    x[at + 1, start:end] = links / words if words > 0 else 0.0
