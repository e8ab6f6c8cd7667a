"""What the features of a block added to its log odds.

On the way down a tree each step changes the expected value; the change counts for the feature that was
asked. *Source: Saabas 2014, treeinterpreter.* All features that are about one thing are added up.

Shapes: :func:`pushes` float32[n_features, n]. Cost: O(depth) a tree and block, in a compiled loop.
Invariant: the pushes of a block and :func:`start` make its log odds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.trees import F32, Forest


def start(forest: Forest) -> float:
    """Return the log odds of a block of which nothing is known."""
    is_tree = np.diff(forest.first.astype(np.int64)) > 0
    # A tree without nodes is its one leaf.
    at_roots = forest.mean[forest.first[:-1][is_tree]]
    return float(at_roots.sum(dtype=np.float64) + forest.leaf[~is_tree, 0].sum(dtype=np.float64))


def pushes(forest: Forest, x: F32) -> F32:
    """Return what each feature adds to the log odds of each block, of the features *x*."""
    pushed = np.zeros_like(x)
    _push(forest, x, pushed)
    return pushed


@lean_kernel
def _push(forest: Forest, x: F32, pushed: F32) -> None:
    for tree in range(len(forest.first) - 1):
        begin = np.int64(forest.first[tree])
        if begin == np.int64(forest.first[tree + 1]):
            continue
        for i in range(x.shape[1]):
            node = np.int64(0)
            while node >= 0:
                at = begin + node
                feature = forest.feature[at]
                child = np.int64(
                    forest.right[at] if x[feature, i] > forest.threshold[at] else forest.left[at]
                )
                value = forest.mean[begin + child] if child >= 0 else forest.leaf[tree, ~child]
                pushed[feature, i] += value - forest.mean[at]
                node = child
