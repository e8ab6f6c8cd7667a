"""How much the pages of hosts are about the topic, as far as they were fetched.

The score of a host is the mean relevance of its pages, with what was thought of it before (its rank, or
`UNKNOWN`) counted as :data:`PRIOR_PAGES` pages::

    score = (PRIOR_PAGES prior + sum of relevances) / (PRIOR_PAGES + pages)

So a host that nobody knows comes before one that gave nothing, and behind one that gave much: a crawl that has
come to the end of what it knows of the topic looks at other hosts, not at more of the same.

Memory: about 200 bytes a host that was fetched from. It begins anew with each run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.focus.host_ranks import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.focus.host_ranks import HostRanks

PRIOR_PAGES = 2


class HostRelevance:
    """The scores of hosts by their keys; *ranks* of an earlier crawl, or None."""

    def __init__(self, ranks: HostRanks | None = None) -> None:
        self.ranks = ranks
        self._found: dict[str, tuple[float, int]] = {}

    def learn(self, host_key: str, relevance: float) -> None:
        """Count a page of the host."""
        total, n = self._found.get(host_key, (0.0, 0))
        self._found[host_key] = total + relevance, n + 1

    def score(self, host_keys: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the scores of hosts, 0 to 1, float32[n]."""
        if self.ranks is None:
            prior = np.full(len(host_keys), UNKNOWN, np.float32)
        else:
            prior = self.ranks.score(host_keys)
        found = [self._found.get(key, (0.0, 0)) for key in host_keys]
        totals, counts = np.array(found, np.float64).reshape(-1, 2).T
        scores = (PRIOR_PAGES * prior + totals) / (PRIOR_PAGES + counts)
        return scores.astype(np.float32)
