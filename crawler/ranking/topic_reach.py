"""The compiled loops that find what topics reach, and write the ranks of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import kernel, lean_kernel
from crawler.ranking.topic_lanes import add_scaled

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.layout_kernels import Transposed
    from crawler.ranking.topic_kernels import Block, Terms

    Int64s = npt.NDArray[np.int64]
    UInt32s = npt.NDArray[np.uint32]
    Floats = npt.NDArray[np.float64]

# Pages written at once: cache lines of a topic's ranks.
TILE = 64
_ONE = np.uint64(1)


@kernel
def out_links(indptr: Int64s, indices: UInt32s, place: Int64s, targets: UInt32s) -> None:
    """Fill *targets* with the targets of each page; *place* begins as where a page's start."""
    for t in range(np.uint64(len(indptr) - 1)):
        for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + _ONE])):
            source = indices[j]
            targets[np.uint64(place[source])] = t
            place[source] += 1


@kernel
def mark_reached(
    ptr: Int64s,
    neighbours: UInt32s,
    reached: npt.NDArray[np.bool_],
    skipped: npt.NDArray[np.bool_],
) -> None:
    """Mark in *reached* all pages that can be reached from those marked, but through *skipped*."""
    waiting = np.empty(len(reached), dtype=np.uint32)
    n_waiting = np.uint64(0)
    for t in range(np.uint64(len(reached))):
        if reached[t] and not skipped[t]:
            waiting[n_waiting] = t
            n_waiting += _ONE
    while n_waiting:
        n_waiting -= _ONE
        page = np.uint64(waiting[n_waiting])
        for j in range(np.uint64(ptr[page]), np.uint64(ptr[page + _ONE])):
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
    dangling: float
    """1, or where dangling pages link to themselves 1 / (1 - alpha)"""
    scale: Floats
    """of each lane"""


@lean_kernel
def write_ranks(
    graph: Transposed, block: Block, read: Read, rows: Floats, result: npt.NDArray[np.floating]
) -> None:
    """Write y times ``scale`` of the pages of the block's hosts to *result*, a row a lane.

    Of dangling pages: what others give them, not what the topics do.
    *rows* holds `TILE` pages, so that what is written to a row of *result* lies side by side, and
    the sum of y over dangling pages.
    """
    (first_term, second_term, are_two), moved = read.terms, read.moved
    for number in block.hosts:
        host = np.uint64(number)
        end = np.uint64(graph.host_ptr[host + _ONE])
        for first in range(np.uint64(graph.host_ptr[host]), end, np.uint64(TILE)):
            last = min(first + np.uint64(TILE), end)
            for t in range(first, last):
                row = np.int64(t - first)
                rows[row] = 0.0
                degree = graph.out_degree[t]
                if degree:
                    page, factor = np.int64(moved[t]), degree * read.per_link
                    add_scaled(rows, row, first_term, page, factor)
                    if are_two:
                        add_scaled(rows, row, second_term, page, factor)
                    continue
                for j in range(np.uint64(graph.indptr[t]), np.uint64(graph.indptr[t + _ONE])):
                    source = np.int64(moved[graph.indices[j]])
                    add_scaled(rows, row, first_term, source, read.dangling)
                    if are_two:
                        add_scaled(rows, row, second_term, source, read.dangling)
                add_scaled(rows, TILE, rows, row, 1.0)
            for lane in range(np.uint64(len(result))):
                for t in range(first, last):
                    result[lane, t] = rows[t - first, lane] * read.scale[lane]
