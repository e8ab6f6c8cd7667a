"""The graph of a corpus folder, read while a crawl may be writing it.

A `Graph` is a snapshot: the segments that the journals of all shards name, and a copy of the logs that
are not sealed yet, as of one committed transaction each.

Memory: the compressed records of arcs that are not sealed, the URLs that are not sealed (36 MB at
most), at most 14 bytes for each host of each run of pages; `pages` 8 bytes a page and `arcs` 17 bytes an arc
in what they return, about twice that while they work.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.journals import open_readers
from crawler.durable.layout import shards_of
from crawler.durable.sealing import check_shards, read_shards
from crawler.errors import InputError
from crawler.urls import page_url
from crawler.webgraph.arcs.lost import has_lost, records_of, visited_pages, without_lost
from crawler.webgraph.arcs.records import NOFOLLOW, unpack_arcs
from crawler.webgraph.arcs.segments import arc_files, latest_arcs, read_arcs
from crawler.webgraph.arcs.units import ArcParts
from crawler.webgraph.hosts.rows import read_categories
from crawler.webgraph.loading import load_host_graph
from crawler.webgraph.pages.table import PageTable, read_keys
from crawler.webgraph.pages.texts import PageTexts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from crawler.urls import PageKey
    from crawler.webgraph.arcs.blocks import ArcBatch
    from crawler.webgraph.csr import HostGraph
    from crawler.webgraph.page_numbers import Room

# Pages looked up in one read transaction.
LOOKUP_PAGES = 10_000


class _ShardGraph:
    """What one shard holds, as of the transaction *txn* of its *journal*."""

    def __init__(self, corpus_dir: Path, journal: Journal, txn: Transaction) -> None:
        self.journal = journal
        prefix = arc_files(journal.shard)["arcs"]
        shards = [shard for shard in read_shards(txn) if shard.name.startswith(prefix)]
        self.texts = PageTexts()
        self.texts.follow(txn)
        self.moved = {int.from_bytes(key, "big") for key in txn.keys("moved")}
        self.records = [record for _, record in txn.scan("arcs")]
        check_shards(corpus_dir, shards)
        shards.sort(key=lambda shard: shard.serial)
        self.files = [corpus_dir / shard.name for shard in shards]

    def latest(self) -> ArcBatch:
        """Return the arcs that this shard holds, of each page those of its latest capture."""
        batches = [read_arcs(path) for path in self.files]
        return latest_arcs(batches + [unpack_arcs(record) for record in self.records])


class Graph:
    """Pages, arcs and URLs of the corpus in *corpus_dir*, of all its shards; a context manager.

    *journals* are those of the shards. Where a shard of the crawl was given up, arcs of pages that only it
    had captured are left out (crawler.webgraph.arcs.lost): *n_lost_arcs*, once arcs were read.
    """

    def __init__(self, corpus_dir: Path, journals: Sequence[Journal]) -> None:
        self.corpus_dir = corpus_dir
        self.n_lost_arcs = 0
        self._opened = ExitStack()
        with ExitStack() as stack:
            # All begin at once: then no shard names a page that its owner has found only since.
            snapshots = [stack.enter_context(journal.read()) for journal in journals]
            self._shards = [
                _ShardGraph(corpus_dir, journal, txn)
                for journal, txn in zip(journals, snapshots, strict=True)
            ]
            is_whole = not any(map(has_lost, snapshots))
            self._visited = [] if is_whole else [visited_pages(txn) for txn in snapshots]

    @classmethod
    def open(cls, corpus_dir: Path | str) -> Graph:
        """Open the graph of *corpus_dir*; raise `InputError` when there is none."""
        folder = Path(corpus_dir)
        if not shards_of(folder):
            raise InputError(f"no graph in {folder}; run a crawl first or give its CORPUS_DIR")
        with ExitStack() as stack:
            journals = stack.enter_context(open_readers(folder))
            graph = cls(folder, journals)
            if not any(shard.texts.n_pages or shard.files for shard in graph._shards):
                raise InputError(f"the graph in {folder} is empty; run a crawl first")
            graph._opened = stack.pop_all()
        return graph

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the journals."""
        self._opened.close()

    def pages(self) -> npt.NDArray[np.uint64]:
        """Return the ids of all known pages, sorted."""
        of_shards = [ids for shard in self._shards for ids in shard.texts.all_ids()]
        pages = np.concatenate([np.zeros(0, dtype=np.uint64), *of_shards])
        return pages if len(self._shards) == 1 else np.unique(pages)  # hosts may have moved

    def arcs(
        self, *, nofollow: bool = True
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
        """Return sources, targets and flags of all arcs, without nofollow ones if not *nofollow*."""
        batches = self._batches()
        sources = np.concatenate([np.repeat(batch.sources, batch.counts) for batch in batches])
        targets = np.concatenate([batch.targets for batch in batches])
        flags = np.concatenate([batch.flags for batch in batches])
        if len(batches) > 1:
            order = np.lexsort((flags, targets, sources))
            sources, targets, flags = sources[order], targets[order], flags[order]
        if nofollow:
            return sources, targets, flags
        followed = (flags & NOFOLLOW) == 0
        return sources[followed], targets[followed], flags[followed]

    def host_graph(self, *, nofollow: bool = True, room: Room = np.empty) -> HostGraph:
        """Return all pages and arcs as a host graph, without nofollow arcs if not *nofollow*.

        *room* makes the arrays of pages and arcs. Memory: crawler.webgraph.loading; less than that
        of :meth:`arcs`.
        """
        first, *others = self._parts()
        try:
            return load_host_graph(
                self.pages(), *first, others=others, nofollow=nofollow, room=room
            )
        except ValueError as error:
            raise InputError(
                f"{self.corpus_dir} has arcs from pages that it does not hold ({error}): a shard of the "
                "crawl was left out of a merge; merge the folders of all"
            ) from error

    def captured(self) -> npt.NDArray[np.uint64]:
        """Return the ids of the pages whose arcs are known, sorted."""
        return np.unique(np.concatenate([batch.sources for batch in self._batches()]))

    def _parts(self) -> list[ArcParts]:
        """Return the arcs of each shard, as they are stored where no shard was lost."""
        if not self._visited:
            return [ArcParts(shard.files, shard.records) for shard in self._shards]
        return [ArcParts([], list(records_of(batch))) for batch in self._batches()]

    def _batches(self) -> list[ArcBatch]:
        """Return the latest arcs of each shard."""
        batches = [shard.latest() for shard in self._shards]
        if self._visited:
            batches, self.n_lost_arcs = without_lost(batches, self._visited)
        return batches

    def hosts(self) -> dict[int, str]:
        """Return HostID → host key of all hosts, ascending."""
        names = [shard.texts.hosts for shard in self._shards]
        found = {
            host_id: each.key(host_id) for each in names for host_id in each.ascending().tolist()
        }
        return found if len(names) == 1 else dict(sorted(found.items()))

    def find(self, keys: Sequence[PageKey]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
        """Return the ids of *keys* as they are now, 0 where not known, and a mask of what is known."""
        ids, known = np.zeros(len(keys), dtype=np.uint64), np.zeros(len(keys), dtype=np.bool_)
        for shard in self._shards:
            with shard.journal.read() as txn:
                found = PageTable(txn).find(keys)
            ids[found.known] = found.ids[found.known]
            known |= found.known
        return ids, known

    def categories(self, host_id: int) -> tuple[str, ...]:
        """Return the category paths of a host, sorted."""
        with self._shard_of(host_id).journal.read() as txn:
            return read_categories(txn, host_id)

    def keys(self, ids: npt.NDArray[np.uint64] | Sequence[int]) -> list[PageKey]:
        """Return the keys of the pages *ids*; raise `KeyError` for an id that was never given."""
        numbers = np.asarray(ids, dtype=np.uint64)
        keys: list[PageKey] = []
        for start in range(0, len(numbers), LOOKUP_PAGES):
            keys += self._keys(numbers[start : start + LOOKUP_PAGES])
        return keys

    def _keys(self, ids: npt.NDArray[np.uint64]) -> list[PageKey]:
        if len(self._shards) == 1:
            with self._shards[0].journal.read() as txn:
                return read_keys(self._shards[0].texts, txn, ids)
        hosts, place_of = np.unique(ids >> np.uint64(32), return_inverse=True)
        owners = [self._shards.index(self._shard_of(host)) for host in hosts.tolist()]
        shard_of = np.array(owners, dtype=np.int64)[place_of]
        found: list[PageKey | None] = [None] * len(ids)
        for number, shard in enumerate(self._shards):
            places = np.flatnonzero(shard_of == number)
            with shard.journal.read() as txn:
                keys = read_keys(shard.texts, txn, ids[places])
            for place, key in zip(places.tolist(), keys, strict=True):
                found[place] = key
        return [key for key in found if key is not None]

    def _shard_of(self, host_id: int) -> _ShardGraph:
        for shard in self._shards:
            if shard.texts.hosts.has(host_id) and host_id not in shard.moved:
                return shard
        raise KeyError(host_id << 32)

    def urls(self, ids: npt.NDArray[np.uint64] | Sequence[int]) -> list[str]:
        """Return the URLs of the pages *ids*; raise `KeyError` for an id that was never given."""
        return [page_url(key) for key in self.keys(ids)]
