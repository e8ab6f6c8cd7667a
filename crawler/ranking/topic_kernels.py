"""The compiled loops of topic PageRank; what they compute is told by `crawler.ranking.topics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel
from crawler.ranking.topic_lanes import LANES, add_scaled, gather, multiply, relax

if TYPE_CHECKING:
    import numpy.typing as npt

    Int64s = npt.NDArray[np.int64]
    UInt32s = npt.NDArray[np.uint32]
    Floats = npt.NDArray[np.float64]
    Float32s = npt.NDArray[np.float32]

# measured on graphs of bench_facets and WebKB's: of 3 to 8 sweeps over a host and shares of 0.1 to
# 0.5, few passes on both
MOST_SWEEPS = 8
ENOUGH = 0.3
# Pages written at once: two cache lines of a topic's ranks.
TILE = 16


class Links(NamedTuple):
    """The arcs, transposed, self links left out, sources numbered among the linking pages."""

    indptr: Int64s
    indices: UInt32s
    page_of: UInt32s
    """the page number of each linking page"""
    linking_of: UInt32s
    """the number of each page among the linking ones (not defined for dangling pages)"""
    inner_start: Int64s
    """of each linking page: where the sources of its own host begin in ``indices`` ..."""
    inner_stop: Int64s
    """... and end"""
    degree: Floats
    """|L(s)| of each linking page, its self link counted"""
    factor: Floats
    """of each page: 1 / (1 - alpha times what it gives to itself)"""
    scale: Floats
    """of each linking page: ``factor`` / |L(s)|"""
    is_linking: npt.NDArray[np.bool_]
    keeps_in_host: Floats
    """what a vote of 1 for each link of a linking page leaves to it, its host's pages paid"""


class Block(NamedTuple):
    """The linking pages that a block of topics reaches, by host, and the topics' preferences."""

    host_ptr: Int64s
    """bounds of the hosts in ``pages``"""
    pages: UInt32s
    """linking numbers, ascending"""
    preference_ptr: Int64s
    """of each page number: its bounds in the two below"""
    lane: UInt32s
    preference: Floats
    """(1 - alpha) v"""
    reached: npt.NDArray[np.bool_]


class Work(NamedTuple):
    """What a sweep works on, all float32: x solves the system for the right-hand side ``base``."""

    x: Float32s
    """what each linking page gives to each of its links: a row a page, a lane a topic"""
    base: Float32s
    constant: Float32s
    """of the pages of the host in hand: ``base``, and what comes from other hosts"""
    change: Float32s
    kept: Float32s


@lean_kernel
def _take_in(
    links: Links, block: Block, work: Work, host: int, alpha: float, is_first: bool
) -> tuple[int, int]:
    """Set ``work.constant`` for the pages of a host; return its arcs within, and those from others."""
    n_inner = 0
    n_outer = 0
    first = block.host_ptr[host]
    for i in range(first, block.host_ptr[host + 1]):
        s = block.pages[i]
        t = links.page_of[s]
        row = i - first
        begin, end = links.indptr[t], links.indptr[t + np.uint64(1)]
        start, stop = links.inner_start[s], links.inner_stop[s]
        if is_first:
            for lane in range(LANES):
                work.constant[row, lane] = 0.0
            for j in range(block.preference_ptr[t], block.preference_ptr[t + np.uint64(1)]):
                work.constant[row, block.lane[j]] += block.preference[j]
        else:
            for lane in range(LANES):
                work.constant[row, lane] = work.base[s, lane]
        if begin < start:
            gather(work.x, links.indices, begin, start, work.constant, row, alpha)
        if stop < end:
            gather(work.x, links.indices, stop, end, work.constant, row, alpha)
        n_inner += stop - start
        n_outer += end - begin - (stop - start)
    return n_inner, n_outer


