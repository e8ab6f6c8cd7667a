"""Search by text score times rank, and the facets of the results.

A query takes the best `N_CANDIDATES` pages by text score and multiplies their scores by the rank
vectors of facets, mapped from disk: ``rho_f(d, q) = W(d, q) r_f(d)``. *Source: Kohlschütter 2011, sections
3.1 (equation 3.5) and 3.4.3*; W is BM25 here (`pipelines.retrieval.text_index`). Deviation: the thesis
multiplies every hit; of a query with more hits than candidates, pages behind them are not ranked.

Which samples are taken (3.4.3): the best k by unbiased rank and by each top category; when facets
were chosen, by the chosen facets' mixture and their children instead of the top categories (the
chosen ones themselves where they have no children).

Results of the same product are in the order of their text scores, and those that agree in that too
in the order of the index. Pages that a topic does not reach have a product of 0 and come last:
facets are no filters, the number of results stays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import InputError
from crawler.ranking.topics.facets import (
    NEW_FACET_SHARE,
    SAMPLE_SIZE,
    THETA,
    FacetShares,
    identify_facets,
)
from crawler.ranking.topics.mixtures import facet_weights
from crawler.ranking.topics.sets import ancestors
from pipelines.jobs.index.run import TEXT
from pipelines.jobs.index.vectors import open_vectors, ranks_stamp
from pipelines.retrieval.text_index import TextIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.jobs.index.vectors import Vectors

N_CANDIDATES = 10_000
# No membership is larger: ranks are of mean 1, none above the number of pages, whose PageIds have 64 bits.
MAX_THETA = 45
# Facets named where one is asked for that is not there.
MAX_NAMED = 10


@dataclass(frozen=True, slots=True)
class FacetOptions:
    """How facets are identified; the defaults are the thesis's, ``candidates`` apart.

    *sample*: k. *theta*: membership from which a page counts. *rounds*: i_max of algorithm 3.1, and
    *new_share* its lambda. *weights*: what the chosen facets of a dimension weigh together, 1 where it is not named.
    """

    sample: int = SAMPLE_SIZE
    theta: float = THETA
    rounds: int = 1
    new_share: float = NEW_FACET_SHARE
    candidates: int = N_CANDIDATES
    weights: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("sample", "rounds", "candidates"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not 0 < self.theta <= MAX_THETA:
            raise ValueError(f"theta must be above 0, at most {MAX_THETA}, got {self.theta}")
        if not 0 < self.new_share <= 1:
            raise ValueError(f"new_share must be above 0, at most 1, got {self.new_share}")
        for name, weight in self.weights.items():
            if not 0 < weight < math.inf:
                raise ValueError(f"weight must be above 0 and finite, got {weight} for {name}")


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The best pages by text, best first: PageIds, rows of the vectors, scores; hits in all."""

    page_ids: npt.NDArray[np.uint64]
    rows: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]
    n_found: int


class FacetSearch:
    """Searches the corpus in *folder*; ``is_stale``: not by the ranks that are there now.

    Raises :exc:`InputError` when it has no index or no rank vectors.
    """

    def __init__(self, folder: Path) -> None:
        self.index = TextIndex(folder / TEXT)
        self.vectors: Vectors = open_vectors(folder)
        self.is_stale = ranks_stamp(folder) not in {None, self.vectors.ranks_stamp}
        names = self.vectors.names
        self._number = {name: number for number, name in enumerate(names)}
        self._parents: list[int | None] = [
            next((self._number[a] for a in ancestors(name) if a in self._number), None)
            for name in names
        ]

    def number(self, name: str) -> int:
        """Return the number of the facet *name*, with or without the root ``Top``; raise `InputError`."""
        for spelling in (name, f"Top/{name}", name.removeprefix("Top/")):
            if spelling in self._number:
                return self._number[spelling]
        names = self.vectors.names
        known = ", ".join(names[:MAX_NAMED])
        more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
        raise InputError(f"no facet {name!r}; the facets are {known}{more}")

    def candidates(self, query: str, limit: int = N_CANDIDATES) -> Candidates:
        """Return the *limit* best pages of *query* by text score."""
        hits = self.index.search(query, limit)
        return Candidates(
            hits.page_ids, self.vectors.rows(hits.page_ids), hits.scores, hits.n_found
        )

    def products(
        self, found: Candidates, chosen: Sequence[int], weights: Mapping[str, float] | None = None
    ) -> npt.NDArray[np.float64]:
        """Return text score times rank of *found*, for the mixture of the facets *chosen*.

        *weights*: of dimensions, as in `FacetOptions`.
        """
        dimensions = [self.vectors.dimensions[facet] for facet in chosen]
        rank = np.zeros(len(found.rows))
        shares = facet_weights(dimensions, weights).tolist()
        for weight, facet in zip(shares, chosen, strict=True):
            rank += weight * self.vectors.ranks[facet][found.rows]
        return found.scores * rank

    def best(
        self,
        found: Candidates,
        chosen: Sequence[int],
        k: int,
        weights: Mapping[str, float] | None = None,
    ) -> npt.NDArray[np.int64]:
        """Return the places in *found* of the *k* best pages ranked by *chosen*, best first."""
        products = self.products(found, chosen, weights)
        if len(products) > k:
            least = np.partition(products, -k)[-k]
            places = np.flatnonzero(products >= least)
        else:
            places = np.arange(len(products))
        # stable: candidates come by text score
        order = np.argsort(-products[places], kind="stable")
        return places[order][:k]

    def seed(self, chosen: Sequence[int]) -> list[int]:
        """Return the facets whose samples are taken first; see the module."""
        if chosen == [0]:
            return [number for number, parent in enumerate(self._parents) if parent is None]
        children = [f for f, parent in enumerate(self._parents) if parent in chosen]
        return sorted({0, *(children or chosen)})

    def facets(
        self, found: Candidates, chosen: Sequence[int], options: FacetOptions
    ) -> FacetShares:
        """Identify the facets of *found* by algorithm 3.1."""

        def sample(facet: int) -> npt.NDArray[np.int64]:
            return found.rows[self.best(found, [facet], options.sample)]

        return identify_facets(
            self.vectors.table,
            self.seed(chosen),
            sample,
            theta=options.theta,
            new_share=options.new_share,
            max_rounds=options.rounds,
        )
