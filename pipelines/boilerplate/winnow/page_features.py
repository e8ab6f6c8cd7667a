"""Features of the page as a whole, the same for each of its blocks: how much of what, what kind of page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.boilerplate.winnow.characters import CHARACTERS, DIGITS, OTHER_LETTERS, WIDE
from pipelines.boilerplate.winnow.keywords import GROUP_NAMES
from pipelines.boilerplate.winnow.kind_words import KIND_NAMES, kinds_named
from pipelines.boilerplate.winnow.measures import (
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

if TYPE_CHECKING:
    from crawler.page import PageModel
    from pipelines.boilerplate.winnow.measures import F32, Measures

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


def page_features(page: PageModel, m: Measures, x: F32) -> None:
    """Fill in *x*, float32[len(NAMES), n]."""
    values = np.zeros(len(NAMES), np.float32)
    values[18 : 18 + len(KIND_NAMES)] = kinds_named(page.source)
    _page(m, len(page.references), len(page.source), len(KIND_NAMES), values)
    x[:] = values[:, None]


@lean_kernel
def _page(m: Measures, n_references: int, n_source: int, n_kinds: int, values: F32) -> None:
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
    values[17] = n_source
    n_characters = 0
    for i in range(n):
        values[5] += m.sums[GOOD, i + 1] - m.sums[GOOD, i] >= 10
        values[16] = max(values[16], np.float32(m.n_words[i]))
        n_characters += m.counts[i, CHARACTERS]
        values[12] += m.counts[i, WIDE]
        values[13] += m.counts[i, OTHER_LETTERS]
        values[14] += m.counts[i, DIGITS]
    for k in range(12, 15):
        values[k] /= max(n_characters, 1)
    for element in range(len(m.elements.name)):
        name = m.elements.name[element]
        values[15] += 14 <= name <= 19
        keywords = m.elements.keywords[element]
        if keywords:
            for k in range(len(_ASKED_BITS)):
                values[18 + n_kinds + k] += keywords >> _ASKED_BITS[k] & np.uint32(1)
