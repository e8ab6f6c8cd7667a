"""Loads the arcs of a corpus into a host graph, on two threads.

The arcs stand in parts, oldest first: sealed files, and records of the journal. Each part holds the
captures of some pages, each page once; of a page in several parts the last one counts, so the arcs of
a page that was fetched again are those of its latest capture. Of several shards each has parts of its
own: a page has arcs in every shard that owns a page it links to, and all of them count.

The parts are cut into units (crawler.webgraph.arcs.units). One thread reads them from the first on, the
other from the last on, until they meet; each counts the arcs that it has read, for each target. Then
it is known where the arcs of each thread to each target begin, and both place theirs at once: in the
order of their sources, if those ascend from unit to unit, else the rows are sorted.

What was decoded to count is kept to be placed, as long as that is no more than `MAX_KEPT_ARCS`; the
units behind are decoded again. Memory: the graph's, 8 bytes a page (16 if there are 2^32 arcs), 4 bytes
a page more for each shard that has several parts, 4 bytes an arc that is kept, 8 bytes a page whose arcs are,
and a unit for each thread.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.errors import FormatError
from crawler.webgraph.arcs.units import ArcParts, Unit, UnitReader, survey
from crawler.webgraph.csr import HostGraph
from crawler.webgraph.csr_kernels import (
    Lists,
    PageNumbers,
    begin_lists,
    count_sources,
    count_targets,
    place_lists,
    sort_rows,
)
from crawler.webgraph.page_numbers import bases_of, numbers_of, page_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from crawler.webgraph.arcs.blocks import ArcBlock
    from crawler.webgraph.page_numbers import Room

N_THREADS = 2
# Targets of a block that is decoded again without fresh memory; blocks are cut to a little less.
ROOM_ARCS = 2**17
# 512 MB.
MAX_KEPT_ARCS = 2**27


def load_host_graph(
    pages: npt.NDArray[np.uint64],
    files: Sequence[Path],
    records: Sequence[bytes] = (),
    *,
    others: Sequence[ArcParts] = (),
    nofollow: bool = True,
    room: Room = np.empty,
) -> HostGraph:
    """Return the graph of *pages* (packed) with the arcs of *files*, then *records*, oldest first.

    *others* are the arcs of other shards. Without arcs that are only nofollow links if not *nofollow*.
    The arrays of pages and arcs are made by *room*. Raises `FormatError` when a file is damaged,
    :exc:`ValueError` when an arc's end is not in *pages*.
    """
    numbers = page_numbers(pages, room)
    n_pages = len(numbers.local_ids)
    task = _Task(numbers, bases_of(numbers), nofollow=nofollow)
    with ThreadPoolExecutor(N_THREADS) as pool:
        first, second = _counted(
            pool, task, survey([ArcParts(files, records), *others], numbers, pool)
        )
        indptr = room(n_pages + 1, np.int64)
        begin_lists(first.ends, second.ends, indptr)
        indices = room(int(indptr[-1]), np.uint32)
        out_degree = room(n_pages, np.uint32)
        out_degree[:] = 0
        _place(pool, (first, second), (indptr, indices), out_degree)
    if others:  # a page has a list in each shard that it links to, so none tells how many it has
        out_degree[:] = 0
        count_sources(indices, out_degree)
    return HostGraph(*numbers, indptr, indices, out_degree)


def _counted(pool: ThreadPoolExecutor, task: _Task, units: Sequence[Unit]) -> tuple[_Share, _Share]:
    """Read *units* from both ends until the threads meet; return what each has read."""
    n_pages = len(task.numbers.local_ids)
    n_arcs = sum(unit.n_arcs for unit in units)
    counters = np.uint32 if n_arcs < 2**32 else np.uint64
    kept = np.empty(min(n_arcs, MAX_KEPT_ARCS), dtype=np.uint32)
    first, second = (_Share(task, np.zeros(n_pages, dtype=counters)) for _ in range(N_THREADS))
    waiting = deque(units)
    _both(
        pool,
        lambda: first.read(waiting, waiting.popleft, kept),
        lambda: second.read(waiting, waiting.pop, kept),
    )
    second.read_units.reverse()
    return first, second


def _place(
    pool: ThreadPoolExecutor,
    shares: tuple[_Share, _Share],
    graph: tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]],
    out_degree: npt.NDArray[np.uint32],
) -> None:
    """Place the arcs of both *shares* in the rows of *graph*, indptr and indices, each row ascending."""
    first, second = shares
    indptr, indices = graph
    _both(pool, lambda: first.place(indices, out_degree), lambda: second.place(indices, out_degree))
    if not _ascend([*first.read_units, *second.read_units]):
        middle = int(np.searchsorted(indptr, indptr[-1] // 2))
        _both(
            pool,
            lambda: sort_rows(indptr, indices, 0, middle),
            lambda: sort_rows(indptr, indices, middle, len(indptr) - 1),
        )


@dataclass(frozen=True, slots=True)
class _Task:
    """What to load: the numbers of pages, and whether nofollow arcs are taken."""

    numbers: PageNumbers
    bases: npt.NDArray[np.uint64] | None
    nofollow: bool

    def lists(self, unit: Unit, part: int, block: ArcBlock, room: npt.NDArray[np.uint32]) -> Lists:
        """Return the arcs of *block* of *unit* that count, by page number; the targets may lie in *room*."""
        lists = self._all_lists(block, room)
        if unit.latest is None or (keep := unit.latest[lists.sources] == part).all():
            return lists
        kept = np.repeat(keep, lists.counts)
        return Lists(lists.sources[keep], lists.counts[keep], lists.targets[kept])

    def _all_lists(self, block: ArcBlock, room: npt.NDArray[np.uint32]) -> Lists:
        if self.bases is not None:
            try:
                found = block.number_lists(self.bases, room, nofollow=self.nofollow)
            except FormatError:  # or an arc to a page that is not there: decoding to ids tells
                pass
            else:
                sources = numbers_of(found.sources, self.numbers)
                return Lists(sources, found.counts, found.targets)
        ids = block.target_lists(nofollow=self.nofollow)
        targets = numbers_of(ids.targets, self.numbers)
        return Lists(numbers_of(ids.sources, self.numbers), ids.counts, targets)


@dataclass(slots=True)
class _ReadUnit:
    """A unit, the first and last sources of its lists that have any, and the lists if they are kept."""

    unit: Unit
    ends: list[tuple[int, int]]
    lists: list[Lists] | None


class _Share:
    """The arcs of neighbouring units, which one thread reads and places.

    *ends* counts the arcs to each page; then it is where the list of each ends as it is placed.
    """

    def __init__(self, task: _Task, ends: npt.NDArray[Any]) -> None:
        self.task = task
        self.ends = ends
        self.read_units: list[_ReadUnit] = []
        self._reader = UnitReader()

    def read(
        self, waiting: deque[Unit], take: Callable[[], Unit], kept: npt.NDArray[np.uint32]
    ) -> None:
        """Read what *take* takes from *waiting* and count its arcs; targets are written to *kept*."""
        try:
            with self._reader:
                while waiting:
                    try:
                        unit = take()
                    except IndexError:  # the other thread took it
                        return
                    self.read_units.append(self._read(unit, kept))
        except BaseException:
            waiting.clear()  # the other thread need not go on
            raise

    def _read(self, unit: Unit, kept: npt.NDArray[np.uint32]) -> _ReadUnit:
        is_kept = unit.begin + unit.n_arcs <= len(kept)
        begin = unit.begin
        scratch = np.empty(0 if is_kept else ROOM_ARCS, dtype=np.uint32)
        read = _ReadUnit(unit, [], [] if is_kept else None)
        for part, block in self._reader.blocks(unit):
            room = kept[begin : unit.begin + unit.n_arcs] if is_kept else scratch
            lists = self.task.lists(unit, part, block, room)
            count_targets(lists.targets, self.ends)
            begin += block.n_targets
            if len(lists.sources):
                read.ends.append((int(lists.sources[0]), int(lists.sources[-1])))
            if read.lists is not None:
                read.lists.append(lists)
        return read

    def place(self, indices: npt.NDArray[np.uint32], out_degree: npt.NDArray[np.uint32]) -> None:
        """Place the arcs of all units that were read."""
        scratch = np.empty(ROOM_ARCS, dtype=np.uint32)
        with self._reader:
            for read in self.read_units:
                for lists in read.lists or ():
                    place_lists(lists, self.ends, indices, out_degree)
                if read.lists is None:
                    for part, block in self._reader.blocks(read.unit):
                        lists = self.task.lists(read.unit, part, block, scratch)
                        place_lists(lists, self.ends, indices, out_degree)
                read.lists = []


def _both(pool: ThreadPoolExecutor, first: Callable[[], None], second: Callable[[], None]) -> None:
    """Call *first* and *second* at once, and wait for both."""
    futures = [pool.submit(first), pool.submit(second)]
    for future in futures:
        future.result()


def _ascend(units: Sequence[_ReadUnit]) -> bool:
    """Tell whether the sources of *units* ascend from list to list."""
    ends = [end for read in units for end in read.ends]
    return all(last < first for (_, last), (first, _) in pairwise(ends))
