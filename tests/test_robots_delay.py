from __future__ import annotations

import time
from dataclasses import replace

import pytest
from scrapy.utils.test import get_crawler

from crawler.downloadermiddlewares.robots import RobotsMiddleware
from crawler.frontier.robots.policy import RobotsPolicy
from crawler.frontier.robots.record import RobotsRecord
from crawler.frontier.robots.rules import EVERYTHING, parse_robots
from crawler.signals import crawl_delay

POLICY = RobotsPolicy("winnow", 0.5, 30.0)


@pytest.mark.parametrize(
    ("asked", "wait", "announced"),
    [
        ("2", 2.0, [2.0]),
        ("0.1", 0.5, [0.1]),  # ours is longer
        ("86400", 30.0, [30.0]),  # cut to the cap
        ("-3", 0.5, []),
        ("nan", 0.5, []),
        ("soon", 0.5, []),
    ],
)
def test_crawl_delay(tmp_path, asked, wait, announced):
    crawler = get_crawler()
    heard = []

    def hear(host_key, secs):
        heard.append((host_key, secs))

    crawler.signals.connect(hear, crawl_delay)
    rules = parse_robots(f"User-agent: *\nCrawl-delay: {asked}\nDisallow:".encode(), "winnow")
    middleware = RobotsMiddleware(crawler, POLICY, tmp_path)
    site = "http://www.a.sample"
    assert middleware._announce_delay(site, rules, None) == wait
    assert heard == [("sample.a.www", secs) for secs in announced]
    # A file that was kept on disk: its delay may still run from the last run.
    kept = RobotsRecord(b"", 200, time.time() - 200, time.time() + 200)
    wait_kept = middleware._announce_delay(site, rules, kept)
    assert wait_kept <= wait
    assert wait_kept > wait - 5 or not announced
    middleware._started = time.monotonic() - 100
    assert middleware._announce_delay(site, rules, kept) <= 0
    # One that another site led to in this run: that was a fetch from this host.
    kept = replace(kept, fetched_at=time.time())
    assert middleware._announce_delay(site, rules, kept) > wait - 5 or not announced


def test_a_file_of_the_last_run_counts_as_a_fetch(tmp_path):
    """Of no page: a crawl that was stopped in between, and goes on within the delay, waits for the rest of it."""
    policy = replace(POLICY, host_delay_secs=10.0)
    middleware = RobotsMiddleware(get_crawler(), policy, tmp_path)
    for secs, wait in ((4, 6), (200, -190)):
        kept = RobotsRecord(b"", 200, time.time() - secs, time.time() + 200)
        found = middleware._announce_delay("http://a.sample", EVERYTHING, kept)
        assert found == pytest.approx(wait, abs=0.5)


def test_wrong_policy_is_refused():
    with pytest.raises(ValueError, match="refuse or park"):
        RobotsPolicy("winnow", 0.5, 30.0, unreachable="ignore")
