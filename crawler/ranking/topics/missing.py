"""The compiled loop that finds what the votes of topics leave missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.ranking.topics.arc_loops import settle_rows
from crawler.ranking.topics.kernels import add_foreign, prefer
from crawler.ranking.topics.lanes import scale_rows

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.host_blocks.row_kernels import Layout
    from crawler.ranking.topics.kernels import Block, Work

    Floats = npt.NDArray[np.float64]
    Rows = npt.NDArray[np.floating]
    Sources = npt.NDArray[np.unsignedinteger]

# The rows of what is summed.
MISSING, SIGNED, TOTAL = 0, 1, 2
_ONE = np.uint64(1)


@part
def _settle_host(
    layout: Layout, work: Work, host: np.uint64, sources: Sources, votes: Rows, sums: Floats
) -> None:
    """Do for the pages of *host* what `find_missing` does, the rest of it being in ``exact``."""
    start = layout.host_ptr[host]
    end = start + np.int64(layout.n_linking[host])
    page = np.int64(0)
    arc = np.int64(0)
    for run in range(np.uint64(layout.run_ptr[host]), np.uint64(layout.run_ptr[host + _ONE])):
        n_arcs = np.int64(layout.run_arcs[run])
        until = page + np.int64(layout.run_rows[run])
        settle_rows(
            votes[start:end],
            sources,
            arc,
            n_arcs,
            page,
            until,
            work.exact,
            layout.kind[start:end],
            layout.share,
            layout.per_vote,
            work.base[start:end],
            sums,
        )
        arc += n_arcs * (until - page)
        page = until


@lean_kernel
def find_missing(
    layout: Layout, block: Block, work: Work, votes: Rows, goes_on: bool, sums: Floats
) -> None:
    """Set ``work.base`` to what *votes* leave missing; and the sums by lane:

    the sizes of the residuals, the residuals, and the ranks. *goes_on*: missing of what ``base`` was,
    not of the preferences.
    """
    for number in block.hosts:
        host = np.uint64(number)
        start = layout.host_ptr[host]
        n = np.int64(layout.n_linking[host])
        if n == 0:
            continue
        if goes_on:
            scale_rows(work.exact, work.base[start : start + n], n, 1.0)
        else:
            scale_rows(work.exact, work.exact, n, 0.0)
            prefer(block, host, start, work.exact)
        add_foreign(layout, host, votes, work.far, layout.host_ptr[-1], work.exact)
        first_arc = layout.arc_start[host]
        end_arc = first_arc + layout.n_arcs[host]
        if layout.is_wide[host]:
            _settle_host(layout, work, host, layout.wide[first_arc:end_arc], votes, sums)
        else:
            _settle_host(layout, work, host, layout.narrow[first_arc:end_arc], votes, sums)
