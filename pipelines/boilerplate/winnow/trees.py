"""Boosted regression trees over all blocks of a page at once.

Each tree has at most 32 leaves, numbered from left to right, and each of its inner nodes a mask with the leaves
of its left side cleared. Of a block, the masks of all nodes whose test fails (x > threshold) are taken
together; the lowest leaf that is left is the one it falls into.
*Source: Lucchese et al. 2015, QuickScorer, section 3.1; for many blocks side by side Lucchese et al. 2016.*
The loop over the blocks is the inner one, without branches, so that compilers make vector code of it.

Shapes: *x* float32[n_features, n]; nodes and leaves as in :class:`Forest`. Cost: O(nodes n).
Invariant: the same sums as walking down every tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    F32 = npt.NDArray[np.float32]
    U32 = npt.NDArray[np.uint32]

MAX_LEAVES = 32
_ALL = 0xFFFFFFFF
# A product with it has the number of the single bit of a word in its upper five bits (de Bruijn).
DE_BRUIJN = 0x077CB531
_SLOT_BITS = 27
# Blocks that are taken down all trees together: their features stay in the nearest caches.
_AT_A_TIME = 256


class Forest(NamedTuple):
    """Trees one after the other; tree k has the nodes *first[k]* to *first[k + 1]*, the root first.

    *left*, *right*: place of the child among the tree's nodes, or ~leaf; *mean*: value expected at
    the node; *leaf: float32[n_trees, 32]*; *slots*: the same values at the places where the kernel looks for them.
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
        slots[:, ((1 << number) * DE_BRUIJN & _ALL) >> _SLOT_BITS] = leaf[:, number]
    return Forest(first, feature, threshold, mask, left, right, mean, leaf, slots)


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
    scores = np.zeros(n, np.float32)
    if n and len(forest.feature) and int(forest.feature.max()) >= len(x):
        raise ValueError(f"the trees ask for more than the {len(x)} features given")
    _score(forest, x, np.empty(n, np.uint32), scores)
    return scores


@lean_kernel
def _score(forest: Forest, x: F32, leaves: U32, scores: F32) -> None:
    n = len(scores)
    for start in range(0, n, _AT_A_TIME):
        end = min(start + _AT_A_TIME, n)
        for tree in range(len(forest.first) - 1):
            _add_tree(forest, tree, x, start, leaves[: end - start], scores[start:end])


@part
def _add_tree(forest: Forest, tree: int, x: F32, start: int, leaves: U32, scores: F32) -> None:
    n = len(scores)
    end = start + n
    for i in range(n):
        leaves[i] = np.uint32(_ALL)
    for node in range(forest.first[tree], forest.first[tree + 1]):
        values = x[forest.feature[node], start:end]
        threshold, mask = forest.threshold[node], forest.mask[node]
        for i in range(n):
            leaves[i] &= mask if values[i] > threshold else np.uint32(_ALL)
    slots = forest.slots[tree]
    for i in range(n):
        low = leaves[i] & (~leaves[i] + np.uint32(1))
        scores[i] += slots[np.uint32(low * np.uint32(DE_BRUIJN)) >> np.uint32(_SLOT_BITS)]
