"""The index of what a crawl keeps, across restarts: its rows in the journal, and a file of it.

The truth are rows of the journal, one a kept page, committed with the page. The index is made of them; a
file of it, written when it grows and at the end, saves reading those that it covers. Pages that are
not committed yet are held beside the index, so that it never knows of one that a crash undoes.

*On disk.* The journal's rows: :mod:`pipelines.duplicates.near_index.rows`. The file ``near.index``
beside the journal (format 2): 72 bytes of header, which are ``winnowNI``, then u64 little-endian format,
number of keys, capacity, n, slots, xxh3-64 of the rule's name with the value of ``near forgotten``, of the arrays, and
of the header so far; then the arrays of :class:`NearIndex`. It is replaced whole, and mapped for private changes. A
file that does not fit the journal is passed over.

Memory: that of :class:`NearIndex`, and some hundred bytes for each uncommitted page; for the rule
``simhash`` that of :class:`SimhashIndex` besides, whose look-ups grow with the number of pages.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.keys import u64_key
from pipelines.duplicates.near_index.file import read_index, write_index
from pipelines.duplicates.near_index.index import LEAST_ALIKE, N_CODE_BITS, NearIndex, next_capacity
from pipelines.duplicates.near_index.rows import (
    CHUNK,
    FORGOTTEN,
    N_PLAIN,
    PREFIX,
    RULE,
    TABLE,
    KeptPage,
    end_of,
    fields_of,
    forget_pages,
    forget_rule,
    row_chunks,
    row_of,
)
from pipelines.duplicates.simhash_index import SimhashIndex

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from pipelines.duplicates.verdicts import NearRule

    U64 = npt.NDArray[np.uint64]
    # Pages that are alike, and the sum of their equal bits.
    Alike = tuple[int, int]

FILE = "near.index"

DUPLICATE_BYTES, DUPLICATE, NEAR_DUPLICATE = "duplicate_bytes", "duplicate", "near_duplicate"


class Copy(NamedTuple):
    """The page that one is a copy of, and how: the reason of its rejection."""

    page_id: int
    reason: str


class Neighbours(NamedTuple):
    """What a page is a *copy* of, or None; and how like the kept pages of its host one is that is no copy.

    *likeness* is the mean of the resemblances, 0 to 1 and as codes estimate them, of the page and those that
    share a band with it; 0 when none does, and for rules without bands.
    """

    copy: Copy | None
    likeness: float


class StoredIndex:
    """The kept pages of *journal*, compared by *rule*.

    When `is_stale`, the journal has no signatures of this rule: give it all pages by :meth:`remake`.
    """

    def __init__(self, journal: Journal, rule: NearRule) -> None:
        self.journal = journal
        self.rule = rule
        self.path = journal.folder / FILE
        self._least = rule.least_equal()
        self._waiting: dict[int, tuple[int, KeptPage]] = {}
        self._by_key: defaultdict[int, list[KeptPage]] = defaultdict(list)
        self._simhashes = SimhashIndex(rule.distance) if rule.has_simhashes else None
        with journal.read() as txn:
            self.is_stale = txn.get(TABLE, RULE) != rule.name.encode()
            self._end = end_of(txn)
            self._state = txn.get(TABLE, FORGOTTEN) or b""
        self._n_saved = 0
        if not self.is_stale:
            self._open()

    def _open(self) -> None:
        index = (
            None if self._simhashes is not None else read_index(self.path, self.rule, self._state)
        )
        if index is not None and self._covers(index):
            self.index = index
            self._n_saved = index.n
        else:
            self.index = NearIndex(self.rule.n_keys, capacity=next_capacity(self._end))
        self._replay(self.index.n)

    def _covers(self, index: NearIndex) -> bool:
        """Tell whether the last page of *index* is in the journal: it is not a copy of an older state."""
        if index.n == 0 or index.n > self._end:
            return False
        with self.journal.read() as txn:
            row = txn.get(TABLE, PREFIX + u64_key(index.n - 1))
        return row is not None and int(fields_of(row)[0]) == index.page_id(index.n - 1)

    def __len__(self) -> int:
        """Return the number of numbers, those included that came to nothing."""
        return self.index.n

    def remake(self, pages: Iterable[KeptPage]) -> None:
        """Forget all signatures, and take those of *pages*."""
        self.journal.write(forget_rule)
        forget_pages(self.journal)
        self._end = 0
        rows: list[tuple[bytes, bytes]] = []
        for page in pages:
            rows.append((PREFIX + u64_key(self._end), row_of(page)))
            self._end += 1
            if len(rows) == CHUNK:
                self._put(rows)
                rows = []
        self._put(rows)
        name = self.rule.name.encode()
        self.journal.write(lambda txn: txn.put(TABLE, RULE, name))
        self.is_stale = False
        self.path.unlink(missing_ok=True)
        self._open()

    def _put(self, rows: list[tuple[bytes, bytes]]) -> None:
        self.journal.write(lambda txn: txn.put_many(TABLE, rows))

    def find(self, page: KeptPage) -> Neighbours:
        """Compare *page* with the kept pages, and with those that wait for their commit."""
        copy, waiting = self._find_waiting(page)
        if copy is None:
            copy, kept = self._find_kept(page)
            copy = copy or self._find_simhash(page)
        if copy is not None or not self.rule.has_bands:
            return Neighbours(copy, 0.0)
        return Neighbours(None, likeness(waiting[0] + kept[0], waiting[1] + kept[1]))

    def add(self, page: KeptPage) -> tuple[str, bytes, bytes]:
        """Hold *page*, and return its row of the journal, to be committed with it."""
        number = self._end
        self._end += 1
        self._waiting[page.page_id] = (number, page)
        for key in set(page.signature.keys.tolist()):
            self._by_key[key].append(page)
        return TABLE, PREFIX + u64_key(number), row_of(page)

    def committed(self, page_id: int, *, kept: bool) -> None:
        """Take the page *page_id* into the index after its commit, or forget it when it is not *kept*."""
        waiting = self._waiting.pop(page_id, None)
        if waiting is None:
            return
        number, page = waiting
        for key in set(page.signature.keys.tolist()):
            others = [other for other in self._by_key.pop(key) if other is not page]
            if others:
                self._by_key[key] = others
        if not kept:
            packed = PREFIX + u64_key(number)
            self.journal.write(lambda txn: txn.delete(TABLE, packed))
            return
        if number >= self.index.capacity:
            self._grow()
            return
        self._add(np.array([number], dtype=np.uint64), fields_of(row_of(page))[None])

    def _grow(self) -> None:
        """Make a larger index anew: keys are not in the old one, and both would be too large."""
        capacity = next_capacity(self._end)
        self.index = NearIndex(self.rule.n_keys, capacity=capacity)
        if self._simhashes is not None:
            self._simhashes = SimhashIndex(self.rule.distance)
        self._replay(0)
        self.save()

    def _replay(self, start: int) -> None:
        for numbers, rows in row_chunks(self.journal, start):
            self._add(numbers, rows)

    def _add(self, numbers: U64, rows: U64) -> None:
        keys = rows[:, N_PLAIN:]
        self.index.add(numbers, rows[:, 0].copy(), rows[:, 3].copy(), keys)
        if self._simhashes is not None:
            for page_id, _, _, value in rows[:, :N_PLAIN].tolist():
                if value:
                    self._simhashes.add(value, page_id)

    def save(self) -> None:
        """Write the file of the index, if pages came since it was written."""
        if self._simhashes is None and self.index.n > self._n_saved:
            write_index(self.path, self.index, self.rule, self._state)
            self._n_saved = self.index.n

    def _find_waiting(self, page: KeptPage) -> tuple[Copy | None, Alike]:
        found = (self._by_key.get(key, ()) for key in page.signature.keys.tolist())
        others = {other.page_id: other for pages in found for other in pages}
        if self._simhashes is not None:
            others |= {other.page_id: other for _, other in self._waiting.values()}
        others.pop(page.page_id, None)
        n_alike = sum_equal = 0
        for other in others.values():
            if copy := self._compared(page, other):
                return copy, (0, 0)
            n_equal = _equal_bits(page, other)
            if other.page_id >> 32 == page.page_id >> 32 and n_equal >= LEAST_ALIKE:
                n_alike, sum_equal = n_alike + 1, sum_equal + n_equal
        return None, (n_alike, sum_equal)

    def _compared(self, page: KeptPage, other: KeptPage) -> Copy | None:
        mine, its = page.signature, other.signature
        if mine.digest == its.digest:
            return _exact(page, other.page_id, other.raw)
        if self._simhashes is not None:
            is_near = (mine.code ^ its.code).bit_count() <= self.rule.distance
            return Copy(other.page_id, NEAR_DUPLICATE) if is_near and mine.code else None
        least = self._least[abs((mine.code & 255) - (its.code & 255))]
        is_near = _equal_bits(page, other) >= least
        return Copy(other.page_id, NEAR_DUPLICATE) if is_near else None

    def _find_kept(self, page: KeptPage) -> tuple[Copy | None, Alike]:
        signature = page.signature
        found = self.index.find(signature.keys, signature.code, self._least, page.page_id)
        number, alike = found.number, (found.n_alike, found.n_equal)
        if number is None or (page_id := self.index.page_id(number)) == page.page_id:
            return None, alike
        with self.journal.read() as txn:
            row = txn.get(TABLE, PREFIX + u64_key(number))
        if row is None:
            return None, alike
        _, raw, digest = fields_of(row)[:3].tolist()
        if digest == signature.digest:
            return _exact(page, page_id, raw), alike
        return Copy(page_id, NEAR_DUPLICATE) if self.rule.has_bands else None, alike

    def _find_simhash(self, page: KeptPage) -> Copy | None:
        if self._simhashes is None or not page.signature.code:
            return None
        near = self._simhashes.nearest(page.signature.code)
        return None if near is None or near == page.page_id else Copy(near, NEAR_DUPLICATE)


def likeness(n_alike: int, n_equal: int) -> float:
    """Return the mean resemblance to *n_alike* pages whose codes have *n_equal* equal bits in all; 0 for none."""
    return 2 * n_equal / (n_alike * N_CODE_BITS) - 1 if n_alike else 0.0


def _equal_bits(page: KeptPage, other: KeptPage) -> int:
    return N_CODE_BITS - ((page.signature.code ^ other.signature.code) >> 8).bit_count()


def _exact(page: KeptPage, other: int, other_raw: int) -> Copy:
    return Copy(other, DUPLICATE_BYTES if page.raw == other_raw else DUPLICATE)
