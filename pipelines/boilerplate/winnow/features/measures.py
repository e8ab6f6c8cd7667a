"""What all features of a page are made of: its blocks' measures, their sums from the begin, its elements.

*Good words* are those of blocks that read like running text: with w words and link density d, all w when
w >= 10, d < .35 and there is a sentence's end, a comma or a fifth of function words; .3 w when
w >= 5 and d < .2; else none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, with_first_types
from pipelines.boilerplate.winnow.features.characters import (
    BYTES,
    COMMAS,
    FUNCTION,
    SENTENCE_ENDS,
    count_characters,
)
from pipelines.boilerplate.winnow.features.elements import Elements, page_elements

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel

    F32 = npt.NDArray[np.float32]
    F64 = npt.NDArray[np.float64]
    I32 = npt.NDArray[np.int32]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

# Rows of the sums; TEXT and MARKUP count bytes, COUNT blocks.
SUMS = ("words", "linked", "good", "text", "markup", "function", "comment", "byline", "short")
WORDS, LINKED, GOOD, TEXT, MARKUP, FUNCTIONS, COMMENT_WORDS, BYLINE_WORDS, SHORT_BLOCKS = range(9)
N_SUMS = len(SUMS)
GOOD_WORDS, FAIR_WORDS = 10, 5
# Rows of characters that are summed: function words, talk of comments, bylines.
_COMMENT_ROW, _BYLINE_ROW = FUNCTION + 3, FUNCTION + 7


class Measures(NamedTuple):
    """A page of n blocks, as kernels read it.

    ``sums: float64[N_SUMS, n + 1]`` are those of all blocks before; ``start`` and ``end`` bytes of each block
    in the source.
    """

    n_words: U32
    linked_words: U32
    n_lines: U32
    last_line_words: U32
    gap_mask: U64
    path_number: U32
    hidden: npt.NDArray[np.bool_]
    start: U32
    end: U32
    counts: I32
    digest: U64
    sums: F64
    elements: Elements
    block_element: U32
    n_links: U32


def measure(page: PageModel) -> Measures:
    """Return the measures of *page*, which has a block."""
    blocks = page.blocks
    n = len(blocks)
    characters = count_characters(blocks.utf8, n, page.title or "")
    elements, block_element = page_elements(page)
    places = np.zeros((2, n), np.uint32)
    n_links = np.zeros(n + 1, np.uint32)
    sums = np.zeros((N_SUMS, n + 1))
    measures = Measures(
        blocks.n_words,
        blocks.linked_words,
        blocks.n_lines,
        blocks.last_line_tokens,
        blocks.gap_mask,
        blocks.path_number,
        blocks.hidden,
        places[0],
        places[1],
        characters.counts,
        characters.digest,
        sums,
        elements,
        block_element,
        n_links,
    )
    _sum_up(page.found_runs, page.references.block, measures)
    return measures


@lean_kernel
def _sum(runs: U32, link_blocks: U32, m: Measures) -> None:
    """Fill in places, links and sums."""
    n = len(m.n_words)
    seen = -1
    for run in range(len(runs)):
        block = runs[run, 2]
        if block != seen:
            m.start[block] = runs[run, 0]
            seen = block
        m.end[block] = runs[run, 1]
    for link in range(len(link_blocks)):
        m.n_links[min(link_blocks[link], n)] += 1
    before = 0
    for i in range(n):
        words = m.n_words[i]
        linked = m.linked_words[i]
        density = linked / words if words else 0.0
        n_bytes, functions = m.counts[BYTES, i], m.counts[FUNCTION, i]
        good = 0.0
        is_text = m.counts[SENTENCE_ENDS, i] + m.counts[COMMAS, i] > 0 or functions * 5 > words
        if words >= GOOD_WORDS and density < 0.35 and is_text:
            good = float(words)
        elif words >= FAIR_WORDS and density < 0.2:
            good = 0.3 * words
        m.sums[WORDS, i + 1] = m.sums[WORDS, i] + words
        m.sums[LINKED, i + 1] = m.sums[LINKED, i] + linked
        m.sums[GOOD, i + 1] = m.sums[GOOD, i] + good
        m.sums[TEXT, i + 1] = m.sums[TEXT, i] + n_bytes
        m.sums[MARKUP, i + 1] = m.sums[MARKUP, i] + max(int(m.end[i]) - before - n_bytes, 0)
        m.sums[FUNCTIONS, i + 1] = m.sums[FUNCTIONS, i] + functions
        m.sums[COMMENT_WORDS, i + 1] = m.sums[COMMENT_WORDS, i] + m.counts[_COMMENT_ROW, i]
        m.sums[BYLINE_WORDS, i + 1] = m.sums[BYLINE_WORDS, i] + m.counts[_BYLINE_ROW, i]
        m.sums[SHORT_BLOCKS, i + 1] = m.sums[SHORT_BLOCKS, i] + (words < FAIR_WORDS)
        before = m.end[i]


_sum_up = with_first_types(_sum)
