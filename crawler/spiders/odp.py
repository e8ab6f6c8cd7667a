"""The broad crawl from an ODP dump, a category list or a list of URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.seeds import check_seeds, read_seeds
from crawler.spiders.base import WinnowSpider, check_category, parse_switches, require
from crawler.spiders.link_sources import SWITCHES, LinkSources

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from scrapy.settings import BaseSettings


class OdpSpider(WinnowSpider):
    """``crawl odp -a seeds=FILE [-a category=PREFIX]`` and the limits of every spider.

    ``-a sitemaps=1`` takes the links of sitemaps too (those that robots.txt names, or ``/sitemap.xml``),
    ``-a feeds=1`` those of the feeds that pages name: see `crawler.spiders.link_sources`. ``-a links=0`` takes none of
    pages: of a list of URLs these pages alone, with ``sitemaps`` or ``feeds`` what they list as well. No later crawl of
    the folder follows what was left out, unless the page has changed.

    Stats: ``seeds/read``, ``seeds/new``, ``seeds/skipped/<reason>``.
    """

    name = "odp"
    arguments = ("seeds", "category", *SWITCHES)

    def __init__(self, seeds: str = "", category: str | None = None, **arguments: Any):
        self.takes = parse_switches(arguments, SWITCHES)
        self.page_links = self.takes.pop("links")
        super().__init__(**arguments)
        self.seeds = seeds
        self.category = category

    @classmethod
    def check(cls, arguments: Mapping[str, str], settings: BaseSettings) -> None:
        super().check(arguments, settings)
        parse_switches(arguments, SWITCHES)
        check_category(arguments, "category")
        check_seeds(require(arguments, "seeds", "FILE"), category=arguments.get("category"))

    async def start(self) -> AsyncIterator[Any]:
        """Hand the seeds to the frontier in chunks; yields nothing, the frontier makes the requests."""
        if any(self.takes.values()):
            self.link_sources = LinkSources.from_crawler(self.crawler, **self.takes)
            self.link_sources.open()
        reader = read_seeds(self.seeds, category=self.category)
        await self.plant(reader)
        for reason, number in sorted(reader.skipped.items()):
            self.crawler.stats.inc_value(f"seeds/skipped/{reason}", number)
        return
        yield  # an async generator without items
