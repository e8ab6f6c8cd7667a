"""The graph of a corpus folder, read while a crawl may be writing it.

A `Graph` is a snapshot: the segments that the journal names, and a copy of the logs that are not
sealed yet, both as of one committed transaction.

Memory: the tail's compressed records; `pages` 8 bytes a page and `arcs` 17 bytes an arc in what
they return, about twice that while they work.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.journal import Journal, has_journal
from crawler.durable.keys import u64_key
from crawler.durable.layout import journal_folder
from crawler.durable.page_state import local_text, split_id
from crawler.durable.parquet import read_parquet
from crawler.durable.sealing import check_shards, read_shards
from crawler.errors import InputError
from crawler.urls import PageKey, page_url
from crawler.webgraph.arcs import NOFOLLOW, unpack_arcs
from crawler.webgraph.host_rows import read_host, scan_hosts
from crawler.webgraph.segments import KINDS, latest_arcs, packed_ids, read_arcs, unpack_found

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction

# Pages looked up in one read transaction.
LOOKUP_PAGES = 10_000


class Graph:
    """Pages, arcs and URLs of the corpus in *corpus_dir*; a context manager."""

    def __init__(self, corpus_dir: Path, journal: Journal) -> None:
        self.corpus_dir = corpus_dir
        self._journal = journal
        with journal.read() as txn:
            self._shards = [shard for shard in read_shards(txn) if shard.kind.startswith("graph/")]
            self._found = [record for _, record in txn.scan("disc")]
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
            if not graph._found and not graph._shards:
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
        prefix = KINDS[kind]
        shards = [shard for shard in self._shards if shard.name.startswith(prefix)]
        return [self.corpus_dir / shard.name for shard in sorted(shards, key=lambda s: s.serial)]

    def pages(self) -> npt.NDArray[np.uint64]:
        """Return the ids of all known pages, sorted."""
        parts = [
            packed_ids(batch.column("host_id"), batch.column("local_id"))
            for path in self._files("pages")
            for batch in read_parquet(path, ["host_id", "local_id"])
        ]
        parts += [unpack_found(record)["ids"] for record in self._found]
        return np.sort(np.concatenate([np.zeros(0, dtype=np.uint64), *parts]))

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

    def captured(self) -> npt.NDArray[np.uint64]:
        """Return the ids of the pages whose arcs are known, sorted."""
        batches = [read_arcs(path) for path in self._files("arcs")]
        batches += [unpack_arcs(record) for record in self._arcs]
        return np.sort(latest_arcs(batches).sources)

    def hosts(self) -> dict[int, str]:
        """Return HostID → host key of all hosts."""
        with self._journal.read() as txn:
            return {row.host_id: row.key for row in scan_hosts(txn)}

    def keys(self, ids: npt.NDArray[np.uint64] | Sequence[int]) -> list[PageKey]:
        """Return the keys of the pages *ids*; raise `KeyError` for an id that was never given."""
        numbers = np.asarray(ids, dtype=np.uint64).tolist()
        names: dict[int, str] = {}
        keys: list[PageKey] = []
        for start in range(0, len(numbers), LOOKUP_PAGES):
            with self._journal.read() as txn:
                keys += _keys(txn, numbers[start : start + LOOKUP_PAGES], names)
        return keys

    def urls(self, ids: npt.NDArray[np.uint64] | Sequence[int]) -> list[str]:
        """Return the URLs of the pages *ids*; raise `KeyError` for an id that was never given."""
        return [page_url(key) for key in self.keys(ids)]


def _keys(txn: Transaction, ids: Sequence[int], names: dict[int, str]) -> list[PageKey]:
    packed = [u64_key(page_id) for page_id in ids]
    rows = txn.get_many("pages", sorted(set(packed)))
    keys = []
    for page_id, key in zip(ids, packed, strict=True):
        host_id = split_id(page_id)[0]
        if key not in rows:
            raise KeyError(page_id)
        if host_id not in names:
            names[host_id] = read_host(txn, host_id).key
        keys.append(PageKey(names[host_id], local_text(rows[key])))
    return keys
