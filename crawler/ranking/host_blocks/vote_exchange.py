"""Passes votes between hosts from phase to phase, so that memory is read and written in its order.

Arcs between hosts come from anywhere: each would cost a look-up far from the last one. So they are
sorted by the phase of their target, and within it by that of their source: once a phase has been
swept, while its votes are in the cache, those that go to other hosts are written down side by side for
each phase that needs them. What a phase is given is then read in one go. (Propagation blocking: Beamer,
Asanović and Patterson 2017; there a block is a range of pages, and all are written before any is read.)

Shapes: ``sources``, ``targets``: uint32 of each arc between hosts; ``start``: int64[p * p * k + 1], p phases
and k threads: of target phase q, source phase s and thread t of the target's host, number (q p + s) k + t.
``sent``: float64 of each arc. Memory: 16 bytes an arc between hosts, 8 of them in place of
those of the layout. Cost: O(n + m).

Invariant: the votes that a page is given are added by source phase and then as the layout orders
them, whatever the number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel
from crawler.ranking.host_blocks.phases import phases_of
from crawler.ranking.host_blocks.strata import send_far_votes

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.host_blocks.kernels import Work
    from crawler.ranking.host_blocks.layout import HostLayout
    from crawler.ranking.host_blocks.phases import Phase
    from crawler.ranking.host_blocks.row_kernels import Layout

    Int64s = npt.NDArray[np.int64]
    UInt32s = npt.NDArray[np.uint32]
    Floats = npt.NDArray[np.float64]

# Pages whose phase is looked up as one, and then corrected.
_BLOCK_BITS = np.uint64(10)


class Routes(NamedTuple):
    """The arcs between hosts by phase and thread; see the module."""

    sources: UInt32s
    targets: UInt32s
    start: Int64s
    n_phases: int
    n_threads: int


class _Senders(NamedTuple):
    """Which phase a page is in: at least that of its block, and before its phase's end."""

    of_block: UInt32s
    end: Int64s
    group: UInt32s
    """of each host: its phase times the number of threads, and its thread"""


class VotesBetween:
    """The votes under way between the hosts of *layout*: ``sent``, of each arc as it is routed.

    ``is_current``: they are those that were sent last. Whoever changes votes but by a sweep of a phase
    that is sent then, sets it to False.
    """

    def __init__(self, layout: HostLayout) -> None:
        exchange = layout.exchange()
        self.phases = exchange.phases
        self.routes = exchange.routes
        self.sent = layout.room(len(self.routes.sources), np.float64)
        self.is_current = False
        self._far = layout.far
        self._crew = layout.crew

    def send_all(self, vote: Floats) -> None:
        """Send the votes of all phases, unless they are current."""
        if not self.is_current:
            for number in range(len(self.phases)):
                self.send(number, vote)
        self.is_current = True

    def send(self, number: int, vote: Floats) -> None:
        """Send the votes of phase *number* to all hosts."""
        threads = range(self.routes.n_threads)
        if self._far is None:
            known = (self.routes, vote, self.sent, number)
            self._crew.call(send_votes, [(*known, thread) for thread in threads])
        else:
            by_page = (self.routes, vote, self._far, self.sent, number)
            self._crew.call(send_far_votes, [(*by_page, thread) for thread in threads])

    def take(self, number: int, calls: list[tuple[Layout, Work]]) -> None:
        """Set what the hosts of phase *number* are given, the hosts of each thread in *calls*."""
        known = (self.routes, self.sent, number)
        self._crew.call(take_votes, [(*call, *known, thread) for thread, call in enumerate(calls)])


