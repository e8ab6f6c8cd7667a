"""The graph of a corpus folder, read while a crawl may be writing it.

A `Graph` is a snapshot: the segments that the journal names, and a copy of the logs that are not
sealed yet, both as of one committed transaction.

Memory: the compressed records of arcs that are not sealed, the URLs that are not sealed (36 MB at
most), 12 bytes for each host of each run of pages; `pages` 8 bytes a page and `arcs` 17 bytes an arc
in what they return, about twice that while they work.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.journal import Journal, has_journal
from crawler.durable.layout import journal_folder
from crawler.durable.sealing import check_shards, read_shards
from crawler.errors import InputError
from crawler.urls import page_url
from crawler.webgraph.arcs import NOFOLLOW, unpack_arcs
from crawler.webgraph.loading import load_host_graph
from crawler.webgraph.page_table import read_keys
from crawler.webgraph.page_texts import PageTexts
from crawler.webgraph.segments import arc_files, latest_arcs, read_arcs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

    import numpy.typing as npt

    from crawler.urls import PageKey
    from crawler.webgraph.csr import HostGraph
    from crawler.webgraph.page_numbers import Room

# Pages looked up in one read transaction.
LOOKUP_PAGES = 10_000


class Graph:
    """Pages, arcs and URLs of the corpus in *corpus_dir*; a context manager."""

    def __init__(self, corpus_dir: Path, journal: Journal) -> None:
        self.corpus_dir = corpus_dir
        self._journal = journal
        with journal.read() as txn:
            self._shards = [shard for shard in read_shards(txn) if shard.kind.startswith("graph/")]
            self._texts = PageTexts()
            self._texts.follow(txn)
            self._arcs = [record for _, record in txn.scan("arcs")]
        check_shards(corpus_dir, self._shards)

    @classmethod
    def open(cls, corpus_dir: Path | str) -> Graph:
        """Open the graph of *corpus_dir*; raise `InputError` when there is none."""
        folder = Path(corpus_dir)
        if not has_journal(journal_folder(folder)):
            raise InputError(f"no graph in {folder}; run a crawl first or give its CORPUS_DIR")
        journal = Journal.open_reader(journal_folder(folder))
        try:
            graph = cls(folder, journal)
            if not graph._texts.n_pages and not graph._shards:
                raise InputError(f"the graph in {folder} is empty; run a crawl first")
        except BaseException:
            journal.close()
            raise
        return graph

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the journal."""
        self._journal.close()

    def _files(self, kind: str) -> list[Path]:
        prefix = arc_files(self._journal.shard)[kind]
        shards = [shard for shard in self._shards if shard.name.startswith(prefix)]
        return [self.corpus_dir / shard.name for shard in sorted(shards, key=lambda s: s.serial)]

    def pages(self) -> npt.NDArray[np.uint64]:
        """Return the ids of all known pages, sorted."""
        return np.concatenate([np.zeros(0, dtype=np.uint64), *self._texts.all_ids()])

    def arcs(
        self, *, nofollow: bool = True
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
        """Return sources, targets and flags of all arcs, without nofollow ones if not *nofollow*."""
        batches = [read_arcs(path) for path in self._files("arcs")]
        batches += [unpack_arcs(record) for record in self._arcs]
        batch = latest_arcs(batches)
        sources, targets, flags = np.repeat(batch.sources, batch.counts), batch.targets, batch.flags
        if nofollow:
            return sources, targets, flags
        followed = (flags & NOFOLLOW) == 0
        return sources[followed], targets[followed], flags[followed]

    def host_graph(self, *, nofollow: bool = True, room: Room = np.empty) -> HostGraph:
        """Return all pages and arcs as a host graph, without nofollow arcs if not *nofollow*.

        *room* makes the arrays of pages and arcs. Memory: crawler.webgraph.loading; less than that
        of :meth:`arcs`.
        """
        files = self._files("arcs")
        return load_host_graph(self.pages(), files, self._arcs, nofollow=nofollow, room=room)

    def captured(self) -> npt.NDArray[np.uint64]:
        """Return the ids of the pages whose arcs are known, sorted."""
        batches = [read_arcs(path) for path in self._files("arcs")]
        batches += [unpack_arcs(record) for record in self._arcs]
        return np.sort(latest_arcs(batches).sources)

    def hosts(self) -> dict[int, str]:
        """Return HostID → host key of all hosts."""
        hosts = self._texts.hosts
        return {host_id: hosts.key(host_id) for host_id in hosts.ascending().tolist()}

    def keys(self, ids: npt.NDArray[np.uint64] | Sequence[int]) -> list[PageKey]:
        """Return the keys of the pages *ids*; raise `KeyError` for an id that was never given."""
        numbers = np.asarray(ids, dtype=np.uint64)
        keys: list[PageKey] = []
        for start in range(0, len(numbers), LOOKUP_PAGES):
            with self._journal.read() as txn:
                keys += read_keys(self._texts, txn, numbers[start : start + LOOKUP_PAGES])
        return keys

    def urls(self, ids: npt.NDArray[np.uint64] | Sequence[int]) -> list[str]:
        """Return the URLs of the pages *ids*; raise `KeyError` for an id that was never given."""
        return [page_url(key) for key in self.keys(ids)]
