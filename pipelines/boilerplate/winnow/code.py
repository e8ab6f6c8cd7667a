"""Code on a page: it belongs to the text before it, and pages with code are doubted less.

The pages that the trees were trained on have little code, and a listing looks like nothing else there: that between two
paragraphs of a manual was dropped. So code, what stands within ``pre``, is as likely as the text before it at least,
and of pages with some of it, manuals most of all, more is kept (:data:`CODE_DOUBT`); both by cross-validation
(``pipelines/evaluation/training/winnow/EXPERIMENTS.md``).

Shapes: float64[n] of blocks. Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.boilerplate.winnow.trees import F32

    F64 = npt.NDArray[np.float64]

# Log odds taken off the blocks of a page that has so many blocks of code and does not name itself an article.
CODE_DOUBT = -1.0
CODE_BLOCKS = 2
_PRE = FEATURE_NAMES.index("within pre")


def has_code(x: F32) -> bool:
    """Tell whether a page has code, by the features *x* of its blocks."""
    return bool(np.count_nonzero(x[_PRE]) >= CODE_BLOCKS)


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