class VoteExchange:
    """The ``phases`` of a pass over *layout*, and the ``routes`` between them.

    The arcs between hosts are taken out of the layout.
    """

    def __init__(self, layout: HostLayout) -> None:
        arrays, n_threads = layout.arrays, layout.crew.n_threads
        self.phases: list[Phase] = phases_of(arrays, n_threads)
        n_phases = len(self.phases)
        senders = _senders(arrays, self.phases)
        counts = np.zeros(n_phases * n_phases * n_threads, dtype=np.int64)
        _count(arrays, senders, n_phases, n_threads, counts)
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        n_arcs = int(start[-1])
        self.routes: Routes = Routes(
            layout.room(n_arcs, np.uint32),
            layout.room(n_arcs, np.uint32),
            start,
            n_phases,
            n_threads,
        )
        _place(arrays, senders, self.routes, start[:-1].copy())
        none = np.zeros(0, dtype=np.uint32)
        layout.arrays = arrays._replace(foreign_targets=none, foreign_sources=none)


def _senders(arrays: Layout, phases: list[Phase]) -> _Senders:
    end = np.array([phase.first_page + phase.n_pages for phase in phases], dtype=np.int64)
    blocks = np.arange(0, int(end[-1]), 1 << int(_BLOCK_BITS))
    group = np.zeros(len(arrays.n_linking), dtype=np.uint32)
    for number, phase in enumerate(phases):
        for thread, hosts in enumerate(phase.hosts):
            group[hosts] = number * len(phase.hosts) + thread
    return _Senders(np.searchsorted(end, blocks, side="right").astype(np.uint32), end, group)


@lean_kernel
def _count(
    layout: Layout, senders: _Senders, n_phases: int, n_threads: int, counts: Int64s
) -> None:
    """Add to *counts* the arcs of each route."""
    for host in range(len(senders.group)):
        phase, thread = divmod(np.int64(senders.group[host]), n_threads)
        for j in range(layout.foreign_ptr[host], layout.foreign_ptr[host + 1]):
            source = np.uint64(layout.foreign_sources[np.uint64(j)])
            sender = np.int64(senders.of_block[source >> _BLOCK_BITS])
            while np.int64(source) >= senders.end[sender]:
                sender += 1
            counts[(phase * n_phases + sender) * n_threads + thread] += 1


@lean_kernel
def _place(layout: Layout, senders: _Senders, routes: Routes, free: Int64s) -> None:
    """Set the arcs of *routes*; *free*: where the next one of each goes."""
    for host in range(len(senders.group)):
        phase, thread = divmod(np.int64(senders.group[host]), routes.n_threads)
        for j in range(layout.foreign_ptr[host], layout.foreign_ptr[host + 1]):
            source = np.uint64(layout.foreign_sources[np.uint64(j)])
            sender = np.int64(senders.of_block[source >> _BLOCK_BITS])
            while np.int64(source) >= senders.end[sender]:
                sender += 1
            route = (phase * routes.n_phases + sender) * routes.n_threads + thread
            place = np.uint64(free[route])
            routes.sources[place] = source
            routes.targets[place] = layout.foreign_targets[np.uint64(j)]
            free[route] += 1


@lean_kernel
def send_votes(routes: Routes, vote: Floats, sent: Floats, sender: int, thread: int) -> None:
    """Write to *sent* the votes that pages of phase *sender* give to the hosts of *thread*."""
    for phase in range(routes.n_phases):
        route = (phase * routes.n_phases + sender) * routes.n_threads + thread
        for j in range(np.uint64(routes.start[route]), np.uint64(routes.start[route + 1])):
            sent[j] = vote[np.uint64(routes.sources[j])]


@lean_kernel
def take_votes(
    layout: Layout, work: Work, routes: Routes, sent: Floats, phase: int, thread: int
) -> None:
    """Set what is given to the hosts of *work*, those of *thread* in *phase*: base, and votes *sent*."""
    is_uniform = len(layout.base) == 1
    skipped = np.uint64(work.first_page)
    given = work.given
    for number in work.hosts:
        host = np.uint64(number)
        start = np.uint64(layout.host_ptr[host])
        for page in range(start, start + np.uint64(layout.n_linking[host])):
            given[page - skipped] = layout.base[0] if is_uniform else layout.base[page]
    for sender in range(routes.n_phases):
        route = (phase * routes.n_phases + sender) * routes.n_threads + thread
        for j in range(np.uint64(routes.start[route]), np.uint64(routes.start[route + 1])):
            given[np.uint64(routes.targets[j]) - skipped] += sent[j]
