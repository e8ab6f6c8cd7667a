"""``scrapy crawl``: Scrapy's own, with the spider, its arguments and its files checked first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy.addons import AddonManager
from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.spiderloader import get_spider_loader

from crawler.commands.base import PROJECT_DEFAULTS, check_no_extras, one_line_errors, refuse
from crawler.errors import InputError, WinnowError

if TYPE_CHECKING:
    import argparse


class Command(CrawlCommand):
    """Replaces Scrapy's command of the same name; spiders of other projects run as ever."""

    def long_desc(self) -> str:
        return (
            "Run a spider. Winnow's: odp (-a seeds=FILE [-a category=PREFIX] [-a sitemaps=1] "
            "[-a feeds=1]), focused (-a seeds=FILE -a topic=PREFIX), site (-a url=URL) and warc "
            "(-a paths=GLOB); each takes -a max_pages=N, -a max_depth=N, -a pages_per_host=N, "
            "-a max_hours=X, -a max_bytes=N, and but for warc -a recrawl_after=7d, which fetches "
            "older pages again. "
            "With --nolog only the progress and the summary are left."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add Scrapy's options."""
        super().add_options(parser)
        one_line_errors(parser)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the options and check the call, before a crawler process is made."""
        super().process_options(args, opts)
        try:
            self._check(args, opts)
        except WinnowError as error:
            sys.exit(refuse(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Crawl."""
        super().run(args, opts)
        if self.exitcode and opts.nolog:
            sys.stderr.write("winnow: the crawl did not start; run it without --nolog to see why\n")

    def _check(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        check_no_extras(args, allowed=1)
        AddonManager.load_pre_crawler_settings(self.settings)  # add-ons may bring spiders
        loader = get_spider_loader(self.settings)
        names = ", ".join(sorted(loader.list()))
        if not args:
            raise InputError(f"no spider is named; give one of {names}")
        if args[0] not in loader.list():
            raise InputError(f"there is no spider {args[0]!r}; give one of {names}")
        spider = loader.load(args[0])
        from crawler.spiders.base import WinnowSpider

        if not issubclass(spider, WinnowSpider):
            return
        from crawler.addon import check_package_names
        from crawler.extensions.address_guard import read_hosts
        from crawler.frontier.crawl_store import check_corpus
        from crawler.frontier.robots_contact import check_contact

        check_package_names()
        spider.check(opts.spargs, self.settings)
        if spider.follow_links:
            allowed = self.settings.getlist("ALLOWED_PRIVATE_NETWORKS")
            check_contact(self.settings["USER_AGENT"], allowed)
        if hosts_file := self.settings.get("HOSTS_FILE"):
            read_hosts(hosts_file)
        check_corpus(self.settings.get("CORPUS_DIR") or PROJECT_DEFAULTS["CORPUS_DIR"])
