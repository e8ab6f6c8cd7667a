"""Loads the arcs of a corpus into a host graph, block by block.

The arcs stand in parts, oldest first: sealed files, and records of the journal. Each part holds the
captures of some pages, each page once; of a page in several parts the last one counts, so the arcs of
a page that was fetched again are those of its latest capture.

Blocks are decoded on other threads while the arcs of earlier ones are counted and placed. What was
decoded to count is kept to be placed, as long as that is no more than `MAX_KEPT_ARCS`; the blocks
behind are decoded again. Memory: the graph's, 4 bytes a page where there are several parts, 4 bytes
an arc that is kept, 8 bytes a page whose arcs are, and `N_AHEAD` blocks.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import FormatError
from crawler.webgraph.arc_files import count_targets, read_blocks, read_sources
from crawler.webgraph.arcs import unpack_block
from crawler.webgraph.csr import HostGraphBuilder
from crawler.webgraph.csr_kernels import Lists

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    import numpy.typing as npt

    from crawler.webgraph.arc_blocks import ArcBlock
    from crawler.webgraph.csr import HostGraph

    Room = npt.NDArray[np.uint64]

# Blocks that are being decoded or wait to be placed, and the threads that decode.
N_AHEAD = 4
N_THREADS = 2
# Targets of a block that are decoded without fresh memory; blocks are cut to a little less.
ROOM_ARCS = 2**17
# 512 MB.
MAX_KEPT_ARCS = 2**27


def load_host_graph(
    pages: npt.NDArray[np.uint64],
    files: Sequence[Path],
    records: Sequence[bytes] = (),
    *,
    nofollow: bool = True,
) -> HostGraph:
    """Return the graph of *pages* (packed) with the arcs of *files*, then *records*, oldest first.

    Without arcs that are only nofollow links if not *nofollow*. Raises `FormatError` when a file is
    damaged, :exc:`ValueError` when an arc's end is not in *pages*.
    """
    builder = HostGraphBuilder(pages)
    bases = builder.bases()
    latest = _latest_part(builder, files, records)

    # As many as there are blocks at a time; each goes from the thread that fills it to here and back.
    rooms: SimpleQueue[Room] = SimpleQueue()
    for _ in range(N_AHEAD + 1):
        rooms.put(np.empty(ROOM_ARCS, dtype=np.uint64))

    def decode(part: int, block: ArcBlock) -> tuple[Lists, Room]:
        room = rooms.get()
        lists = _lists(builder, block, bases, room, nofollow=nofollow)
        if latest is None or (keep := latest[lists.sources] == part).all():
            return lists, room
        kept = np.repeat(keep, lists.counts)
        return Lists(lists.sources[keep], lists.counts[keep], lists.targets[kept]), room

    kept = _Kept(min(_n_targets(files), MAX_KEPT_ARCS))
    with ThreadPoolExecutor(N_THREADS) as pool:
        for lists, room in _in_order(pool, decode, _blocks(files, records)):
            builder.count(lists.targets)
            kept.add(lists)
            rooms.put(room)
        builder.end_counting()
        for lists in kept.lists:
            builder.place_lists(lists)
        if kept.is_full:
            again = islice(_blocks(files, records), len(kept.lists), None)
            for lists, room in _in_order(pool, decode, again):
                builder.place_lists(lists)
                rooms.put(room)
    return builder.graph()


class _Kept:
    """The arcs of the first blocks, as many as fit into *n_arcs*."""

    def __init__(self, n_arcs: int) -> None:
        # One array: fresh memory in many small pieces costs more time than decoding.
        self._targets = np.empty(n_arcs, dtype=np.uint32)
        self._end = 0
        self.is_full = False  # something did not fit
        self.lists: list[Lists] = []

    def add(self, lists: Lists) -> None:
        """Keep *lists*, if they and all before them fit."""
        end = self._end + len(lists.targets)
        self.is_full |= end > len(self._targets)
        if not self.is_full:
            targets = self._targets[self._end : end]
            targets[:] = lists.targets
            self._end = end
            self.lists.append(lists._replace(targets=targets))


def _n_targets(files: Sequence[Path]) -> int:
    return sum(count_targets(path) for path in files)


def _lists(
    builder: HostGraphBuilder,
    block: ArcBlock,
    bases: npt.NDArray[np.uint64] | None,
    room: Room,
    *,
    nofollow: bool,
) -> Lists:
    """Return the arcs of *block* by page number; the targets may lie in *room*."""
    if bases is not None:
        try:
            lists = block.target_lists(nofollow=nofollow, bases=bases, room=room)
        except FormatError:  # or an arc to a page that is not there: decoding to ids tells
            pass
        else:
            return Lists(builder.numbers(lists.sources), lists.counts, lists.targets)
    lists = block.target_lists(nofollow=nofollow)
    targets = builder.numbers(lists.targets).astype(np.uint64)
    return Lists(builder.numbers(lists.sources), lists.counts, targets)


def _blocks(files: Sequence[Path], records: Sequence[bytes]) -> Iterator[tuple[int, ArcBlock]]:
    """Yield the blocks with the number of their part."""
    for part, path in enumerate(files):
        yield from ((part, block) for block in read_blocks(path))
    for part, record in enumerate(records, len(files)):
        yield part, unpack_block(record)


def _latest_part(
    builder: HostGraphBuilder, files: Sequence[Path], records: Sequence[bytes]
) -> npt.NDArray[np.uint32] | None:
    """Return the part of each page that counts, None where there is but one part."""
    if len(files) + len(records) < 2:
        return None
    latest = np.zeros(len(builder.pages.local_ids), dtype=np.uint32)
    of_files = (read_sources(path) for path in files)
    of_records = (unpack_block(record).sources() for record in records)
    for part, sources in enumerate(chain(of_files, of_records)):
        latest[builder.numbers(sources)] = part
    return latest


def _in_order(
    pool: ThreadPoolExecutor,
    work: Callable[[int, ArcBlock], tuple[Lists, Room]],
    blocks: Iterable[tuple[int, ArcBlock]],
) -> Iterator[tuple[Lists, Room]]:
    """Yield what *work* makes of *blocks* on the threads of *pool*, in their order."""
    waiting: deque[Future[tuple[Lists, Room]]] = deque()
    try:
        for part, block in blocks:
            waiting.append(pool.submit(work, part, block))
            if len(waiting) >= N_AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
