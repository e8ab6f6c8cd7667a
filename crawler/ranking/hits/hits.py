"""HITS: a good hub links to good authorities, and good hubs link to a good authority.

For the links E from hubs to authorities, with weights w (1 unless given)::

    a(t) = sum over (s,t) in E of w(s,t) h(s)        h(s) = sum over (s,t) in E of w(s,t) a(t)

from h = 1, both scaled to length 1 (L2) after each update, until neither moves by more than the
tolerance (L2). *Source: Kleinberg 1999; Bar-Yossef and Rajagopalan 2002, sections 2.1 and 4 (case 1), who
call it Clever "with no bells and whistles": weights by the words around a link, which Clever
(Chakrabarti et al. 1998) adds, are the caller's to give.* Hubs and authorities may be the same pages, or
pagelets and pages (`crawler.ranking.hits.pagelet_graph`). Without links all values are 0.

Where several parts of the graph are equally strong, the result is what comes of h = 1: the part of
it in the space of the largest singular value.

Shapes, for n_hubs hubs and n authorities: ``indptr: int64[n+1]``, ``indices: uint32[m]`` (hubs that
link to authority t), ``weights: float64[m]`` or empty. Memory: 16 bytes a hub and an authority beside
the links. Cost of an iteration: O(m).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.ranking.hits.kernels import chosen_arcs, gather_hubs, scatter_authorities

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.csr import HostGraph


class HubLinks(NamedTuple):
    """Links from hubs to authorities, by authority; see the module."""

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]
    n_hubs: int


@dataclass(frozen=True, slots=True)
class HitsOptions:
    """*tolerance*: of one iteration's change. *max_iterations*: after which it is given up."""

    tolerance: float = 1e-9
    max_iterations: int = 10_000

    def __post_init__(self) -> None:
        if not 0 < self.tolerance < math.inf:
            raise ValueError(f"tolerance must be above 0, got {self.tolerance}")
        if self.max_iterations < 1:
            raise ValueError(f"max_iterations must be at least 1, got {self.max_iterations}")


DEFAULTS = HitsOptions()


@dataclass(frozen=True, slots=True, eq=False)
class HitsResult:
    """``hub: float64[n_hubs]`` and ``authority: float64[n]``, of length 1 (L2), or 0 without links.

    *change*: of the last iteration; *converged*: whether it is within the tolerance.
    """

    hub: npt.NDArray[np.float64]
    authority: npt.NDArray[np.float64]
    iterations: int
    change: float
    converged: bool


def page_links(
    graph: HostGraph,
    *,
    nepotistic: bool = True,
    base: npt.NDArray[np.bool_] | None = None,
) -> HubLinks:
    """Return the links of *graph* with each page both as hub and as authority.

    *nepotistic*: links within a host too (Kleinberg leaves them out). *base* bool[n]: only links
    between those pages. Raises :exc:`ValueError` when it has another length.
    """
    if base is not None and base.shape != (graph.n_pages,):
        raise ValueError(f"base must have shape ({graph.n_pages},), got {base.shape}")
    if nepotistic and base is None:
        return HubLinks(graph.indptr, graph.indices, graph.n_pages)
    if base is None:
        base = np.ones(graph.n_pages, dtype=np.bool_)
    indptr, indices = chosen_arcs(graph.indptr, graph.indices, graph.host_of_page, base, nepotistic)
    return HubLinks(indptr, indices, graph.n_pages)


def hits(
    links: HubLinks,
    options: HitsOptions = DEFAULTS,
    *,
    weights: npt.NDArray[np.float64] | None = None,
) -> HitsResult:
    """Return hub and authority values of *links*.

    *weights* float64[m], at least 0, by the order of ``links.indices``. Raises :exc:`ValueError` when
    they have another length, or one is negative or no number.
    """
    weighing = np.zeros(0) if weights is None else _checked(weights, len(links.indices))
    hub = np.ones(links.n_hubs)
    authority = np.zeros(len(links.indptr) - 1)
    change, iterations = math.inf, 0
    while change > options.tolerance and iterations < options.max_iterations:
        new_authority, new_hub = np.empty_like(authority), np.zeros_like(hub)
        gather_hubs(links.indptr, links.indices, weighing, hub, new_authority)
        _scale(new_authority)
        scatter_authorities(links.indptr, links.indices, weighing, new_hub, new_authority)
        _scale(new_hub)
        # The first hubs are of another length: their change says nothing.
        moved = _length(new_authority - authority) if iterations else math.inf
        change = max(moved, _length(new_hub - hub))
        hub, authority = new_hub, new_authority
        iterations += 1
        if not hub.any():
            change = 0.0
    return HitsResult(hub, authority, iterations, change, change <= options.tolerance)


def _checked(weights: npt.NDArray[np.float64], n_links: int) -> npt.NDArray[np.float64]:
    checked = np.asarray(weights, dtype=np.float64)
    if checked.shape != (n_links,):
        raise ValueError(f"weights must have shape ({n_links},), got {checked.shape}")
    if not np.isfinite(checked).all() or (checked < 0).any():
        raise ValueError("weights must be finite numbers of at least 0")
    return checked


def _scale(vector: npt.NDArray[np.float64]) -> None:
    """Scale *vector* to length 1; leave zeros as they are."""
    largest = float(vector.max(initial=0.0))
    if largest > 0:
        vector /= largest  # so that squares neither overflow nor vanish
        vector /= _length(vector)


def _length(vector: npt.NDArray[np.float64]) -> float:
    """Return the L2 norm of *vector*, by one thread.

    BLAS, which ``np.linalg.norm`` calls, has others spin for the next call, and sums in an order of their number
    (measured on two busy cores: 129 s in place of 15).
    """
    return math.sqrt(np.square(vector).sum())
