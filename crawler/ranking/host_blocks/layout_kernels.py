"""The compiled loops that order a graph for the iteration; see `crawler.ranking.host_blocks.layout`.

Those that take a range of hosts can work on several ranges at the same time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

_ONE = np.uint64(1)
STAYING_BITS, DEGREE_BITS = np.uint64(33), np.uint64(1)
# Brings the links within the host, the upper half of a key, above most out-degrees.
_FOLD = np.uint64(24)
_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)


class Transposed(NamedTuple):
    """The arrays of a `HostGraph` that are read here."""

    host_ptr: npt.NDArray[np.int64]
    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]
    out_degree: npt.NDArray[np.uint32]


class Counts(NamedTuple):
    """What is counted of pages (p) and hosts (h): uint32 and int64, zero before."""

    near: npt.NDArray[np.uint32]
    """p: arcs from other pages of the host"""
    staying: npt.NDArray[np.uint32]
    """p: links to linking pages of the host, itself included"""
    is_own: npt.NDArray[np.uint8]
    """p: links to itself"""
    linking: npt.NDArray[np.uint32]
    """h: pages with links"""
    arcs: npt.NDArray[np.int64]
    """h: sum of `near` over linking pages"""
    foreign: npt.NDArray[np.int64]
    """h: arcs from other hosts to linking pages"""
    runs: npt.NDArray[np.int64]
    """h: distinct `near` of linking pages"""


@lean_kernel
def count_arcs(graph: Transposed, counts: Counts, first_host: int, end_host: int) -> None:
    """Count the arcs of each host and page, those into dangling pages left out."""
    for host in range(first_host, end_host):
        start, end = graph.host_ptr[host], graph.host_ptr[host + 1]
        for page in range(start, end):
            if graph.out_degree[page] == 0:
                continue
            near = 0
            for j in range(np.uint64(graph.indptr[page]), np.uint64(graph.indptr[page + 1])):
                source = np.uint64(graph.indices[j])
                if source < np.uint64(start) or source >= np.uint64(end):
                    continue
                counts.staying[source] += np.uint32(1)
                if source == np.uint64(page):
                    counts.is_own[page] = np.uint8(1)
                else:
                    near += 1
            n_arcs = graph.indptr[page + 1] - graph.indptr[page]
            counts.near[page] = near
            counts.linking[host] += np.uint32(1)
            counts.arcs[host] += near
            counts.foreign[host] += n_arcs - near - counts.is_own[page]


@lean_kernel
def order_pages(
    graph: Transposed,
    counts: Counts,
    moved: npt.NDArray[np.uint32],
    order: npt.NDArray[np.uint32],
    hosts: tuple[int, int],
    places: npt.NDArray[np.int64],
) -> None:
    """Order the pages of each host by `near` ascending, dangling ones last, else as they were.

    *moved*: the new number of each page; *order*: the page of each new number; *hosts*: the first,
    and the end; *places*: room for the largest `near` + 2.
    """
    for host in range(hosts[0], hosts[1]):
        start, end = graph.host_ptr[host], graph.host_ptr[host + 1]
        most = 0
        for page in range(start, end):
            most = max(most, int(counts.near[page]))
        places[: most + 2] = 0
        for page in range(start, end):
            if graph.out_degree[page]:
                places[counts.near[page] + 1] += 1
        n_runs = 0
        for near in range(most + 1):
            n_runs += places[near + 1] > 0
            places[near + 1] += places[near]
        counts.runs[host] = n_runs
        n_dangling = int(counts.linking[host])
        for page in range(start, end):
            if graph.out_degree[page]:
                place = places[counts.near[page]]
                places[counts.near[page]] += 1
            else:
                place = n_dangling
                n_dangling += 1
            moved[page] = start + place
            order[start + place] = page


class Filled(NamedTuple):
    """The arrays of `Layout` that are filled."""

    run_ptr: npt.NDArray[np.int64]
    run_arcs: npt.NDArray[np.uint32]
    run_rows: npt.NDArray[np.uint32]
    arc_start: npt.NDArray[np.int64]
    n_arcs: npt.NDArray[np.int64]
    narrow: npt.NDArray[np.uint16]
    wide: npt.NDArray[np.uint32]
    is_wide: npt.NDArray[np.bool_]
    foreign_ptr: npt.NDArray[np.int64]
    foreign_targets: npt.NDArray[np.uint32]
    foreign_sources: npt.NDArray[np.uint32]


@part
def fill_runs(
    counts: Counts, filled: Filled, order: npt.NDArray[np.uint32], host: int, start: int
) -> None:
    """Write the runs of pages of one `near`."""
    run = filled.run_ptr[host] - 1
    last = np.int64(-1)
    for place in range(start, start + np.int64(counts.linking[host])):
        near = np.int64(counts.near[order[place]])
        if near != last:
            run += 1
            filled.run_arcs[run] = near
            filled.run_rows[run] = 0
            last = near
        filled.run_rows[run] += np.uint32(1)


@lean_kernel
def fill_arcs(
    graph: Transposed,
    counts: Counts,
    filled: Filled,
    moved: npt.NDArray[np.uint32],
    order: npt.NDArray[np.uint32],
    hosts: tuple[int, int],
) -> None:
    """Write the runs and the arcs of the hosts from the first to before the second of *hosts*."""
    for host in range(hosts[0], hosts[1]):
        start, end = graph.host_ptr[host], graph.host_ptr[host + 1]
        fill_runs(counts, filled, order, host, start)
        arc = np.uint64(filled.arc_start[host])
        foreign = np.uint64(filled.foreign_ptr[host])
        for place in range(start, start + np.int64(counts.linking[host])):
            page = np.int64(order[place])
            for j in range(np.uint64(graph.indptr[page]), np.uint64(graph.indptr[page + 1])):
                source = np.uint64(graph.indices[j])
                if source < np.uint64(start) or source >= np.uint64(end):
                    filled.foreign_targets[foreign] = place
                    filled.foreign_sources[foreign] = moved[source]
                    foreign += _ONE
                elif source != np.uint64(page):
                    near = np.uint64(moved[source]) - np.uint64(start)
                    if filled.is_wide[host]:
                        filled.wide[arc] = near
                    else:
                        filled.narrow[arc] = near
                    arc += _ONE


@lean_kernel
def deal_greedily(
    work: npt.NDArray[np.float64],
    order: npt.NDArray[np.int64],
    load: npt.NDArray[np.float64],
    speed: npt.NDArray[np.float64],
    dealt: npt.NDArray[np.uint32],
) -> None:
    """Deal in *order* each piece of *work* to who will be done first with it; *load*: time so far."""
    for piece in order:
        best = 0
        for i in range(1, len(load)):
            if load[i] + work[piece] / speed[i] < load[best] + work[piece] / speed[best]:
                best = i
        load[best] += work[piece] / speed[best]
        dealt[piece] = best


@part
def kind_key(graph: Transposed, counts: Counts, page: int) -> np.uint64:
    """Return what the numbers of a linking page depend on, in one number; 0 for a dangling one."""
    degree = np.uint64(graph.out_degree[page])
    staying = np.uint64(counts.staying[page])
    return (staying << STAYING_BITS) | (degree << DEGREE_BITS) | np.uint64(counts.is_own[page])


@lean_kernel
def number_kinds(
    graph: Transposed,
    counts: Counts,
    moved: npt.NDArray[np.uint32],
    table: npt.NDArray[np.uint64],
    keys: npt.NDArray[np.uint64],
    kind: npt.NDArray[np.uint32],
) -> np.int64:
    """Number the kinds of page as they are met, to *keys*; return their number, -1 for too many.

    *table*: a power of two of `_EMPTY`, twice the length of *keys* or more. *kind*: of the page of
    each new number.
    """
    mask = np.uint64(len(table) - 1)
    n = np.uint64(0)
    for page in range(np.uint64(len(graph.out_degree))):
        key = kind_key(graph, counts, page)
        slot = (key ^ (key >> _FOLD)) & mask
        while table[slot] != _EMPTY and keys[table[slot]] != key:
            slot = (slot + _ONE) & mask
        if table[slot] == _EMPTY:
            if n == np.uint64(len(keys)):
                return np.int64(-1)
            keys[n] = key
            table[slot] = n
            n += _ONE
        kind[moved[page]] = table[slot]
    return np.int64(n)


@lean_kernel
def list_keys(
    graph: Transposed,
    counts: Counts,
    moved: npt.NDArray[np.uint32],
    keys: npt.NDArray[np.uint64],
    kind: npt.NDArray[np.uint32],
) -> None:
    """Make each page a kind of its own."""
    for page in range(np.uint64(len(graph.out_degree))):
        keys[moved[page]] = kind_key(graph, counts, page)
        kind[moved[page]] = moved[page]


class RankFactors(NamedTuple):
    """What a vote is multiplied by, and what a dangling page's votes are."""

    per_link: float
    """1 / alpha"""
    dangling: float
    """1, or where dangling pages link to themselves 1 / (1 - alpha)"""


