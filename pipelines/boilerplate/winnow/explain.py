"""Why a block was kept or cut: what its features added to the log odds.

On the way down a tree each step changes the expected value; the change counts for the feature that was
asked. *Source: Saabas 2014, treeinterpreter.* Summed over all trees and over the features that are about one
thing, the largest sum in the direction of the label is the reason.

Shapes: ``pushes: float32[n_reasons, n]``. Cost: O(depth) a tree and block, in a compiled loop.
Invariant: the sums of a block and the forest's expectation make its log odds.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.boilerplate.winnow import (
    context_features,
    local_features,
    page_features,
    structure_features,
)

if TYPE_CHECKING:
    from pipelines.boilerplate.labels import Labels
    from pipelines.boilerplate.winnow.trees import F32, U32, Forest

# What features are about, by what their names begin with, end with or hold, in this order.
_REASONS = {
    "the page as a whole": (page_features, ("",)),
    "votes of elements like its own": (structure_features, ("of same",)),
    "place in the part with the most text": (structure_features, ("centre", "to half")),
    "class and id around it": (structure_features, (" around", " near")),
    "text that repeats": (structure_features, ("repeated text",)),
    "repeated elements like those around it": (structure_features, ("repeat", "like it")),
    "tags around it": (structure_features, ("within", "name of ring", "depth", "rings")),
    "text of the elements around it": (structure_features, ("",)),
    "likeness to the title": (context_features, ("title", "first heading")),
    "place on the page": (context_features, ("place", "to end", "longest so far")),
    "the section it stands in": (context_features, ("heading", "section", "level above")),
    "distance to good text": (context_features, ("since good", "to good", "between good")),
    "the blocks next to it": (context_features, (" at ",)),
    "the blocks around it": (context_features, ("",)),
    "its links": (local_features, ("link",)),
    "its words": (local_features, ("words of", "share of")),
    "markup next to it": (local_features, (" before", " after", "within")),
    "its length": (local_features, ("words", "lines", "last line", "characters")),
    "its characters": (local_features, ("",)),
}
REASONS = tuple(_REASONS)
_MODULES = (local_features, context_features, structure_features, page_features)


@cache
def reason_numbers() -> U32:
    """Return the number of the reason that each feature belongs to, uint32[n_features]."""
    numbers = []
    for module in _MODULES:
        for name in module.NAMES:
            fitting = (
                number
                for number, (of, parts) in enumerate(_REASONS.values())
                if of is module and any(part in name for part in parts)
            )
            numbers.append(next(fitting))
    return np.array(numbers, np.uint32)


def reasons_of(forest: Forest, x: F32, labels: Labels) -> list[str]:
    """Return for each block the reason that pushed it most to its label, and how far.

    A block labelled a comment is asked why it is no main text.
    """
    pushed = pushes(forest, x)
    signs = np.array([-1.0 if label != "content" else 1.0 for label in labels.label])
    towards = pushed * signs
    if not towards.shape[1]:
        return []
    best = towards.argmax(axis=0)
    amounts = pushed[best, np.arange(len(best))]
    return [
        f"{REASONS[k]} ({amount:+.2f})"
        for k, amount in zip(best.tolist(), amounts.tolist(), strict=True)
    ]


def pushes(forest: Forest, x: F32) -> F32:
    """Return what each reason adds to the log odds of each block, float32[n_reasons, n]."""
    pushed = np.zeros((len(REASONS), x.shape[1]), np.float32)
    _push(forest, x, reason_numbers(), pushed)
    return pushed


@lean_kernel
def _push(forest: Forest, x: F32, reason: U32, pushed: F32) -> None:
    for tree in range(len(forest.first) - 1):
        start = np.int64(forest.first[tree])
        if start == np.int64(forest.first[tree + 1]):
            continue
        for i in range(x.shape[1]):
            node = np.int64(0)
            while node >= 0:
                at = start + node
                feature = forest.feature[at]
                child = np.int64(
                    forest.right[at] if x[feature, i] > forest.threshold[at] else forest.left[at]
                )
                value = forest.mean[start + child] if child >= 0 else forest.leaf[tree, ~child]
                pushed[reason[feature], i] += value - forest.mean[at]
                node = child
