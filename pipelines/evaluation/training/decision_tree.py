"""A decision tree as C4.5 grows it, for weighted instances with numeric features.

With W the weight of the instances at a node, S of its two parts by ``x <= cut``, and H the entropy of the
class weights::

    gain  = H(node) - sum of S/W H(part)        ratio = gain / H(S1/W, S2/W)

Each feature offers the cut of the highest gain; of the features whose gain is at least the mean of those
above 0, the one of the highest ratio splits the node. A part has to weigh *min_weight* at least.
Subtrees that err no less than a leaf would are made one.

*Source: Quinlan 1993 (C4.5); Kohlschütter 2011, section 4.4.3*: C4.8, which is Weka's C4.5, with at least
1000 instances a leaf, an instance weighing as many words as the block has; the two published trees are
simplified by *reduced-error pruning*: a third of the groups (pages) is held back, and every subtree that
errs no less than a leaf on them is made a leaf. C4.5's pessimistic pruning is left out: with leaves of
1000 words it changes next to nothing. Values are binned (:mod:`.bins`).
Cost: O(n f) a level of the tree. Invariant: every leaf of an unpruned tree weighs at least *min_weight*,
unless it is the root.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.evaluation.training.bins import Bins
from pipelines.evaluation.training.classifiers import class_weights, weighed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from pipelines.evaluation.training.classifiers import Instances

# Kohlschütter 2011, section 4.4.3.
MIN_WEIGHT = 1000.0
MIN_GAIN = 1e-9
HELD_BACK = 3
# Nothing deeper was ever of use, and the recursions below are as deep.
MAX_DEPTH = 100


@dataclass(slots=True, eq=False)
class Node:
    """A leaf, or a split by ``features[feature] <= cut``; *weights* of the classes at it."""

    weights: npt.NDArray[np.float64]
    feature: int = -1
    cut: float = 0.0
    parts: tuple[Node, ...] = ()
    held_back: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def leaves(self) -> Iterator[Node]:
        """Give the leaves below, or the node itself."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


class _Split(NamedTuple):
    feature: int
    code: int


