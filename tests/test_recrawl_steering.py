"""A re-crawl asks again for pages of a trap that it had fetched, and judges again those that it had refused."""

from __future__ import annotations

from collections import Counter

import pytest

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, hosts_arguments, page, reply, served_bytes

N_PAGES = 40
ALL = {"a/"} | {f"a/t/{number}" for number in range(N_PAGES)}


def site(*, is_mended):
    """A site whose pages each link to the next three; all have one text, until it is mended."""
    answers = {"a/": reply(page(b'<a href="/t/0">x</a>'), HTML)}
    for number in range(N_PAGES):
        text = b" ".join([b"word%d" % number] * 90) if is_mended else b"the same"
        following = range(number + 1, min(number + 4, N_PAGES))
        links = b"".join(b'<a href="/t/%d">x</a>' % other for other in following)
        answers[f"a/t/{number}"] = reply(b"<p>" + text + page(links), HTML)
    return answers


def crawl(folder, hostile, *options):
    """Crawl, and return what was asked for."""
    hostile.asked.clear()
    quick = ("-s", "HOST_DELAY_SECS=0", "-s", "DEDUP_THRESHOLD=0", "-s", "COMMIT_GROUP_PAGES=1")
    done = run_scrapy(*hosts_arguments(folder), *quick, *options)
    assert done.returncode == 0, done.stderr
    assert "] ERROR" not in done.stderr
    return {path for path in hostile.asked if path != "a/robots.txt"}


def crawl_again(folder, hostile, *options):
    return crawl(folder, hostile, "-a", "recrawl_after=0.01s", *options)


def rejected(folder):
    return Counter(row["reason"] for row in Corpus.open(folder / "corpus").rejected(["reason"]))


def test_what_was_a_trap_is_fetched_when_its_pages_are_worth_something(tmp_path):
    hostile = Hostile(site(is_mended=False))
    with served_bytes(tmp_path, hostile):
        first = crawl(tmp_path, hostile)
        n_refused = rejected(tmp_path)["trap_same_page"]
        assert n_refused
        assert len(first) < N_PAGES / 2 + n_refused
        # What was fetched is visited again; what was refused has no better name than before.
        assert crawl_again(tmp_path, hostile) == first
        assert rejected(tmp_path)["trap_same_page"] == n_refused
        hostile.answers |= site(is_mended=True)
        asked = crawl_again(tmp_path, hostile)
        assert first <= asked
        asked |= crawl_again(tmp_path, hostile)
        assert asked == ALL
    assert not rejected(tmp_path)


@pytest.mark.parametrize("evidence", [0, 64])
def test_what_is_no_trap_by_other_settings_is_fetched(tmp_path, evidence):
    hostile = Hostile(site(is_mended=False))
    with served_bytes(tmp_path, hostile):
        assert crawl(tmp_path, hostile) < ALL
        assert crawl_again(tmp_path, hostile, "-s", f"TRAP_EVIDENCE={evidence}") == ALL
    assert set(rejected(tmp_path)) == {"duplicate"}
