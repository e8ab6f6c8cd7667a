"""What the choice asks of all blocks of a page before anything else, in one pass over their features.

numpy takes a pass, and memory, for each question; together they took longer than the trees.

Shapes: one entry a block, n of them. Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, with_first_types
from pipelines.boilerplate.winnow.comments import MOST_OF_PAGE
from pipelines.boilerplate.winnow.copies import PARAGRAPH_WORDS
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES

if TYPE_CHECKING:
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    F32 = npt.NDArray[np.float32]
    F64 = npt.NDArray[np.float64]
    U32 = npt.NDArray[np.uint32]

_AROUND = FEATURE_NAMES.index("comment around")
_MAIN, _ARTICLE = FEATURE_NAMES.index("within main"), FEATURE_NAMES.index("within article")
_TIMES, _PRE = FEATURE_NAMES.index("repeated text"), FEATURE_NAMES.index("within pre")
_MOST_OF_PAGE = np.float32(MOST_OF_PAGE)


class Outline(NamedTuple):
    """Of each block its *words*, float64[n], whether it stands where comments do, *places*, bool[n], and what its odds
    are divided by on a page of no kind, *odds*, float64[n].

    *n_places*: how many of *places* there are; *n_repeated*: paragraphs elsewhere whose text stands on the page once
    more; *n_code*: blocks of code.
    """

    words: F64
    places: Bools
    odds: F64
    n_places: int
    n_repeated: int
    n_code: int


def outline(x: F32, n_words: U32, odds: F64) -> Outline:
    """Return the outline of a page whose blocks have the features *x* and *n_words*.

    *odds*: what those of blocks outside of ``main`` and ``article`` are divided by, and of those within.
    """
    n = len(n_words)
    words, places, its_odds = np.empty(n), np.empty(n, np.bool_), np.empty(n)
    counts = _look_through(x, n_words, odds, words, places, its_odds)
    return Outline(words, places, its_odds, *counts)


@lean_kernel
def _look(
    x: F32, n_words: U32, odds: F64, words: F64, places: Bools, its_odds: F64
) -> tuple[int, int, int]:
    n_places = n_repeated = n_code = 0
    for i in range(len(n_words)):
        words[i] = n_words[i]
        places[i] = 0 < x[_AROUND, i] < _MOST_OF_PAGE
        its_odds[i] = odds[1] if x[_MAIN, i] > 0 or x[_ARTICLE, i] > 0 else odds[0]
        n_places += places[i]
        is_repeated = x[_TIMES, i] > 1 and n_words[i] >= PARAGRAPH_WORDS
        n_repeated += is_repeated and not places[i]
        n_code += x[_PRE, i] > 0
    return n_places, n_repeated, n_code


_look_through = with_first_types(_look)


@lean_kernel
def n_kept_words(n_words: U32, kept: Bools) -> int:
    """Return how many words the blocks *kept*, bool[n], have: *n_words*, uint32[n]."""
    n = 0
    for i in range(len(kept)):
        if kept[i]:
            n += n_words[i]
    return n
