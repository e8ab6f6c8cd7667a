"""Measures of a decision for or against each item (a block, a page), and curves over a threshold.

::

    accuracy = (TP + TN) / all;  recall = TP / (TP + FN);  precision = TP / (TP + FP)
    F_beta = (1 + beta^2) P R / (beta^2 P + R);  E_beta = 1 - F_beta
    s = 1 - d,  s = 1 - d / d_max,  s = 1 / (1 + d),  s = exp(-d)    similarity of a distance d

*Source: Gottron 2008, sections 2.2.2 and 2.2.4.* Conventions for empty sets: `gold.scores`. Pooled over
all blocks of all pages (section 5.1, Table 5.1) such scores may be near 1 where nearly all text is
lost: one missed block of ten may be the article. `gottron` compares texts instead.

Curves: items in order of falling score, those of equal score together; shapes: float64[k], one entry
for each different score. Cost: O(n log n). Invariant: recall, fp_rate and n_retrieved never fall, and
the last of each is 1, 1 and n.
"""

from __future__ import annotations

from math import exp, inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.evaluation.gold import scores
from pipelines.evaluation.measures.counts import f_beta

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.evaluation.gold import Scores

    Floats = npt.NDArray[np.float64]


class Confusion(NamedTuple):
    """How many items were rightly and wrongly taken and left."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def scores(self) -> Scores:
        """Precision, recall and F1."""
        n_retrieved = self.true_positives + self.false_positives
        return scores(self.true_positives, n_retrieved, self.true_positives + self.false_negatives)

    @property
    def accuracy(self) -> float:
        """Share of right decisions; 1 without items."""
        return (self.true_positives + self.true_negatives) / total if (total := sum(self)) else 1.0

    @property
    def fp_rate(self) -> float:
        """Share of the items that should be left and were taken; 0 when there are none."""
        n_negatives = self.false_positives + self.true_negatives
        return self.false_positives / n_negatives if n_negatives else 0.0


class Curves(NamedTuple):
    """Points of the precision-recall, ROC and lift curves, from the highest threshold on.

    ROC: *recall* over *fp_rate*; lift: *true_positives* over *n_retrieved*.
    """

    thresholds: Floats
    precision: Floats
    recall: Floats
    fp_rate: Floats
    true_positives: Floats
    n_retrieved: Floats


def confusion(predicted: npt.ArrayLike, relevant: npt.ArrayLike) -> Confusion:
    """Return the confusion of two bool[n]; ValueError when they differ in length.

    >>> confusion([True, True, False], [True, False, False])
    Confusion(true_positives=1, false_positives=1, false_negatives=0, true_negatives=1)
    """
    taken, wanted = _flags("predicted", predicted, relevant)
    pairs = ((taken, wanted), (taken, ~wanted), (~taken, wanted), (~taken, ~wanted))
    return Confusion(*(int((a & b).sum()) for a, b in pairs))


def curves(item_scores: npt.ArrayLike, relevant: npt.ArrayLike) -> Curves:
    """Return the curves of taking all items whose score, float64[n], is at least a threshold."""
    values = np.asarray(item_scores, dtype=np.float64)
    _, wanted = _flags("item_scores", values, relevant)
    order = np.argsort(-values, kind="stable")
    last = np.flatnonzero(np.diff(values[order], append=inf) != 0)
    found = np.cumsum(wanted[order], dtype=np.float64)[last]
    retrieved = (last + 1).astype(np.float64)
    n_relevant, n_others = int(wanted.sum()), int((~wanted).sum())
    return Curves(
        values[order][last],
        found / retrieved,
        found / n_relevant if n_relevant else np.ones_like(found),
        (retrieved - found) / n_others if n_others else np.ones_like(found),
        found,
        retrieved,
    )


def roc_area(points: Curves) -> float:
    """Return the area under the ROC curve, from (0, 0) on; 0.5 is chance."""
    x = np.concatenate([[0.0], points.fp_rate])
    y = np.concatenate([[0.0], points.recall])
    return float(np.trapezoid(y, x))


def e_beta(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return van Rijsbergen's effectiveness, 0 for perfect results."""
    return 1 - f_beta(precision, recall, beta)


def similarity(distance: float, *, largest: float | None = None, falls: str = "linear") -> float:
    """Return the similarity, 0 to 1, of things at *distance*.

    *falls*: ``linear``, from 1 at 0 to 0 at the *largest* distance (1 when None); ``inverse``,
    1 / (1 + d); or ``exponential``. Raises ValueError for a distance that is negative or larger.

    >>> similarity(1, largest=4), similarity(1, falls="inverse")
    (0.75, 0.5)
    """
    limit = (1.0 if largest is None else largest) if falls == "linear" else inf
    if not 0 <= distance <= limit:
        raise ValueError(f"distance must be 0 to {limit}, got {distance}")
    if falls == "linear":
        return 1 - distance / limit if limit else 1.0
    if falls == "inverse":
        return 1 / (1 + distance)
    if falls == "exponential":
        return exp(-distance)
    raise ValueError(f"falls must be linear, inverse or exponential, got {falls!r}")


def _flags(
    name: str, first: npt.ArrayLike, relevant: npt.ArrayLike
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    taken, wanted = np.asarray(first).astype(np.bool_), np.asarray(relevant, dtype=np.bool_)
    if taken.shape != wanted.shape or wanted.ndim != 1:
        raise ValueError(
            f"{name} and relevant must be of one length, got {taken.shape} and {wanted.shape}"
        )
    return taken, wanted
