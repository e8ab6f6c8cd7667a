"""Features of the page as a whole, the same for each of its blocks: how much of what, what kind of page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part, part
from pipelines.boilerplate.winnow.features.characters import CHARACTERS, DIGITS, OTHER_LETTERS, WIDE
from pipelines.boilerplate.winnow.features.keywords import GROUP_NAMES
from pipelines.boilerplate.winnow.features.kind_words import KIND_NAMES
from pipelines.boilerplate.winnow.features.measures import (
    BYLINE_WORDS,
    COMMENT_WORDS,
    FUNCTIONS,
    GOOD,
    LINKED,
    MARKUP,
    SHORT_BLOCKS,
    TEXT,
    WORDS,
)
from pipelines.boilerplate.winnow.features.rows import fill

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.features.measures import F32, Measures

NAMES = (
    *(
        "page blocks",
        "page words",
        "page link share",
        "page good share",
        "page good",
        "page good blocks",
    ),
    *(
        "page short blocks",
        "page markup",
        "page functions",
        "page comments",
        "page bylines",
        "page links",
    ),
    *(
        "page wide",
        "page other letters",
        "page digits",
        "page headings",
        "longest block",
        "bytes of source",
    ),
    *(f"page is {kind}" for kind in KIND_NAMES),
    *(
        f"page has {name}"
        for name in ("comment", "forum", "product", "list", "article", "main_text")
    ),
)
_ASKED = [
    GROUP_NAMES.index(name)
    for name in ("comment", "forum", "product", "list", "article", "main_text")
]
_ASKED_BITS = np.array(_ASKED, np.uint32)
_N_SOURCE, _AT_KINDS = 17, 18
_AT_ASKED = _AT_KINDS + len(KIND_NAMES)


@part
def page_features(
    m: Measures, n_references: int, n_source: int, kinds: F32, values: F32, x: F32
) -> None:
    """Fill in *x*, float32[len(NAMES), n], of a page of *kinds*. Room: *values*, float32[len(NAMES)]."""
    values[:] = 0
    for k in range(len(kinds)):
        values[_AT_KINDS + k] = kinds[k]
    _count_blocks(m, n_references, values)
    _count_elements(m, values)
    values[_N_SOURCE] = n_source
    for k in range(len(values)):
        fill(values[k], x[k])


@cold_part
def _count_blocks(m: Measures, n_references: int, values: F32) -> None:
    n = len(m.n_words)
    words = max(m.sums[WORDS, n], 1.0)
    text = max(m.sums[TEXT, n], 1.0)
    values[0] = n
    values[1] = words
    values[2] = m.sums[LINKED, n] / words
    values[3] = m.sums[GOOD, n] / words
    values[4] = m.sums[GOOD, n]
    values[6] = m.sums[SHORT_BLOCKS, n] / n
    values[7] = m.sums[MARKUP, n] / (m.sums[MARKUP, n] + text)
    values[8] = m.sums[FUNCTIONS, n] / words
    values[9] = m.sums[COMMENT_WORDS, n]
    values[10] = m.sums[BYLINE_WORDS, n]
    values[11] = n_references / n
    n_characters = 0
    for i in range(n):
        values[5] += m.sums[GOOD, i + 1] - m.sums[GOOD, i] >= 10
        values[16] = max(values[16], np.float32(m.n_words[i]))
        n_characters += m.counts[CHARACTERS, i]
        values[12] += m.counts[WIDE, i]
        values[13] += m.counts[OTHER_LETTERS, i]
        values[14] += m.counts[DIGITS, i]
    for k in range(12, 15):
        values[k] /= max(n_characters, 1)


@cold_part
def _count_elements(m: Measures, values: F32) -> None:
    for element in range(len(m.elements.name)):
        name = m.elements.name[element]
        values[15] += 14 <= name <= 19
        keywords = m.elements.keywords[element]
        if keywords:
            for k in range(len(_ASKED_BITS)):
                values[_AT_ASKED + k] += keywords >> _ASKED_BITS[k] & np.uint32(1)
