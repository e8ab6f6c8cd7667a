"""What is computed of the rows of one host, compiled into the loops of `crawler.ranking.host_blocks.kernels`.

Numbers of pages and arcs are those of `crawler.ranking.host_blocks.layout`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import part

if TYPE_CHECKING:
    import numpy.typing as npt

_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
# Rows of so many arcs or fewer are unrolled.
_SHORT = 8


class Layout(NamedTuple):
    """The arcs between linking pages, as `crawler.ranking.host_blocks.layout` orders them."""

    host_ptr: npt.NDArray[np.int64]
    n_linking: npt.NDArray[np.uint32]
    """of each host: its pages with links stand first"""
    run_ptr: npt.NDArray[np.int64]
    run_arcs: npt.NDArray[np.uint32]
    run_rows: npt.NDArray[np.uint32]
    arc_start: npt.NDArray[np.int64]
    """of each host: its first arc within it, in `narrow` or `wide`"""
    n_arcs: npt.NDArray[np.int64]
    narrow: npt.NDArray[np.uint16]
    wide: npt.NDArray[np.uint32]
    is_wide: npt.NDArray[np.bool_]
    foreign_ptr: npt.NDArray[np.int64]
    foreign_targets: npt.NDArray[np.uint32]
    foreign_sources: npt.NDArray[np.uint32]
    base: npt.NDArray[np.float64]
    """(1 - alpha) v: one number for all pages, or one a page"""
    kind: npt.NDArray[np.uint32]
    """of each page, the place of its numbers in the next three"""
    share: npt.NDArray[np.float64]
    """what of (votes + base) a page gives to each of its links: alpha / out-degree, self links out"""
    per_vote: npt.NDArray[np.float64]
    """rank of a page whose vote is 1: out-degree / alpha"""
    kept: npt.NDArray[np.float64]
    """rank less what stays within the host, of a page whose vote is 1"""


class Rows(NamedTuple):
    """One host: its votes, what its pages have from elsewhere, and what they are."""

    vote: npt.NDArray[np.float64]
    given: npt.NDArray[np.float64]
    kind: npt.NDArray[np.uint32]


class Run(NamedTuple):
    """Neighbouring pages with as many arcs each."""

    page: np.uint64
    n_rows: np.uint64
    first_arc: np.uint64


@part
def short_rows(
    rows: Rows,
    layout: Layout,
    sources: npt.NDArray[np.unsignedinteger],
    run: Run,
    n_arcs: int,
) -> float:
    """Update the pages of *run* of *n_arcs* each, a constant where it is called; return the change."""
    change = 0.0
    j = run.first_arc
    for p in range(run.page, run.page + run.n_rows):
        total = rows.given[p]
        for k in range(n_arcs):
            total += rows.vote[np.uint64(sources[j + np.uint64(k)])]
        kind = np.uint64(rows.kind[p])
        vote = total * layout.share[kind]
        change += abs(vote - rows.vote[p]) * layout.per_vote[kind]
        rows.vote[p] = vote
        j += np.uint64(n_arcs)
    return change


@part
def row_sum(
    vote: npt.NDArray[np.float64],
    sources: npt.NDArray[np.unsignedinteger],
    j: np.uint64,
    end: np.uint64,
) -> float:
    """Return the sum of the votes of *sources* from *j* to *end*: four sums, then theirs."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    while j + _FOUR <= end:
        a += vote[np.uint64(sources[j])]
        b += vote[np.uint64(sources[j + _ONE])]
        c += vote[np.uint64(sources[j + _TWO])]
        d += vote[np.uint64(sources[j + _THREE])]
        j += _FOUR
    while j < end:
        a += vote[np.uint64(sources[j])]
        j += _ONE
    return (a + b) + (c + d)


@part
def long_rows(
    rows: Rows,
    layout: Layout,
    sources: npt.NDArray[np.unsignedinteger],
    run: Run,
    n_arcs: np.uint64,
) -> float:
    """Update the pages of *run* of *n_arcs* each; return the change."""
    change = 0.0
    j = run.first_arc
    for p in range(run.page, run.page + run.n_rows):
        total = rows.given[p] + row_sum(rows.vote, sources, j, j + n_arcs)
        kind = np.uint64(rows.kind[p])
        vote = total * layout.share[kind]
        change += abs(vote - rows.vote[p]) * layout.per_vote[kind]
        rows.vote[p] = vote
        j += n_arcs
    return change


@part
def sweep_rows(  # noqa: C901 (a case for each length of row is what makes it fast)
    rows: Rows,
    layout: Layout,
    sources: npt.NDArray[np.unsignedinteger],
    first_run: np.uint64,
    end_run: np.uint64,
) -> float:
    """Update each page of a host in its order; return the L1 change of rank."""
    change = 0.0
    page = np.uint64(0)
    j = np.uint64(0)
    for number in range(first_run, end_run):
        n_arcs = int(layout.run_arcs[number])
        n_rows = np.uint64(layout.run_rows[number])
        run = Run(page, n_rows, j)
        if n_arcs > _SHORT:
            change += long_rows(rows, layout, sources, run, np.uint64(n_arcs))
        elif n_arcs == 0:
            change += short_rows(rows, layout, sources, run, 0)
        elif n_arcs == 1:
            change += short_rows(rows, layout, sources, run, 1)
        elif n_arcs == 2:
            change += short_rows(rows, layout, sources, run, 2)
        elif n_arcs == 3:
            change += short_rows(rows, layout, sources, run, 3)
        elif n_arcs == 4:
            change += short_rows(rows, layout, sources, run, 4)
        elif n_arcs == 5:
            change += short_rows(rows, layout, sources, run, 5)
        elif n_arcs == 6:
            change += short_rows(rows, layout, sources, run, 6)
        elif n_arcs == 7:
            change += short_rows(rows, layout, sources, run, 7)
        else:
            change += short_rows(rows, layout, sources, run, 8)
        page += n_rows
        j += n_rows * np.uint64(n_arcs)
    return change


@part
def kept_rank(rows: Rows, kept: npt.NDArray[np.float64]) -> float:
    """Return the rank of the host less what its links within it bring: four sums, then theirs."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    end = np.uint64(len(rows.vote))
    p = np.uint64(0)
    while p + _FOUR <= end:
        a += rows.vote[p] * kept[np.uint64(rows.kind[p])]
        b += rows.vote[p + _ONE] * kept[np.uint64(rows.kind[p + _ONE])]
        c += rows.vote[p + _TWO] * kept[np.uint64(rows.kind[p + _TWO])]
        d += rows.vote[p + _THREE] * kept[np.uint64(rows.kind[p + _THREE])]
        p += _FOUR
    while p < end:
        a += rows.vote[p] * kept[np.uint64(rows.kind[p])]
        p += _ONE
    return (a + b) + (c + d)
