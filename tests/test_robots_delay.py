from __future__ import annotations

import pytest
from protego import Protego
from scrapy.utils.test import get_crawler

from crawler.downloadermiddlewares.robots import RobotsMiddleware, RobotsPolicy
from crawler.signals import crawl_delay

POLICY = RobotsPolicy("winnow", 0.5, 30.0, 1000, 10)


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
def test_crawl_delay(asked, wait, announced):
    crawler = get_crawler()
    heard = []

    def hear(host_key, secs):
        heard.append(secs)

    crawler.signals.connect(hear, crawl_delay)
    rules = Protego.parse(f"User-agent: *\nCrawl-delay: {asked}\nDisallow:")
    middleware = RobotsMiddleware(crawler, POLICY)
    assert middleware._announce_delay("http://www.a.sample/", rules) == wait
    assert heard == announced
