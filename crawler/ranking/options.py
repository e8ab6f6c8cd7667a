"""What a ranking is asked for: options, names of methods and policies. Loads no compiled code."""

from __future__ import annotations

import math
from dataclasses import dataclass

METHODS = ("partitioned", "jacobi", "gauss-seidel")
DANGLING_POLICIES = ("redistribute", "drop", "self")
# The distance from 1 to the next float64: ranks of sum 1 cannot be told closer.
SMALLEST_TOLERANCE = 2.0**-52


@dataclass(frozen=True, slots=True)
class RankOptions:
    """What is computed, and how closely.

    *alpha*: damping factor, 0 to below 1. *tolerance*: bound on the L1 error of the ranks on sum-1
    scale, `SMALLEST_TOLERANCE` or more. *dangling*: a policy, see `crawler.ranking.problem`.
    *max_iterations*: None is what the worst graph needs (see `limit`).
    """

    alpha: float = 0.85
    tolerance: float = 1e-8
    dangling: str = "redistribute"
    max_iterations: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.alpha < 1:
            raise ValueError(f"alpha must be at least 0 and below 1, got {self.alpha}")
        if not SMALLEST_TOLERANCE <= self.tolerance < math.inf:
            raise ValueError(
                f"tolerance must be at least {SMALLEST_TOLERANCE:.1e} (rounding), got {self.tolerance}"
            )
        if self.dangling not in DANGLING_POLICIES:
            known = ", ".join(DANGLING_POLICIES)
            raise ValueError(f"dangling must be one of {known}, got {self.dangling!r}")
        if self.max_iterations is not None and self.max_iterations < 1:
            raise ValueError(f"max_iterations must be at least 1, got {self.max_iterations}")

    @property
    def limit(self) -> int:
        """Iterations after which to give up.

        The first residual is at most 2 alpha n, so iteration k changes at most 2 alpha^k n /
        (1 - alpha), and the sum of y is at least (1 - alpha) n.
        """
        if self.max_iterations is not None:
            return self.max_iterations
        if self.alpha == 0:
            return 2
        needed = math.log(self.tolerance / 4) + 3 * math.log1p(-self.alpha)
        return 2 + max(0, math.ceil(needed / math.log(self.alpha)))


DEFAULTS = RankOptions()
