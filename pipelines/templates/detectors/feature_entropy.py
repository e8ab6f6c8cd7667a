"""The entropy of features over pages.

With w_ij the share of feature i's occurrences that are on page j of n::

    H(F_i) = - sum_j w_ij log_n w_ij

so 0 for a feature of one page and 1 for one that all have as often; 0 where n is 1. *Source: Gottron 2008,
sections 3.3.2 and 3.3.4, of Lin and Ho 2002, and Yi, Liu and Li 2003;* rows sum to 1, as H is beyond 1 otherwise.

Of occurrences t_j with sum T that is (ln T - sum_j t_j ln t_j / T) / ln n, so two numbers a feature are kept.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class FeatureEntropies:
    """The entropies of the features of pages that are added one by one; two numbers a feature."""

    __slots__ = ("_sums", "n_pages")

    def __init__(self) -> None:
        self.n_pages = 0
        self._sums: dict[str, tuple[int, float]] = {}

    def add(self, counts: Mapping[str, int]) -> None:
        """Add a page that has its features as often as *counts* says, each once or more."""
        self.n_pages += 1
        for feature, count in counts.items():
            total, logs = self._sums.get(feature, (0, 0.0))
            self._sums[feature] = (total + count, logs + count * math.log(count))

    @property
    def has_any(self) -> bool:
        """Whether any page has a feature."""
        return bool(self._sums)

    def entropy(self, feature: str) -> float:
        """Return H of *feature*, 0 to 1; 0 of one that no page has.

        >>> entropies = FeatureEntropies()
        >>> for counts in ({"a": 2, "b": 1}, {"a": 2}): entropies.add(counts)
        >>> entropies.entropy("a"), entropies.entropy("b")
        (1.0, 0.0)
        """
        total, logs = self._sums.get(feature, (0, 0.0))
        if total == 0 or self.n_pages < 2:
            return 0.0
        value = (math.log(total) - logs / total) / math.log(self.n_pages)
        return min(max(value, 0.0), 1.0)

    def all(self) -> Iterator[float]:
        """Yield H of each feature."""
        return map(self.entropy, self._sums)
