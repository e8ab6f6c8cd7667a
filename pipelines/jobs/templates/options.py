"""What `scrapy templates cluster` can be told."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from crawler.errors import InputError
from pipelines.templates.distances import DISTANCES

METHODS = ("single-linkage", "k-median")


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """A clustering; raises :exc:`InputError` where it is none.

    *threshold*: the distance below which pages are linked, by default the published one of *distance*;
    *is_gap*: it is in the middle of the widest gap between the distances of merges; *n_clusters*: how many clusters
    there are to be, in place of a threshold; *seed*: of k-median's random starts; *is_shrunk*: the trees of pages are,
    for the distances that see them.
    """

    distance: str = "cp"
    method: str = "single-linkage"
    threshold: float | None = None
    is_gap: bool = False
    n_clusters: int | None = None
    seed: int = 0
    is_shrunk: bool = False

    def __post_init__(self) -> None:
        if self.distance not in DISTANCES:
            known = ", ".join(DISTANCES)
            raise InputError(f"--distance is {self.distance!r}; give one of {known}")
        if self.method not in METHODS:
            raise InputError(f"--method is {self.method!r}; give one of {', '.join(METHODS)}")
        if (self.is_gap or self.threshold is not None) and self.n_clusters is not None:
            raise InputError("--threshold and --clusters; give one of them")
        if self.method == "k-median" and self.n_clusters is None:
            raise InputError("--method k-median wants a number of clusters; give --clusters")
        if self.n_clusters is not None and self.n_clusters < 1:
            raise InputError(f"--clusters is {self.n_clusters}; give 1 or more")
        if not 0 <= self.seed < 2**64:
            raise InputError(f"--seed is {self.seed}; give 0 to 2^64 - 1")
        if self.is_shrunk and not DISTANCES[self.distance].is_of_tree:
            trees = ", ".join(name for name, each in DISTANCES.items() if each.is_of_tree)
            raise InputError(f"--shrink changes no {self.distance} distance; give one of {trees}")
        if self.threshold is not None:
            self._check_threshold(self.threshold)
        if self.n_clusters is None and not self.is_gap and self.linked_below is None:
            raise InputError(
                f"no threshold of {self.distance} is published; give --threshold or --clusters"
            )

    def _check_threshold(self, threshold: float) -> None:
        if not 0 <= threshold < inf:
            raise InputError(f"--threshold is {threshold}; give 0 or more")
        largest = DISTANCES[self.distance].largest
        if threshold > largest:
            raise InputError(
                f"--threshold is {threshold}, and no {self.distance} distance is above {largest:g}; give 0 to {largest:g}"
            )

    @property
    def linked_below(self) -> float | None:
        """The threshold that is known; None with a number of clusters or a gap."""
        if self.n_clusters is not None or self.is_gap:
            return None
        return DISTANCES[self.distance].threshold if self.threshold is None else self.threshold
