"""Later visits to a page: when it is due, and what each answer means for its rows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from crawler.durable.capture import Capture
from crawler.durable.visits import (
    MAX_VALIDATOR_BYTES,
    STALE,
    VISITED,
    Validators,
    Visit,
    microseconds,
    moment,
    pack_visit,
    stale_key,
    unpack_visit,
    validators_of,
)
from crawler.errors import FormatError
from crawler.frontier.revisits import (
    RecrawlPolicy,
    conditions,
    is_due,
    is_same_answer,
    note_visit,
    visit_outcome,
)
from tests.toy_crawl import Arrays
from tests.toy_store import B

FIRST = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
LATER = FIRST + timedelta(days=7)
OLD, NEW = Validators(b"o" * 16, b'"1"', b"then"), Validators(b"n" * 16, b'"2"', b"")
NONE = Validators()


def test_visits_are_kept_as_they_were():
    visit = Visit(microseconds(FIRST), microseconds(LATER), OLD)
    assert unpack_visit(pack_visit(visit)) == visit
    missed = visit._replace(n_missed=3, status=404)
    assert unpack_visit(pack_visit(missed)) == missed
    assert moment(visit.captured_us) == FIRST
    with pytest.raises(FormatError, match="row of a visit is damaged"):
        unpack_visit(b"\x01")


def test_headers_of_a_request():
    assert conditions(OLD) == {"If-None-Match": b'"1"', "If-Modified-Since": b"then"}
    assert conditions(NEW) == {"If-None-Match": b'"2"'}
    assert conditions(Validators()) == {}
    long = b"x" * (MAX_VALIDATOR_BYTES + 1)
    assert validators_of(b"d", long, b"then") == Validators(b"d", b"", b"then")


FOUND_FIRST = Visit(microseconds(FIRST), microseconds(FIRST), OLD)


def ended(
    state,
    status,
    *,
    validators=NEW,
    unchanged="",
    reason=None,
    stage="fetch",
    has_links=True,
    earlier=FOUND_FIRST,
):
    """A later visit that has ended."""
    capture = Capture(7, "http://a.com/a", "a.com", state=state, status=status, earlier=earlier)
    capture.fetched_at, capture.validators, capture.unchanged = LATER, validators, unchanged
    capture.links = Arrays([B]) if has_links else None
    if reason is None:
        capture.keep({"host_id": 0, "local_id": 7, "fetched_at": LATER})
    else:
        capture.reject(stage=stage, reason=reason)
    note_visit(capture)
    return capture


REPLACED = [
    # state, status, reason of the new row; reason of the old one, whether it may be visited again
    ("fetched", 200, None, b"changed", True),
    ("fetched", 301, "redirect", b"redirect", True),
    ("fetched", 200, "short_text", b"changed", True),
    ("gone", 404, "status_404", b"gone", False),
    ("gone", 410, "status_410", b"gone", False),
]


@pytest.mark.parametrize(("state", "status", "reason", "why", "again"), REPLACED)
def test_what_replaces_a_row(state, status, reason, why, again):
    capture = ended(state, status, reason=reason)
    puts = {table: (key, value) for table, key, value in capture.puts}
    assert puts[STALE] == (stale_key(7, microseconds(FIRST)), why)
    assert capture.state == state
    assert capture.table == ("documents" if reason is None else "rejected")
    if again:
        visit = unpack_visit(puts[VISITED][1])
        assert visit == Visit(microseconds(LATER), microseconds(LATER), NEW)
        assert len(capture.links.key) == 1
    else:
        visit = unpack_visit(puts[VISITED][1])
        us = microseconds(LATER)
        assert visit == Visit(us, us, NONE, n_missed=1, status=status)
        assert len(capture.links.key) == 0
    assert visit_outcome(capture) == ("changed" if again else "gone")


def test_a_page_that_is_withdrawn_keeps_its_arcs():
    capture = ended("fetched", 304, unchanged="withdrawn", reason="noindex", has_links=False)
    assert {table: value for table, _, value in capture.puts}[STALE] == b"changed"
    assert (capture.state, capture.table, capture.links) == ("fetched", "rejected", None)


def test_behind_a_412_a_page_is_asked_for_whole():
    """The server that answers so to its own validators answered so for ever; what its answer bears is not taken."""
    capture = ended("gone", 412, reason="status_412")
    visit = unpack_visit({table: value for table, _, value in capture.puts}[VISITED])
    assert visit == Visit(microseconds(FIRST), microseconds(LATER), Validators(OLD.digest))
    assert conditions(visit.validators) == {}
    assert (capture.table, visit_outcome(capture)) == ("visits", "status_412")
    # The same page again is still known for it.
    same = ended("fetched", 200, validators=Validators(OLD.digest), earlier=visit)
    assert is_same_answer(same)


LEFT = [
    # state, status, unchanged, reason; the outcome of the visit
    ("fetched", 304, "not_modified", None, "not_modified"),
    ("fetched", 200, "same_answer", None, "same_answer"),
    ("gone", 503, "", "status_503", "status_503"),
    ("gone", 403, "", "status_403", "status_403"),
    ("gone", None, "", "timeout", "timeout"),
    ("refused", None, "", "robots", "robots"),
    ("gone", 304, "", "status_304", "status_304"),  # nobody asked for it
]


@pytest.mark.parametrize(("state", "status", "unchanged", "reason", "outcome"), LEFT)
def test_what_leaves_a_row(state, status, unchanged, reason, outcome):
    capture = ended(state, status, unchanged=unchanged, reason=reason, validators=Validators())
    puts = {table: value for table, _, value in capture.puts}
    assert STALE not in puts
    assert unpack_visit(puts[VISITED]) == Visit(microseconds(FIRST), microseconds(LATER), OLD)
    assert (capture.state, capture.table, capture.links) == ("fetched", "visits", None)
    assert capture.row["outcome"] == outcome == visit_outcome(capture)
    assert (capture.row["fetched_at"], capture.row["visited_at"]) == (FIRST, LATER)


MISSED = Visit(microseconds(FIRST), microseconds(FIRST), NONE, n_missed=2, status=404)
MISSED_AGAIN = [
    # state, status, reason and stage of the row; what becomes of it, n_missed and status after it
    ("fetched", 200, None, "", "found", None, None),
    ("fetched", 301, "redirect", "fetch", "found", None, None),
    ("gone", 404, "status_404", "fetch", "status_404", 3, 404),
    ("gone", 410, "status_410", "fetch", "gone", 3, 410),
    ("gone", 503, "status_503", "fetch", "status_503", 3, 404),
    ("gone", None, "timeout", "fetch", "timeout", 3, 404),
    ("refused", None, "robots", "fetch", "robots", 3, 404),
    ("refused", None, "crash", "crash", "crash", None, None),  # not looked at again
]


@pytest.mark.parametrize(
    ("state", "status", "reason", "stage", "outcome", "n_missed", "noted"), MISSED_AGAIN
)
def test_what_becomes_of_a_page_that_was_missed(  # noqa: PLR0917  a table
    state, status, reason, stage, outcome, n_missed, noted
):
    is_found = state == "fetched"
    capture = ended(state, status, reason=reason, stage=stage, has_links=is_found, earlier=MISSED)
    puts = {table: value for table, _, value in capture.puts}
    assert visit_outcome(capture) == outcome
    assert capture.state == state
    is_new = outcome in {"found", "gone"}
    assert puts.get(STALE) == (outcome.encode() if is_new else None)
    assert (capture.table == "visits") == (not is_new)
    assert (capture.links is not None) == is_found
    if not is_new:
        assert (capture.row["fetched_at"], capture.row["visited_at"]) == (FIRST, LATER)
    if n_missed is None and not is_found:
        assert puts[VISITED] is None
    else:
        visit = unpack_visit(puts[VISITED])
        assert visit.visited_us == microseconds(LATER)
        assert visit.captured_us == microseconds(LATER if is_new else FIRST)
        assert (visit.n_missed, visit.status) == ((0, 0) if is_found else (n_missed, noted))


@pytest.mark.parametrize(
    ("state", "status", "stage", "noted"),
    [
        ("gone", 404, "fetch", (1, 404)),
        ("gone", None, "fetch", (1, 0)),
        ("refused", None, "fetch", (1, 0)),
        ("refused", None, "crash", None),
        ("refused", None, "frontier", (1, 0)),
    ],
)
def test_a_first_visit_that_finds_no_page(state, status, stage, noted):
    capture = ended(state, status, reason="why", stage=stage, has_links=False, earlier=None)
    assert (capture.state, capture.table) == (state, "rejected")
    if noted is None:
        assert capture.puts == []
    else:
        us = microseconds(LATER)
        assert unpack_visit(capture.puts[0][2]) == Visit(us, us, NONE, *noted)


@pytest.mark.parametrize(
    ("n_missed", "status", "waits"),
    [(0, 0, 10), (1, 0, 10), (1, 503, 10), (2, 503, 20), (1, 404, 20), (2, 410, 40), (3, 404, 80)],
)
def test_when_a_page_is_due(n_missed, status, waits):
    visit = Visit(0, 0, NONE, n_missed, status)
    policy = RecrawlPolicy(10.0, 3)
    assert not is_due(visit, waits * 10**6, policy)
    assert is_due(visit, waits * 10**6 + 1, policy)
    assert is_due(visit, 10**15, RecrawlPolicy(10.0, n_missed))
    assert is_due(visit, 10**15, RecrawlPolicy(10.0, max(0, n_missed - 1))) == (n_missed == 0)


def test_a_page_to_be_tried_again_was_not_visited():
    capture = ended("queued", 503, reason="status_503")
    assert capture.puts == []
    assert visit_outcome(capture) is None


def test_a_clock_that_stood_still():
    capture = ended("fetched", 200)
    again = Capture(7, capture.url, "a.com", status=200, earlier=Visit(5, 5, OLD))
    again.fetched_at = moment(5)
    again.keep({"fetched_at": moment(5)})
    note_visit(again)
    assert again.row["fetched_at"] == again.fetched_at == moment(6)


def test_an_answer_without_a_digest_is_never_the_same():
    capture = Capture(7, "http://a.com/a", "a.com", earlier=Visit(5, 5, Validators()))
    assert not is_same_answer(capture)