class DecisionTree:
    """A tree of leaves that weigh *min_weight* at least.

    *reduced_error*: prune on the instances of every third group, in an order drawn by *seed*. *collapsed*: make
    one of leaves that answer the same.
    """

    def __init__(
        self,
        *,
        min_weight: float = MIN_WEIGHT,
        reduced_error: bool = False,
        collapsed: bool = True,
        seed: int = 0,
    ):
        if not min_weight > 0:
            raise ValueError(f"min_weight must be above 0, got {min_weight}")
        self.min_weight = min_weight
        self.reduced_error = reduced_error
        self.collapsed = collapsed
        self.seed = seed
        self.root = Node(np.zeros(0))

    @property
    def n_leaves(self) -> int | None:
        """The leaves of the tree."""
        return sum(1 for _ in self.root.leaves())

    def fit(self, instances: Instances) -> None:
        """Grow the tree, and prune it."""
        grown_on = instances
        if self.reduced_error:
            is_held = self._held_back(instances.group)
            if is_held.any() and not is_held.all():
                grown_on = instances.taken(~is_held)
        bins = Bins(grown_on.features)
        self.root = self._grown(grown_on, bins)
        if grown_on is not instances:
            _weigh(self.root, instances.taken(is_held))
            _prune(self.root)
            _refit(self.root, instances)
        if self.collapsed:
            _collapse(self.root)

    def scores(self, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the shares of the classes at the leaf of each row."""
        shares = np.zeros((len(features), len(self.root.weights)))
        for leaf, rows in _reached(self.root, features):
            shares[rows] = leaf.weights / max(leaf.weights.sum(), 1e-300)
        return shares

    def text(self, names: Sequence[str], classes: Sequence[str]) -> str:
        """Return the tree as Weka prints it: a line a branch, weight and wrong weight at leaves."""
        return "\n".join(_lines(self.root, names, classes, ""))

    def _held_back(self, group: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        groups = np.unique(group)
        drawn = np.random.default_rng(self.seed).permutation(groups)
        return np.isin(group, drawn[::HELD_BACK])

    def _grown(self, instances: Instances, bins: Bins) -> Node:
        codes = bins.codes(instances.features)
        n_bins = 1 + max((len(cuts) for cuts in bins.cuts), default=0)
        # one number for each feature, bin and class
        places = (np.arange(codes.shape[1]) * n_bins + codes) * instances.n_classes
        places += instances.label[:, None]
        root = Node(class_weights(instances))
        waiting = [(root, np.arange(len(codes)), 0)]
        while waiting:
            node, rows, depth = waiting.pop()
            counts = weighed(
                places[rows].ravel(),
                np.repeat(instances.weight[rows], codes.shape[1]),
                codes.shape[1] * n_bins * instances.n_classes,
            ).reshape(codes.shape[1], n_bins, instances.n_classes)
            split = _best_split(counts, self.min_weight) if depth < MAX_DEPTH else None
            if split is None:
                continue
            node.feature = split.feature
            node.cut = float(bins.cuts[split.feature][split.code])
            below = counts[split.feature, : split.code + 1].sum(axis=0)
            node.parts = (Node(below), Node(node.weights - below))
            is_below = codes[rows, split.feature] <= split.code
            waiting += [
                (node.parts[0], rows[is_below], depth + 1),
                (node.parts[1], rows[~is_below], depth + 1),
            ]
        return root


def _best_split(counts: npt.NDArray[np.float64], min_weight: float) -> _Split | None:
    """Return how to split a node with *counts*, float64[f, bins, k]; None to leave it whole."""
    if not counts.size:
        return None
    below = np.cumsum(counts, axis=1)
    total = below[:, -1:]
    above = total - below
    weight_below, weight_above, weight = below.sum(2), above.sum(2), total.sum(2)
    rest = (weight_below * entropy(below) + weight_above * entropy(above)) / weight
    gain = entropy(total) - rest
    gain[(weight_below < min_weight) | (weight_above < min_weight)] = 0
    code = gain.argmax(axis=1)
    features = np.arange(len(counts))
    best = gain[features, code]
    if best.max() <= MIN_GAIN:
        return None
    sides = np.stack([weight_below[features, code], weight_above[features, code]], axis=1)
    ratio = best / np.maximum(entropy(sides), MIN_GAIN)
    ratio[best < best[best > MIN_GAIN].mean() - MIN_GAIN] = 0
    feature = int(ratio.argmax())
    return _Split(feature, int(code[feature]))


def entropy(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the entropy in bits of the last axis of *weights*; 0 where all are 0."""
    total = weights.sum(axis=-1, keepdims=True)
    share = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    entropy: npt.NDArray[np.float64] = -(share * logs).sum(axis=-1)
    return entropy


def _reached(
    root: Node, features: npt.NDArray[np.float64]
) -> Iterator[tuple[Node, npt.NDArray[np.int64]]]:
    """Give each leaf with the rows of *features* that end there."""
    for node, rows in _walk(root, features):
        if not node.parts:
            yield node, rows


def _walk(
    root: Node, features: npt.NDArray[np.float64]
) -> Iterator[tuple[Node, npt.NDArray[np.int64]]]:
    waiting = [(root, np.arange(len(features)))]
    while waiting:
        node, rows = waiting.pop()
        yield node, rows
        if node.parts:
            is_below = features[rows, node.feature] <= node.cut
            waiting += zip(node.parts, (rows[is_below], rows[~is_below]), strict=True)


def _weigh(root: Node, instances: Instances) -> None:
    """Write what of *instances*, which were held back, comes to each node."""
    for node, rows in _walk(root, instances.features):
        is_there = np.zeros(len(instances.label), dtype=np.bool_)
        is_there[rows] = True
        node.held_back = class_weights(instances.taken(is_there))


def _refit(root: Node, instances: Instances) -> None:
    """Weigh the classes at each node anew, by all *instances*."""
    for node, rows in _walk(root, instances.features):
        weights = weighed(instances.label[rows], instances.weight[rows], instances.n_classes)
        if weights.sum():
            node.weights = weights


def _prune(node: Node) -> float:
    """Make leaves of the subtrees that err no less on what was held back; return the error."""
    as_leaf = float(node.held_back.sum() - node.held_back[node.weights.argmax()])
    if not node.parts:
        return as_leaf
    as_tree = sum(_prune(part) for part in node.parts)
    if as_leaf <= as_tree:
        node.parts = ()
        return as_leaf
    return as_tree


def _collapse(node: Node) -> float:
    """Make leaves of the subtrees that err no less on what they were grown on; return the error."""
    as_leaf = float(node.weights.sum() - node.weights.max(initial=0))
    if not node.parts:
        return as_leaf
    as_tree = sum(_collapse(part) for part in node.parts)
    if as_leaf <= as_tree + MIN_GAIN:
        node.parts = ()
        return as_leaf
    return as_tree


def _lines(node: Node, names: Sequence[str], classes: Sequence[str], indent: str) -> Iterator[str]:
    for part, sign in zip(node.parts, ("<=", ">"), strict=False):
        branch = f"{indent}{names[node.feature]} {sign} {node.cut:.6g}"
        if part.parts:
            yield branch
            yield from _lines(part, names, classes, f"{indent}|  ")
        else:
            yield f"{branch}: {_leaf_text(part, classes)}"
    if not node.parts and not indent:
        yield _leaf_text(node, classes)


def _leaf_text(leaf: Node, classes: Sequence[str]) -> str:
    best = int(leaf.weights.argmax())
    wrong = leaf.weights.sum() - leaf.weights[best]
    return f"{classes[best]} ({leaf.weights.sum():.0f}/{wrong:.0f})"
