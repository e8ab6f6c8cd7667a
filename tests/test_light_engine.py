"""The light engine does what Scrapy's does, request by request."""

from __future__ import annotations

import json

import pytest
from scrapy.core.engine import ExecutionEngine
from scrapy.core.scraper import Scraper
from scrapy.utils.test import get_crawler

from crawler.light.engine import LightEngine, lighten
from crawler.light.scraper import LightScraper
from tests.conftest import scrapy_environment
from tests.forked_commands import complete_python
from tests.light_crawl import PATHS


def crawled(kind):
    done = complete_python("-m", "tests.light_crawl", kind, environment=scrapy_environment())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def crawls():
    """What came of the light crawl, and of Scrapy's."""
    return crawled("light"), crawled("scrapys")


def by_request(events):
    found = {}
    for path, *event in events:
        found.setdefault(path, []).append(event)
    # Scrapy tells of an error of the callback before the items that were yielded before it.
    found["fails-later"].sort(key=repr)
    return found


def test_every_request_has_its_events(crawls):
    own, scrapys = (by_request(crawl["events"]) for crawl in crawls)
    assert set(PATHS) <= set(own)
    assert own == scrapys


def test_listeners_to_the_scheduling_are_told_and_may_refuse(crawls):
    events = by_request(crawls[0]["events"])
    assert events["ignored"] == [["request_scheduled"]]
    assert ["request_dropped"] in events["item"]


def test_log_lines_are_scrapys(crawls):
    own, scrapys = (
        sorted(line for line in crawl["lines"] if "Dumping" not in line[2]) for crawl in crawls
    )
    assert own == scrapys


def test_counts_are_scrapys(crawls):
    own, scrapys = (
        {name: n for name, n in crawl["counts"].items() if "memusage" not in name}
        for crawl in crawls
    )
    assert own == scrapys
    assert own["spider_exceptions/count"] > 3


def test_nothing_is_left(crawls):
    assert crawls[0]["left"] == crawls[1]["left"] == [0, 0]


class OwnScraper(Scraper):
    """A project's."""


@pytest.mark.parametrize(
    ("downloader", "own_scraper", "is_light"),
    [
        ("crawler.light.chains.LightDownloader", False, True),
        ("scrapy.core.downloader.Downloader", False, False),
        ("crawler.light.chains.LightDownloader", True, False),
    ],
)
def test_only_what_is_scrapys_is_replaced(downloader, own_scraper, is_light):
    handlers = dict.fromkeys(("http", "https", "ftp", "s3", "file", "data"), None)
    crawler = get_crawler(
        settings_dict={"DOWNLOADER": downloader, "DOWNLOAD_HANDLERS_BASE": handlers}
    )
    crawler.spider = crawler._create_spider("a")
    crawler.engine = ExecutionEngine(crawler, lambda _: None)
    if own_scraper:
        crawler.engine.scraper.__class__ = OwnScraper
    lighten(crawler)
    assert (type(crawler.engine) is LightEngine) == is_light
    assert (type(crawler.engine.scraper) is LightScraper) != own_scraper
    crawler.engine.downloader.close()
