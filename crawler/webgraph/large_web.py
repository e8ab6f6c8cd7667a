"""Makes host-keyed graphs like LargeWeb, of any size, in bounded memory.

*Shape: Kohlschütter 2011, section 3.2.3 and tables 3.1 and 3.2: 62.8 M pages on 470,000 hosts of at
most 5,084 pages, 601 M links, 6.19 % of them between hosts, no dangling pages.* `WebShape.large`
is that graph at any size; `WebShape.steep` has fewer and larger hosts, and dangling pages.

Host sizes are the quantiles of a power law cut off at the largest host, in random order. A page has
as many links as a Pareto variate says, of the exponent 2.72 of Broder et al. 2000 (table of
out-degrees); each leaves the host with one probability. Within the host, a share *near* of them goes
to pages close by, at a distance of Zipf's law; the target of the others is the page of popularity
rank ``floor(size * u**4)``, u uniform, so in-degrees have a power law of exponent 2.33. The target of
a link to another host is drawn by Zipf's law over all pages, of exponent *skew* (0: all alike). Ranks
over all pages, and within the host if not *by_popularity*, are spread over the numbers of pages by
a multiplication modulo their count, so that a page's number says nothing of its popularity;
*by_popularity* the pages of a host are numbered by their rank, as they are when ids are given at
first sight. A repeated link is drawn anew; no page links to itself. Mean degree and share between
hosts are fitted on a sample of pages.

The links of a page are a function of the shape and the page's number: chunks can be made in any
order and anywhere. Numbers of pages are those of `crawler.webgraph.csr`. Shapes, for n pages and
m arcs: chunks are ``sources: uint32[k]``, ``targets: uint32[k]``, by ascending source, then target.

Memory: 16 bytes a host, one chunk; `host_graph` besides what the graph holds, 8 bytes a page.
Cost: O(m).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.webgraph.csr import HostGraph
from crawler.webgraph.large_web_kernels import (
    MAX_LINKS,
    HostArrays,
    LinkLaw,
    chunk_of_links,
    count_links,
    first_coprimes,
    place_links,
    sample_links,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Arcs = tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]

CHUNK_ARCS = 1 << 20
SAMPLE_PAGES = 200_000
# The published graph: Kohlschütter 2011, section 3.2.3 and table 3.2
LARGE_PAGES, LARGE_LINKS, LARGE_HOSTS = 62_800_000, 601_183_777, 470_000
LARGE_LARGEST_HOST, LARGE_INTER_HOST = 5_084, 0.0619
# Not published: such a graph needs 16 iterations on 8 partitions, the published one 17.
NEAR = 0.3


@dataclass(frozen=True, slots=True)
class WebShape:
    """What is made: the shares are 0 to 1, *skew* is the Zipf exponent of links between hosts.

    *n_links* and *inter_host* are met within a few per cent; graphs of few pages a host fall short.
    Raises :exc:`ValueError` when the hosts cannot hold the pages.
    """

    n_pages: int
    n_links: int
    n_hosts: int
    largest_host: int
    inter_host: float = LARGE_INTER_HOST
    near: float = 0.0
    dangling: float = 0.0
    skew: float = 0.8
    by_popularity: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.n_hosts <= self.n_pages < 2**32:
            raise ValueError(f"{self.n_hosts} hosts cannot hold {self.n_pages} pages")
        if self.largest_host * self.n_hosts < self.n_pages:
            raise ValueError(
                f"{self.n_hosts} hosts of at most {self.largest_host} pages "
                f"cannot hold {self.n_pages} pages"
            )
        for name in ("inter_host", "near", "dangling"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be a share, got {getattr(self, name)}")
        if not 0 <= self.skew < 4:
            raise ValueError(f"skew must be at least 0 and below 4, got {self.skew}")

    @classmethod
    def large(
        cls,
        n_pages: int = LARGE_PAGES,
        *,
        near: float = NEAR,
        dangling: float = 0.0,
        skew: float = 0.8,
        seed: int = 1,
    ) -> WebShape:
        """Return the shape of LargeWeb with *n_pages* pages."""
        n_hosts = max(1, -(-n_pages * LARGE_HOSTS // LARGE_PAGES))
        largest = min(LARGE_LARGEST_HOST, max(n_pages // 4, -(-n_pages // n_hosts)))
        n_links = n_pages * LARGE_LINKS // LARGE_PAGES
        return cls(
            n_pages,
            n_links,
            n_hosts,
            largest,
            near=near,
            dangling=dangling,
            skew=skew,
            by_popularity=True,
            seed=seed,
        )

    @classmethod
    def steep(cls, n_pages: int, n_links: int, *, seed: int = 1) -> WebShape:
        """Return a shape of 100 pages a host, the largest of 100,000; 8.5 % of the pages dangle."""
        n_hosts = max(1, n_pages // 100)
        largest = min(100_000, max(n_pages // 4, -(-n_pages // n_hosts)))
        return cls(n_pages, n_links, n_hosts, largest, inter_host=0.084, dangling=0.085, seed=seed)


class LargeWeb:
    """The graph of a *shape*: its hosts at once, its arcs when they are asked for."""

    def __init__(self, shape: WebShape):
        self.shape = shape
        rng = np.random.default_rng(shape.seed)
        sizes = rng.permutation(host_sizes(shape.n_pages, shape.n_hosts, shape.largest_host))
        self.host_ptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        multipliers = coprimes(sizes, rng.integers(0, 2**32, shape.n_hosts, dtype=np.uint32))
        shifts = rng.integers(0, sizes, dtype=np.uint32)
        if shape.by_popularity:
            multipliers, shifts = np.ones_like(multipliers), np.zeros_like(shifts)
        self._hosts = HostArrays(self.host_ptr, multipliers, shifts)
        self._law = self._fitted(int(rng.integers(0, 2**62)))

    def _fitted(self, key: int) -> LinkLaw:
        shape = self.shape
        start = np.array([key & 0x7FFFFFFF], dtype=np.uint32)
        stride = np.uint64(coprimes(np.array([shape.n_pages]), start)[0])
        mean = shape.n_links / shape.n_pages
        scale, leaving = mean, shape.inter_host
        one_page = np.empty(MAX_LINKS, dtype=np.uint32)
        for _ in range(8):
            law = LinkLaw(
                np.uint64(key),
                stride,
                scale,
                leaving,
                float(shape.dangling),
                float(shape.near),
                float(shape.skew),
                zipf_span(shape.n_pages, shape.skew),
            )
            n_sample = min(shape.n_pages, SAMPLE_PAGES)
            n, n_leaving = sample_links(law, self._hosts, n_sample, one_page)
            scale *= (mean / n) ** 1.2 if n else 1.0
            if n_leaving:
                leaving = min(1.0, leaving * shape.inter_host * n / n_leaving)
        return law

    def arc_chunks(self, n_arcs: int = CHUNK_ARCS) -> Iterator[Arcs]:
        """Yield (sources, targets), page numbers, at most *n_arcs* at a time."""
        if n_arcs < MAX_LINKS:
            raise ValueError(f"n_arcs must be at least {MAX_LINKS}, got {n_arcs}")
        sources, targets = np.empty((2, n_arcs), dtype=np.uint32)
        page = 0
        while page < self.shape.n_pages:
            page, n = chunk_of_links(self._law, self._hosts, page, sources, targets)
            yield sources[:n].copy(), targets[:n].copy()

    def packed(self, pages: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
        """Return the packed PageIds of page numbers; the HostIDs are 0 … h-1."""
        host = np.searchsorted(self.host_ptr, pages, side="right") - 1
        local = pages - self.host_ptr[host]
        return (host.astype(np.uint64) << np.uint64(32)) | local.astype(np.uint64)

    def host_graph(self) -> HostGraph:
        """Return the whole graph, transposed; arcs are made twice, to count and to place them."""
        n = self.shape.n_pages
        out_degree = np.zeros(n, dtype=np.uint32)
        cursor = np.zeros(n + 2, dtype=np.int64)
        for sources, targets in self.arc_chunks():
            count_links(sources, targets, out_degree, cursor[2:])
        np.cumsum(cursor, out=cursor)
        indices = np.empty(int(cursor[-1]), dtype=np.uint32)
        for sources, targets in self.arc_chunks():
            place_links(sources, targets, cursor[1:], indices)
        sizes = np.diff(self.host_ptr)
        local_ids = np.arange(n, dtype=np.uint32)
        local_ids -= np.repeat(self.host_ptr[:-1].astype(np.uint32), sizes)
        return HostGraph(
            host_ids=np.arange(self.shape.n_hosts, dtype=np.uint32),
            host_ptr=self.host_ptr,
            local_ids=local_ids,
            indptr=cursor[:-1],
            indices=indices,
            out_degree=out_degree,
        )


def coprimes(
    sizes: npt.NDArray[np.int64], starts: npt.NDArray[np.uint32]
) -> npt.NDArray[np.uint32]:
    """Return for each size a number that no divisor of it divides: the first from its start on."""
    found = np.empty(len(sizes), dtype=np.uint32)
    first_coprimes(sizes, starts, found)
    return found


def zipf_span(n: int, skew: float) -> float:
    """Return the range of the integral of ``x**-skew`` over ranks 1 to n+1, as kernels take it."""
    return float(np.log(n + 1)) if skew == 1 else float((n + 1) ** (1 - skew) - 1)


def host_sizes(n_pages: int, n_hosts: int, largest: int) -> npt.NDArray[np.int64]:
    """Return *n_hosts* sizes of sum *n_pages*, 1 to *largest*, ascending, as of a power law.

    >>> host_sizes(100, 5, 60).tolist()
    [1, 3, 10, 26, 60]
    """
    place = np.linspace(0, 1, n_hosts)

    def sizes(exponent: float) -> npt.NDArray[np.int64]:
        quantile = (1 - place + place * largest**-exponent) ** (-1 / exponent)
        cut: npt.NDArray[np.int64] = np.clip(quantile + 1e-6, 1, largest).astype(np.int64)
        return cut

    low, high = -20.0, 20.0  # the larger the exponent, the smaller the hosts
    for _ in range(60):
        middle = (low + high) / 2 or 1e-9
        if sizes(middle).sum() > n_pages:
            low = middle
        else:
            high = middle
    # one page a host is the limit that no exponent reaches
    found = sizes(high) if n_pages > n_hosts else np.ones(n_hosts, dtype=np.int64)
    while (missing := n_pages - int(found.sum())) > 0:
        growing = np.flatnonzero(found < largest)[-missing:]
        found[growing] += np.minimum(missing // len(growing), largest - found[growing])
    found.sort()
    return found
