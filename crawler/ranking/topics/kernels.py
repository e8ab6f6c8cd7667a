"""The compiled loops of topic PageRank; what they compute is told by `crawler.ranking.topics.topics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.ranking.topics.arc_loops import relax_rows
from crawler.ranking.topics.lanes import add_products, add_scaled, fetch, scale_rows, weigh
from crawler.ranking.topics.vectors import LANES

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.host_blocks.row_kernels import Layout

    Int64s = npt.NDArray[np.int64]
    UInt32s = npt.NDArray[np.uint32]
    Floats = npt.NDArray[np.float64]
    Float32s = npt.NDArray[np.float32]
    Rows = npt.NDArray[np.floating]
    Sources = npt.NDArray[np.unsignedinteger]

# Multiplying by more is left to the sweeps.
MOST_GROWTH = 10.0
# Rows are fetched so many arcs before they are added up.
AHEAD = np.uint64(16)
# Rows whose changes are added up in single precision.
_CHUNK = 256
_ONE = np.uint64(1)
# The rows of `Work.sums`.
_CHANGE, _KEPT, _GIVEN, _FACTOR, N_SUMS = 0, 1, 2, 3, 4


class Block(NamedTuple):
    """The hosts that topics reach, and the topics' preferences for linking pages."""

    hosts: UInt32s
    """ascending"""
    preference_ptr: Int64s
    """of each host: its bounds in the next three, which are by number of page"""
    page: UInt32s
    lane: UInt32s
    preference: Floats
    """(1 - alpha) v"""


class Work(NamedTuple):
    """What a sweep works on; x solves the system for the right-hand side ``base``."""

    x: Float32s
    """votes of each page: a row a page, a lane a topic"""
    shape: Float32s
    """near to the solution, to balance x with; x itself at first"""
    given: Float32s
    """to the pages of the host in hand: ``base``, and what comes from other hosts"""
    base: Float32s
    exact: Floats
    """what is missing of the pages of the host in hand"""
    ones: Floats
    """of each kind of page"""
    kept: Floats
    """of each host: the rank that its linking pages keep of ``x``"""
    kept_shape: Floats
    """of each host: what they keep of ``shape``"""
    far: Floats
    """what votes to other hosts are multiplied by, of each page; empty for 1"""
    sums: Floats


class Terms(NamedTuple):
    """Rows of votes, of float32 or float64, whose sum the votes so far are."""

    first: Rows
    second: Float32s
    are_two: bool
    """the second counts"""


class SweepRule(NamedTuple):
    """How hosts are swept."""

    fewest: int
    most: int
    enough: float
    """no more where all lanes together change so little, a page"""
    is_first: bool
    """the right-hand side is the preference of the block, in place of ``base``"""
    n_balanced: int
    """so many sweeps of a host begin with balancing"""
    begins: bool
    """x is 0 as yet, whatever stands there"""


@part
def prefer(block: Block, host: np.uint64, start: np.int64, rows: Rows) -> None:
    """Add the preferences for the pages of *host*, from *start* on, to *rows*."""
    for j in range(
        np.uint64(block.preference_ptr[host]), np.uint64(block.preference_ptr[host + _ONE])
    ):
        place = np.uint64(np.int64(block.page[j]) - start)
        rows[place, np.uint64(block.lane[j])] += block.preference[j]


@part
def add_foreign(
    layout: Layout, host: np.uint64, x: Rows, far: Floats, n_known: np.int64, into: Rows
) -> None:
    """Add to *into*, a row a page of *host*, the votes that the first *n_known* pages give there, times *far*."""
    skipped = layout.host_ptr[host]
    first = np.uint64(layout.foreign_ptr[host])
    end = np.uint64(layout.foreign_ptr[host + _ONE])
    for j in range(first, min(end, first + AHEAD)):
        fetch(x, np.int64(layout.foreign_sources[j]))
    for j in range(first, end):
        if j + AHEAD < end:
            fetch(x, np.int64(layout.foreign_sources[j + AHEAD]))
        source = np.int64(layout.foreign_sources[j])
        if source < n_known:
            factor = far[source] if len(far) else 1.0
            add_scaled(into, np.int64(layout.foreign_targets[j]) - skipped, x, source, factor)


@part
def _take_in(layout: Layout, block: Block, work: Work, rule: SweepRule, host: np.uint64) -> None:
    """Set ``work.given`` for the linking pages of *host*, and what it keeps as the sweep begins."""
    start = layout.host_ptr[host]
    n = np.int64(layout.n_linking[host])
    kind = layout.kind[start : start + n]
    if rule.is_first:
        work.given[:n] = 0.0
        prefer(block, host, start, work.given)
    else:
        scale_rows(work.given, work.base[start : start + n], n, 1.0)
    n_known = layout.host_ptr[-1]
    if rule.begins:
        work.x[start : start + n] = 0.0
        work.kept[host] = 0.0
        n_known = start
        if not rule.is_first:
            work.kept_shape[host] = 0.0
            weigh(work.shape[start : start + n], kind, layout.kept, n, work.kept_shape, host)
    add_foreign(layout, host, work.x, work.far, n_known, work.given)
    work.sums[_GIVEN] = 0.0
    weigh(work.given, kind, work.ones, n, work.sums, _GIVEN)
    for lane in range(np.uint64(LANES)):
        work.sums[_KEPT, lane] = work.kept[host, lane]


