"""How the documents of a corpus change: near-duplicates go, or blocks of documents."""

from __future__ import annotations

from bisect import bisect_left
from itertools import compress
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from pipelines.corpus.schema import DOCUMENTS
from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.simhash import simhash
from pipelines.jobs.dedup.output import Change

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STAGE = "dedup"
_REJECTED = ("host_id", "local_id", "url", "host", "fetched_at", "status", "depth")


class _Changes:
    """What both have: the numbers of the documents that change, ascending."""

    def __init__(self, numbers: Sequence[int]):
        self.numbers = numbers

    def touches(self, first: int, n_rows: int) -> bool:
        """Tell whether one of *n_rows* documents from number *first* on changes."""
        return bool(self.within(first, n_rows))

    def within(self, first: int, n_rows: int) -> Sequence[int]:
        """Return the numbers of those that change, from *first* on."""
        return self.numbers[
            bisect_left(self.numbers, first) : bisect_left(self.numbers, first + n_rows)
        ]


class DropDocuments(_Changes):
    """Documents go; *duplicate_of* is the URL of the one that is kept instead, by number."""

    def __init__(self, duplicate_of: Mapping[int, str]):
        super().__init__(sorted(duplicate_of))
        self.duplicate_of = duplicate_of

    def change(self, first: int, batch: pa.RecordBatch) -> Change:
        """Return the batch without those that go, and their rows of ``rejected``."""
        gone = [number - first for number in self.within(first, batch.num_rows)]
        rows = batch.select(list(_REJECTED)).take(pa.array(gone, pa.int64())).to_pylist()
        rejected = [
            {
                **row,
                "stage": STAGE,
                "reason": "near_duplicate",
                "duplicate_of": self.duplicate_of[first + place],
            }
            for place, row in zip(gone, rows, strict=True)
        ]
        is_gone = set(gone)
        stays = pa.array([place not in is_gone for place in range(batch.num_rows)])
        return Change(batch.filter(stays), rejected)


class RemoveBlocks(_Changes):
    """Blocks go: *removed* are, by number of document, the indices of its blocks.

    A document whose last kept block goes is rejected. Text, words, digest and simhash are made anew.
    """

    def __init__(self, removed: Mapping[int, frozenset[int]]):
        super().__init__(sorted(removed))
        self.removed = removed

    def change(self, first: int, batch: pa.RecordBatch) -> Change:
        """Return the batch with blocks of it unkept, and the rows of documents without any."""
        rows: list[dict[str, Any] | None] = list(batch.to_pylist())
        rejected: list[dict[str, Any]] = []
        for number in self.within(first, batch.num_rows):
            row = rows[number - first]
            assert row is not None
            if not without_blocks(row, self.removed[number]):
                lost = {column: row[column] for column in _REJECTED}
                rejected.append({**lost, "stage": STAGE, "reason": "duplicate_blocks"})
                rows[number - first] = None
        kept = [row for row in rows if row is not None]
        return Change(pa.RecordBatch.from_pylist(kept, schema=DOCUMENTS), rejected)


def without_blocks(row: dict[str, Any], removed: frozenset[int]) -> bool:
    """Take blocks out of a row of ``documents``; return whether any text is left."""
    for place in removed:
        row["blocks"][place].update(kept=False, label="duplicate")
    kept = [block["kept"] for block in row["blocks"]]
    left = list(compress(row["blocks"], kept))
    row["text"] = "\n".join(block["text"] for block in left)
    row["n_words"] = sum(block["words"] for block in left)
    row["digest"] = text_digest(row["text"])
    row["simhash"] = simhash(row["text"])
    return bool(left)
