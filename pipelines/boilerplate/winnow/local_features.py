"""Features of a block by itself: its words, characters, links, the tags and bytes around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import cold_part, lean_kernel, part
from crawler.page.tags import GAP_BITS
from pipelines.boilerplate.winnow.characters import (
    BARS,
    BRACKETS,
    BYTES,
    CAPITALISED,
    CHARACTERS,
    COLONS,
    COMMAS,
    DIGITS,
    FIRST,
    FUNCTION,
    LARGE,
    LAST,
    N_WORD_GROUPS,
    OTHER_LETTERS,
    QUOTES,
    SENTENCE_ENDS,
    SHORT,
    SIGNS,
    WIDE,
    WORDS,
    YEARS,
)
from pipelines.boilerplate.winnow.word_groups import GROUP_NAMES

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.measures import F32, Measures

# Tags of the gap, by what they say; before the block and after it.
_GAPS = (
    "br",
    "p",
    "div section article",
    "li dt dd",
    "td th tr",
    "hr",
    "h1 h2 h3 h4 h5 h6",
    "img figure",
    "form input button select textarea label",
    "script style iframe",
    "a",
    "b strong em i font",
    "span",
    "blockquote pre code",
)
N_GAPS = len(_GAPS)
_GAP_MASKS = np.array([sum(GAP_BITS[name] for name in names.split()) for names in _GAPS], np.uint64)
NAMES = (
    *("words", "link share", "lines", "words a line", "last line", "hidden", "links", "characters"),
    *("letters a word", "large letters", "digits", "commas", "sentence ends", "wide characters"),
    *("other letters", "bars", "quotes", "brackets", "colons", "signs", "years", "short words"),
    *("capitalised", "last character", "first character", "words a sentence"),
    *(f"words of {name}" for name in GROUP_NAMES),
    *(f"share of {name}" for name in GROUP_NAMES),
    *("bytes before", "bytes within", "bytes after", "tags before", "tags after"),
    *(f"{names.split()[0]} before" for names in _GAPS),
    *(f"{names.split()[0]} after" for names in _GAPS),
)

_COUNTED = np.array([BARS, QUOTES, BRACKETS, COLONS, SIGNS, YEARS], np.uint32)
# Where the rows of a group begin.
_AT_GROUPS = 26
_AT_BETWEEN = _AT_GROUPS + 2 * N_WORD_GROUPS


@cold_part
def _n_bits(mask: Any) -> int:
    n = 0
    while mask:
        mask &= mask - np.uint64(1)
        n += 1
    return n


@lean_kernel
def local_features(m: Measures, n_source: int, x: F32) -> None:
    """Fill in *x*, float32[len(NAMES), n]."""
    for i in range(len(m.n_words)):
        _lengths(m, i, x)
        _characters(m, i, x)
        _between(m, n_source, i, x)
    _gaps(m, x)


@part
def _lengths(m: Measures, i: int, x: F32) -> None:
    words = max(m.n_words[i], 1)
    lines = max(m.n_lines[i], 1)
    full = lines > 1
    x[0, i] = words
    x[1, i] = m.linked_words[i] / words
    x[2, i] = lines
    x[3, i] = (words - m.last_line_words[i] * full) / (lines - full)
    x[4, i] = m.last_line_words[i]
    x[5, i] = m.hidden[i]
    x[6, i] = m.n_links[i]


@part
def _characters(m: Measures, i: int, x: F32) -> None:
    row = m.counts[i]
    characters, tokens = max(row[CHARACTERS], 1), max(row[WORDS], 1)
    x[7, i] = characters
    x[8, i] = characters / tokens
    x[9, i] = row[LARGE] / characters
    x[10, i] = row[DIGITS] / characters
    x[11, i] = row[COMMAS] / tokens
    x[12, i] = row[SENTENCE_ENDS]
    x[13, i] = row[WIDE] / characters
    x[14, i] = row[OTHER_LETTERS] / characters
    for k in range(len(_COUNTED)):
        x[15 + k, i] = row[_COUNTED[k]]
    x[21, i] = row[SHORT] / tokens
    x[22, i] = row[CAPITALISED] / tokens
    x[23, i] = row[LAST]
    x[24, i] = row[FIRST]
    x[25, i] = max(m.n_words[i], 1) / (row[SENTENCE_ENDS] + 1)
    for group in range(N_WORD_GROUPS):
        x[_AT_GROUPS + group, i] = row[FUNCTION + group]
        x[_AT_GROUPS + N_WORD_GROUPS + group, i] = row[FUNCTION + group] / tokens


@part
def _between(m: Measures, n_source: int, i: int, x: F32) -> None:
    n = len(m.n_words)
    start, end = int(m.start[i]), int(m.end[i])
    before = int(m.end[i - 1]) if i else 0
    after = int(m.start[i + 1]) if i + 1 < n else n_source
    x[_AT_BETWEEN, i] = max(start - before, 0)
    x[_AT_BETWEEN + 1, i] = max(end - start - m.counts[i, BYTES], 0)
    x[_AT_BETWEEN + 2, i] = max(after - end, 0)
    x[_AT_BETWEEN + 3, i] = _n_bits(m.gap_mask[i])
    x[_AT_BETWEEN + 4, i] = _n_bits(m.gap_mask[i + 1] if i + 1 < n else np.uint64(0))


@cold_part
def _gaps(m: Measures, x: F32) -> None:
    n = len(m.n_words)
    at = len(x) - 2 * N_GAPS
    for kind in range(N_GAPS):
        before_it, after_it, mask = x[at + kind], x[at + N_GAPS + kind], _GAP_MASKS[kind]
        for i in range(n):
            before_it[i] = m.gap_mask[i] & mask != 0
        for i in range(n - 1):
            after_it[i] = before_it[i + 1]
        after_it[n - 1] = 0
