"""The last visit to each page: what a later one is compared with, and asks the server by.

*On disk.* Table ``visited`` of the journal: u64 big-endian page id → msgpack list: microseconds since 1970 of
the capture whose row is stored, and of the last visit; xxh3-128 of the answer's body once decoded and
of the headers that decide what the page becomes, or of status and target of a redirect; ETag, Last-Modified, as they
came, empty when there was none or it was longer than `MAX_VALIDATOR_BYTES`. Of a page whose text was not kept because
another page has it, which may change, the digest is followed by a byte, 0, and ETag and Last-Modified are empty. Of a
page that the last visit did not find, because it is gone or refused, all three are empty and two numbers follow: visits
in a row that did not find it, and the status that its row in ``rejected`` bears, 0 for none. Format 3 of the journal
has no such pages; nor are those in it whose visit no fetch ended: a crash.

Table ``stale``: u64 big-endian page id, u64 big-endian microseconds since 1970 → why the row of that capture,
which is in a shard or in the log, is no longer one of the corpus: ``changed``, ``redirect``, ``gone``, ``found``,
``same_answer`` of a duplicate, or ``same_url`` where a later capture is that of a WARC file.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import msgpack

from crawler.durable.journals import Edit
from crawler.durable.keys import u64_key
from crawler.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crawler.durable.journal import Journal

VISITED, STALE = "visited", "stale"
# Table ``claims``: what crawler.frontier.store.claims says of the pages that WARC files have.
CLAIMS = "claims"
# Table ``sitemaps``: u64 big-endian page id → whether it was read at the last visit, or that failed; or it is a feed.
SITEMAPS = "sitemaps"
READ, FAILED, FEED = b"", b"failed", b"feed"
# Why a capture counts no more: a WARC file has another one of its page, which does.
SAME_URL = "same_url"

# What a request carries back; longer ones are no use to anybody.
MAX_VALIDATOR_BYTES = 512

# What follows the digest of an answer that is to be had whole again: it is like none.
_WHOLE = b"\0"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Validators(NamedTuple):
    """What tells whether an answer is the one before: *digest* of it, its *etag*, its *modified*."""

    digest: bytes = b""
    etag: bytes = b""
    modified: bytes = b""

    def to_be_whole(self) -> Validators:
        """Return what has the next visit fetch the page whole; an empty digest, of a journal of old, stays so."""
        return Validators(self.digest.removesuffix(_WHOLE) + _WHOLE if self.digest else b"")

    def is_whole_again(self, digest: bytes) -> bool:
        """Tell whether an answer that was to be had whole is, by its *digest*, the one before."""
        return digest != b"" and self.digest == digest + _WHOLE


NO_VALIDATORS = Validators()


class Visit(NamedTuple):
    """*captured_us*: the capture whose row is stored; *visited_us*: the last visit.

    *n_missed*: visits in a row that did not find the page, 0 when the last one did; then *status* is that of the row.
    """

    captured_us: int
    visited_us: int
    validators: Validators
    n_missed: int = 0
    status: int = 0


def microseconds(when: datetime) -> int:
    """Return *when* as microseconds since 1970.

    >>> microseconds(datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC))
    1000005
    """
    return (when - _EPOCH) // _MICROSECOND


def moment(us: int) -> datetime:
    """Return the time of *us* microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=us)


def validators_of(digest: bytes, etag: bytes | None, modified: bytes | None) -> Validators:
    """Return the validators of an answer with these headers.

    >>> validators_of(b"d", b'W/"1"', None)
    Validators(digest=b'd', etag=b'W/"1"', modified=b'')
    """
    kept = (
        value if len(value) <= MAX_VALIDATOR_BYTES else b""
        for value in (etag or b"", modified or b"")
    )
    return Validators(digest, *kept)


def pack_visit(visit: Visit) -> bytes:
    """Return the row of *visit*."""
    row = [visit.captured_us, visit.visited_us, *visit.validators]
    if visit.n_missed:
        row += [visit.n_missed, visit.status]
    packed: bytes = msgpack.packb(row)
    return packed


def unpack_visit(row: bytes) -> Visit:
    """Return the visit of a *row*; raise `FormatError` when it is damaged."""
    try:
        captured, visited, digest, etag, modified, *missed = msgpack.unpackb(row)
        return Visit(captured, visited, Validators(digest, etag, modified), *missed)
    except (ValueError, TypeError) as error:
        raise FormatError(
            f"the journal's row of a visit is damaged ({error}); restore it from a copy"
        ) from error


def stale_key(page_id: int, captured_us: int) -> bytes:
    """Return the key of a capture in table ``stale``."""
    return u64_key(page_id) + u64_key(captured_us)


def pages_of_warcs(journal: Journal, page_ids: Iterable[int]) -> set[int]:
    """Return those of *page_ids* that a WARC file has, as far as *journal* knows."""
    with journal.read() as txn:
        return {page_id for page_id in page_ids if txn.get(CLAIMS, u64_key(page_id)) is not None}


def validator_edits(journal: Journal, page_ids: Iterable[int]) -> list[Edit]:
    """Return what has the next visit to each page fetch it whole; pages of other shards are left out."""
    edits = []
    with journal.read() as txn:
        for page_id in page_ids:
            row = txn.get(VISITED, u64_key(page_id))
            if row is not None:
                visit = unpack_visit(row)
                bare = visit._replace(validators=visit.validators.to_be_whole())
                edits.append(Edit(VISITED, u64_key(page_id), pack_visit(bare)))
    return edits
