"""Sealed runs of the page table: PageId → text on disk, and what replays the table.

A seal takes what the log ``disc`` holds, sorts it by id, writes it as a run and deletes the log's
records, in one transaction. A host's pages in a run are one interval of LocalIDs, which begins where
that of an earlier run ended, so the text of a page is found by its rank (crawler.webgraph.pages.run_ranks).

*On disk.* Table ``runs``: u32 big-endian number of the run → a record as in the log ``disc``
(crawler.webgraph.pages.discoveries) without ``locals``, and with ``last``, the last sequence that it covers.
Table ``texts``: u32 big-endian number of the run, u32 number of the group → 2,048 texts
(crawler.webgraph.pages.blocks), in the order of ids.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.keys import u32_key, u32_of, u32_pair_key
from crawler.durable.transaction import lost_row
from crawler.errors import FormatError
from crawler.webgraph.block_texts import block_rows, gather_texts
from crawler.webgraph.pages.blocks import (
    BLOCK_PAGES,
    GROUP_BLOCKS,
    block_frames,
    read_block,
    read_group,
)
from crawler.webgraph.pages.discoveries import Discoveries, pack_discoveries, unpack_discoveries
from crawler.webgraph.pages.run_ranks import RunRanks
from crawler.webgraph.prints.text_prints import fill_prints
from crawler.webgraph.texts import END, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.webgraph.block_texts import Frames
    from crawler.webgraph.texts import Texts

    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_END = bytes([END])
# Blocks that are kept unpacked, 5 kB each, or 10 kB split up when they were asked for again.
_CACHED_BLOCKS = 256


class PageRuns:
    """Which texts lie where: the index of the sealed runs."""

    __slots__ = ("_cache", "_ranks", "_starts", "last")

    def __init__(self) -> None:
        self._ranks = RunRanks()
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
        """Return the bytes of the index."""
        return self._ranks.n_bytes

    def add(self, found: Discoveries, last: int) -> None:
        """Add the next run, which covers the log up to sequence *last*."""
        hosts, _, counts = found.runs
        self._ranks.add(hosts, counts, self.n_pages)
        self._starts.append(self.n_pages + len(found.ids))
        self.last = last

    def forget_blocks(self) -> None:
        """Forget the blocks that are kept unpacked."""
        self._cache = {}

    def read_text(self, txn: Transaction | None, page_id: int) -> str:
        """Return the text of the page *page_id*, which is in a run.

        Without *txn*, raise `LookupError` when its block is not at hand.
        """
        rank = self._ranks.find_one(page_id)
        return self._text(txn, rank).decode("utf-8", "surrogatepass")

    def read_texts(self, txn: Transaction, ids: U64) -> list[str]:
        """Return the texts of the pages *ids*, all of which are in runs."""
        ranks: list[int] = self._ranks.find(ids).tolist()
        return [self._text(txn, rank).decode("utf-8", "surrogatepass") for rank in ranks]

    def gather(self, txn: Transaction, ids: U64) -> Texts:
        """Return the texts of the pages *ids*, all of which are in runs; nothing is kept of blocks.

        For many pages at once.
        """
        ranks = self._ranks.find(ids)
        starts = np.array(self._starts, dtype=np.int64)
        runs = np.searchsorted(starts, ranks, side="right") - 1
        blocks, rows = block_rows(runs * (BLOCK_PAGES << 32) + ranks - starts[runs], BLOCK_PAGES)
        return gather_texts(_read_frames(txn, blocks), rows)

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


def _read_frames(txn: Transaction, blocks: I64) -> Frames:
    """Return the frames of *blocks*, each its number and 2^32 times its run; ascending."""
    runs, numbers = blocks >> 32, blocks & 0xFFFFFFFF
    groups = runs << 32 | numbers // GROUP_BLOCKS
    is_first = np.diff(groups, prepend=-1) != 0
    keys = groups[is_first].astype(">u8").tobytes()
    size = groups.itemsize
    rows = txn.views("texts", [keys[at : at + size] for at in range(0, len(keys), size)])
    if len(rows) < np.count_nonzero(is_first):
        raise lost_row("texts", "of a run")
    return block_frames(rows, np.cumsum(is_first) - 1, numbers % GROUP_BLOCKS)


def _read_group_row(txn: Transaction, run: int, group: int) -> memoryview | bytes:
    raw = txn.view("texts", u32_pair_key(run, group))
    if raw is None:
        raise lost_row("texts", (run, group))
    return raw
