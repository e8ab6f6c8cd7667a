"""The compiled loops that find the hosts that topics reach, and write the ranks of all pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import kernel, lean_kernel, part
from crawler.ranking.topics.lanes import add_scaled, turn

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.host_blocks.layout_kernels import Transposed
    from crawler.ranking.topics.kernels import Block, Terms

    Int64s = npt.NDArray[np.int64]
    UInt32s = npt.NDArray[np.uint32]
    Floats = npt.NDArray[np.float64]

# Pages written at once: cache lines of a topic's ranks, a multiple of `LANES`.
TILE = 256
_ONE = np.uint64(1)


@kernel
def host_links(
    host_ptr: Int64s, indptr: Int64s, indices: UInt32s
) -> tuple[Int64s, npt.NDArray[np.uint32]]:
    """Return the hosts that each host links to, but itself, each once: their bounds, and they."""
    n_hosts = np.uint64(len(host_ptr) - 1)
    host_of = np.empty(len(indptr) - 1, dtype=np.uint32)
    for host in range(n_hosts):
        for page in range(np.uint64(host_ptr[host]), np.uint64(host_ptr[host + _ONE])):
            host_of[page] = host
    ptr = np.zeros(n_hosts + _ONE, dtype=np.int64)
    # the last host that a host was seen to link to, and one that is none
    seen = np.empty(n_hosts, dtype=np.uint32)
    targets = np.empty(0, dtype=np.uint32)
    for is_counted in (False, True):
        seen[:] = n_hosts
        for host in range(n_hosts):
            first, end = np.uint64(host_ptr[host]), np.uint64(host_ptr[host + _ONE])
            for j in range(np.uint64(indptr[first]), np.uint64(indptr[end])):
                source = np.uint64(indices[j])
                if first <= source < end:
                    continue
                linking = np.uint64(host_of[source])
                if seen[linking] == host:
                    continue
                seen[linking] = host
                if is_counted:
                    ptr[linking] -= 1
                    targets[np.uint64(ptr[linking])] = host
                else:
                    ptr[linking] += 1
        if not is_counted:
            ptr = np.cumsum(ptr)
            targets = np.empty(ptr[n_hosts], dtype=np.uint32)
    return ptr, targets


@kernel
def mark_reached(ptr: Int64s, neighbours: UInt32s, reached: npt.NDArray[np.bool_]) -> None:
    """Mark in *reached* all hosts that can be reached from those marked."""
    waiting = np.empty(len(reached), dtype=np.uint32)
    n_waiting = np.uint64(0)
    for t in range(np.uint64(len(reached))):
        if reached[t]:
            waiting[n_waiting] = t
            n_waiting += _ONE
    while n_waiting:
        n_waiting -= _ONE
        host = np.uint64(waiting[n_waiting])
        for j in range(np.uint64(ptr[host]), np.uint64(ptr[host + _ONE])):
            neighbour = np.uint64(neighbours[j])
            if not reached[neighbour]:
                reached[neighbour] = True
                waiting[n_waiting] = neighbour
                n_waiting += _ONE


class Read(NamedTuple):
    """What ranks are read from: the votes by number, and what they are multiplied by."""

    terms: Terms
    moved: UInt32s
    """the number of each page"""
    per_link: float
    """1 / alpha"""
    per_vote: Floats
    """rank of a page whose vote is 1, by number; empty where that is its out-degree times ``per_link``"""
    far: Floats
    """what votes to other hosts are multiplied by, likewise; empty for 1"""
    dangling: float
    """1, or where dangling pages link to themselves 1 / (1 - alpha)"""
    scale: Floats
    """of each lane, in one row"""


class Tile(NamedTuple):
    """Room for `TILE` pages, so that what is written of a topic lies side by side."""

    rows: Floats
    """a row a page, and the sum of y over dangling pages"""
    columns: npt.NDArray[np.floating]
    """a row a lane, of the dtype of the ranks"""


@lean_kernel
def write_ranks(
    graph: Transposed, block: Block, read: Read, tile: Tile, result: npt.NDArray[np.floating]
) -> None:
    """Write y times ``scale`` of all pages to *result*, a row a lane: 0 where no topic reaches.

    Of dangling pages: what others give them, not what the topics do.
    """
    number = np.uint64(0)
    first = np.uint64(0)
    n_rows = np.uint64(0)
    for host in range(np.uint64(len(graph.host_ptr) - 1)):
        is_reached = number < len(block.hosts) and block.hosts[number] == host
        if is_reached:
            number += _ONE
        for t in range(np.uint64(graph.host_ptr[host]), np.uint64(graph.host_ptr[host + _ONE])):
            tile.rows[n_rows] = 0.0
            if is_reached:
                _read_page(
                    graph, read, (np.uint64(host), np.uint64(t)), tile.rows, np.int64(n_rows)
                )
            n_rows += _ONE
            if n_rows == TILE:
                _write_tile(read, tile, first, n_rows, result)
                first += n_rows
                n_rows = np.uint64(0)
    _write_tile(read, tile, first, n_rows, result)


@part
def _read_page(
    graph: Transposed, read: Read, place: tuple[np.uint64, np.uint64], rows: Floats, row: np.int64
) -> None:
    """Add y of the page at *place*, of a host, to row *row*, and if it is dangling to the sum."""
    host, t = place
    start, end = np.uint64(graph.host_ptr[host]), np.uint64(graph.host_ptr[host + _ONE])
    moved = read.moved
    first_term, second_term, are_two = read.terms
    degree = graph.out_degree[t]
    if degree:
        page = np.int64(moved[t])
        factor = read.per_vote[page] if len(read.per_vote) else degree * read.per_link
        add_scaled(rows, row, first_term, page, factor)
        if are_two:
            add_scaled(rows, row, second_term, page, factor)
        return
    for j in range(np.uint64(graph.indptr[t]), np.uint64(graph.indptr[t + _ONE])):
        linking = np.uint64(graph.indices[j])
        source = np.int64(moved[linking])
        is_near = len(read.far) == 0 or start <= linking < end
        factor = read.dangling if is_near else read.dangling * read.far[source]
        add_scaled(rows, row, first_term, source, factor)
        if are_two:
            add_scaled(rows, row, second_term, source, factor)
    add_scaled(rows, TILE, rows, row, 1.0)


@part
def _write_tile(
    read: Read,
    tile: Tile,
    first: np.uint64,
    n_rows: np.uint64,
    result: npt.NDArray[np.floating],
) -> None:
    """Write the first *n_rows* of *tile* as those of the pages from *first* on."""
    turn(tile.columns, tile.rows, TILE, read.scale)
    for lane in range(np.uint64(len(result))):
        for row in range(n_rows):
            result[lane, first + row] = tile.columns[lane, row]
