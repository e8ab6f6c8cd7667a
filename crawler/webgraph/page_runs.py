"""Sealed runs of the page table: PageId → text on disk, and what replays the table.

A seal takes what the log ``disc`` holds, sorts it by id, writes it as a run and deletes the log's
records, in one transaction. A host's pages in a run are one interval of LocalIDs, and a run begins
where the one before ended, so the text of a page is found by a search among (first id, rank).

*On disk.* Table ``runs``: u32 big-endian number of the run → a record as in the log ``disc``
(crawler.webgraph.discoveries) without ``locals``, and with ``last``, the last sequence that it covers.
Table ``texts``: u32 big-endian number of the run, u32 number of the group → 2,048 texts
(crawler.webgraph.page_blocks), in the order of ids.

Memory: 4 bytes a host, for the rank of its first page, and 12 for each further run that has pages of it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.durable.keys import u32_key, u32_of, u32_pair_key
from crawler.durable.transaction import lost_row
from crawler.errors import FormatError
from crawler.kernels.jit import lean_kernel, part
from crawler.webgraph.address_space import entries, reserve
from crawler.webgraph.block_texts import SLACK, Frames, gather_texts
from crawler.webgraph.discoveries import Discoveries, pack_discoveries, unpack_discoveries
from crawler.webgraph.host_extents import MAX_HOSTS
from crawler.webgraph.page_blocks import (
    BLOCK_PAGES,
    GROUP_BLOCKS,
    block_frame,
    read_block,
    read_group,
)
from crawler.webgraph.text_prints import fill_prints
from crawler.webgraph.texts import END, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.webgraph.texts import Texts

    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_END = bytes([END])
# Blocks that are kept unpacked, 5 kB each, or 10 kB split up when they were asked for again.
_CACHED_BLOCKS = 256


class PageRuns:
    """Which texts lie where: the index of the sealed runs."""

    __slots__ = ("_cache", "_first_rank_of", "_first_ranks", "_firsts", "_ranks", "_starts", "last")

    def __init__(self) -> None:
        self._first_ranks: U32 = reserve(MAX_HOSTS, np.uint32)  # of LocalID 0 of each host
        self._first_rank_of = entries(self._first_ranks)
        self._firsts = np.zeros(0, dtype=np.uint64)
        self._ranks = np.zeros(0, dtype=np.uint32)
        self._starts = [0]
        self._cache: dict[tuple[int, int], bytes | list[bytes]] = {}
        self.last = 0

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self._starts) - 1

    @property
    def n_pages(self) -> int:
        """Return the number of pages in all runs."""
        return self._starts[-1]

    @property
    def n_bytes(self) -> int:
        """Return the bytes of the index, but for those of the hosts."""
        return self._firsts.nbytes + self._ranks.nbytes

    def add(self, found: Discoveries, last: int) -> None:
        """Add the next run, which covers the log up to sequence *last*."""
        hosts, firsts, counts = (row.astype(np.uint64) for row in found.runs)
        ranks = (self.n_pages + np.cumsum(counts) - counts).astype(np.uint32)
        is_first = firsts == 0
        self._first_ranks[hosts[is_first]] = ranks[is_first]
        further = ~is_first
        keys = np.concatenate([self._firsts, (hosts << np.uint64(32) | firsts)[further]])
        order = np.argsort(keys, kind="stable")
        self._firsts = keys[order]
        self._ranks = np.concatenate([self._ranks, ranks[further]])[order]
        self._starts.append(self.n_pages + len(found.ids))
        self.last = last

    def forget_blocks(self) -> None:
        """Forget the blocks that are kept unpacked."""
        self._cache = {}

    def read_text(self, txn: Transaction | None, page_id: int) -> str:
        """Return the text of the page *page_id*, which is in a run.

        Without *txn*, raise `LookupError` when its block is not at hand.
        """
        first_rank = self._first_rank_of[page_id >> 32]
        rank = _rank(self._firsts, self._ranks, first_rank, page_id)
        return self._text(txn, rank).decode("utf-8", "surrogatepass")

    def read_texts(self, txn: Transaction, ids: U64) -> list[str]:
        """Return the texts of the pages *ids*, all of which are in runs."""
        ranks = np.empty(len(ids), dtype=np.int64)
        _fill_ranks(self._firsts, self._ranks, self._first_ranks, ids, ranks)
        return [self._text(txn, rank).decode("utf-8", "surrogatepass") for rank in ranks.tolist()]

    def gather(self, txn: Transaction, ids: U64) -> Texts:
        """Return the texts of the pages *ids*, all of which are in runs; nothing is kept of blocks.

        For many pages at once.
        """
        ranks = np.empty(len(ids), dtype=np.int64)
        _fill_ranks(self._firsts, self._ranks, self._first_ranks, ids, ranks)
        starts = np.array(self._starts, dtype=np.int64)
        runs = np.searchsorted(starts, ranks, side="right") - 1
        inner = ranks - starts[runs]
        blocks = runs << 32 | inner // BLOCK_PAGES
        wanted, numbers = np.unique(blocks, return_inverse=True)
        return gather_texts(_read_frames(txn, wanted.tolist()), numbers, inner % BLOCK_PAGES)

    def _text(self, txn: Transaction | None, rank: int) -> bytes:
        run = bisect_right(self._starts, rank) - 1
        inner = rank - self._starts[run]
        number, place = inner // BLOCK_PAGES, inner % BLOCK_PAGES
        kept = self._cache.get((run, number))
        try:
            if isinstance(kept, list):
                return kept[place]
            if kept is not None:
                texts = self._cache[run, number] = kept.split(_END)[:-1]
                return texts[place]
            return text_at(self._read_block(txn, run, number), place)
        except IndexError as error:
            raise FormatError(
                "a block of URLs is short; restore the journal from a copy"
            ) from error

    def _read_block(self, txn: Transaction | None, run: int, number: int) -> bytes:
        if txn is None:
            raise LookupError(run, number)
        group = _read_group_row(txn, run, number // GROUP_BLOCKS)
        block = read_block(group, number % GROUP_BLOCKS)
        if len(self._cache) >= _CACHED_BLOCKS:
            del self._cache[next(iter(self._cache))]
        self._cache[run, number] = block
        return block


@part
def _rank_of(firsts: U64, ranks: U32, first_rank: Any, page_id: np.uint64) -> Any:
    """Return the rank of a page: that of the last entry of its host before it, and the distance."""
    low, high = 0, firsts.size
    while low < high:
        middle = (low + high) >> 1
        if firsts[middle] <= page_id:
            low = middle + 1
        else:
            high = middle
    if low > 0 and firsts[low - 1] >> np.uint64(32) == page_id >> np.uint64(32):
        return np.int64(ranks[low - 1]) + np.int64(page_id - firsts[low - 1])
    return np.int64(first_rank) + np.int64(page_id & np.uint64(0xFFFFFFFF))


@lean_kernel
def _rank(firsts: U64, ranks: U32, first_rank: int, page_id: int) -> int:
    return int(_rank_of(firsts, ranks, first_rank, np.uint64(page_id)))


@lean_kernel
def _fill_ranks(
    firsts: U64, ranks: U32, first_ranks: U32, ids: U64, found: npt.NDArray[np.int64]
) -> None:
    for i in range(ids.size):
        first_rank = first_ranks[ids[i] >> np.uint64(32)]
        found[i] = _rank_of(firsts, ranks, first_rank, ids[i])


def write_run(
    txn: Transaction, number: int, found: Discoveries, groups: Sequence[bytes], last: int
) -> None:
    """Write *found* as run *number*, whose texts are in *groups*."""
    for group, packed in enumerate(groups):
        txn.append("texts", u32_pair_key(number, group), packed)
    txn.append("runs", u32_key(number), pack_discoveries(found, last=last))


def read_runs(txn: Transaction, start: int = 0) -> Iterator[tuple[int, Discoveries, int]]:
    """Yield (number, what was found, last sequence) of the runs from *start* on."""
    for key, record in txn.scan("runs", u32_key(start)):
        found, last = unpack_discoveries(record)
        yield u32_of(key), found, last


def read_run_prints(txn: Transaction, number: int, seeds: U32) -> U64:
    """Return the fingerprints of all texts of a run, by their *seeds*: the HostIDs of its pages."""
    prints, n = np.empty(len(seeds), dtype=np.uint64), 0
    for key, group in txn.scan("texts", u32_key(number)):
        if u32_of(key) != number:
            break
        n += fill_prints(read_group(group), seeds[n:], prints[n:])
    if n != len(seeds):
        raise FormatError("a run of URLs is short; restore the journal from a copy")
    return prints


def _read_frames(txn: Transaction, blocks: Sequence[int]) -> Frames:
    """Return the frames of *blocks*, each its number and 2^32 times its run; ascending."""
    frames, sizes, ends, end, last = [], [], [], 0, -1
    group: bytes | memoryview = b""
    for block in blocks:
        if block // GROUP_BLOCKS != last:
            last = block // GROUP_BLOCKS
            group = _read_group_row(txn, block >> 32, (block & 0xFFFFFFFF) // GROUP_BLOCKS)
        frame, size = block_frame(group, block % GROUP_BLOCKS)
        frames.append(frame)
        sizes.append(size)
        end += len(frame)
        ends.append(end)
    frames.append(bytes(SLACK))
    data = np.frombuffer(b"".join(frames), dtype=np.uint8)
    bounds = np.array([0, *ends], dtype=np.int64)
    return Frames(data, bounds[:-1], bounds[1:], np.array(sizes, dtype=np.int64))


def _read_group_row(txn: Transaction, run: int, group: int) -> memoryview | bytes:
    raw = txn.view("texts", u32_pair_key(run, group))
    if raw is None:
        raise lost_row("texts", (run, group))
    return raw
