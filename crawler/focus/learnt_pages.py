"""The pages that a relevance model learnt from, kept so that a crawl that goes on has the same model.

The pages of the seeds are fetched once; after a restart nothing would be left to learn from. The processes of a
fleet each fetch a part of them, and read what the others learnt from in their journals (`JournalsLearnt`); those on
several machines tell each other through Redis (crawler.focus.redis_learnt).

*On disk.* Table ``extra`` of the journal: ``focus:`` and u64 page id → u8, 1 for a page on the topic, and the main text
as far as it is read, UTF-8, compressed by zlib. A row is committed with its page.
"""

from __future__ import annotations

import zlib
from contextlib import closing, suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol

from crawler.durable.journal import Journal
from crawler.durable.keys import u64_key
from crawler.durable.layout import journal_folder, shards_of
from crawler.errors import WinnowError
from crawler.focus.relevance import MAX_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from crawler.durable.transaction import Transaction

TABLE = "extra"
_PREFIX = b"focus:"
# Seconds between two looks at what others learnt; doubled while there is nothing new, from less on at the beginning,
# when all learn most.
_LOOK_SECS, _LOOK_MAX_SECS = 1.0, 64.0
_FIRST_LOOK_SECS = 0.25


class LearntRow(NamedTuple):
    """A row of the journal."""

    table: str
    key: bytes
    value: bytes

    @property
    def on_topic(self) -> bool:
        """Whether the page is on the topic."""
        return bool(self.value[0])


def learnt_row(page_id: int, text: str, *, on_topic: bool) -> LearntRow:
    """Return the row of a page that was learnt from."""
    raw = text[:MAX_CHARACTERS].encode("utf-8", "surrogatepass")
    return LearntRow(TABLE, _PREFIX + u64_key(page_id), bytes([on_topic]) + zlib.compress(raw))


def read_row(value: bytes) -> tuple[str, bool]:
    """Return (text, on the topic) of the *value* of a row."""
    return zlib.decompress(value[1:]).decode("utf-8", "surrogatepass"), bool(value[0])


def learnt_rows(txn: Transaction) -> Iterator[LearntRow]:
    """Yield the rows of the pages that were learnt from."""
    for key, value in txn.scan(TABLE, _PREFIX):
        if not key.startswith(_PREFIX):
            return
        yield LearntRow(TABLE, key, value)


class OthersLearnt(Protocol):
    """What the other shards of a crawl learnt from, and are told."""

    def tell(self, row: LearntRow) -> None:
        """Tell the others of a page that this shard learnt from."""

    def new(self, now: float) -> list[tuple[str, bool]]:
        """Return (text, on the topic) of the pages that are new at *now*."""

    def close(self) -> None:
        """Tell what there is, and end."""


class JournalsLearnt:
    """What the other processes of a fleet learnt from; *own* is the shard in *corpus_dir* of this one."""

    def __init__(self, corpus_dir: Path | str, own: str) -> None:
        self.corpus_dir = corpus_dir
        self.own = own
        self._seen: set[bytes] = set()
        self._wait_secs = _FIRST_LOOK_SECS
        self._look_at = float("-inf")

    def new(self, now: float) -> list[tuple[str, bool]]:
        """Return (text, on the topic) of the pages that are new at *now*; looks now and then only."""
        if now < self._look_at:
            return []
        found: list[tuple[str, bool]] = []
        for shard in shards_of(self.corpus_dir):
            # One that is only just beginning has no journal to be read yet.
            if shard != self.own:
                with suppress(WinnowError):
                    found += self._of(shard)
        self._wait_secs = _LOOK_SECS if found else min(2 * self._wait_secs, _LOOK_MAX_SECS)
        self._look_at = now + self._wait_secs
        return found

    def _of(self, shard: str) -> list[tuple[str, bool]]:
        journal = Journal.open_reader(journal_folder(self.corpus_dir, shard))
        with closing(journal), journal.read() as txn:
            new = [row for row in learnt_rows(txn) if row.key not in self._seen]
        self._seen.update(row.key for row in new)
        return [read_row(row.value) for row in new]

    def tell(self, row: LearntRow) -> None:
        """Do nothing: the others read the journal."""

    def close(self) -> None:
        """Do nothing: no journal is open."""