class Votes(NamedTuple):
    """The votes by new number, and the base, one for all or by new number."""

    moved: npt.NDArray[np.uint32]
    vote: npt.NDArray[np.float64]
    base: npt.NDArray[np.float64]


@lean_kernel
def read_ranks(
    graph: Transposed,
    votes: Votes,
    factors: RankFactors,
    hosts: tuple[int, int],
    rank: npt.NDArray[np.float64],
    dangling: npt.NDArray[np.float64],
) -> None:
    """Set *rank* of the pages of *hosts* (first, end), and *dangling*, of each host the sum of such.

    A dangling page has its base and what the votes for it bring.
    """
    moved, vote, base = votes
    for host in range(hosts[0], hosts[1]):
        dangling[host] = 0.0
        for page in range(np.uint64(graph.host_ptr[host]), np.uint64(graph.host_ptr[host + 1])):
            degree = graph.out_degree[page]
            place = np.uint64(moved[page])
            if degree:
                rank[page] = vote[place] * (degree * factors.per_link)
                continue
            total = base[0] if len(base) == 1 else base[place]
            for j in range(np.uint64(graph.indptr[page]), np.uint64(graph.indptr[page + _ONE])):
                total += vote[np.uint64(moved[graph.indices[j]])]
            rank[page] = total * factors.dangling
            dangling[host] += rank[page]
