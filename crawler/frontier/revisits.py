"""When a page is visited again, and what a later visit means for its rows.

A first capture is noted, so that a later visit can be compared with it. Of a later one:

====================================  ==============================================================
the answer                            what becomes of the page
====================================  ==============================================================
304, or the same answer               its row and its arcs stay; a row of ``visits`` says so. Of a duplicate,
                                      whose text is gone, the new row counts, the old one is stale
304 that withdraws the page           the new row counts, which rejects it; its arcs stay, as they would if
                                      it had been answered whole
another page, or a redirect           the new row counts, the old one is stale; arcs are the new ones
404, 410                              it is gone: the old row is stale, its arcs go
anything else                         its row and its arcs stay; a row of ``visits`` says why. A host
                                      that is down, or forbids the page now, takes nothing back. Behind a
                                      412 the next visit asks without conditions: some servers answer so to
                                      those that a 304 is for
====================================  ==============================================================

A page that the last visit did not find (`Visit.n_missed`) has a row in ``rejected`` that says why:

====================================  ==============================================================
the answer                            what becomes of the page
====================================  ==============================================================
a page, or a redirect                 it is found: the new row counts, the old one is stale
404, 410, which the old row does not  it is gone: the new row counts, the old one is stale
bear
anything else                         its row stays, with the time of the visit that first missed it; a row
                                      of ``visits`` says why it was missed again
====================================  ==============================================================

A capture of a WARC file counts, whatever it is: which of them does was judged before (crawler.frontier.store.claims). A
stored 304 that withdraws its page is one of them, without arcs: whether its answer is read at all depends on the order
of the files.

Stale rows (crawler.durable.visits) are passed over by whoever reads the corpus, and moved to ``replaced`` at
the end of the crawl.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.durable.keys import u64_key
from crawler.durable.visits import (
    NO_VALIDATORS,
    SAME_URL,
    STALE,
    VISITED,
    Validators,
    Visit,
    microseconds,
    moment,
    pack_visit,
    stale_key,
)
from crawler.frontier.outcome import FETCHED, QUEUED
from crawler.page.links import no_links

if TYPE_CHECKING:
    from crawler.durable.capture import Capture

# RFC 9110 sections 15.5.5 and 15.5.11.
GONE_STATUSES = frozenset({404, 410})
# RFC 9110, section 15.5.13; of a GET by If-None-Match it should have been 304 (section 13.1.2).
PRECONDITION_FAILED = 412

NOT_MODIFIED, SAME_ANSWER, WITHDRAWN = "not_modified", "same_answer", "withdrawn"
CHANGED, REDIRECT, GONE, FOUND = "changed", "redirect", "gone", "found"

# The stages of rows of pages that were asked for, or that their site forbids; and of those that steering refused.
FETCH, STEERED = "fetch", "frontier"


@dataclass(frozen=True, slots=True)
class RecrawlPolicy:
    """A page is due *after_secs* after its last visit.

    One that was not found is due after as long, then after 2, 4, 8 … times that; if it is gone, from the doubled
    time on. It is asked for *gone_times* more, after which it is due no more.
    """

    after_secs: float
    gone_times: int = 5


def is_due(visit: Visit, now_us: int, policy: RecrawlPolicy) -> bool:
    """Tell whether the page of *visit* is to be visited again at *now_us*, microseconds since 1970.

    >>> found = Visit(0, 0, NO_VALIDATORS)
    >>> gone = found._replace(n_missed=1, status=404)
    >>> [is_due(visit, 15_000_000, RecrawlPolicy(10.0)) for visit in (found, gone)]
    [True, False]
    """
    if visit.n_missed > policy.gone_times:
        return False
    n_doublings = visit.n_missed - (visit.n_missed > 0 and visit.status not in GONE_STATUSES)
    return visit.visited_us < now_us - policy.after_secs * 1e6 * 2.0**n_doublings


def conditions(validators: Validators) -> dict[str, bytes]:
    """Return the headers by which a server may answer 304 (RFC 9110 section 13.1)."""
    found = {"If-None-Match": validators.etag, "If-Modified-Since": validators.modified}
    return {name: value for name, value in found.items() if value}


def is_same_answer(capture: Capture) -> bool:
    """Tell whether the answer that *capture* has the validators of is the one before."""
    digest = capture.validators.digest
    return capture.earlier is not None and digest == capture.earlier.validators.digest != b""


def note_visit(capture: Capture) -> None:
    """Write into *capture*, which has ended, what its visit means; one to be tried again means nothing yet."""
    if capture.state == QUEUED or capture.fetched_at is None:
        return
    if capture.is_stored:
        _take_place(capture)
    elif capture.earlier is None:
        if capture.state == FETCHED:
            _note(capture, microseconds(capture.fetched_at), capture.validators)
        elif _may_be_had_later(capture):
            _note_missed(capture, microseconds(capture.fetched_at), 1)
    elif capture.earlier.n_missed and capture.state != FETCHED:
        _miss_again(capture, capture.earlier)
    elif capture.unchanged not in {"", WITHDRAWN}:
        _leave(capture, capture.earlier, capture.unchanged)
    elif capture.state == FETCHED:
        _replace(capture, capture.earlier)
    elif capture.status in GONE_STATUSES:
        _lose(capture, capture.earlier)
    else:
        _leave(capture, capture.earlier, _reason(capture))


def visit_outcome(capture: Capture) -> str | None:
    """Return what a later visit came to, None for a first one."""
    if capture.earlier is None or capture.state == QUEUED:
        return None
    if capture.is_stored:
        return SAME_URL
    if capture.row is None:
        return None
    if capture.table == "visits":
        return str(capture.row["outcome"])
    if capture.state != FETCHED:
        return GONE
    if capture.earlier.n_missed:
        return FOUND
    return SAME_ANSWER if _is_whole_again(capture, capture.earlier) else CHANGED


def _reason(capture: Capture) -> str:
    return str(capture.row["reason"] if capture.row else capture.state)


def _is_whole_again(capture: Capture, earlier: Visit) -> bool:
    return earlier.validators.is_whole_again(capture.validators.digest)


def _may_be_had_later(capture: Capture) -> bool:
    """Tell whether the page of *capture*, which has no answer, was asked for, or its site, the crawl's user or what the
    crawl had learned forbids it.

    All may take it back; others are not looked at again.
    """
    return capture.row is not None and capture.row.get("stage") in {FETCH, STEERED}


def _note(
    capture: Capture, captured_us: int, validators: Validators, n_missed: int = 0, status: int = 0
) -> None:
    assert capture.fetched_at is not None
    visit = Visit(captured_us, microseconds(capture.fetched_at), validators, n_missed, status)
    capture.puts.append((VISITED, u64_key(capture.page_id), pack_visit(visit)))


def _note_missed(capture: Capture, captured_us: int, n_missed: int) -> None:
    _note(capture, captured_us, NO_VALIDATORS, n_missed, capture.status or 0)


def _take_place(capture: Capture) -> None:
    """Have *capture* count in place of an earlier visit, if there was one."""
    assert capture.fetched_at is not None
    if capture.earlier is not None:
        _outdate(capture, capture.earlier, SAME_URL)
        capture.links = no_links() if capture.links is None else capture.links
    captured_us = microseconds(capture.fetched_at)
    if capture.state == FETCHED:
        _note(capture, captured_us, capture.validators)
    else:
        _note_missed(capture, captured_us, 1)


def _replace(capture: Capture, earlier: Visit) -> None:
    reason = FOUND
    if not earlier.n_missed:
        is_redirect = capture.row is not None and capture.row.get("reason") == REDIRECT
        is_same = _is_whole_again(capture, earlier)
        reason = SAME_ANSWER if is_same else REDIRECT if is_redirect else CHANGED
    captured_us = _outdate(capture, earlier, reason)
    if capture.links is None and capture.unchanged != WITHDRAWN:
        capture.links = no_links()
    _note(capture, captured_us, capture.validators)


def _lose(capture: Capture, earlier: Visit) -> None:
    captured_us = _outdate(capture, earlier, GONE)
    if not earlier.n_missed:
        capture.links = no_links()
    _note_missed(capture, captured_us, earlier.n_missed + 1)


def _outdate(capture: Capture, earlier: Visit, reason: str) -> int:
    """Have the row of *earlier* count no more; return when the one of *capture* was captured."""
    assert capture.fetched_at is not None
    if microseconds(capture.fetched_at) == earlier.captured_us:  # a clock that was put back
        capture.fetched_at = moment(earlier.captured_us + 1)
        if capture.row is not None:
            capture.row["fetched_at"] = capture.fetched_at
    key = stale_key(capture.page_id, earlier.captured_us)
    capture.puts.append((STALE, key, reason.encode()))
    return microseconds(capture.fetched_at)


def _miss_again(capture: Capture, earlier: Visit) -> None:
    if capture.status in GONE_STATUSES and capture.status != earlier.status:
        _lose(capture, earlier)
        return
    if _may_be_had_later(capture):
        n_missed = earlier.n_missed + 1
        _note(capture, earlier.captured_us, NO_VALIDATORS, n_missed, earlier.status)
    else:
        capture.puts.append((VISITED, u64_key(capture.page_id), None))
    _tell_visit(capture, earlier, _reason(capture))


def _leave(capture: Capture, earlier: Visit, outcome: str) -> None:
    """Leave the page as it was, and say that it was visited."""
    capture.state = FETCHED
    new, old = capture.validators, earlier.validators
    if capture.status == PRECONDITION_FAILED:
        validators = Validators(old.digest)
    else:
        validators = old._replace(etag=new.etag or old.etag, modified=new.modified or old.modified)
    _note(capture, earlier.captured_us, validators)
    _tell_visit(capture, earlier, outcome)


def _tell_visit(capture: Capture, earlier: Visit, outcome: str) -> None:
    """Make the row of *capture* one of ``visits``, which leaves row and arcs of the page as they are."""
    capture.links = None
    capture.table = "visits"
    capture.row = {
        "host_id": capture.host_id,
        "local_id": capture.local_id,
        "url": capture.url,
        "fetched_at": moment(earlier.captured_us),
        "visited_at": capture.fetched_at,
        "status": capture.status,
        "outcome": outcome,
    }
