"""Revisits in WARC files: a page is what the answer says that the last of them names, wherever both stand."""

from __future__ import annotations

import random
import re
import signal
from collections import Counter
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

import pytest

from pipelines.corpus.corpus import Corpus
from tests.before_commands import kill_at_step
from tests.test_warc_captures import (
    FIRST,
    HTML,
    STEPS,
    assert_latest,
    crawl,
    rows_of,
    stored_captures,
    text_of,
    write,
)
from tests.warc_records import html, record, revisit

HALF_AN_HOUR = timedelta(minutes=30)


class Revisit(NamedTuple):
    url: str
    date: datetime
    refers_to: datetime

    @property
    def record(self):
        at, then = (date.strftime("%Y-%m-%dT%H:%M:%SZ") for date in self[1:])
        return revisit(self.url, at, then)


def revisits_of(rng, captures, n, first=FIRST):
    """*n* revisits of *captures*, at other moments than those, and not all behind what they name."""
    hours = rng.sample(range(10 * len(captures)), n)
    return [
        Revisit(each.url, first + timedelta(hours=hour) + HALF_AN_HOUR, each.date)
        for each, hour in zip(rng.choices(captures, k=n), hours, strict=True)
    ]


def chosen(captures, revisits):
    """For each page what it was last, by going through all revisits for each capture."""

    def last(capture):
        named = [each.date for each in revisits if each[::2] == (capture.url, capture.date)]
        return capture.is_answer, max([capture.date, *(named if capture.is_answer else ())])

    by_url = {}
    for each in captures:
        by_url.setdefault(each.url, []).append(each)
    return [max(by_url[url], key=last) for url in sorted(by_url)]


def check(corpus, captures, revisits):
    named = {(each.url, each.refers_to) for each in revisits}
    assert_latest(corpus, captures, chosen(captures, revisits), named)
    found = Counter(
        (row["url"], row["visited_at"], row["fetched_at"]) for row in Corpus.open(corpus).visits()
    )
    assert found == Counter(map(tuple, revisits))


@pytest.fixture
def records(tmp_path):
    """(captures, revisits), written to three files below ``warc`` in no order of time."""
    rng = random.Random(11)
    captures = stored_captures(rng, 160)
    revisits = revisits_of(rng, captures, 64)
    found = rng.sample([*captures, *revisits], 224)
    (tmp_path / "warc").mkdir()
    for name, part in (
        ("a.warc", found[:30]),
        ("c.warc.gz", found[30:80]),
        ("b.warc", found[80:]),
    ):
        write(tmp_path / "warc" / name, part)
    latest = {each.url: each for each in chosen(captures, [])}
    assert sum(latest[each.url] != each for each in chosen(captures, revisits)) > 8
    return captures, revisits


@pytest.mark.slow
def test_in_files_of_no_order_and_again(tmp_path, records):
    captures, revisits = records
    for number in range(2):
        done = crawl(tmp_path / "warc" / "*", tmp_path / "corpus")
        assert done.returncode == 0, done.stderr
        if (
            not number
        ):  # once, though all is read again; those that had a row and have it again, twice
            counts = re.findall(r"replaced +(\d+)  captures (?:that had|of a URL)", done.stdout)
            n_replaced = len(captures) - len({each.url for each in captures})
            assert n_replaced <= sum(map(int, counts)) < n_replaced + 10
    check(tmp_path / "corpus", captures, revisits)


@pytest.mark.slow
def test_with_kills(tmp_path, records):
    rng = random.Random(2)
    n_killed = 0
    for step in [*STEPS, *rng.choices(STEPS[:3], k=3)]:
        kill = partial(kill_at_step, step, rng.randint(1, 12) if "commit" in step else 1)
        done = crawl(tmp_path / "warc" / "*", tmp_path / "corpus", before=kill)
        n_killed += done.returncode == -signal.SIGKILL
    assert n_killed > 4
    done = crawl(tmp_path / "warc" / "*", tmp_path / "corpus")
    assert done.returncode == 0, done.stderr
    check(tmp_path / "corpus", *records)


def test_in_a_fleet(tmp_path, records):
    options = ("-p", "2", "-s", "PROGRESS_SECS=0")
    done = crawl(tmp_path / "warc" / "*", tmp_path / "corpus", *options, command=("fleet",))
    assert done.returncode == 0, done.stderr
    check(tmp_path / "corpus", *records)


def test_named_by_the_digest_of_its_payload(tmp_path):
    url, digest, rng = "http://h.sample/", "WARC-Payload-Digest: sha1:AB", random.Random(3)
    texts = [text_of(rng) for _ in range(2)]
    answers = [
        record(url, html(text), HTML, date=f"2015-01-0{day}T00:00:00Z")
        for day, text in enumerate(texts, start=1)
    ]
    named = answers[0].replace(b"WARC-Date", f"{digest}\r\nWARC-Date".encode())
    back = revisit(url, "2015-01-03T00:00:00Z", None, digest)
    (tmp_path / "a.warc").write_bytes(named + answers[1] + back)
    done = crawl(tmp_path / "a.warc", tmp_path / "corpus")
    assert done.returncode == 0, done.stderr
    assert rows_of(tmp_path / "corpus")[url]["text"] == texts[0]


@pytest.mark.slow
def test_in_files_that_are_added(tmp_path):
    """What a revisit names has the page again if its own file is given once more."""
    rng = random.Random(12)
    captures = stored_captures(rng, 160)
    some, more = captures[:110], captures[110:]
    revisits = revisits_of(rng, captures, 56)
    write(tmp_path / "some.warc", [*some, *revisits[:28]])
    write(tmp_path / "more.warc", [*revisits[28:], *more])
    for name in ("some", "*"):
        done = crawl(tmp_path / f"{name}.warc", tmp_path / "corpus")
        assert done.returncode == 0, done.stderr
    check(tmp_path / "corpus", captures, revisits)
