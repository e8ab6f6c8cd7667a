"""A linear support vector machine over standardised features, one class against the rest.

With s_i the weight of instance i, 1 on average, y_i = 1 for the class and -1 for the rest::

    minimise  |w|^2 / 2 + C * sum of s_i max(0, 1 - y_i (w x_i + b))^2

by Newton's method: the instances inside the margin give a weighted least-squares problem, whose solution
is the next direction; the step along it is halved until the objective falls enough. No cap but
``MAX_STEPS`` is needed: the method ends in a few steps, when the gradient is small.

*Source: Kohlschütter 2011, section 4.4.3*, who used Weka's SMO with a linear kernel, which has the plain hinge;
its square has the same margin and a solution that is quick to find (*Chapelle 2007*). Features are
standardised by their weighted mean and deviation. Cost: O(n f^2) a step. Deterministic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.evaluation.training.classifiers import Instances

MAX_STEPS = 50
TOLERANCE = 1e-6
# of the norm of b: next to nothing, but the problem has one solution
_BIAS_PENALTY = 1e-6


class LinearSvm:
    """A machine a class; *penalty* is C, above 0."""

    n_leaves: int | None = None

    def __init__(self, *, penalty: float = 1.0):
        if not penalty > 0:
            raise ValueError(f"penalty must be above 0, got {penalty}")
        self.penalty = penalty
        self._mean = np.zeros(0)
        self._deviation = np.ones(0)
        self._machines = np.zeros((0, 0))

    def fit(self, instances: Instances) -> None:
        """Learn a machine for each class of *instances*."""
        weight = instances.weight / instances.weight.mean()
        self._mean = np.average(instances.features, axis=0, weights=weight)
        squares = (instances.features - self._mean) ** 2
        self._deviation = np.sqrt(np.average(squares, axis=0, weights=weight))
        self._deviation[self._deviation == 0] = 1
        rows = self._standard(instances.features)
        self._machines = np.stack(
            [
                _machine(
                    rows, np.where(instances.label == number, 1.0, -1.0), weight * self.penalty
                )
                for number in range(instances.n_classes)
            ]
        )

    def scores(self, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the signed distances from the margin's middle: float64[n, k]."""
        distances: npt.NDArray[np.float64] = self._standard(features) @ self._machines.T
        return distances

    def text(self, names: Sequence[str], classes: Sequence[str]) -> str:
        """Return the weight of each standardised feature, a line a machine."""
        lines = []
        for answer, machine in zip(classes, self._machines.tolist(), strict=True):
            weights = (
                f"{name} {value:+.3f}" for name, value in zip((*names, "1"), machine, strict=True)
            )
            lines.append(f"{answer}: {', '.join(weights)}")
        return "\n".join(lines)

    def _standard(self, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return *features* standardised, and a column of ones."""
        ones = np.ones((len(features), 1))
        return np.hstack([(features - self._mean) / self._deviation, ones])


def _machine(
    rows: npt.NDArray[np.float64], side: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return w and b, float64[f + 1], for *rows* whose last column is 1; *side* 1 or -1."""
    penalty = np.ones(rows.shape[1])
    penalty[-1] = _BIAS_PENALTY
    machine = np.zeros(rows.shape[1])

    def objective(candidate: npt.NDArray[np.float64]) -> float:
        slack = np.maximum(0, 1 - side * (rows @ candidate))
        return float((penalty * candidate**2).sum() / 2 + (weight * slack**2).sum())

    least = objective(machine)
    for _ in range(MAX_STEPS):
        is_inside = side * (rows @ machine) < 1
        inside, pull = rows[is_inside], 2 * weight[is_inside]
        slack = side[is_inside] - inside @ machine
        gradient = penalty * machine - inside.T @ (pull * slack)
        if np.abs(gradient).max() <= TOLERANCE * weight.sum():
            break
        curvature = (inside.T * pull) @ inside + np.diag(penalty)
        direction = np.linalg.solve(curvature, -gradient)
        step = 1.0
        # a direction of descent: some step is short enough, unless rounding is all there is left
        while objective(machine + step * direction) >= least and step > TOLERANCE:
            step /= 2
        machine = machine + step * direction
        least = objective(machine)
    return machine
