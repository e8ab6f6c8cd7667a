"""The pages of a corpus that was read from WARC files, for another one that takes them over.

Memory: some 40 bytes a page, and 17 bytes an arc.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.durable.keys import u32_of, u64_key, u64_of
from crawler.durable.page_state import STATE_MASK, PageState, split_id
from crawler.durable.united_page import UnitedPage
from crawler.durable.visits import CLAIMS, VISITED
from crawler.errors import InputError
from crawler.webgraph.hosts.rows import read_categories
from crawler.webgraph.pages.table import page_memory
from pipelines.corpus.schema import SCHEMAS
from pipelines.duplicates.near_index.rows import PREFIX, TABLE, KnownDigests

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt
    import pyarrow as pa

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from crawler.urls import PageKey
    from crawler.webgraph.graph import Graph
    from pipelines.corpus.corpus import Corpus

    U64 = npt.NDArray[np.uint64]

# Keys and rows that are read together.
CHUNK_KEYS = 10_000
CHUNK_PAGES = 100

# Where a page has its one row; and the rows that are of no page as it is now.
TABLES = ("documents", "provisional", "rejected")
OTHER_TABLES = ("replaced", "visits")

_ENDED = (PageState.FETCHED, PageState.GONE, PageState.REFUSED)
_OF_PAGE = 8  # bytes of a key of ``claims`` that says which capture has the page


class OtherPages:
    """The pages of *corpus* and *graph*, of all whose *journals* are open for reading.

    Those that are :meth:`known` are to be given their ids in the other corpus first, by :meth:`learn`.
    """

    def __init__(self, corpus: Corpus, graph: Graph, journals: Sequence[Journal]) -> None:
        self.corpus, self.graph, self.journals = corpus, graph, journals
        self._old = graph.pages()
        self._new = np.zeros(len(self._old), dtype=np.uint64)

    def known(self) -> Iterator[tuple[slice, list[PageKey]]]:
        """Yield the keys of all known pages, some at a time, and their places."""
        for start in range(0, len(self._old), CHUNK_KEYS):
            place = slice(start, start + CHUNK_KEYS)
            yield place, self.graph.keys(self._old[place])

    def learn(self, place: slice, ids: U64) -> None:
        """Take *ids* for those that the pages at *place* have in the other corpus."""
        self._new[place] = ids

    def categories(self) -> dict[str, tuple[str, ...]]:
        """Return the categories of the hosts that have some, by their keys."""
        found = {}
        for journal in self.journals:
            with journal.read() as txn:
                for key in txn.keys("categories"):
                    host_id = u32_of(key)
                    found[page_memory(txn).hosts.key(host_id)] = read_categories(txn, host_id)
        return found

    def captures(self) -> Iterator[list[tuple[int, bytes, bytes]]]:
        """Yield what the journals know of captures, but which of them has its page: (new id, rest of the key, value).

        Raises `InputError` where a page was claimed and not processed.
        """
        for journal in self.journals:
            with journal.read() as txn:
                self._check_ended(txn)
                found = txn.scan(CLAIMS)
                rows = ((u64_of(key[:_OF_PAGE]), key[_OF_PAGE:], row) for key, row in found)
                others = (row for row in rows if row[1])
                while part := list(islice(others, CHUNK_KEYS)):
                    ids = self._here(np.array([page_id for page_id, _, _ in part], dtype=np.uint64))
                    yield [
                        (page_id, rest, value)
                        for page_id, (_, rest, value) in zip(ids.tolist(), part, strict=True)
                    ]

    def _check_ended(self, txn: Transaction) -> None:
        claimed = (u64_of(key) for key in txn.keys(CLAIMS) if len(key) == _OF_PAGE)
        heads = page_memory(txn).heads.get(np.fromiter(claimed, dtype=np.uint64))
        if not np.isin(heads & STATE_MASK, _ENDED).all():
            raise InputError(
                f"the crawl of {self.corpus.corpus_dir} is not at its end; the same command goes on with it"
            )

    def pages(self, n_documents: int) -> Iterator[list[UnitedPage]]:
        """Yield all pages that have a row, some at a time; *n_documents* came of other folders before.

        Raises `InputError` for a page that is in no WARC file.
        """
        self.n_documents = n_documents
        self._sources, self._targets, self._flags = self.graph.arcs()
        self._captured = self.graph.captured()
        self._digests = KnownDigests(self.journals)
        for table in TABLES:
            for rows in self._rows(self.corpus.current(table, SCHEMAS[table].names)):
                yield self._pages(table, rows)

    def rows(self) -> Iterator[list[tuple[str, dict[str, Any]]]]:
        """Yield (table, row) of what is no page's row as it is now, some at a time."""
        for table in OTHER_TABLES:
            for rows in self._rows(self.corpus.batches(table)):
                ids = self._here(np.array(_ids(rows), dtype=np.uint64)).tolist()
                for row, page_id in zip(rows, ids, strict=True):
                    row["host_id"], row["local_id"] = split_id(page_id)
                yield [(table, row) for row in rows]

    def _rows(self, batches: Iterator[pa.RecordBatch]) -> Iterator[list[dict[str, Any]]]:
        for batch in batches:
            for start in range(0, batch.num_rows, CHUNK_PAGES):
                yield batch.slice(start, CHUNK_PAGES).to_pylist()

    def _pages(self, table: str, rows: list[dict[str, Any]]) -> list[UnitedPage]:
        old = np.array(_ids(rows), dtype=np.uint64)
        keys, ids, states = self.graph.keys(old), self._here(old).tolist(), self._states(old)
        pages = []
        for page_id, new_id, key, row in zip(old.tolist(), ids, keys, rows, strict=True):
            if page_id not in states:
                raise InputError(
                    f"{self.corpus.corpus_dir} has pages that are in no WARC file, as {row['url']}; only corpora of "
                    "`scrapy crawl warc` can be merged without a CLUSTER_URL"
                )
            claim, visited, state = states[page_id]
            page = UnitedPage(new_id, key, state, table, row, claim, visited)
            page.targets, page.flags = self._arcs(page_id)
            if table == "documents":
                page.puts = [self._digest(page_id, new_id)]
            pages.append(page)
        return pages

    def _states(self, old: U64) -> dict[int, tuple[bytes, bytes | None, str]]:
        """Return by page what its journal has in ``claims`` and ``visited``, and its state."""
        found = {}
        keys = [u64_key(page_id) for page_id in sorted(old.tolist())]
        for journal in self.journals:
            with journal.read() as txn:
                claims, visits = txn.get_many(CLAIMS, keys), txn.get_many(VISITED, keys)
                ids = np.array([u64_of(key) for key in claims], dtype=np.uint64)
                states = page_memory(txn).heads.get(ids) & STATE_MASK
            for (key, claim), state in zip(claims.items(), states.tolist(), strict=True):
                found[u64_of(key)] = (claim, visits.get(key), PageState(state).name.lower())
        return found

    def _arcs(self, page_id: int) -> tuple[U64, npt.NDArray[np.uint8]] | tuple[None, None]:
        old = np.uint64(page_id)
        place = np.searchsorted(self._captured, old)
        if place == len(self._captured) or self._captured[place] != old:
            return None, None
        first, end = np.searchsorted(self._sources, [old, old + np.uint64(1)])
        return self._here(self._targets[first:end]), self._flags[first:end]

    def _digest(self, page_id: int, new_id: int) -> tuple[str, bytes, bytes]:
        """Return what keeps the digest of the bytes of a document: no two folders have it under one number."""
        self.n_documents += 1
        row = np.array([new_id, self._digests.of(page_id)], dtype="<u8")
        return TABLE, PREFIX + u64_key(self.n_documents), row.tobytes()

    def _here(self, old: U64) -> U64:
        """Return the ids that the pages *old* have in the other corpus."""
        return self._new[np.searchsorted(self._old, old)]


def _ids(rows: Sequence[dict[str, Any]]) -> list[int]:
    return [row["host_id"] << 32 | row["local_id"] for row in rows]
