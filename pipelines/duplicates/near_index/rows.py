"""The rows of the journal that an index of kept pages is made of.

*On disk.* Journal, table ``extra``: key ``near``, the name of the rule that signatures were made by;
keys ``near:`` and the number as u64 big-endian, the page: u64 little-endian page id, digest of its
bytes (0 when it is not known), digest of its text, code and keys. Without a rule only the first two
count. Key ``near forgotten``: how often pages were forgotten, u64 big-endian; a file of the index from before has them.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.journals import Edit
from crawler.durable.keys import u64_key, u64_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from pipelines.duplicates.verdicts import Signature

    U64 = npt.NDArray[np.uint64]

TABLE = "extra"
RULE = b"near"
PREFIX = b"near:"
FORGOTTEN = b"near forgotten"
# Rows that are read or written in one transaction.
CHUNK = 50_000
# Before the keys: page id, digest of the bytes, digest of the text, code.
N_PLAIN = 4


class KeptPage(NamedTuple):
    """A page as the index knows it; *raw* is the digest of its bytes."""

    page_id: int
    raw: int
    signature: Signature


def row_of(page: KeptPage) -> bytes:
    """Return the row of *page*, u64: its id, the digests of its bytes and its text, its code, and its keys."""
    signature = page.signature
    plain = (page.page_id, page.raw, signature.digest, signature.code, *signature.keys.tolist())
    return np.array(plain, dtype="<u8").tobytes()


def fields_of(row: bytes) -> U64:
    """Return the numbers of a row as :func:`row_of` makes it."""
    return np.frombuffer(row, dtype="<u8").astype(np.uint64)


def row_chunks(journal: Journal, start: int) -> Iterator[tuple[U64, U64]]:
    """Yield (numbers, rows) of the pages from number *start* on, by number."""
    while True:
        numbers: list[int] = []
        rows: list[bytes] = []
        with journal.read() as txn:
            for key, row in txn.scan(TABLE, PREFIX + u64_key(start)):
                if not key.startswith(PREFIX) or len(rows) == CHUNK:
                    break
                numbers.append(u64_of(key[len(PREFIX) :]))
                rows.append(row)
        if not rows:
            return
        width = len(rows[0]) // 8
        yield np.array(numbers, dtype=np.uint64), fields_of(b"".join(rows)).reshape(-1, width)
        start = numbers[-1] + 1


def digests_of_bytes(journal: Journal) -> tuple[U64, U64]:
    """Return page ids, and the digests of the bytes of these pages, 16 bytes each of memory.

    Pages are among them that are kept no more; 0 is unknown.
    """
    found = bytearray()
    start = 0
    while True:
        n_read = 0
        with journal.read() as txn:
            for key, row in txn.scan(TABLE, PREFIX + u64_key(start)):
                if not key.startswith(PREFIX) or n_read == CHUNK:
                    break
                found += row[:16]
                start = u64_of(key[len(PREFIX) :]) + 1
                n_read += 1
        if not n_read:
            pairs = fields_of(bytes(found)).reshape(-1, 2)
            return pairs[:, 0], pairs[:, 1]


class KnownDigests:
    """The digest of the bytes of each page, the last in *journals*. 16 bytes a page, 40 while it is made."""

    def __init__(self, journals: Iterable[Journal]):
        found = [digests_of_bytes(journal) for journal in journals]
        ids, digests = (np.concatenate(column) for column in zip(*found, strict=True))
        order = np.argsort(ids, kind="stable")
        order = order[np.append(ids[order][1:] != ids[order][:-1], True)[: len(order)]]
        self._ids, self._digests = ids[order], digests[order]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield page ids, ascending, and digests."""
        pairs = zip(self._ids, self._digests, strict=True)
        return ((int(page_id), int(digest)) for page_id, digest in pairs)

    def of(self, page_id: int) -> int:
        """Return the digest of the bytes of *page_id*, 0 when it is not known."""
        # As uint64: for an int of Python numpy would make floats of all ids, each time, and round them.
        place = int(np.searchsorted(self._ids, np.uint64(page_id)))
        is_known = place < len(self._ids) and self._ids[place] == page_id
        return int(self._digests[place]) if is_known else 0


def digest_edits(journal: Journal, pages: Iterable[tuple[int, int]]) -> list[Edit]:
    """Return what keeps the digests of *pages* until their signatures are made, the rule being forgotten."""
    with journal.read() as txn:
        first = end_of(txn)
    return [
        Edit(TABLE, PREFIX + u64_key(number), np.array(page, dtype="<u8").tobytes())
        for number, page in enumerate(pages, start=first)
    ]


def put_digests(journal: Journal, pages: Iterable[tuple[int, int]]) -> None:
    """Write what `digest_edits` are of *pages*, some at a time."""
    left = iter(pages)
    while edits := digest_edits(journal, islice(left, CHUNK)):
        rows = [(edit.key, edit.value or b"") for edit in edits]
        journal.write(lambda txn, rows=rows: txn.put_many(TABLE, rows))  # type: ignore[misc]


def end_of(txn: Transaction) -> int:
    """Return the number after the last one, found in some 128 look-ups."""

    def is_beyond(number: int) -> bool:
        found = next(txn.scan(TABLE, PREFIX + u64_key(number)), None)
        return found is None or not found[0].startswith(PREFIX)

    high = 1
    while not is_beyond(high - 1):
        high *= 2
    low = high // 2
    while low < high:
        middle = (low + high) // 2
        if is_beyond(middle):
            high = middle
        else:
            low = middle + 1
    return low


FORGET_RULE = Edit(TABLE, RULE, None)


def forget_edits(journal: Journal, replaced: U64, kept: U64) -> list[Edit]:
    """Return what forgets the signatures of captures of the pages *replaced* that are no documents any more.

    Of pages *kept*, which are documents now, the last one stays: it is that of the capture in hand.
    """
    wanted, stays = set(replaced.tolist()), set(kept.tolist())
    edits: list[Edit] = []
    last: dict[int, bytes] = {}
    with journal.read() as txn:
        for key, row in txn.scan(TABLE, PREFIX):
            if not key.startswith(PREFIX):
                break
            page_id = int.from_bytes(row[:8], "little")
            if page_id in wanted:
                if page_id in last:
                    edits.append(Edit(TABLE, last[page_id], None))
                last[page_id] = key
        n_before = u64_of(txn.get(TABLE, FORGOTTEN) or u64_key(0))
    edits += [Edit(TABLE, key, None) for page_id, key in last.items() if page_id not in stays]
    return [*edits, Edit(TABLE, FORGOTTEN, u64_key(n_before + 1))] if edits else []


def forget_rule(txn: Transaction) -> None:
    """Have the next crawl make all signatures anew."""
    txn.delete(TABLE, RULE)


def forget_pages(journal: Journal) -> None:
    """Delete the signatures, some at a time; the rule goes first."""
    while True:
        with journal.read() as txn:
            keys: list[bytes] = []
            for key, _ in txn.scan(TABLE, PREFIX):
                if not key.startswith(PREFIX) or len(keys) == CHUNK:
                    break
                keys.append(key)
        if not keys:
            return

        def delete(txn: Transaction, keys: list[bytes] = keys) -> None:
            for key in keys:
                txn.delete(TABLE, key)

        journal.write(delete)
