"""What is said of a robots.txt to those who hear Scrapy's own signal."""

from __future__ import annotations

import pytest

from crawler.downloadermiddlewares.robots_parser import KnownRobotParser
from crawler.frontier.robots.rules import EVERYTHING, parse_robots


def test_it_answers_as_scrapys_parsers_do():
    rules = parse_robots(b"User-agent: *\nDisallow: /a\nCrawl-delay: 3", "winnow")
    parser = KnownRobotParser(rules)
    assert not parser.allowed("http://x.example/a", "winnow")
    assert not parser.allowed(b"http://x.example/a", b"winnow")
    assert parser.allowed("http://x.example/b", "winnow")
    assert parser.crawl_delay("winnow") == 3
    assert KnownRobotParser(EVERYTHING).crawl_delay("winnow") is None
    with pytest.raises(NotImplementedError):
        KnownRobotParser.from_crawler(None, b"")
