"""The random surfer and the stratified random surfer as chains of behaviour, not of pages.

States of the random surfer: B (browse), J (jump)::

    P_J(B) = P_B(B) = alpha,  P_J(J) = P_B(J) = 1 - alpha

States of the stratified one: I (follow an internal link), E (an external one), J (jump)::

    printed      to I                  to E                 to J
    from J       alpha beta            alpha gamma          1 - alpha
    from I       alpha beta            alpha (1-beta)       (1-alpha) (1-beta)
    from E       alpha (1-gamma)       alpha gamma          (1-alpha) (1-gamma)

*Source: Kohlschütter 2011, section 5.2.1.* The printed rows do not sum to 1: row I sums to
alpha + (1-alpha) (1-beta), .925 at alpha = .85, beta = .5. The stochastic form sets
P_I(J) = P_E(J) = P_J(J) = 1 - alpha, and splits row J in the ratio beta : gamma, which is the
printed one where beta + gamma = 1. beta = gamma = .5 is called the case of PageRank there; in a
real PageRank the split is each page's own share of internal links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Chain:
    """A Markov chain: *transitions*, float64[n, n], row = from; *states* names rows and columns."""

    states: tuple[str, ...]
    transitions: npt.NDArray[np.float64]

    @property
    def row_sums(self) -> npt.NDArray[np.float64]:
        """What the probabilities of leaving each state sum to."""
        return np.asarray(self.transitions.sum(axis=1))

    @property
    def is_stochastic(self) -> bool:
        """Whether every row sums to 1."""
        return bool(np.allclose(self.row_sums, 1, rtol=0, atol=1e-12))

    def stationary(self) -> npt.NDArray[np.float64]:
        """Return the share of time in each state in the long run.

        Raises `ValueError` when the rows do not sum to 1, or the chain has no single answer.
        """
        if not self.is_stochastic:
            raise ValueError(f"rows must sum to 1, got {self.row_sums}")
        n = len(self.states)
        # the balance equations, and the sum of 1
        equations = np.vstack([self.transitions.T - np.eye(n), np.ones(n)])
        found, _, rank, _ = np.linalg.lstsq(equations, np.append(np.zeros(n), 1.0), rcond=None)
        if rank < n:
            raise ValueError("the chain has more than one stationary distribution")
        return np.asarray(np.maximum(found, 0.0), dtype=np.float64)


def random_surfer(alpha: float) -> Chain:
    """Return the chain of states B, J. Raises `ValueError` unless *alpha* is 0 to 1.

    >>> random_surfer(0.85).stationary().round(2)
    array([0.85, 0.15])
    """
    _check(alpha=alpha)
    row = [alpha, 1 - alpha]
    return Chain(("B", "J"), np.array([row, row]))


def stratified_surfer(
    alpha: float,
    beta: float,
    gamma: float,
    form: Literal["stochastic", "printed"] = "stochastic",
) -> Chain:
    """Return the chain of states I, E, J, in the corrected or in the printed *form*.

    Raises `ValueError` unless all are 0 to 1, for beta = gamma = 0, and for an unknown form.

    >>> stratified_surfer(0.85, 0.5, 0.5, "printed").row_sums.round(3)
    array([0.925, 0.925, 1.   ])
    """
    _check(alpha=alpha, beta=beta, gamma=gamma)
    if form not in ("stochastic", "printed"):
        raise ValueError(f"form must be stochastic or printed, got {form!r}")
    if not beta + gamma:
        raise ValueError("beta + gamma must be above 0")
    jump = 1 - alpha
    if form == "printed":
        from_internal, from_external, from_jump = jump * (1 - beta), jump * (1 - gamma), 1.0
    else:
        from_internal, from_external, from_jump = jump, jump, 1 / (beta + gamma)
    rows = [
        [alpha * beta, alpha * (1 - beta), from_internal],
        [alpha * (1 - gamma), alpha * gamma, from_external],
        [alpha * beta * from_jump, alpha * gamma * from_jump, jump],
    ]
    return Chain(("I", "E", "J"), np.array(rows))


def _check(**probabilities: float) -> None:
    for name, value in probabilities.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be between 0 and 1, got {value}")
