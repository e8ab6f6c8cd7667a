"""Answers that stored revisits name: each is as late as the last revisit that names it.

A revisit says that at its date the page was what an answer of an earlier date says. It names that by its date, or else
by the digest of its payload, whose date is known once the answer itself is offered; of several with that digest all
that are earlier are meant, and the last of them counts.

*On disk.* Table ``claims`` of the journal: u64 big-endian page id, followed by

- u64 big-endian microseconds since 1970 of an answer → as many of the last revisit that names it
- the same, and ``r`` → nothing, for a capture that was replaced, or was before it took its page
- the 16-byte xxh3 digest of ``digest `` and a digest of a payload → microseconds of the last revisit that names it by
  that
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xxhash import xxh3_128_digest

from crawler.durable.keys import u64_key, u64_of
from crawler.durable.visits import CLAIMS

if TYPE_CHECKING:
    from crawler.durable.transaction import Transaction

# What follows page and date of a capture that was replaced.
_REPLACED = b"r"


class Worth(NamedTuple):
    """What captures of a page are compared by: *is_answer*, or an error; and microseconds since 1970."""

    is_answer: bool
    us: int


class LastWorth(NamedTuple):
    """The `Worth` of a capture as of the last revisit that names it, and then *own_us*, its own time."""

    is_answer: bool
    us: int
    own_us: int


def last_worth(txn: Transaction, page_id: int, worth: Worth) -> LastWorth:
    """Return how late the capture of *worth* is; an error is as late as it is."""
    row = txn.get(CLAIMS, _of_date(page_id, worth.us)) if worth.is_answer else None
    us = worth.us if row is None else max(worth.us, u64_of(row))
    return LastWorth(worth.is_answer, us, worth.us)


def name_by_date(txn: Transaction, page_id: int, us: int, visited_us: int) -> None:
    """Have the answer of *us* be as late as *visited_us*, unless it is as late already."""
    if visited_us > last_worth(txn, page_id, Worth(True, us)).us:
        txn.put(CLAIMS, _of_date(page_id, us), u64_key(visited_us))


def name_by_digest(txn: Transaction, page_id: int, digest: str, visited_us: int) -> None:
    """Have the answers whose payload has *digest*, which are not known yet, be as late as *visited_us*."""
    key = _of_digest(page_id, digest)
    row = txn.get(CLAIMS, key)
    if row is None or u64_of(row) < visited_us:
        txn.put(CLAIMS, key, u64_key(visited_us))


def learn_digest(txn: Transaction, page_id: int, us: int, digest: str) -> None:
    """Take it that the payload of the answer of *us* has *digest*."""
    if digest and (row := txn.get(CLAIMS, _of_digest(page_id, digest))) is not None:
        name_by_date(txn, page_id, us, u64_of(row))


def note_replaced(txn: Transaction, page_id: int, us: int) -> None:
    """Note that the capture of *us* was replaced."""
    txn.put(CLAIMS, _of_date(page_id, us) + _REPLACED, b"")


def was_replaced(txn: Transaction, page_id: int, us: int) -> bool:
    """Tell whether the capture of *us* was replaced."""
    return txn.get(CLAIMS, _of_date(page_id, us) + _REPLACED) is not None


def _of_date(page_id: int, us: int) -> bytes:
    return u64_key(page_id) + u64_key(us)


def _of_digest(page_id: int, digest: str) -> bytes:
    return u64_key(page_id) + xxh3_128_digest(f"digest {digest.lower()}".encode())
