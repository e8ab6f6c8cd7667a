"""What a visit to a page that was fetched before means for its rows.

A first capture is noted, so that a later visit can be compared with it. Of a later one:

====================================  ==============================================================
the answer                            what becomes of the page
====================================  ==============================================================
304, or the same answer               its row and its arcs stay; a row of ``visits`` says so
304 that withdraws the page           the new row counts, which rejects it; its arcs stay, as they would if
                                      it had been answered whole
another page, or a redirect           the new row counts, the old one is stale; arcs are the new ones
404, 410                              it is gone: the old row is stale, its arcs go
anything else                         its row and its arcs stay; a row of ``visits`` says why. A host
                                      that is down, or forbids the page now, takes nothing back
====================================  ==============================================================

Stale rows (crawler.durable.visits) are passed over by whoever reads the corpus, and moved to ``replaced`` at
the end of the crawl.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.durable.keys import u64_key
from crawler.durable.visits import (
    STALE,
    VISITED,
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
    from crawler.durable.visits import Validators

# RFC 9110 sections 15.5.5 and 15.5.11.
GONE_STATUSES = frozenset({404, 410})

NOT_MODIFIED, SAME_ANSWER, WITHDRAWN = "not_modified", "same_answer", "withdrawn"
CHANGED, REDIRECT, GONE = "changed", "redirect", "gone"


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
    if capture.earlier is None:
        if capture.state == FETCHED:
            _note(capture, microseconds(capture.fetched_at), capture.validators)
    elif capture.unchanged not in {"", WITHDRAWN}:
        _leave(capture, capture.earlier, capture.unchanged)
    elif capture.state == FETCHED:
        _replace(capture, capture.earlier)
    elif capture.status in GONE_STATUSES:
        _outdate(capture, capture.earlier, GONE)
        capture.links = no_links()
        capture.puts.append((VISITED, u64_key(capture.page_id), None))
    else:
        reason = capture.row["reason"] if capture.row else capture.state
        _leave(capture, capture.earlier, str(reason))


def visit_outcome(capture: Capture) -> str | None:
    """Return what a later visit came to, None for a first one."""
    if capture.earlier is None or capture.state == QUEUED or capture.row is None:
        return None
    if capture.table == "visits":
        return str(capture.row["outcome"])
    return CHANGED if capture.state == FETCHED else GONE


def _note(capture: Capture, captured_us: int, validators: Validators) -> None:
    assert capture.fetched_at is not None
    visit = Visit(captured_us, microseconds(capture.fetched_at), validators)
    capture.puts.append((VISITED, u64_key(capture.page_id), pack_visit(visit)))


def _replace(capture: Capture, earlier: Visit) -> None:
    assert capture.fetched_at is not None
    if microseconds(capture.fetched_at) == earlier.captured_us:  # a clock that was put back
        capture.fetched_at = moment(earlier.captured_us + 1)
        if capture.row is not None:
            capture.row["fetched_at"] = capture.fetched_at
    is_redirect = capture.row is not None and capture.row.get("reason") == REDIRECT
    _outdate(capture, earlier, REDIRECT if is_redirect else CHANGED)
    if capture.links is None and capture.unchanged != WITHDRAWN:
        capture.links = no_links()
    _note(capture, microseconds(capture.fetched_at), capture.validators)


def _outdate(capture: Capture, earlier: Visit, reason: str) -> None:
    key = stale_key(capture.page_id, earlier.captured_us)
    capture.puts.append((STALE, key, reason.encode()))


def _leave(capture: Capture, earlier: Visit, outcome: str) -> None:
    """Leave the page as it was, and say that it was visited."""
    capture.state, capture.links = FETCHED, None
    new, old = capture.validators, earlier.validators
    validators = old._replace(etag=new.etag or old.etag, modified=new.modified or old.modified)
    _note(capture, earlier.captured_us, validators)
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
