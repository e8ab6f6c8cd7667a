"""Features of a block by itself: its words, characters, links, the tags and bytes around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import cold_part, part
from crawler.page.tags import GAP_BITS
from pipelines.boilerplate.winnow.features.characters import (
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
from pipelines.boilerplate.winnow.features.rows import at_least_one, copy, divide
from pipelines.boilerplate.winnow.features.word_groups import GROUP_NAMES

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.features.measures import F32, F64, I32, U64, Measures

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
# Rows that others look at.
ROW_OF_WORDS, ROW_OF_LINKS = 0, 1
# Where the rows of a group begin.
_AT_GROUPS = 26
_AT_SHARES = _AT_GROUPS + N_WORD_GROUPS
ROW_OF_FUNCTIONS = _AT_SHARES
_AT_BETWEEN = _AT_SHARES + N_WORD_GROUPS


@part
def local_features(m: Measures, n_source: int, least: F64, x: F32) -> None:
    """Fill in *x*, float32[len(NAMES), n]. Room: *least*, float64[3, n]."""
    words, characters, tokens = least[0], least[1], least[2]
    at_least_one(m.n_words, words)
    at_least_one(m.counts[CHARACTERS], characters)
    at_least_one(m.counts[WORDS], tokens)
    _lengths(m, words, x)
    _characters(m.counts, characters, x)
    divide(characters, tokens, x[8])
    _words_a_sentence(words, m.counts[SENTENCE_ENDS], x[25])
    _words(m.counts, tokens, x)
    _between(m, n_source, x)
    for kind in range(N_GAPS):
        before = x[len(x) - 2 * N_GAPS + kind]
        _gap(m.gap_mask, _GAP_MASKS[kind], before)
        _of_next(before, x[len(x) - N_GAPS + kind])


@part
def _lengths(m: Measures, words: F64, x: F32) -> None:
    copy(words, x[ROW_OF_WORDS])
    divide(m.linked_words, words, x[ROW_OF_LINKS])
    at_least_one(m.n_lines, x[2])
    _words_a_line(m, words, x[3])
    copy(m.last_line_words, x[4])
    copy(m.hidden, x[5])
    copy(m.n_links, x[6])


@cold_part
def _words_a_line(m: Measures, words: F64, row: F32) -> None:
    for i in range(len(row)):
        lines = max(m.n_lines[i], 1)
        full = lines > 1
        row[i] = (words[i] - m.last_line_words[i] * full) / (lines - full)


@part
def _characters(counts: I32, characters: F64, x: F32) -> None:
    copy(characters, x[7])
    divide(counts[LARGE], characters, x[9])
    divide(counts[DIGITS], characters, x[10])
    copy(counts[SENTENCE_ENDS], x[12])
    divide(counts[WIDE], characters, x[13])
    divide(counts[OTHER_LETTERS], characters, x[14])
    for k in range(len(_COUNTED)):
        copy(counts[_COUNTED[k]], x[15 + k])
    copy(counts[LAST], x[23])
    copy(counts[FIRST], x[24])


@part
def _words(counts: I32, tokens: F64, x: F32) -> None:
    divide(counts[COMMAS], tokens, x[11])
    divide(counts[SHORT], tokens, x[21])
    divide(counts[CAPITALISED], tokens, x[22])
    for group in range(N_WORD_GROUPS):
        copy(counts[FUNCTION + group], x[_AT_GROUPS + group])
        divide(counts[FUNCTION + group], tokens, x[_AT_SHARES + group])


@cold_part
def _words_a_sentence(words: F64, ends: I32, row: F32) -> None:
    for i in range(len(row)):
        row[i] = words[i] / (ends[i] + 1)


@cold_part
def _between(m: Measures, n_source: int, x: F32) -> None:
    n = len(m.n_words)
    for i in range(n):
        start, end = int(m.start[i]), int(m.end[i])
        before = int(m.end[i - 1]) if i else 0
        after = int(m.start[i + 1]) if i + 1 < n else n_source
        x[_AT_BETWEEN, i] = max(start - before, 0)
        x[_AT_BETWEEN + 1, i] = max(end - start - m.counts[BYTES, i], 0)
        x[_AT_BETWEEN + 2, i] = max(after - end, 0)
    _n_bits(m.gap_mask, x[_AT_BETWEEN + 3])
    _of_next(x[_AT_BETWEEN + 3], x[_AT_BETWEEN + 4])


@cold_part
def _n_bits(masks: U64, row: F32) -> None:
    for i in range(len(row)):
        row[i] = n_set_bits(masks[i])


@cold_part
def _gap(masks: U64, tags: Any, row: F32) -> None:
    for i in range(len(row)):
        row[i] = masks[i] & tags != 0


@cold_part
def _of_next(values: F32, row: F32) -> None:
    """Take the value of the next block, 0 for the last one."""
    last = len(row) - 1
    for i in range(last):
        row[i] = values[i + 1]
    row[last] = 0
