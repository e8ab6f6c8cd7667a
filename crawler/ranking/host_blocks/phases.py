"""Cuts the hosts of a graph into the phases of a pass; see `crawler.ranking.host_blocks.iteration`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.ranking.partitions import deal_by_speed

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.host_blocks.row_kernels import Layout

FEWEST_PHASES, MOST_PHASES = 4, 16
# Below it, waiting for each other costs threads more than newer votes save.
PHASE_ARCS = 1 << 21
# Graphs so small are ranked on one thread.
SMALL_ARCS = 1 << 21


class Phase(NamedTuple):
    """Some hosts that are swept at the same time: a list for each thread, and their pages."""

    hosts: list[npt.NDArray[np.uint32]]
    first_page: int
    n_pages: int


def phases_of(arrays: Layout, n_threads: int) -> list[Phase]:
    """Return the phases of a pass: neighbouring hosts of about as many pages and arcs."""
    n_hosts = len(arrays.n_linking)
    work = np.diff(arrays.host_ptr) + arrays.n_arcs + np.diff(arrays.foreign_ptr)
    done = np.cumsum(work)
    n_phases = int(np.clip(done[-1] / PHASE_ARCS, FEWEST_PHASES, MOST_PHASES))
    if done[-1] < SMALL_ARCS:
        n_phases = MOST_PHASES
    ends = np.searchsorted(done, np.linspace(0, done[-1], n_phases + 1)[1:]) + 1
    ends[-1] = n_hosts
    bounds = np.unique(np.concatenate([[0], np.minimum(ends, n_hosts)])).tolist()
    phases = []
    for first, end in pairwise(bounds):
        first_page, end_page = arrays.host_ptr[[first, end]].tolist()
        dealt = deal_by_speed(work[first:end], np.ones(n_threads))
        lists = [
            (np.flatnonzero(dealt == thread) + first).astype(np.uint32)
            for thread in range(n_threads)
        ]
        phases.append(Phase(lists, first_page, end_page - first_page))
    return phases
