"""Pagelets: the parts of a page that are about one thing, by their links.

An element is a pagelet iff (1) no child of it contains k or more hyperlinks and (2) no ancestor is a pagelet.
*Source: Bar-Yossef and Rajagopalan 2002, definition 2 and figure 3, with k = 3; others by `PageRules.pagelet_links`.*
Read with "child" as the direct child (Gottron 2008, algorithm 6.2, prints descendants). Hyperlinks are the links of
``a`` and ``area``. Text and links right within a split element are in no pagelet; they are kept as residual ones, a run
of them each. Elements with neither text nor links are left out. ``a`` is no element here: what it holds belongs to the
element around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Pagelets:
    """The pagelets of a page in page order, as ranges of its blocks and of its references.

    Shapes: uint32[n] and bool[n]. Pagelet i holds the blocks from ``first_block[i]`` up to before
    ``end_block[i]``, and the references likewise. Invariant: every block and every reference is in
    exactly one.
    """

    first_block: npt.NDArray[np.uint32]
    end_block: npt.NDArray[np.uint32]
    first_link: npt.NDArray[np.uint32]
    end_link: npt.NDArray[np.uint32]
    is_residual: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.first_block)


def with_residuals(found: npt.NDArray[np.uint32], n_blocks: int, n_links: int) -> Pagelets:
    """Return the pagelets *found*, uint32[n, 4] in page order, with what lies between them."""
    starts = found[:, [0, 2]].astype(np.int64)
    ends = found[:, [1, 3]].astype(np.int64)
    last = np.array([[n_blocks, n_links]])
    first = np.zeros((1, 2), dtype=np.int64)
    # Before each pagelet, and behind the last one.
    between = np.hstack([np.vstack([first, ends]), np.vstack([starts, last])])
    rows = np.empty((2 * len(found) + 1, 4), dtype=np.int64)
    rows[0::2] = between
    rows[1::2] = np.hstack([starts, ends])
    residual = np.arange(len(rows)) % 2 == 0
    kept = (rows[:, 2:] > rows[:, :2]).any(axis=1)
    first_block, first_link, end_block, end_link = rows[kept].astype(np.uint32).T.copy()
    return Pagelets(first_block, end_block, first_link, end_link, residual[kept])
