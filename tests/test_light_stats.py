"""The light stats collector counts what Scrapy's does; so do the sizes of requests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.downloadermiddlewares.stats import DownloaderStats
from scrapy.http import Response
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from crawler.light.stats import LightDownloaderStats, LightStats
from crawler.timing import timed

NAMES = st.sampled_from(["a", "b/c", "secs"])
CALLS = st.one_of(
    st.tuples(st.just("inc_value"), NAMES),
    st.tuples(st.just("inc_value"), NAMES, st.integers(-3, 3), st.integers(0, 5)),
    st.tuples(st.sampled_from(["set_value", "max_value", "min_value"]), NAMES, st.integers()),
    st.tuples(st.just("get_value"), NAMES, st.none()),
)


@given(calls=st.lists(CALLS))
def test_counts_as_scrapy_does(calls):
    crawler = get_crawler()
    ours, scrapys = LightStats(crawler), MemoryStatsCollector(crawler)
    for name, *arguments in calls:
        assert getattr(ours, name)(*arguments) == getattr(scrapys, name)(*arguments)
    assert ours.get_stats() == scrapys.get_stats()


def test_every_method_of_scrapys_is_there():
    stats = LightStats(get_crawler())
    stats.inc_value("a", spider=None)
    stats.open_spider()
    stats.close_spider(reason="finished")
    assert stats.get_value("a") == 1


def test_seconds_add_up():
    stats = LightStats(get_crawler())
    for _ in range(2):
        with timed(stats, "work"):
            pass
    with timed(stats, "work"):
        once = stats.get_value("work/secs")
    assert stats.get_value("work/secs") > once > 0


@pytest.mark.parametrize(
    "url",
    [
        *("http://a.example", "http://a.example/", "http://a.example:81/b;c=d?e=f&g#h"),
        *("https://user@a.example/%20é/?", "http://ä.example/b;", "http://a.example/b//c?d?e"),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"A": "b"}, {"A": ["b", "c"], "D": []}, {"D": []}])
def test_sizes_of_requests(url, headers):
    crawler = get_crawler()
    counted = []
    for kind in (LightDownloaderStats, DownloaderStats):
        middleware = kind(MemoryStatsCollector(crawler))
        request = Request(url, method="POST", headers=headers, body=b"body")
        middleware.process_request(request)
        middleware.process_response(request, Response(url, headers=headers, body=b"answer"))
        middleware.process_exception(request, ValueError())
        counted.append(middleware.stats.get_stats())
    assert counted[0] == counted[1]
