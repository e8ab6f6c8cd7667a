"""From what a method picks, words or parts of the tree, to the blocks that it keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


def kept_blocks(
    block: I64, picked: npt.NDArray[np.float64] | I64 | Bools, weight: I64, n_blocks: int
) -> Bools:
    """Return which blocks are kept: those of which at least half is picked.

    *block*: of each part of the text, -1 for none; *weight*: its words; *picked*: how many of them
    are picked. A block that no part names is not kept. Shape of the answer: bool[n_blocks].
    """
    has_block = block >= 0
    numbers = block[has_block]
    share = np.bincount(numbers, picked[has_block], n_blocks)
    whole = np.bincount(numbers, weight[has_block], n_blocks)
    kept: Bools = (whole > 0) & (2 * share >= whole)
    return kept
