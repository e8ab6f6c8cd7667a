"""Which of several stored captures of one page is taken: the latest, in whatever order they are offered.

A WARC may hold a page many times, and files may be added to a crawl later. A capture takes the page from an earlier
one, and from an earlier visit; of equal dates the first that was offered has it. As errors take nothing back from a
page (crawler.frontier.revisits), one is earlier than all other answers, but for 404 and 410. The capture that has the
page is processed, over restarts too, until it is committed; every other one has one row in ``replaced``: its own, which
turns stale, if it was committed before, and else one that names its source (file and offset).

A stored revisit makes the answer that it names later (crawler.frontier.store.named_answers): that takes the page from
those between, whether it is read before them or after. Its row bears its own date, as that of a page that a re-crawl
finds unchanged; each revisit has a row in ``visits``. Where the answer was read, and another one taken, before a
revisit names it, all is to be read again: then it takes the page. If it had been listed in ``replaced`` it stays there,
and is listed once more, with its whole row, when another one takes the page after all.

*On disk.* Table ``claims``: u64 big-endian page id → 0, u8 1 for an answer and 0 for an error, u64 big-endian
microseconds since 1970 of the capture that has the page, and its source; or the source alone, of a release that took
the first one. And the same key followed by the 16-byte xxh3 digest of a source and the microseconds of its date →
nothing, for one that was replaced, and for a revisit: files of one name, in several folders, may have captures of a
page at one place. Earlier releases left the date out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from xxhash import xxh3_128_digest

from crawler.durable.keys import u64_key, u64_of
from crawler.durable.page_state import split_id
from crawler.durable.visits import CLAIMS, SAME_URL, VISITED, microseconds, moment, unpack_visit
from crawler.frontier.revisits import GONE_STATUSES
from crawler.frontier.store.named_answers import (
    LastWorth,
    Worth,
    last_worth,
    learn_digest,
    name_by_date,
    name_by_digest,
    note_replaced,
    was_replaced,
)
from crawler.urls import page_url

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import numpy.typing as npt

    from crawler.durable.visits import Visit
    from crawler.frontier.store.changes import Changes
    from crawler.urls import PageKey

    U64 = npt.NDArray[np.uint64]

# What no source begins with.
_DATED = b"\0"


@dataclass(frozen=True, slots=True)
class Claim:
    """A stored capture of the page of *key*: when it was fetched, where it lies, and whether it *is_answer* or an
    error.

    *digest* is that of its payload, "" where its record does not tell it. *categories* are those that its host had.
    """

    key: PageKey
    fetched_at: datetime
    source: str
    is_answer: bool = True
    digest: str = ""
    categories: tuple[str, ...] = ()

    @property
    def worth(self) -> Worth:
        return Worth(self.is_answer, microseconds(self.fetched_at))


@dataclass(frozen=True, slots=True)
class StoredRevisit:
    """A stored revisit at *source*: the page of *key* was at *fetched_at* what its answer of *refers_to* says.

    Where that is None, an answer whose payload has *digest*. *status* and *outcome* are those of its row in ``visits``.
    """

    key: PageKey
    fetched_at: datetime
    refers_to: datetime | None
    source: str
    status: int | None
    outcome: str
    digest: str = ""


class Verdict(Enum):
    """*take* the capture; it was *done* before; another one has the page, so it is *replaced*."""

    TAKE = "take"
    DONE = "done"
    REPLACED = "replaced"


def is_answer(status: int, *, has_target: bool) -> bool:
    """Tell whether an answer with *status* says what the page is; *has_target*: it says where else to look.

    >>> [is_answer(status, has_target=False) for status in (200, 301, 404, 503)]
    [True, False, True, False]
    """
    is_redirect = 300 <= status < 400 and has_target
    return 200 <= status < 300 or is_redirect or status in GONE_STATUSES


def judge_claims(changes: Changes, claims: Sequence[Claim]) -> tuple[list[Verdict], U64]:
    """Judge *claims*, and write what follows from it into *changes*.

    Returns the verdicts, and the pages that were done and are to be captured again.
    """
    ids = changes.seed([claim.key for claim in claims], follow=False).tolist()
    for page_id, claim in zip(ids, claims, strict=True):
        if claim.categories:
            changes.hosts.add_categories(split_id(page_id)[0], set(claim.categories))
    judge = _Judge(changes)
    verdicts = [Verdict.DONE] * len(claims)
    worths = [judge.offered(ids[place], claim) for place, claim in enumerate(claims)]
    # The latest first: what it replaces here is not processed.
    for place in sorted(range(len(claims)), key=worths.__getitem__, reverse=True):
        verdicts[place] = judge.judge(ids[place], claims[place])
    changes.write_rows(judge.rows)
    return verdicts, changes.take_back(np.unique(np.array(judge.again, dtype=np.uint64)))


def note_revisits(changes: Changes, revisits: Sequence[StoredRevisit]) -> bool:
    """Note *revisits*; tell whether one names an answer that was read and is the latest now, but has not its page."""
    ids = changes.seed([revisit.key for revisit in revisits], follow=False).tolist()
    judge = _Judge(changes)
    is_named = [judge.visit(*each) for each in zip(ids, revisits, strict=True)]
    changes.write_rows(judge.rows)
    return any(is_named)


class _Taken(NamedTuple):
    """The capture that has a page; *worth* is None where that was not written."""

    worth: Worth | None
    source: bytes


def _unpack_taken(row: bytes) -> _Taken:
    if row[:1] != _DATED:
        return _Taken(None, row)
    return _Taken(Worth(bool(row[1]), u64_of(row[2:10])), row[10:])


def claim_of_row(key: PageKey, row: bytes, fetched_at: datetime) -> Claim:
    """Return the capture that has the page of *key*, by its *row* of ``claims``; *fetched_at* where that tells no
    date.
    """
    taken = _unpack_taken(row)
    worth = taken.worth or Worth(True, microseconds(fetched_at))
    source = taken.source.decode("utf-8", "surrogateescape")
    return Claim(key, moment(worth.us), source, is_answer=worth.is_answer)


class _Judge:
    """Judges claims one by one; gathers *rows* of ``replaced``, and pages that are to be captured *again*."""

    def __init__(self, changes: Changes) -> None:
        self.txn = changes.txn
        self.frontier = changes.frontier
        self.rows: list[tuple[str, dict[str, Any]]] = []
        self.again: list[int] = []

    def judge(self, page_id: int, claim: Claim) -> Verdict:
        source = claim.source.encode("utf-8", "surrogateescape")
        taken, visit = self._taken(page_id), self._visit(page_id)
        is_seen = self.frontier.is_seen(page_id)
        is_done = is_seen or (
            taken is not None and visit is not None and taken.worth == _worth(visit)
        )
        if taken is not None and taken.source == source and taken.worth in {None, claim.worth}:
            return Verdict.DONE if is_done else Verdict.TAKE
        # Of a page that was rejected with no visit noted (a trap, a crash) the row cannot be named.
        is_fixed = page_id in self.frontier.out or (is_seen and visit is None)
        worth = last_worth(self.txn, page_id, claim.worth)
        if is_fixed or not self._is_later(page_id, worth, taken, visit):
            self._replace(page_id, source, claim.key, claim.fetched_at)
            return Verdict.REPLACED
        if taken is not None:
            when = None if taken.worth is None else moment(taken.worth.us)
            self._replace(page_id, taken.source, claim.key, when, has_row=is_done)
        if is_seen:
            self.again.append(page_id)
        head = _DATED + bytes([claim.is_answer]) + u64_key(claim.worth.us)
        self.txn.put(CLAIMS, u64_key(page_id), head + source)
        return Verdict.TAKE

    def visit(self, page_id: int, revisit: StoredRevisit) -> bool:
        """Note *revisit*; tell whether what it names was read, and is the latest now."""
        source = revisit.source.encode("utf-8", "surrogateescape")
        if not self._is_new(page_id, source, revisit.fetched_at):
            return False
        host_id, local_id = split_id(page_id)
        row = {
            "host_id": host_id,
            "local_id": local_id,
            "url": page_url(revisit.key),
            "fetched_at": revisit.refers_to,
            "visited_at": revisit.fetched_at,
            "status": revisit.status,
            "outcome": revisit.outcome,
        }
        self.rows.append(("visits", row))
        at, taken = microseconds(revisit.fetched_at), self._taken(page_id)
        if revisit.refers_to is None:
            name_by_digest(self.txn, page_id, revisit.digest, at)
            return taken is not None  # the digest of what was read is not kept
        answer = microseconds(revisit.refers_to)
        name_by_date(self.txn, page_id, answer, at)
        if not was_replaced(self.txn, page_id, answer):
            return False
        worth = last_worth(self.txn, page_id, Worth(True, answer))
        return self._is_later(page_id, worth, taken, self._visit(page_id))

    def offered(self, page_id: int, claim: Claim) -> LastWorth:
        """Return how late *claim* is."""
        if claim.is_answer:
            learn_digest(self.txn, page_id, claim.worth.us, claim.digest)
        return last_worth(self.txn, page_id, claim.worth)

    def _is_later(
        self, page_id: int, worth: LastWorth, taken: _Taken | None, visit: Visit | None
    ) -> bool:
        """Tell whether a capture of *worth* is later than the one that was *taken*, and than the *visit*."""
        others = []
        if taken is not None and taken.worth is not None:
            others.append(last_worth(self.txn, page_id, taken.worth))
        if visit is not None:
            is_answer, visited_us = _worth(visit)
            others.append(LastWorth(is_answer, visited_us, visited_us))
            captured = Worth(is_answer, visit.captured_us)
            others.append(last_worth(self.txn, page_id, captured))
        return all(worth > other for other in others)

    def _taken(self, page_id: int) -> _Taken | None:
        row = self.txn.get(CLAIMS, u64_key(page_id))
        return None if row is None else _unpack_taken(row)

    def _visit(self, page_id: int) -> Visit | None:
        row = self.txn.get(VISITED, u64_key(page_id))
        return None if row is None else unpack_visit(row)

    def _replace(
        self,
        page_id: int,
        source: bytes,
        key: PageKey,
        fetched_at: datetime | None,
        *,
        has_row: bool = False,
    ) -> None:
        """Have the capture at *source* be replaced, by a row if that is new and it *has* none in the corpus."""
        if fetched_at is not None:
            note_replaced(self.txn, page_id, microseconds(fetched_at))
        if self._is_new(page_id, source, fetched_at) and not has_row:
            host_id, local_id = split_id(page_id)
            row = {
                "host_id": host_id,
                "local_id": local_id,
                "url": page_url(key),
                "fetched_at": fetched_at,
                "reason": SAME_URL,
                "source": source.decode("utf-8", "surrogateescape"),
            }
            self.rows.append(("replaced", row))

    def _is_new(self, page_id: int, source: bytes, date: datetime | None) -> bool:
        """Mark what is at *source*, and of *date*, as what has its row; tell whether it had none."""
        if self.txn.get(CLAIMS, _mark(page_id, source)) is not None:
            return False
        dated = source if date is None else source + u64_key(microseconds(date))
        return bool(self.txn.put_new(CLAIMS, _mark(page_id, dated), b""))


def _worth(visit: Visit) -> Worth:
    """Return what the row of the page of *visit* is compared by: no visit after it found another answer."""
    return Worth(not visit.n_missed or visit.status in GONE_STATUSES, visit.visited_us)


def _mark(page_id: int, capture: bytes) -> bytes:
    """Return the key that says that *capture*, a source and its date, has its row."""
    return u64_key(page_id) + xxh3_128_digest(capture)
