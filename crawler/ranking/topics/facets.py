"""Which facets the results of a query are of, from the memberships of the best ones.

For the samples S_d of a query, the best k results ranked by facet d, one for each d of a set D::

    m_D(f) = sum over d of |{p in S_d : m_p(f) >= theta}| / sum over d of |S_d|

*Source: Kohlschütter 2011, section 3.4.3, equation 3.16 (one sample) and algorithm 3.1.* |S_d| is the
number of results there are, which may be below k; a page in two samples counts twice. Facets do not
filter: ranking by a facet changes the order of the results, not their number.

The algorithm ends when no new facet is above lambda, or after ``i_max`` rounds; the thesis evaluates
with one, where D is the seed alone. So what is suggested is not D, but all facets by their share.
lambda has no published value; `NEW_FACET_SHARE` is the share at which the thesis highlights a facet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.topics.sets import ancestors

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    import numpy.typing as npt

    from crawler.ranking.topics.membership import MembershipTable

    Sample = Callable[[int], npt.NDArray[np.integer]]

# Kohlschütter 2011, section 3.4.4: k, theta, and facets that are highlighted.
SAMPLE_SIZE = 100
THETA = 0.1
HIGHLIGHT_SHARE = 0.25
NEW_FACET_SHARE = HIGHLIGHT_SHARE


@dataclass(frozen=True, slots=True, eq=False)
class FacetShares:
    """``share: float64[F]`` of each facet, 0 to 1; the facets D whose samples were taken; rounds."""

    share: npt.NDArray[np.float64]
    sampled: tuple[int, ...]
    rounds: int

    def suggested(self, least: float = 0.0) -> list[tuple[int, float]]:
        """Return (facet, share) of the facets with more than *least*, best first, ties by number."""
        order = np.argsort(-self.share, kind="stable")
        return [(int(f), float(self.share[f])) for f in order if self.share[f] > least]


def facet_shares(
    table: MembershipTable, samples: Iterable[npt.NDArray[np.integer]], theta: float = THETA
) -> npt.NDArray[np.float64]:
    """Return the share of each facet in *samples*, arrays of pages; zeros when they are empty."""
    pages = np.concatenate([np.zeros(0, dtype=np.int64), *samples])
    members = table.n_members(pages, theta)
    return members / max(1, len(pages))


def identify_facets(
    table: MembershipTable,
    seed: Iterable[int],
    sample: Sample,
    *,
    theta: float = THETA,
    new_share: float = NEW_FACET_SHARE,
    max_rounds: int = 1,
) -> FacetShares:
    """Identify facets from *seed*: algorithm 3.1 of Kohlschütter 2011.

    *sample* gives the best results ranked by a facet; it is asked once for each. *new_share*: lambda,
    the share at which a facet is sampled in the next round. Raises :exc:`ValueError` for fewer than
    one round or a seed outside of the table.
    """
    if max_rounds < 1:
        raise ValueError(f"max_rounds must be at least 1, got {max_rounds}")
    found = sorted(set(seed))
    if found and not 0 <= found[0] <= found[-1] < table.n_facets:
        raise ValueError(f"seed facets must be 0 to {table.n_facets - 1}, got {found}")
    sampled: dict[int, npt.NDArray[np.integer]] = {}
    share = np.zeros(table.n_facets)
    rounds = 0
    while rounds < max_rounds and any(facet not in sampled for facet in found):
        rounds += 1
        for facet in found:
            if facet not in sampled:
                sampled[facet] = sample(facet)
        share = facet_shares(table, sampled.values(), theta)
        found = np.flatnonzero(share >= new_share).tolist()
    return FacetShares(share, tuple(sampled), rounds)


def is_suggested(category: str, suggested: Collection[str]) -> bool:
    """Tell whether *suggested* names *category* or one above it: what section 3.4.4 counts a success.

    >>> is_suggested("Top/Arts/Film", ["Top/Sports", "Top/Arts"])
    True
    """
    return any(name in suggested for name in [category, *ancestors(category)])
