"""Pages that are due again: what is queued, what each answer means for the rows, and limits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from crawler.durable.capture import Capture
from crawler.durable.keys import u64_key
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
from crawler.frontier.revisits import conditions, is_same_answer, note_visit, visit_outcome
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.replacing import move_stale
from tests.toy_crawl import Arrays
from tests.toy_store import A, B, C, StoreMaker, fetch, recount, state_of

FIRST = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
LATER = FIRST + timedelta(days=7)
OLD, NEW = Validators(b"o" * 16, b'"1"', b"then"), Validators(b"n" * 16, b'"2"', b"")


@pytest.fixture
def make(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


def test_visits_are_kept_as_they_were():
    visit = Visit(microseconds(FIRST), microseconds(LATER), OLD)
    assert unpack_visit(pack_visit(visit)) == visit
    assert moment(visit.captured_us) == FIRST
    with pytest.raises(FormatError, match="row of a visit is damaged"):
        unpack_visit(b"\x01")


def test_headers_of_a_request():
    assert conditions(OLD) == {"If-None-Match": b'"1"', "If-Modified-Since": b"then"}
    assert conditions(NEW) == {"If-None-Match": b'"2"'}
    assert conditions(Validators()) == {}
    long = b"x" * (MAX_VALIDATOR_BYTES + 1)
    assert validators_of(b"d", long, b"then") == Validators(b"d", b"", b"then")


def ended(state, status, *, validators=NEW, unchanged="", reason=None, has_links=True):
    """A later visit that has ended."""
    earlier = Visit(microseconds(FIRST), microseconds(FIRST), OLD)
    capture = Capture(7, "http://a.com/a", "a.com", state=state, status=status, earlier=earlier)
    capture.fetched_at, capture.validators, capture.unchanged = LATER, validators, unchanged
    capture.links = Arrays([B]) if has_links else None
    if reason is None:
        capture.keep({"host_id": 0, "local_id": 7, "fetched_at": LATER})
    else:
        capture.reject(stage="fetch", reason=reason)
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
        assert puts[VISITED] == (u64_key(7), None)
        assert len(capture.links.key) == 0
    assert visit_outcome(capture) == ("changed" if again else "gone")


def test_a_page_that_is_withdrawn_keeps_its_arcs():
    capture = ended("fetched", 304, unchanged="withdrawn", reason="noindex", has_links=False)
    assert {table: value for table, _, value in capture.puts}[STALE] == b"changed"
    assert (capture.state, capture.table, capture.links) == ("fetched", "rejected", None)


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


def visit(store, now, when, *, text="text", validators=OLD, **values):
    """Fetch the next page at *when*; return its URL and its last visit before."""
    lease = store.next_page(now)
    if lease is None:
        return None
    capture = store.open_capture(lease)
    capture.fetched_at, capture.status, capture.validators = when, 200, validators
    capture.keep(
        {
            "host_id": capture.host_id, "local_id": capture.local_id, "url": lease.url,
            "fetched_at": when, "text": text,
        }
    )  # fmt: skip
    earlier = capture.earlier
    for name, value in values.items():
        setattr(capture, name, value)
    store.finish(capture, now)
    return lease.url, earlier


def test_fetched_pages_are_due_again(make):
    store = make(pages_per_host=3, max_pages=3)
    store.add_seeds([(A, []), (B, []), (C, [])])
    assert visit(store, 0.0, FIRST) == ("http://a.com/a", None)
    visit(store, 1.0, LATER)
    fetch(store, 2.0, state="gone", status=404, fetched_at=FIRST)
    assert store.next_page(9.0) is None
    assert store.queue_again(microseconds(FIRST)) == 0
    assert store.queue_again(microseconds(FIRST) + 1) == 1
    assert store.queue_again(microseconds(LATER)) == 0  # it is queued already
    assert (state_of(store, A), state_of(store, B), state_of(store, C)) == (
        "QUEUED", "FETCHED", "GONE",
    )  # fmt: skip
    recount(store)
    # It goes on after a crash, without being told again.
    store = make(pages_per_host=3, max_pages=3)
    recount(store)
    assert store.next_page(20.0) is None  # the host waits once more
    url, earlier = visit(store, 22.0, LATER, links=Arrays([B]))
    assert (url, earlier.validators) == ("http://a.com/a", OLD)
    assert store.next_page(30.0) is None
    lease = store.frontier.read_leases(np.zeros(1, dtype=np.uint64))[0]
    assert unpack_visit(lease.visited).visited_us == microseconds(LATER)
    recount(store)


def test_rows_and_arcs_of_the_last_visit(make, tmp_path):
    corpus = tmp_path / "corpus"
    store = make()
    store.add_seeds([(A, []), (B, [])])
    visit(store, 0.0, FIRST, text="old a", links=Arrays([B]))
    visit(store, 1.0, FIRST, text="old b", links=Arrays([A]))
    store.queue_again(microseconds(LATER))
    visit(store, 2.0, LATER, text="new a", validators=NEW, links=Arrays([C, A]))
    visit(store, 3.0, LATER, unchanged="not_modified")
    for is_moved in (False, True):
        if is_moved:
            assert move_stale(corpus, store.journal) == 1
            assert move_stale(corpus, store.journal) == 0
        folder = Corpus(corpus, store.journal)
        rows = {row["url"]: row["text"] for row in folder.documents(["url", "text"])}
        assert rows == {"http://a.com/a": "new a", "http://a.com/b": "old b"}
        [old] = folder.replaced()
        assert (old["text"], old["reason"], old["fetched_at"]) == ("old a", "changed", FIRST)
        [unchanged] = folder.visits()
        assert (unchanged["url"], unchanged["outcome"]) == ("http://a.com/b", "not_modified")
        assert folder.n_rows("documents") == 2
    store.close()
    with Graph.open(corpus) as graph:
        sources, targets, _ = graph.arcs()
        assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == [
            (0, 0),
            (0, 2),
            (1, 0),
        ]
