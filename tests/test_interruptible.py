"""A signal while a process waits outside of its engine: no library that passes over exceptions loses it."""

from __future__ import annotations

import signal
from contextlib import suppress

import pytest

from crawler.errors import StoppedError, interruptible
from pipelines.jobs.dedup.crawl_blocks import CrawlBlocks
from tests.toy_duplicates import ToyCrawl, crawl, made_pages, picture

NUMBERS = (signal.SIGINT, signal.SIGTERM)


def wait(number, *, is_passed_over=False, is_checked=False):
    """Hear *number* while waiting; return when nothing ended that."""
    with interruptible("waiting") as check:
        with suppress(Exception if is_passed_over else ()):
            signal.raise_signal(number)
        if is_checked:
            check()
            raise AssertionError("it went on")


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "passed_over",
    [{}, {"is_passed_over": True}, {"is_passed_over": True, "is_checked": True}],
    ids=["raised", "at the end", "where it is asked"],
)
def test_a_signal_ends_the_block(number, passed_over):
    before = signal.getsignal(number)
    with pytest.raises(StoppedError, match="stopped while waiting; start it again to go on"):
        wait(number, **passed_over)
    assert signal.getsignal(number) is before


def test_nothing_is_raised_where_nothing_was_heard():
    before = signal.getsignal(signal.SIGINT)
    with interruptible("waiting") as check:
        check()
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_crawl_that_reads_what_it_kept_before(tmp_path, nth):
    """Nothing is lost: what the bytes of a page were, which its row does not have, is known as before."""
    url, text = "http://a.com/2", made_pages()["http://a.com/2"]
    crawl(tmp_path, {url: text}, DEDUP_THRESHOLD=0)  # a rule that the next run has not
    n_heard = 0

    def interrupt(step):
        nonlocal n_heard
        if step == "before commit" and signal.getsignal(signal.SIGINT) is not before:
            n_heard += 1
            if n_heard == nth:
                signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(StoppedError, match="stopped while reading the documents of before"):
        ToyCrawl(tmp_path, on_step=interrupt)
    toy = ToyCrawl(tmp_path)
    assert not toy.fetch("http://b.com/", text)
    toy.close(is_end=False)
    assert picture(tmp_path)[1]["http://b.com/"] == ("duplicate_bytes", url)


def test_a_crawl_that_reads_the_blocks_of_before(tmp_path, monkeypatch):
    """It was deaf for as long as that took."""
    crawl(tmp_path, made_pages(), DEDUP_BLOCKS_COVERAGE=0.9)
    read = CrawlBlocks.read

    def interrupted(blocks, corpus):
        signal.raise_signal(signal.SIGINT)
        read(blocks, corpus)

    monkeypatch.setattr(CrawlBlocks, "read", interrupted)
    with pytest.raises(StoppedError, match="stopped while reading the documents of before"):
        ToyCrawl(tmp_path, DEDUP_BLOCKS_COVERAGE=0.9)
