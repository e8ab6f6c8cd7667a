"""The compiled loops that find what topics reach, and write the ranks of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import kernel, lean_kernel
from crawler.ranking.topic_lanes import add_scaled

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.layout_kernels import Transposed
    from crawler.ranking.topic_kernels import Block

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
    out_ptr: Int64s,
    targets: UInt32s,
    pivot: int,
    of_pivot: npt.NDArray[np.bool_],
    reached: npt.NDArray[np.bool_],
) -> None:
    """Mark in *reached* all pages that can be reached from those marked.

    *of_pivot*: what page *pivot* reaches, so that it need not be followed again.
    """
    waiting = np.empty(len(reached), dtype=np.uint32)
    n_waiting = np.uint64(0)
    for t in range(np.uint64(len(reached))):
        if reached[t]:
            waiting[n_waiting] = t
            n_waiting += _ONE
    is_met = False
    while n_waiting:
        n_waiting -= _ONE
        source = np.uint64(waiting[n_waiting])
        if is_met and of_pivot[source]:
            continue
        for j in range(np.uint64(out_ptr[source]), np.uint64(out_ptr[source + _ONE])):
            target = np.uint64(targets[j])
            if reached[target]:
                continue
            reached[target] = True
            waiting[n_waiting] = target
            n_waiting += _ONE
            if target == np.uint64(pivot) and of_pivot[target]:
                is_met = True
                for page in range(np.uint64(len(reached))):
                    reached[page] |= of_pivot[page]


class Read(NamedTuple):
    """What ranks are read from: the votes by number, and what they are multiplied by."""

    votes: Floats
    moved: UInt32s
    """the number of each page"""
    per_link: float
    """1 / alpha"""
    dangling: float
    """1, or where dangling pages link to themselves 1 / (1 - alpha)"""


@lean_kernel
def write_ranks(
    graph: Transposed, block: Block, read: Read, rows: Floats, result: npt.NDArray[np.floating]
) -> None:
    """Write y of the pages of the block's hosts to *result*, a row a lane.

    Of dangling pages: what others give them, not what the topics do.
    *rows* holds `TILE` pages, so that what is written to a row of *result* lies side by side, and
    the sum of dangling pages.
    """
    votes, moved = read.votes, read.moved
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
                    add_scaled(rows, row, votes, np.int64(moved[t]), degree * read.per_link)
                    continue
                for j in range(np.uint64(graph.indptr[t]), np.uint64(graph.indptr[t + _ONE])):
                    source = np.int64(moved[graph.indices[j]])
                    add_scaled(rows, row, votes, source, read.dangling)
                add_scaled(rows, TILE, rows, row, 1.0)
            for lane in range(np.uint64(len(result))):
                for t in range(first, last):
                    result[lane, t] = rows[t - first, lane]
