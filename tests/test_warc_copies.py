"""Copies among the captures of WARC files: files that are added decide over them anew, as if all had come at once."""

from __future__ import annotations

import random
import signal
from datetime import timedelta
from functools import partial

import pytest

from pipelines.corpus.corpus import Corpus
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.run import dedup_corpus
from pipelines.jobs.report.gather import gather
from tests.before_commands import kill_at_step
from tests.test_warc_captures import (
    FIRST,
    HTML,
    Stored,
    assert_latest,
    crawl,
    html,
    rows_of,
    stored_captures,
    text_of,
    write,
)

A, B, C = (f"http://{name}.sample/" for name in "abc")
BLOCKS = ("-s", "DEDUP_BLOCKS_COVERAGE=0.5")


def page(url, day, *texts):
    return Stored(url, FIRST + timedelta(days=day), "200 OK", (HTML,), html("</p><p>".join(texts)))


def crawled(folder, name, captures, *options):
    write(folder / f"{name}.warc", captures)
    done = crawl(folder / f"{name}.warc", folder / "corpus", *options)
    assert done.returncode == 0, done.stderr
    return rows_of(folder / "corpus")


@pytest.fixture
def copied(tmp_path):
    """A corpus of `A` and two copies of it: `B` of the same text, `C` of one a bit shorter."""
    text = text_of(random.Random(1))
    found = crawled(
        tmp_path,
        "first",
        [page(A, 0, text), page(B, 0, text), page(C, 0, text[: -len(text) // 16])],
    )
    assert {url: row.get("reason") for url, row in found.items()} == {
        A: None,
        B: "duplicate_bytes",
        C: "near_duplicate",
    }
    return tmp_path, text


def test_a_copy_is_kept_when_what_it_is_a_copy_of_is_replaced(copied):
    folder, text = copied
    found = crawled(folder, "second", [page(A, 1, text_of(random.Random(2)))])
    assert (found[B]["text"], found[C]["duplicate_of"]) == (text, B)
    found = crawled(folder, "third", [page(B, 1, text_of(random.Random(3)))])
    assert found[C]["text"] == text[: -len(text) // 16].strip()
    # And back: of three pages of one text the first by its URL stays.
    found = crawled(folder, "fourth", [page(A, 2, text), page(B, 2, text)])
    assert {found[url].get("duplicate_of") for url in (B, C)} == {A}
    assert found[A]["text"] == text


def test_the_end_has_decided_over_copies_that_stay_whole(copied):
    folder, _ = copied
    corpus = Corpus.open(folder / "corpus")
    assert [row["decided"] for row in corpus.rows("provisional")] == [True, True]
    assert gather(folder / "corpus", n_samples=0, n_hosts=0).provisional == 0
    dedup_corpus(folder / "corpus", DedupOptions(), output=folder / "output")
    output = Corpus.open(folder / "output")
    assert (output.n_rows("provisional"), output.n_rows("rejected")) == (0, 2)


def test_no_text_stays_where_blocks_are_taken_out(tmp_path):
    """Beside a document that lost a block, its copy would be a page of its own."""
    rng = random.Random(4)
    shared, own = text_of(rng), text_of(rng)
    first = [page(A, 0, own, shared), page(B, 0, own, shared), page(C, 0, shared, text_of(rng))]
    found = crawled(tmp_path, "first", first, *BLOCKS)
    assert found[B]["duplicate_of"] == A
    for name, options in (("second", BLOCKS), ("third", ())):
        other = page(f"http://{name}.sample/", 1, text_of(rng))
        found = crawled(tmp_path, name, [other], *options)
        assert found[B]["duplicate_of"] == A
        assert Corpus.open(tmp_path / "corpus").n_rows("provisional") == 0


def added(folder, *options, before=None, command=("crawl",)):
    """Crawl a file, and then another one, the second time with *options*; return the captures of both."""
    some = stored_captures(random.Random(8), 160)
    more = stored_captures(random.Random(9), 60, FIRST + timedelta(days=30))
    write(folder / "some.warc", some)
    write(folder / "more.warc", more)
    crawl(folder / "some.warc", folder / "corpus", *options, command=command)
    done = crawl(folder / "more.warc", folder / "corpus", *options, command=command, before=before)
    assert done.returncode == (-signal.SIGKILL if before else 0), done.stderr
    if before:
        done = crawl(folder / "more.warc", folder / "corpus")
        assert done.returncode == 0, done.stderr
    return some + more


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "number"),
    [
        ("rewrite renamed", 2),
        *(
            pytest.param(step, number, marks=pytest.mark.long)
            for step in ("rewrite written", "rewrite renamed", "rewrite committed")
            for number in (1, 2)
            if (step, number) != ("rewrite renamed", 2)
        ),
        *(pytest.param("after commit", number, marks=pytest.mark.long) for number in (2, 7)),
    ],
)
def test_killed_in_the_run_that_adds_a_file(tmp_path, step, number):
    captures = added(tmp_path, before=partial(kill_at_step, step, number))
    assert_latest(tmp_path / "corpus", captures)


@pytest.mark.slow
def test_added_in_a_fleet(tmp_path):
    options = ("-p", "2", "-s", "PROGRESS_SECS=0")
    captures = added(tmp_path, *options, command=("fleet",))
    assert_latest(tmp_path / "corpus", captures)