@part
def _balance(layout: Layout, work: Work, host: np.uint64, is_first: bool) -> float:
    """Give x of *host* so much of ``work.shape`` that it keeps what it is given.

    Return how far it was from that. ``work.sums``: what it is given, and keeps.
    """
    start = layout.host_ptr[host]
    n = np.int64(layout.n_linking[host])
    x = work.x[start : start + n]
    shape = work.shape[start : start + n]
    sums = work.sums
    apart = 0.0
    for lane in range(np.uint64(LANES)):
        missing = sums[_GIVEN, lane] - sums[_KEPT, lane]
        by = sums[_KEPT, lane] if is_first else work.kept_shape[host, lane]
        apart += abs(missing)
        sums[_FACTOR, lane] = missing / by if abs(missing) < MOST_GROWTH * by else 0.0
    add_products(x, shape, n, sums[_FACTOR:])
    return apart


@part
def _sweep(layout: Layout, work: Work, host: np.uint64, sources: Sources) -> None:
    """Update each linking page of *host* in its order; add the changes to ``sums[_CHANGE]``."""
    start = layout.host_ptr[host]
    n = np.int64(layout.n_linking[host])
    x = work.x[start : start + n]
    kind = layout.kind[start : start + n]
    page = np.int64(0)
    arc = np.int64(0)
    for run in range(np.uint64(layout.run_ptr[host]), np.uint64(layout.run_ptr[host + _ONE])):
        n_arcs = np.int64(layout.run_arcs[run])
        end = page + np.int64(layout.run_rows[run])
        while page < end:
            until = min(end, page + _CHUNK)
            relax_rows(
                x,
                sources,
                arc,
                n_arcs,
                page,
                until,
                work.given,
                kind,
                layout.share,
                layout.per_vote,
                layout.kept,
                work.sums,
            )
            arc += n_arcs * (until - page)
            page = until


@part
def _sweep_some(
    layout: Layout, work: Work, rule: SweepRule, host: np.uint64, change: Floats
) -> int:
    """Sweep *host* as *rule* says; add to *change* that of the first sweep; return the sweeps."""
    n = layout.n_linking[host]
    first, end = layout.arc_start[host], layout.arc_start[host] + layout.n_arcs[host]
    sums = work.sums
    n_sweeps = 0
    while n_sweeps < rule.most:
        apart = 0.0
        if n_sweeps < rule.n_balanced and end > first:
            apart = _balance(layout, work, host, rule.is_first)
        sums[_CHANGE] = 0.0
        sums[_KEPT] = 0.0
        if layout.is_wide[host]:
            _sweep(layout, work, host, layout.wide[first:end])
        else:
            _sweep(layout, work, host, layout.narrow[first:end])
        changed = 0.0
        for lane in range(np.uint64(LANES)):
            changed += sums[_CHANGE, lane]
            if n_sweeps == 0:
                change[lane] += sums[_CHANGE, lane] + apart / LANES
        n_sweeps += 1
        if end == first or (n_sweeps >= rule.fewest and changed <= rule.enough * n):
            break
    return n_sweeps


@lean_kernel
def sweep_hosts(
    layout: Layout, block: Block, work: Work, rule: SweepRule, change: Floats, apart: Floats
) -> int:
    """Update ``work.x`` host by host; return the arcs that were read.

    *change*, of each lane: the first changes of hosts. *apart*: what they are given, less what they keep.
    """
    n_read = 0
    sums = work.sums
    for number in block.hosts:
        host = np.uint64(number)
        if layout.n_linking[host] == 0:
            continue
        _take_in(layout, block, work, rule, host)
        n_read += layout.foreign_ptr[host + _ONE] - layout.foreign_ptr[host]
        n_read += _sweep_some(layout, work, rule, host, change) * layout.n_arcs[host]
        for lane in range(np.uint64(LANES)):
            work.kept[host, lane] = sums[_KEPT, lane]
            apart[lane] += sums[_GIVEN, lane] - sums[_KEPT, lane]
    return n_read


@lean_kernel
def clear_unreached(layout: Layout, block: Block, x: Float32s, other: Float32s) -> None:
    """Set to 0 the votes in *x* and *other* of hosts that are not of *block*."""
    number = np.uint64(0)
    for host in range(np.uint64(len(layout.n_arcs))):
        if number < len(block.hosts) and block.hosts[number] == host:
            number += _ONE
            continue
        start = layout.host_ptr[host]
        end = start + np.int64(layout.n_linking[host])
        x[start:end] = 0.0
        other[start:end] = 0.0


@lean_kernel
def weigh_hosts(layout: Layout, block: Block, work: Work) -> None:
    """Set ``work.kept`` of each host of *block* to what its pages keep of ``x``."""
    for number in block.hosts:
        host = np.uint64(number)
        start = layout.host_ptr[host]
        n = np.int64(layout.n_linking[host])
        work.kept[host] = 0.0
        weigh(work.x[start : start + n], layout.kind[start:], layout.kept, n, work.kept, host)


@lean_kernel
def add_shape(layout: Layout, block: Block, work: Work, factors: Floats) -> None:
    """Add to x so much of ``work.shape`` as the first row of *factors* says."""
    for number in block.hosts:
        host = np.uint64(number)
        start = layout.host_ptr[host]
        n = np.int64(layout.n_linking[host])
        if n == 0:
            continue
        add_products(work.x[start : start + n], work.shape[start : start + n], n, factors)
        for lane in range(np.uint64(LANES)):
            work.kept[host, lane] += work.kept_shape[host, lane] * factors[0, lane]
