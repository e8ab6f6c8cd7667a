"""Code on a page: it belongs to the text before it, and of manuals more is kept.

The pages that the trees were trained on have little code, and a listing looks like nothing else there: that between two
paragraphs of a manual was dropped, and so were its short entries. So code, what stands within ``pre``, is as likely as
the text before it at least. Pages with some of it that do not name themselves articles, manuals most of all, are
doubted less (:data:`CODE_DOUBT`), and short gaps in what is kept of them are closed. All by cross-validation
(``pipelines/evaluation/training/winnow/EXPERIMENTS.md``).

Shapes: float64[n] and bool[n] of blocks. Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.boilerplate.winnow.trees import F32

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]

# Blocks of code that a manual has, and log odds taken off its blocks.
CODE_BLOCKS = 2
CODE_DOUBT = -1.0
# Blocks and words of a short gap.
GAP_BLOCKS, GAP_WORDS = 3, 30
_NAMED_ARTICLE = FEATURE_NAMES.index("page is article")
_PRE = FEATURE_NAMES.index("within pre")


def is_manual(x: F32) -> bool:
    """Tell whether a page has code and does not name itself an article, by the features *x* of a block at least."""
    return not x[_NAMED_ARTICLE, 0] and bool(np.count_nonzero(x[_PRE]) >= CODE_BLOCKS)


def with_code(probability: F64, x: F32) -> F64:
    """Return *probability*, that of code no smaller than that of the last block before it that is none.

    What has none, 0, is out of the question, and stays so.
    """
    is_code = x[_PRE] > 0
    if not is_code.any():
        return probability
    before = np.maximum.accumulate(np.where(is_code, -1, np.arange(len(probability))))
    is_raised = (before >= 0) & (probability > 0)
    return np.where(is_raised, np.maximum(probability, probability[before]), probability)


def gaps(kept: Bools, n_words: F64) -> Bools:
    """Return the blocks in short gaps between those *kept*."""
    place = np.flatnonzero(kept)
    start, end = place[:-1] + 1, place[1:]
    words = np.concatenate([[0.0], n_words.cumsum()])
    is_short = (end - start <= GAP_BLOCKS) & (words[end] - words[start] <= GAP_WORDS)
    turns = np.zeros(len(kept) + 1, np.int64)
    turns[start[is_short]] += 1
    turns[end[is_short]] -= 1
    return (turns.cumsum()[:-1] > 0) & ~kept
