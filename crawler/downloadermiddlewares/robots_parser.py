"""What we know of a robots.txt in the shape of Scrapy's own parsers, for those who hear of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.robotstxt import RobotParser

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.frontier.robots.rules import RobotsRules


class KnownRobotParser(RobotParser):
    """Sent with Scrapy's signal ``robots_parsed``; *rules* are for our own user agent alone."""

    def __init__(self, rules: RobotsRules):
        self.rules = rules

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Self:
        raise NotImplementedError("made by the robots middleware from what it knows")

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:  # noqa: ARG002  Scrapy's interface
        return self.rules.allows(url if isinstance(url, str) else url.decode("latin-1"))

    def crawl_delay(self, user_agent: str | bytes) -> float | None:  # noqa: ARG002  Scrapy's interface
        return self.rules.crawl_delay
