"""The light stats collector counts what Scrapy's does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from crawler.light_stats import LightStats
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
