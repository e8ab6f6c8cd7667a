"""Boosted regression trees over all blocks of a page at once.

Each tree has at most 32 leaves, numbered from left to right, and each of its inner nodes a mask with the leaves
of its left side cleared. Of a block, the masks of all nodes whose test fails (x > threshold) are taken
together; the lowest leaf that is left is the one it falls into.
*Source: Lucchese et al. 2015, QuickScorer, section 3.1; for many blocks side by side Lucchese et al. 2016.*
Blocks go down all trees 32 at a time (``lanes.py``): their features stay in the nearest cache.

Shapes: *x* float32[n_features, n]; nodes and leaves as in :class:`Forest`. Cost: O(nodes n).
Invariant: the same sums as walking down every tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.boilerplate.winnow.lanes import DE_BRUIJN, LANES, SLOT_BITS, add_tree

if TYPE_CHECKING:
    import numpy.typing as npt

    F32 = npt.NDArray[np.float32]
    U32 = npt.NDArray[np.uint32]

MAX_LEAVES = 32
_ALL = 0xFFFFFFFF


class Forest(NamedTuple):
    """Trees one after the other; tree k has the nodes *first[k]* to *first[k + 1]*, the root first.

    *left*, *right*: place of the child among the tree's nodes, or ~leaf; *mean*: value expected at
    the node; *leaf: float32[n_trees, 32]*; *slots*: the same values at the places where the kernel looks for them;
    *n_features*: that the nodes ask for, at least.
    """

    first: U32
    feature: U32
    threshold: F32
    mask: U32
    left: npt.NDArray[np.int8]
    right: npt.NDArray[np.int8]
    mean: F32
    leaf: F32
    slots: F32
    n_features: int


def forest_of(  # noqa: PLR0913, PLR0917 - the arrays as they are stored
    first: U32,
    feature: U32,
    threshold: F32,
    left: npt.NDArray[np.int8],
    right: npt.NDArray[np.int8],
    mean: F32,
    leaf: F32,
) -> Forest:
    """Return the forest with its masks and slots.

    Raises ValueError when the arrays are not those of trees.
    """
    n_nodes = len(feature)
    sizes = np.diff(first.astype(np.int64))
    if (
        len(first) < 1
        or first[0]
        or first[-1] != n_nodes
        or np.any((sizes < 0) | (sizes >= MAX_LEAVES))
    ):
        raise ValueError(
            "the trees' first nodes must rise from 0 to the number of nodes, 31 a tree at most"
        )
    if {len(threshold), len(left), len(right), len(mean)} != {n_nodes} or leaf.shape != (
        len(sizes),
        MAX_LEAVES,
    ):
        raise ValueError("the trees' arrays must be of one length, with 32 leaves a tree")
    mask = np.full(n_nodes, _ALL, np.uint32)
    for tree, size in enumerate(sizes.tolist()):
        start = int(first[tree])
        nodes = slice(start, start + size)
        mask[nodes] = _masks(left[nodes].tolist(), right[nodes].tolist())
    slots = np.zeros_like(leaf)
    for number in range(MAX_LEAVES):
        slots[:, ((1 << number) * DE_BRUIJN & _ALL) >> SLOT_BITS] = leaf[:, number]
    n_features = int(feature.max()) + 1 if n_nodes else 0
    return Forest(first, feature, threshold, mask, left, right, mean, leaf, slots, n_features)


def _masks(left: list[int], right: list[int]) -> list[int]:
    """Return the masks of the nodes of one tree; children stand behind their parents."""
    leaves = [0] * len(left)
    masks = [_ALL] * len(left)
    for node in reversed(range(len(left))):
        sides = []
        for child in (left[node], right[node]):
            if child >= len(left) or 0 <= child <= node:
                raise ValueError("the nodes of a tree must stand before their children")
            sides.append(leaves[child] if child >= 0 else 1 << ~child & _ALL)
        leaves[node] = sides[0] | sides[1]
        masks[node] = _ALL & ~sides[0]
    return masks


def forest_scores(forest: Forest, x: F32) -> F32:
    """Return the sum of all trees for each block, float32[n]: log odds."""
    n = x.shape[1]
    if n and len(x) < forest.n_features:
        raise ValueError(f"the trees ask for more than the {len(x)} features given")
    if n < LANES:
        wide = np.zeros((len(x), LANES), np.float32)
        wide[:, :n] = x
        x = wide
    scores = np.empty(max(n, LANES), np.float32)
    _score(forest, np.ascontiguousarray(x), scores)
    return scores[:n]


@lean_kernel
def _score(forest: Forest, x: F32, scores: F32) -> None:
    n = len(scores)
    for place in range(0, n, LANES):
        # The last blocks are as many as the others, some of them for the second time.
        start = min(place, n - LANES)
        sums = scores[start : start + LANES]
        sums[:] = 0
        for tree in range(len(forest.first) - 1):
            add_tree(
                forest.feature,
                forest.threshold,
                forest.mask,
                x,
                forest.slots,
                sums,
                tree,
                int(forest.first[tree]),
                int(forest.first[tree + 1]),
                start,
            )
