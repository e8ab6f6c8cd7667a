"""How the pages of a corpus change: duplicates go or come back, or blocks of documents go."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from pipelines.corpus.rows import DUPLICATES_STAGE
from pipelines.corpus.schema import DOCUMENTS, PROVISIONAL
from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.near_index.store import DUPLICATE, DUPLICATE_BYTES, NEAR_DUPLICATE
from pipelines.duplicates.simhash import simhash
from pipelines.jobs.dedup.pages import page_ids
from pipelines.jobs.stored_answers import url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    import numpy.typing as npt

    from pipelines.jobs.dedup.clusters import Decided

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

_REJECTED = (
    *("host_id", "local_id", "url", "host", "fetched_at", "status", "depth"),
    *("warc_file", "warc_offset"),
)


class Change(NamedTuple):
    """What becomes of a batch of pages: documents, in one or more pieces, rows of ``rejected``, ``provisional``
    duplicates.
    """

    documents: Sequence[pa.RecordBatch]
    rejected: list[dict[str, Any]]
    provisional: Sequence[pa.RecordBatch] = ()


class Changer(Protocol):
    """Changes the pages of a corpus, batch by batch, by their numbers.

    *first_provisional*: the number of the first provisional duplicate; None where those are left as they are.
    """

    first_provisional: int | None

    def touches(self, first: int, n_rows: int) -> bool:
        """Tell whether any of the documents from number *first* on changes."""

    def change(self, first: int, batch: pa.RecordBatch) -> Change:
        """Return what becomes of *batch*, whose first page has number *first*."""

    def renamed(self, urls: Sequence[str | None]) -> list[str | None]:
        """Return the URLs of the pages that are kept instead of those that rows of ``rejected`` name."""


class KeepOne:
    """Of each cluster one page stays; the others are rejected as its duplicates.

    *raw* are (PageIds ascending, digests of their bytes) of the pages whose bytes are known: a copy to
    the byte has its own reason. Of those that are rejected the pages *held*, PageIds, stay whole.
    """

    def __init__(self, found: Decided, raw: tuple[U64, U64], held: AbstractSet[int] = frozenset()):
        self.found = found
        self.raw = raw
        self.held = np.array(sorted(held), dtype=np.uint64)
        self.first_provisional: int | None = found.pages.n_documents

    def touches(self, first: int, n_rows: int) -> bool:
        """Tell whether any of the documents from number *first* on goes."""
        numbers = np.arange(first, first + n_rows)
        return bool((self.found.kept[first : first + n_rows] != numbers).any())

    def change(self, first: int, batch: pa.RecordBatch) -> Change:
        """Return those that stay, and a row for each of the others."""
        numbers = np.arange(first, first + batch.num_rows)
        stays = self.found.kept[first : first + batch.num_rows] == numbers
        is_held = ~stays & np.isin(self.found.pages.page_ids[numbers], self.held)
        gone = numbers[~stays & ~is_held]
        rows = batch.select([*_REJECTED, "digest"]).take(pa.array(gone - first)).to_pylist()
        rejected = [
            {
                **row,
                "stage": DUPLICATES_STAGE,
                "reason": self.reason(number),
                "duplicate_of": self._kept_url(number),
            }
            for number, row in zip(gone.tolist(), rows, strict=True)
        ]
        documents = batch.select(DOCUMENTS.names)
        provisional = [self._provisional(documents, first, numbers[is_held])]
        return Change(_pieces(documents, stays), rejected, provisional if is_held.any() else ())

    def _provisional(self, batch: pa.RecordBatch, first: int, held: I64) -> pa.RecordBatch:
        """Return the pages *held*, of the documents *batch* from number *first* on, as ``provisional``."""
        numbers = held.tolist()
        columns = [
            *batch.take(held - first).columns,
            pa.array(map(self.reason, numbers), pa.string()),
            pa.array(map(self._kept_url, numbers), pa.string()),
            pa.array([self._raw(number) for number in numbers], pa.uint64()),
            pa.array([True] * len(numbers), pa.bool_()),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=PROVISIONAL)

    def _kept_url(self, number: int) -> str:
        return self.found.url(int(self.found.kept[number]))

    def renamed(self, urls: Sequence[str | None]) -> list[str | None]:
        """Return the kept page of each document that goes, and the others as they are."""
        hashes, numbers = self._gone
        wanted = np.array([url_hash(url or "") for url in urls], dtype=np.uint64)
        places = np.searchsorted(hashes, wanted).tolist()
        found = list(urls)
        for place, (at, url) in enumerate(zip(places, urls, strict=True)):
            if at < len(hashes) and hashes[at] == wanted[place]:
                number = int(numbers[at])
                if self.found.url(number) == url:
                    found[place] = self.found.url(int(self.found.kept[number]))
        return found

    @cached_property
    def _gone(self) -> tuple[U64, I64]:
        """The documents that go: hashes of their URLs, ascending, and their numbers."""
        kept = self.found.kept[: self.found.pages.n_documents]
        numbers = np.flatnonzero(kept != np.arange(len(kept)))
        urls = map(self.found.url, numbers.tolist())
        hashes = np.fromiter(map(url_hash, urls), np.uint64, len(numbers))
        order = np.argsort(hashes)
        return hashes[order], numbers[order]

    def reason(self, number: int) -> str:
        """Return how *number* is a copy of the page that is kept of its cluster."""
        kept = int(self.found.kept[number])
        if not self.found.is_exact(number, kept):
            return NEAR_DUPLICATE
        raw = self._raw(number)
        return DUPLICATE_BYTES if raw is not None and raw == self._raw(kept) else DUPLICATE

    def taken_back(self) -> list[tuple[int, int]]:
        """Return (PageId, digest of the bytes) of the provisional duplicates that are kept."""
        n = self.found.pages.n_documents
        kept = np.flatnonzero(self.found.kept[n:] == np.arange(n, len(self.found.kept))) + n
        ids = self.found.pages.page_ids[kept].tolist()
        return [
            (page_id, self._raw(number) or 0)
            for page_id, number in zip(ids, kept.tolist(), strict=True)
        ]

    def _raw(self, number: int) -> int | None:
        ids, digests = self.raw
        page_id = self.found.pages.page_ids[number]
        place = int(np.searchsorted(ids, page_id))
        known = place < len(ids) and ids[place] == page_id
        return int(digests[place]) or None if known else None


class RemoveBlocks:
    """Blocks go; a document whose last kept block goes is rejected.

    Text, words, digest and simhash are made anew. *label* is that of a block that goes, *stage* and *reason* those
    of a document that is rejected. Memory: 16 bytes a document that changes, and four a block that goes.
    """

    first_provisional: int | None = None

    def __init__(
        self, *, label: str = "duplicate", stage: str = "dedup", reason: str = "duplicate_blocks"
    ) -> None:
        self._label = label
        self._rejected = {"stage": stage, "reason": reason}
        self._numbers = array("q")
        self._ends = array("q", [0])
        self._blocks = array("I")

    def remove(self, number: int, blocks: Sequence[int]) -> None:
        """Take *blocks*, by their index, out of document *number*; numbers come ascending."""
        self._numbers.append(number)
        self._blocks.extend(blocks)
        self._ends.append(len(self._blocks))

    def touches(self, first: int, n_rows: int) -> bool:
        """Tell whether one of *n_rows* documents from number *first* on changes."""
        return bool(self._within(first, n_rows))

    def _within(self, first: int, n_rows: int) -> range:
        return range(bisect_left(self._numbers, first), bisect_left(self._numbers, first + n_rows))

    def change(self, first: int, batch: pa.RecordBatch) -> Change:
        """Return the batch with blocks of it unkept, and the rows of documents without any."""
        rows: list[dict[str, Any] | None] = list(batch.to_pylist())
        rejected: list[dict[str, Any]] = []
        for place in self._within(first, batch.num_rows):
            at = self._numbers[place] - first
            row = rows[at]
            assert row is not None
            removed = self._blocks[self._ends[place] : self._ends[place + 1]]
            if not _without_blocks(row, removed, self._label):
                lost = {column: row[column] for column in _REJECTED}
                rejected.append({**lost, **self._rejected})
                rows[at] = None
        kept = [row for row in rows if row is not None]
        return Change([pa.RecordBatch.from_pylist(kept, schema=DOCUMENTS)], rejected)

    def renamed(self, urls: Sequence[str | None]) -> list[str | None]:
        """Return *urls*: no page takes the place of another."""
        return list(urls)


def _pieces(batch: pa.RecordBatch, stays: npt.NDArray[np.bool_]) -> list[pa.RecordBatch]:
    """Return the rows of *batch* that stay, bool[n]: views of it, but of fewer than half a copy.

    To copy rows takes a fifth of what it takes to write them; a view keeps all rows in memory.
    """
    if 2 * np.count_nonzero(stays) < len(stays):
        return [batch.filter(pa.array(stays))]
    ends = np.flatnonzero(np.diff(stays, prepend=False, append=False)).reshape(-1, 2)
    return [batch.slice(start, end - start) for start, end in ends.tolist()]


def _without_blocks(row: dict[str, Any], removed: Iterable[int], label: str) -> bool:
    """Take blocks out of a row of ``documents``; return whether any text is left."""
    for place in removed:
        row["blocks"][place].update(kept=False, label=label)
    renew_text(row)
    return any(block["kept"] for block in row["blocks"])


def renew_text(row: dict[str, Any]) -> None:
    """Make text, words, digest and simhash of a row of ``documents`` anew from its kept blocks."""
    kept = list(compress(row["blocks"], [block["kept"] for block in row["blocks"]]))
    row["text"] = "\n".join(block["text"] for block in kept)
    row["n_words"] = sum(block["words"] for block in kept)
    row["digest"] = text_digest(row["text"])
    row["simhash"] = simhash(row["text"])


def raw_digests(kept: tuple[U64, U64], provisional: Sequence[pa.RecordBatch]) -> tuple[U64, U64]:
    """Return (PageIds ascending, digests of their bytes) of *kept* pages and *provisional* duplicates.

    Of a page that is there more often, the last row of *kept* counts, and before it that of a duplicate.
    """
    ids = np.concatenate([*map(page_ids, provisional), kept[0][::-1]])
    digests = [
        batch["raw_digest"].fill_null(0).to_numpy(zero_copy_only=False) for batch in provisional
    ]
    joined, first = np.unique(ids, return_index=True)
    return joined, np.concatenate([*digests, kept[1][::-1]])[first]
