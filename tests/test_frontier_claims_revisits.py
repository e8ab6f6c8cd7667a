"""Revisits among stored captures: the answer that one names has the page, in whatever order they are read."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from crawler.frontier.outcome import GONE, QUEUED
from crawler.frontier.store.claims import Claim, StoredRevisit, Verdict
from pipelines.corpus.corpus import Corpus
from tests.test_frontier_claims import (
    AT,
    HOUR,
    LATER,
    REPLACED,
    TAKE,
    A,
    B,
    dates,
    replaced,
    restarted,
    take,
)
from tests.toy_crawl import open_store

FIRST, SECOND = Claim(A, AT, "1.warc:0"), Claim(A, AT + HOUR, "2.warc:0")


def revisit(after, claim=FIRST):
    when, source = claim.fetched_at + after, f"9.warc:{claim.source} {after}"
    return StoredRevisit(claim.key, when, claim.fetched_at, source, 304, "not_modified")


BACK = revisit(2 * HOUR)


def took(store, claims):
    """Have those of *claims* that are to be captured be so; return the verdicts."""
    verdicts = store.claim(claims)
    for claim, verdict in zip(claims, verdicts, strict=True):
        if verdict is Verdict.TAKE:
            take(store, claim.key, claim.fetched_at, None if claim.is_answer else GONE)
    return verdicts


def test_an_answer_that_is_named_keeps_the_page(tmp_path):
    store = open_store(tmp_path)
    took(store, [FIRST])
    assert not store.note_revisits([BACK])
    assert took(store, [SECOND]) == [REPLACED]
    assert took(store, [Claim(A, AT + 3 * HOUR, "3.warc:0")]) == [TAKE]
    store.close()
    assert dates(tmp_path) == [AT + 3 * HOUR]


def test_an_answer_that_was_named_before_takes_the_page(tmp_path):
    store = open_store(tmp_path)
    took(store, [SECOND])
    assert not store.note_revisits([BACK])
    store = restarted(store, tmp_path)
    assert took(store, [FIRST]) == [TAKE]
    store.close()
    assert dates(tmp_path) == [AT]
    assert replaced(tmp_path) == [("http://a.com/a", AT + HOUR, None)]


@pytest.mark.parametrize("is_captured", [True, False])
def test_all_is_read_again_for_an_answer_that_was_passed_over(tmp_path, is_captured):
    store = open_store(tmp_path)
    for claim in (FIRST, SECOND) if is_captured else (SECOND, FIRST):
        took(store, [claim])
    assert store.note_revisits([BACK])
    assert not store.note_revisits([BACK])
    assert took(store, [FIRST, SECOND]) == [TAKE, REPLACED]
    assert dates(tmp_path) == [AT]
    store = restarted(store, tmp_path)
    assert took(store, [FIRST, SECOND]) == [Verdict.DONE, REPLACED]
    assert not store.note_revisits([revisit(3 * HOUR)])
    store.close()
    assert dates(tmp_path) == [AT]
    # It stays listed where it was before it was captured.
    listed = [] if is_captured else [("http://a.com/a", AT, FIRST.source)]
    assert sorted(replaced(tmp_path)) == sorted([*listed, ("http://a.com/a", AT + HOUR, None)])


def test_a_capture_that_is_to_be_tried_again_brings_no_row_back(tmp_path):
    store = open_store(tmp_path)
    for claim in (FIRST, SECOND):
        took(store, [claim])
    store.note_revisits([BACK])
    assert store.claim([FIRST]) == [TAKE]
    capture = store.open_capture(store.lease_key(A, 0.0, polite=False))
    capture.is_stored, capture.fetched_at, capture.state = True, AT, QUEUED
    store.finish(capture, 0.0)
    store.close()
    assert dates(tmp_path) == [SECOND.fetched_at]


def test_nothing_is_read_again_for_what_is_over_or_was_not_read(tmp_path):
    store = open_store(tmp_path)
    took(store, [LATER])
    took(store, [FIRST])
    earlier = Claim(A, AT - HOUR, "9.warc:0")
    assert not store.note_revisits([revisit(HOUR / 2), revisit(5 * HOUR, earlier)])
    assert not store.note_revisits([revisit(-HOUR)])  # of a clock that was put back
    store.close()
    assert dates(tmp_path) == [LATER.fetched_at]


@pytest.mark.parametrize("is_captured", [True, False])
def test_an_answer_may_be_named_by_its_digest(tmp_path, is_captured):
    first, back = replace(FIRST, digest="sha1:X"), replace(BACK, refers_to=None, digest="sha1:x")
    store = open_store(tmp_path)
    if is_captured:
        took(store, [first])
    assert store.note_revisits([back]) == is_captured
    took(store, [SECOND])
    assert took(store, [first]) == [TAKE]
    store.close()
    assert dates(tmp_path) == [AT]
    assert [*Corpus.open(tmp_path).visits(["fetched_at", "visited_at"])] == [
        {"fetched_at": None, "visited_at": AT + 2 * HOUR}
    ]


def test_each_has_a_row(tmp_path):
    store = open_store(tmp_path)
    another = replace(BACK, fetched_at=AT + 3 * HOUR)  # in a file of the same name
    for _ in range(2):
        store.note_revisits([BACK, revisit(HOUR, Claim(B, AT, "1.warc:9")), another])
    store.close()
    rows = [*Corpus.open(tmp_path).visits(["url", "fetched_at", "visited_at", "status", "outcome"])]
    assert [list(row.values()) for row in rows] == [
        ["http://a.com/a", AT, AT + 2 * HOUR, 304, "not_modified"],
        ["http://a.com/b", AT, AT + HOUR, 304, "not_modified"],
        ["http://a.com/a", AT, AT + 3 * HOUR, 304, "not_modified"],
    ]


def expected(claims, revisits):
    """When what each page has was captured, by going through everything for each."""

    def names(revisit, claim):
        is_its = claim.is_answer and revisit.key == claim.key
        is_named = revisit.refers_to == claim.fetched_at
        if revisit.refers_to is None:
            is_named = revisit.digest.lower() == claim.digest.lower()
        return is_its and is_named

    def last(claim):
        named = [each.fetched_at for each in revisits if names(each, claim)]
        return claim.is_answer, max([claim.fetched_at, *named]), claim.fetched_at

    keys = {claim.key for claim in claims}
    return [max((c for c in claims if c.key == key), key=last).fetched_at for key in keys]


@pytest.mark.parametrize("seed", range(40))
def test_any_order_comes_to_what_a_slow_version_comes_to(tmp_path, seed):
    rng = random.Random(seed)
    hours = rng.sample(range(60), 14)
    claims = [
        Claim(
            rng.choice((A, B)),
            AT + hour * HOUR,
            f"{hour}.warc:0",
            is_answer=rng.random() < 0.8,
            digest=rng.choice(("", "sha1:X", "sha1:Y", "md5:z")),
        )
        for hour in hours
    ]
    named = rng.choices(claims[:12], k=10)
    minutes = [timedelta(minutes=60 * n + 30) for n in rng.sample(range(40), 10)]
    revisits = [revisit(after, claim) for claim, after in zip(named, minutes, strict=True)]
    revisits = [
        replace(each, refers_to=None, digest="SHA1:X") if rng.random() < 0.3 else each
        for each in revisits
    ]
    given = claims[2:]  # and two that no file has are named
    records = rng.sample([*given, *revisits], len(given) + len(revisits))
    store, is_named = open_store(tmp_path), False
    while records:
        n = rng.randint(1, 6)
        chunk, records = records[:n], records[n:]
        is_named |= store.note_revisits([each for each in chunk if isinstance(each, StoredRevisit)])
        took(store, [each for each in chunk if isinstance(each, Claim)])
        if rng.random() < 0.2:
            store = restarted(store, tmp_path)
    if is_named:
        took(store, given)
    store.close()
    assert sorted(dates(tmp_path)) == sorted(expected(given, revisits))