@lean_kernel
def _balance(links: Links, block: Block, work: Work, first: int, last: int) -> None:
    """Multiply x of a host by what makes the rank that it keeps equal to what it is given.

    Of what is missing there is no such thing: it may be below 0.
    """
    work.kept[:] = 0.0
    for i in range(first, last):
        s = np.int64(block.pages[i])
        add_scaled(work.kept, 0, work.x, s, links.keeps_in_host[s])
        add_scaled(work.kept, 1, work.constant, i - first, 1.0)
    for lane in range(LANES):
        kept, given = work.kept[0, lane], work.kept[1, lane]
        work.kept[0, lane] = given / kept if kept > 0 and given > 0 else 1.0
    for i in range(first, last):
        multiply(work.x, np.int64(block.pages[i]), work.kept)


@lean_kernel
def sweep_hosts(
    links: Links, block: Block, work: Work, alpha: float, change: Floats, is_first: bool
) -> int:
    """Update ``work.x`` host by host; add the changes of y to *change*; return the arcs read.

    *is_first*: the right-hand side is the preference of the block, in place of ``work.base``.
    """
    n_read = 0
    for host in range(len(block.host_ptr) - 1):
        first = block.host_ptr[host]
        last = block.host_ptr[host + 1]
        n_inner, n_outer = _take_in(links, block, work, host, alpha, is_first)
        n_read += n_outer
        largest = 0.0
        for _ in range(MOST_SWEEPS):
            if is_first and n_inner:
                _balance(links, block, work, first, last)
            work.change[:] = 0.0
            for i in range(first, last):
                s = block.pages[i]
                relax(
                    work.x,
                    links.indices,
                    links.inner_start[s],
                    links.inner_stop[s],
                    work.constant,
                    i - first,
                    np.int64(s),
                    alpha,
                    links.scale[s],
                    links.degree[s],
                    work.change,
                )
            n_read += n_inner
            changed = 0.0
            for lane in range(LANES):
                change[lane] += work.change[0, lane]
                changed += work.change[0, lane]
            largest = max(largest, changed)
            if n_inner == 0 or changed <= ENOUGH * largest:
                break
    return n_read


@lean_kernel
def what_is_missing(
    links: Links,
    block: Block,
    votes: Floats,
    alpha: float,
    base: npt.NDArray[np.float32],
    sums: Floats,
) -> None:
    """Replace *base* by the residuals of linking pages; sum their sizes, and y, to rows of *sums*.

    *sums*: the residual, y, and a row to work in.
    """
    sums[:] = 0.0
    for s in block.pages:
        t = links.page_of[s]
        for lane in range(LANES):
            sums[2, lane] = 0.0
        for j in range(block.preference_ptr[t], block.preference_ptr[t + np.uint64(1)]):
            sums[2, block.lane[j]] += block.preference[j]
        begin, end = links.indptr[t], links.indptr[t + np.uint64(1)]
        gather(votes, links.indices, begin, end, sums, 2, alpha)
        weight = links.degree[s] / links.factor[t]
        for lane in range(LANES):
            missing = sums[2, lane] - votes[s, lane] * weight
            sums[0, lane] += abs(missing)
            sums[1, lane] += votes[s, lane] * links.degree[s]
            base[s, lane] = missing


@lean_kernel
def write_ranks(
    links: Links,
    block: Block,
    votes: Floats,
    alpha: float,
    rows: Floats,
    result: npt.NDArray[np.floating],
) -> None:
    """Write y of all reached pages to *result*, a row a lane.

    *rows* holds `TILE` pages, so that what is written to a row of *result* lies side by side.
    """
    n_pages = len(block.reached)
    for first in range(0, n_pages, TILE):
        last = min(first + TILE, n_pages)
        for t in range(first, last):
            row = t - first
            for lane in range(LANES):
                rows[row, lane] = 0.0
            if not block.reached[t]:
                continue
            if links.is_linking[t]:
                s = np.int64(links.linking_of[t])
                add_scaled(rows, row, votes, s, links.degree[s])
                continue
            factor = links.factor[t]
            for j in range(block.preference_ptr[t], block.preference_ptr[t + 1]):
                rows[row, block.lane[j]] += block.preference[j] * factor
            begin, end = links.indptr[t], links.indptr[t + 1]
            gather(votes, links.indices, begin, end, rows, row, alpha * factor)
        for lane in range(len(result)):
            for t in range(first, last):
                result[lane, t] = rows[t - first, lane]
