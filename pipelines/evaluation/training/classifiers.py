"""Classifiers of blocks that a training run compares: ZeroR and 1R; what all of them have in common.

Instances have a weight, for blocks the number of their words. With w(c) the weight of class c:

- ``ZeroR`` always says the class of the largest w(c).
- ``OneR`` cuts the values of one feature into intervals: in order of the values, one is closed when
  its heaviest class weighs at least *min_weight* and the next value has another heaviest class;
  neighbours of the same class are joined. Of all features it takes the one with the least error.

*Source: Kohlschütter 2011, section 4.4.3, who used Weka's; 1R is Holte 1993.* Values are binned
(:mod:`.bins`). The others are in :mod:`.decision_tree` and :mod:`.linear_svm`.
Shapes: features float64[n, f], label int64[n] of classes 0 to k - 1, weight float64[n].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from pipelines.evaluation.training.bins import Bins

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


class Instances(NamedTuple):
    """What is learned from; *group* are int64[n], the page or site that each one is from."""

    features: npt.NDArray[np.float64]
    label: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]
    group: npt.NDArray[np.int64]
    n_classes: int

    def taken(self, places: npt.NDArray[np.bool_]) -> Instances:
        """Return those at *places*."""
        return Instances(
            self.features[places],
            self.label[places],
            self.weight[places],
            self.group[places],
            self.n_classes,
        )


class Classifier(Protocol):
    """What learns from instances and tells classes."""

    @property
    def n_leaves(self) -> int | None:
        """The leaves of what was learned; None where there is no such thing."""

    def fit(self, instances: Instances) -> None:
        """Learn from *instances*, of which there must be one at least."""

    def scores(self, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return how much speaks for each class: float64[n, k]; the highest is the answer."""

    def text(self, names: Sequence[str], classes: Sequence[str]) -> str:
        """Return what was learned, for people; *names* of the features and *classes*."""


class ZeroR:
    """The heaviest class, whatever the features."""

    n_leaves: int | None = None

    def __init__(self) -> None:
        self._share = np.zeros(0)

    def fit(self, instances: Instances) -> None:
        """Weigh the classes."""
        self._share = class_weights(instances) / instances.weight.sum()

    def scores(self, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the shares of the classes, for each row the same."""
        return np.tile(self._share, (len(features), 1))

    def text(self, names: Sequence[str], classes: Sequence[str]) -> str:  # noqa: ARG002 (protocol)
        """Return the class."""
        return classes[int(self._share.argmax())]


class OneR:
    """Intervals of one feature; *min_weight*: of the heaviest class of one, above 0."""

    n_leaves: int | None = None

    def __init__(self, *, min_weight: float = 1000.0):
        if not min_weight > 0:
            raise ValueError(f"min_weight must be above 0, got {min_weight}")
        self.min_weight = min_weight
        self.feature = 0
        self.cuts = np.zeros(0)
        self._share = np.zeros((0, 0))

    def fit(self, instances: Instances) -> None:
        """Choose the feature of the least error, the first of equals."""
        bins = Bins(instances.features)
        codes = bins.codes(instances.features)
        least = np.inf
        for feature, cuts in enumerate(bins.cuts):
            counts = counted(codes[:, feature], instances, len(cuts) + 1)
            ends = _intervals(counts, self.min_weight)
            weights = np.add.reduceat(counts, [0, *(end + 1 for end in ends)], axis=0)
            error = float((weights.sum(axis=1) - weights.max(axis=1)).sum())
            if error < least:
                least = error
                self.feature = feature
                self.cuts = cuts[ends]
                self._share = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        self.n_leaves = len(self._share)

    def scores(self, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the shares of the classes in the interval of each row."""
        return self._share[np.searchsorted(self.cuts, features[:, self.feature], side="left")]

    def text(self, names: Sequence[str], classes: Sequence[str]) -> str:
        """Return a line an interval."""
        name = names[self.feature]
        bounds = [f"{name} <= {cut:.6g}" for cut in self.cuts] + [f"{name} above"]
        answers = [classes[place] for place in self._share.argmax(axis=1).tolist()]
        return "\n".join(
            f"{bound}: {answer}" for bound, answer in zip(bounds, answers, strict=True)
        )


def class_weights(instances: Instances) -> npt.NDArray[np.float64]:
    """Return the weight of each class: float64[k]."""
    return weighed(instances.label, instances.weight, instances.n_classes)


def counted(
    codes: npt.NDArray[np.int64], instances: Instances, n_bins: int
) -> npt.NDArray[np.float64]:
    """Return the weight of each class in each bin: float64[n_bins, k]."""
    k = instances.n_classes
    return weighed(codes * k + instances.label, instances.weight, n_bins * k).reshape(n_bins, k)


def weighed(
    numbers: npt.NDArray[np.int64], weight: npt.NDArray[np.float64], n_numbers: int
) -> npt.NDArray[np.float64]:
    """Return the sum of *weight* for each of the *numbers* below *n_numbers*: float64[n_numbers]."""
    return np.bincount(numbers, weight, minlength=n_numbers).astype(np.float64, copy=False)


def _intervals(counts: npt.NDArray[np.float64], min_weight: float) -> list[int]:
    """Return the last bin of each interval but the last one."""
    heaviest = counts.argmax(axis=1).tolist()
    closed: list[tuple[int, int]] = []
    inside = np.zeros(counts.shape[1])
    for place in range(len(counts) - 1):
        inside += counts[place]
        answer = int(inside.argmax())
        if inside[answer] >= min_weight and heaviest[place + 1] != answer:
            closed.append((place, answer))
            inside[:] = 0
    inside += counts[-1]
    answers = [answer for _, answer in closed[1:]] + [int(inside.argmax())]
    return [
        place
        for (place, answer), following in zip(closed, answers, strict=bool(closed))
        if answer != following
    ]
