"""Features of the blocks around a block: windows, neighbours, sections, its place on the page.

Windows of r blocks to each side hold the sums of what lies within, the block itself among it (CCB sees the
bytes of markup and text in them, jusText the way to the nearest good block).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part, lean_kernel, part
from pipelines.boilerplate.winnow.character_classes import SENTENCE_END
from pipelines.boilerplate.winnow.characters import FUNCTION, IN_TITLE, LAST
from pipelines.boilerplate.winnow.characters import WORDS as TOKENS
from pipelines.boilerplate.winnow.measures import (
    BYLINE_WORDS,
    COMMENT_WORDS,
    FUNCTIONS,
    GOOD,
    LINKED,
    MARKUP,
    TEXT,
    WORDS,
)

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.measures import F32, F64, Measures

RADII = (1, 2, 5, 12, 30)
_N_RADII = len(RADII)
_RADII = np.array(RADII, np.int64)
_WINDOW = (
    "words",
    "link share",
    "good share",
    "markup",
    "function words",
    "comment words",
    "bylines",
)
# Only what comes before, and only what follows.
_SIDES = (3, 10)
_N_SIDES = len(_SIDES)
_SIDE_RADII = np.array(_SIDES, np.int64)
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
    *(f"{name} in {radius}" for radius in RADII for name in _WINDOW),
    *(
        f"{name} {side} {r}"
        for r in _SIDES
        for side in ("before", "after")
        for name in ("good share", "link share", "words")
    ),
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
_AT_SIDES = len(_WINDOW) * _N_RADII
_AT_NEIGHBOURS = _AT_SIDES + 6 * _N_SIDES
_AT_WAYS = _AT_NEIGHBOURS + len(_OF_NEIGHBOUR) * _N_NEIGHBOURS
_AT_SECTIONS = _AT_WAYS + 5
_AT_PLACES = _AT_SECTIONS + 10
_LEVELS_FIRST, _LEVELS_LAST = 14, 19
# A block less like the title than this does not repeat it.
_LEAST_LIKENESS = 0.35


@part
def _share(sums: F64, part_of: int, whole: int, first: int, end: int) -> float:
    total = sums[whole, end] - sums[whole, first]
    return (sums[part_of, end] - sums[part_of, first]) / total if total > 0 else 0.0


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


@lean_kernel
def context_features(
    m: Measures, n_title: int, likeness: F32, levels: F32, n_source: int, x: F32
) -> None:
    """Fill in *x*, float32[len(NAMES), n], of a page with a title of *n_title* words.

    Room: *likeness* to the title and *levels*, float32[n].
    """
    n = len(m.n_words)
    for i in range(n):
        levels[i] = _level(m, i)
        likeness[i] = m.counts[i, IN_TITLE] / max(m.counts[i, TOKENS], n_title, 1)
    for i in range(n):
        _windows(m, i, x)
        _sides(m, i, x)
        _neighbours(m, levels, i, x)
    _ways_to_good(m, x)
    _sections(m, levels, x, _AT_SECTIONS)
    _places(m, likeness, levels, n_source, x)


@part
def _windows(m: Measures, i: int, x: F32) -> None:
    n, sums = len(m.n_words), m.sums
    at = 0
    for k in range(_N_RADII):
        first, end = max(i - _RADII[k], 0), min(i + _RADII[k] + 1, n)
        x[at, i] = sums[WORDS, end] - sums[WORDS, first]
        x[at + 1, i] = _share(sums, LINKED, WORDS, first, end)
        x[at + 2, i] = _share(sums, GOOD, WORDS, first, end)
        text = sums[TEXT, end] - sums[TEXT, first]
        markup = sums[MARKUP, end] - sums[MARKUP, first]
        x[at + 3, i] = markup / (text + markup + 1)
        x[at + 4, i] = _share(sums, FUNCTIONS, WORDS, first, end)
        x[at + 5, i] = sums[COMMENT_WORDS, end] - sums[COMMENT_WORDS, first]
        x[at + 6, i] = sums[BYLINE_WORDS, end] - sums[BYLINE_WORDS, first]
        at += 7


@part
def _sides(m: Measures, i: int, x: F32) -> None:
    n, sums = len(m.n_words), m.sums
    at = _AT_SIDES
    for k in range(_N_SIDES):
        first, end = max(i - _SIDE_RADII[k], 0), min(i + _SIDE_RADII[k] + 1, n)
        x[at, i] = _share(sums, GOOD, WORDS, first, i)
        x[at + 1, i] = _share(sums, LINKED, WORDS, first, i)
        x[at + 2, i] = sums[WORDS, i] - sums[WORDS, first]
        x[at + 3, i] = _share(sums, GOOD, WORDS, i + 1, end)
        x[at + 4, i] = _share(sums, LINKED, WORDS, i + 1, end)
        x[at + 5, i] = sums[WORDS, end] - sums[WORDS, i + 1]
        at += 6


@part
def _neighbours(m: Measures, levels: F32, i: int, x: F32) -> None:
    at = _AT_NEIGHBOURS
    for k in range(_N_NEIGHBOURS):
        j = i + _OFFSETS[k]
        if 0 <= j < len(m.n_words):
            words = max(m.n_words[j], 1)
            x[at, i] = words
            x[at + 1, i] = m.linked_words[j] / words
            x[at + 2, i] = m.sums[GOOD, j + 1] - m.sums[GOOD, j]
            x[at + 3, i] = m.counts[j, LAST] == SENTENCE_END
            x[at + 4, i] = levels[j]
            x[at + 5, i] = m.path_number[j] == m.path_number[i]
            x[at + 6, i] = m.counts[j, FUNCTION] / max(m.counts[j, TOKENS], 1)
        else:
            for offset in range(7):
                x[at + offset, i] = -1
        at += 7


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
        x[at + 6, i] = likeness[i]
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
        row = m.counts[i]
        if is_heading or words <= 6:
            if (
                row[FUNCTION + 3] > 0
                and (is_heading or row[FUNCTION + 3] * 4 >= words)
                and m.n_links[i] <= 1
            ):
                comment = i
            elif row[FUNCTION + 5] > 0 and is_heading:
                related = i
        x[at, i] = i - comment if comment >= 0 else FAR
        x[at + 1, i] = m.sums[WORDS, i] - m.sums[WORDS, comment] if comment >= 0 else -1
        x[at + 2, i] = i - related if related >= 0 else FAR
        x[at + 3, i] = m.sums[WORDS, i] - m.sums[WORDS, related] if related >= 0 else -1
        x[at + 4, i] = i - heading if heading >= 0 else FAR
        x[at + 5, i] = m.sums[WORDS, i] - m.sums[WORDS, heading] if heading >= 0 else -1
        x[at + 8, i] = levels[i]
        x[at + 9, i] = level_above
        if is_heading:
            for j in range(start, i):
                x[at + 6, j] = m.sums[WORDS, i] - m.sums[WORDS, start]
                x[at + 7, j] = _share(m.sums, LINKED, WORDS, start, i)
            start = i
            heading = i
            level_above = levels[i]
    for j in range(start, n):
        x[at + 6, j] = m.sums[WORDS, n] - m.sums[WORDS, start]
        x[at + 7, j] = _share(m.sums, LINKED, WORDS, start, n)
