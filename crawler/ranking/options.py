"""What a ranking is asked for: options, names of methods and policies. Loads no compiled code."""

from __future__ import annotations

import math
from dataclasses import dataclass

METHODS = ("host-blocks", "partitioned", "unified", "gauss-seidel", "jacobi")
ENGINES = ("local", "spark")
SCALES = ("mean", "sum")
# What links count in HITS; the second is `crawler.ranking.hits.anchor_weights`.
HITS_WEIGHTS = ("equal", "anchor-entropy")
DANGLING_POLICIES = ("redistribute", "drop", "self")
# The distance from 1 to the next float64: ranks of sum 1 cannot be told closer.
SMALLEST_TOLERANCE = 2.0**-52
# A small graph takes minutes for as many, and by then rounding keeps the ranks from the tolerance.
MOST_ITERATIONS = 10**8
# Threads, or tasks of Spark: no machine or cluster that this is for has as many processors.
MOST_PARTITIONS = 1024


@dataclass(frozen=True, slots=True)
class RankOptions:
    """What is computed, and how closely.

    *alpha*: damping factor, 0 to below 1. *tolerance*: bound on the L1 error of the ranks on sum-1
    scale, `SMALLEST_TOLERANCE` or more. *dangling*: a policy, see `crawler.ranking.problem`.
    *max_iterations*: None is what the worst graph needs (see `limit`). *mean_change*: where it is
    given, iterations end as those of Kohlschütter 2011 (1e-3 there), at an L1 change of so much a
    page on mean-1 scale or less, and not at the tolerance. *internal_share*: the share of its rank that a
    page gives to links within its host, 0 to 1, see `crawler.ranking.strata`; None for each link alike.
    """

    alpha: float = 0.85
    tolerance: float = 1e-8
    dangling: str = "redistribute"
    max_iterations: int | None = None
    mean_change: float | None = None
    internal_share: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.alpha < 1:
            raise ValueError(f"alpha must be at least 0 and below 1, got {self.alpha}")
        # Any two vectors of sum 1 are within 2 of each other.
        if not SMALLEST_TOLERANCE <= self.tolerance < 2:
            raise ValueError(
                f"tolerance must be at least {SMALLEST_TOLERANCE:.1e} (rounding), below 2, got {self.tolerance}"
            )
        if self.dangling not in DANGLING_POLICIES:
            known = ", ".join(DANGLING_POLICIES)
            raise ValueError(f"dangling must be one of {known}, got {self.dangling!r}")
        if self.max_iterations is not None and self.max_iterations < 1:
            raise ValueError(f"max_iterations must be at least 1, got {self.max_iterations}")
        if self.mean_change is not None and not SMALLEST_TOLERANCE <= self.mean_change < math.inf:
            raise ValueError(
                f"mean_change must be at least {SMALLEST_TOLERANCE:.1e}, got {self.mean_change}"
            )
        if self.internal_share is not None and not 0 <= self.internal_share <= 1:
            raise ValueError(f"internal_share must be 0 to 1, got {self.internal_share}")
        if (
            self.mean_change is None
            and self.max_iterations is None
            and self.limit > MOST_ITERATIONS
        ):
            raise ValueError(
                f"alpha must be smaller, or a limit of iterations given, got {self.alpha}: so near to 1 it takes too long"
            )

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
        wanted = self.tolerance if self.mean_change is None else self.mean_change
        needed = math.log(wanted / 4) + 3 * math.log1p(-self.alpha)
        return 2 + max(0, math.ceil(needed / math.log(self.alpha)))


DEFAULTS = RankOptions()


@dataclass(frozen=True, slots=True)
class RankJob:
    """How a corpus is ranked, beside the `RankOptions`.

    *n_partitions*: 0 is the method's own, that is 8, and a thread a processor for ``host-blocks``.
    *speeds*: relative speeds of partitions, for ``partitioned``. *with_nofollow*: whether nofollow
    links count. *is_warm*: start from the ranks that are there. *is_mapped*: map arrays from files.
    *scale*: ``mean`` writes ranks of mean 1, ``sum`` of sum 1. *checkpoint_secs*: between
    checkpoints. *master*: Spark's, for the engine ``spark``, which does ``partitioned``. *is_warm*,
    *is_mapped* and *checkpoint_secs* are for ``host-blocks`` only, the last for topics too.
    """

    method: str = METHODS[0]
    engine: str = ENGINES[0]
    n_partitions: int = 0
    speeds: tuple[float, ...] | None = None
    with_nofollow: bool = False
    is_warm: bool = True
    is_mapped: bool = False
    scale: str = SCALES[0]
    checkpoint_secs: float = 60.0
    master: str | None = None

    def __post_init__(self) -> None:
        known = {"method": METHODS, "engine": ENGINES, "scale": SCALES}
        for name, values in known.items():
            if getattr(self, name) not in values:
                raise ValueError(
                    f"{name} must be one of {', '.join(values)}, got {getattr(self, name)!r}"
                )
        if self.engine == "spark" and self.method != "partitioned":
            raise ValueError(f"method must be partitioned with engine spark, got {self.method!r}")
        if not 0 <= self.n_partitions <= MOST_PARTITIONS:
            raise ValueError(f"partitions must be 0 to {MOST_PARTITIONS}, got {self.n_partitions}")
        if self.speeds is not None and not all(0 < speed < math.inf for speed in self.speeds):
            raise ValueError(f"speeds must be above 0, got {self.speeds}")
        if not self.checkpoint_secs >= 0:
            raise ValueError(f"checkpoint_secs must be at least 0, got {self.checkpoint_secs}")


DEFAULT_JOB = RankJob()
