"""Membership of pages in facets, from their topic ranks.

For page p and facet f of dimension dim(f), with ranks on mean-1 scale::

    G_f(p) = {g : dim(g) = dim(f), r_g(p) >= mu}         the facets that p may be of
    m_p(f) = log(r_f(p) / mu) / |G_f(p)|

*Source: Kohlschütter 2011, section 3.4.2, equations 3.12 to 3.15.* |G_f(p)|, the uncertainty, counts f
itself when it qualifies, and a category as well as its ancestors. Unbiased PageRank is a facet too,
"general importance", of a dimension of its own.

What the thesis leaves open, and what is done here. It says mu is about 1, the mean: `MU`; with
another one logarithms are those of r / mu, or the sign would not tell positive from negative
membership. The base of the logarithm is not printed: natural by default; the threshold theta = 0.1
of equation 3.16 means r >= 1.105 with one facet and base e, r >= 1.259 with base 10. Where r is 0
(no way leads from the topic to the page) the membership is -inf; where G is empty and r above 0 the
uncertainty is infinite and the membership 0. A membership near 0 says "unclear", not "irrelevant".

Only ranks above mu have a positive membership, so those of a page are few: `MembershipTable` keeps
them page by page, 6 bytes each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

MU = 1.0
# Facets of one table are numbered in uint16.
MAX_FACETS = 65_535


def memberships(
    ranks: npt.ArrayLike,
    dimensions: Sequence[int] | npt.NDArray[np.integer],
    *,
    mu: float = MU,
    log_base: float = math.e,
) -> npt.NDArray[np.float64]:
    """Return m of each facet (rows) for each page (columns); *ranks* and the result are [F, n].

    *dimensions*: the dimension of each facet, as a number. Raises :exc:`ValueError` for ranks that are
    negative or NaN, mu not above 0, a base not above 1, or dimensions of another length.
    """
    vectors = np.asarray(ranks, dtype=np.float64)
    dims = np.asarray(dimensions)
    _check(vectors, dims, mu, log_base)
    result = np.zeros_like(vectors)
    with np.errstate(divide="ignore"):
        logarithms = np.log(vectors / mu) / math.log(log_base)
    for dimension in np.unique(dims):
        rows = np.flatnonzero(dims == dimension)
        uncertainty = (vectors[rows] >= mu).sum(axis=0)
        result[rows] = np.where(uncertainty > 0, logarithms[rows] / np.maximum(uncertainty, 1), 0.0)
    result[vectors == 0] = -np.inf
    return result


@dataclass(frozen=True, slots=True, eq=False)
class MembershipTable:
    """The positive memberships of n pages: of page p those from ``ptr[p]`` to ``ptr[p+1]``.

    ``ptr: int64[n+1]``, ``facet: uint16``, ascending within a page, ``value: float32``. The arrays may
    be mapped files.
    """

    n_facets: int
    ptr: npt.NDArray[np.int64]
    facet: npt.NDArray[np.uint16]
    value: npt.NDArray[np.float32]

    @classmethod
    def from_memberships(cls, values: npt.NDArray[np.floating]) -> MembershipTable:
        """Return the table of *values* [F, n], as `memberships` makes them."""
        n_facets, n_pages = values.shape
        if n_facets > MAX_FACETS:
            raise ValueError(f"facets must be at most {MAX_FACETS}, got {n_facets}")
        page, facet = np.nonzero(values.T > 0)
        counts = np.bincount(page, minlength=n_pages)
        return cls(
            n_facets,
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            facet.astype(np.uint16),
            values[facet, page].astype(np.float32),
        )

    @property
    def n_pages(self) -> int:
        return len(self.ptr) - 1

    def of_page(self, page: int) -> dict[int, float]:
        """Return facet → membership of *page*."""
        rows = slice(int(self.ptr[page]), int(self.ptr[page + 1]))
        return dict(zip(self.facet[rows].tolist(), self.value[rows].tolist(), strict=True))

    def n_members(self, pages: npt.NDArray[np.integer], theta: float) -> npt.NDArray[np.int64]:
        """Return for each facet how many of *pages* have a membership of *theta* or more: int64[F].

        A page that stands twice counts twice. Raises :exc:`ValueError` unless *theta* is above 0:
        other memberships are not kept.
        """
        if not theta > 0:
            raise ValueError(f"theta must be above 0, got {theta}")
        starts = self.ptr[pages]
        sizes = self.ptr[np.asarray(pages) + 1] - starts
        within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        places = np.repeat(starts, sizes) + within
        # theta is rounded as the values are: one that equals it counts
        members = self.facet[places][self.value[places] >= np.float32(theta)]
        return np.bincount(members, minlength=self.n_facets)


def _check(
    vectors: npt.NDArray[np.float64], dims: npt.NDArray[np.integer], mu: float, log_base: float
) -> None:
    if vectors.ndim != 2 or dims.shape != vectors.shape[:1]:
        raise ValueError(f"ranks of shape {vectors.shape} need a dimension each, got {dims.shape}")
    if not (vectors >= 0).all():
        raise ValueError("ranks must be at least 0")
    if not mu > 0:
        raise ValueError(f"mu must be above 0, got {mu}")
    if not log_base > 1:
        raise ValueError(f"log_base must be above 1, got {log_base}")
