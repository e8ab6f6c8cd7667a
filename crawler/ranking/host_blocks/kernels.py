"""The compiled loops of the iteration host by host; `crawler.ranking.host_blocks.iteration` tells the method.

All take a list of hosts and touch what is written of these only, so lists without a host in common
can run at the same time. Numbers of pages are those of `crawler.ranking.host_blocks.layout`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.ranking.host_blocks.row_kernels import Layout, Rows, kept_rank, row_sum, sweep_rows

if TYPE_CHECKING:
    import numpy.typing as npt

_ONE = np.uint64(1)
_LARGEST_FACTOR = 1e300


class SweepRule(NamedTuple):
    """How often a host is swept before the next one is."""

    fewest: int
    most: int
    enough: float
    """stop at a change so small, a page"""
    is_scaled: bool


class Work(NamedTuple):
    """The hosts of a thread in a phase, all votes, and what the pages of the phase are given."""

    hosts: npt.NDArray[np.uint32]
    vote: npt.NDArray[np.float64]
    given: npt.NDArray[np.float64]
    first_page: int
    """the page of the first of `given`"""


@part
def host_rows(layout: Layout, work: Work, host: np.uint64) -> Rows:
    """Return the linking pages of *host*."""
    start = layout.host_ptr[host]
    end = start + np.int64(layout.n_linking[host])
    given = work.given[start - work.first_page : end - work.first_page]
    return Rows(work.vote[start:end], given, layout.kind[start:end])


@part
def sweep_host(
    layout: Layout,
    host: np.uint64,
    rows: Rows,
    sources: npt.NDArray[np.unsignedinteger],
    rule: SweepRule,
) -> tuple[float, int]:
    """Sweep *host* as *rule* says; return the first change, and the number of sweeps.

    Before a sweep, all its votes are multiplied by what makes its own balance hold: what it is
    given equals what it keeps. How far it was from that counts as change.
    """
    first_run = np.uint64(layout.run_ptr[host])
    end_run = np.uint64(layout.run_ptr[host + _ONE])
    given = 0.0
    if rule.is_scaled:
        for p in range(np.uint64(len(rows.given))):
            given += rows.given[p]
    first = 0.0
    change = 0.0
    n = 0
    while n < rule.most:
        apart = 0.0
        if rule.is_scaled:
            kept = kept_rank(rows, layout.kept)
            apart = abs(given - kept)
            # Of numbers next to 0 the quotient is infinite.
            if given < _LARGEST_FACTOR * kept:
                factor = given / kept
                for p in range(np.uint64(len(rows.vote))):
                    rows.vote[p] *= factor
        change = sweep_rows(rows, layout, sources, first_run, end_run)
        n += 1
        if n == 1:
            first = change + apart
        if n >= rule.fewest and change <= rule.enough * len(rows.vote):
            break
    return first, n


@lean_kernel
def sweep_hosts(layout: Layout, work: Work, rule: SweepRule, found: npt.NDArray[np.float64]) -> int:
    """Sweep each of the hosts; return the number of arcs that were followed.

    *found* of a host: its first change; its rank less what links from linking pages,
    of all hosts, bring to it.
    """
    n_arcs = 0
    for number in work.hosts:
        host = np.uint64(number)
        rows = host_rows(layout, work, host)
        start = layout.arc_start[host]
        end = start + layout.n_arcs[host]
        if layout.is_wide[host]:
            first, n = sweep_host(layout, host, rows, layout.wide[start:end], rule)
        else:
            first, n = sweep_host(layout, host, rows, layout.narrow[start:end], rule)
        n_arcs += n * (end - start)
        kept = kept_rank(rows, layout.kept)
        for p in range(np.uint64(len(rows.given))):
            kept -= rows.given[p]
        found[0, host] = first
        found[1, host] = kept
    return n_arcs


@part
def residual_of_rows(
    layout: Layout, host: np.uint64, rows: Rows, sources: npt.NDArray[np.unsignedinteger]
) -> tuple[float, float, float]:
    """Return the L1 norm and the sum of the residual, and the sum of the ranks."""
    norm, residual, total = 0.0, 0.0, 0.0
    page = np.uint64(0)
    j = np.uint64(0)
    for run in range(np.uint64(layout.run_ptr[host]), np.uint64(layout.run_ptr[host + _ONE])):
        n_arcs = np.uint64(layout.run_arcs[run])
        for p in range(page, page + np.uint64(layout.run_rows[run])):
            incoming = rows.given[p] + row_sum(rows.vote, sources, j, j + n_arcs)
            kind = np.uint64(rows.kind[p])
            rank = rows.vote[p] * layout.per_vote[kind]
            # the product is 1, but 1 / (1 - alpha / out-degree) where the page links to itself
            difference = incoming - rank / (layout.share[kind] * layout.per_vote[kind])
            norm += abs(difference)
            residual += difference
            total += rank
            j += n_arcs
        page += np.uint64(layout.run_rows[run])
    return norm, residual, total


@lean_kernel
def residual_of_hosts(layout: Layout, work: Work, found: npt.NDArray[np.float64]) -> None:
    """Set *found* of each host: of its linking pages, L1 norm and sum of residual, and rank."""
    for number in work.hosts:
        host = np.uint64(number)
        rows = host_rows(layout, work, host)
        start = layout.arc_start[host]
        end = start + layout.n_arcs[host]
        if layout.is_wide[host]:
            sums = residual_of_rows(layout, host, rows, layout.wide[start:end])
        else:
            sums = residual_of_rows(layout, host, rows, layout.narrow[start:end])
        found[0, host], found[1, host], found[2, host] = sums
