"""The sitemaps that hosts name in their robots.txt, given to the frontier as they are read."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from scrapy import signals

from crawler.engine import scheduler_of
from crawler.urls import page_key, page_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Request

    from crawler.frontier.robots.rules import RobotsRules
    from crawler.urls import PageKey

# Hosts outside of what is crawled whose rules are kept, for they may turn out to be inside.
_KEPT_HOSTS = 100


class NamedSitemaps:
    """Hears of every robots.txt, and queues its sitemaps, *max_files* of them, or the usual one if it names none.

    Only hosts are asked whose key passes *within*, which may change: see :meth:`look_again`.
    Stats: ``sitemaps/found``, ``sitemaps/over_limit``.
    """

    def __init__(self, crawler: Crawler, max_files: int, within: Callable[[str], bool]):
        self.crawler = crawler
        self.max_files = max_files
        self.within = within
        self._outside: OrderedDict[PageKey, RobotsRules] = OrderedDict()

    def open(self) -> None:
        """Hear of them; to be called when the crawl's engine is there."""
        self.crawler.signals.connect(self._robots_parsed, signals.robots_parsed)

    def look_again(self) -> None:
        """Ask the hosts that are within now, and were not when their robots.txt was read."""
        for site in [site for site in self._outside if self.within(site.host)]:
            self._queue(site, self._outside.pop(site))

    def _robots_parsed(self, robotparser: Any, request: Request) -> None:
        rules: RobotsRules | None = getattr(robotparser, "rules", None)
        site = page_key(request.url)
        if rules is None or site is None:
            return
        self._outside[site] = rules
        self.look_again()
        if len(self._outside) > _KEPT_HOSTS:
            self._outside.popitem(last=False)

    def _queue(self, site: PageKey, rules: RobotsRules) -> None:
        root = page_url(site._replace(local=f"{site.local[0]}/"))
        named = rules.sitemaps[: self.max_files]
        urls = [_joined(root, url) for url in named] or [f"{root}sitemap.xml"]
        keys = dict.fromkeys(
            key for url in urls if (key := page_key(url)) is not None and rules.allows(url)
        )
        stats = self.crawler.stats
        stats.inc_value("sitemaps/over_limit", len(rules.sitemaps) - len(named))
        if keys:
            scheduler = scheduler_of(self.crawler)
            stats.inc_value("sitemaps/found", scheduler.add_sitemaps(list(keys), site.host))


def _joined(root: str, url: str) -> str:
    try:
        return urljoin(root, url)
    except ValueError:
        return ""
