"""One crawl in a process of its own, for bench_crawl: ``crawl_once.py winnow|plain WEB CORPUS``.

Prints one JSON object: pages, CPU seconds from the opening of the spider, and the stats.
``plain`` is Scrapy as its tutorial has it: a LinkExtractor over each page, its own scheduler and
duplicate filter, robots obeyed, no delay; only the resolver is Winnow's, so that it finds the hosts.
"""

from __future__ import annotations

import json
import sys
import time

from scrapy import Spider, signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.project import get_project_settings


class PlainSpider(Spider):
    """Follows every link of every HTML page, and keeps nothing."""

    name = "plain"

    def __init__(self, seeds, **kwargs):
        super().__init__(**kwargs)
        with open(seeds, encoding="utf-8") as lines:
            self.start_urls = [line.rstrip("\n").split("\t")[1] for line in lines]
        self.links = LinkExtractor()

    def parse(self, response):
        if isinstance(response, HtmlResponse):
            yield from response.follow_all(self.links.extract_links(response))


PLAIN = {
    "ADDONS": {},
    "EXTENSIONS": {"crawler.extensions.address_guard.AddressGuard": 100},
    "SPIDER_MODULES": [],
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": True,
    "RETRY_ENABLED": False,
    "COOKIES_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    # A server error in robots.txt means "all allowed" to Scrapy, and traps have no other end.
    "DEPTH_LIMIT": 30,
}


def main(kind: str, web: str, corpus: str) -> None:
    """Run the crawl of *kind* and print what it took."""
    settings = get_project_settings()
    settings.setdict(
        {
            "HOSTS_FILE": f"{web}/hosts.tsv",
            "CORPUS_DIR": corpus,
            "LOG_ENABLED": False,
            "PROGRESS_SECS": 0,
            "HOST_DELAY_SECS": 0,
        },
        priority="cmdline",
    )
    spider, name = (
        ("odp", f"{web}/seeds.tsv") if kind == "winnow" else (PlainSpider, f"{web}/seeds.tsv")
    )
    if kind == "plain":
        settings.setdict(PLAIN, priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(spider)
    started: dict[str, float] = {}

    def opened() -> None:
        started["cpu"], started["wall"] = time.process_time(), time.monotonic()

    crawler.signals.connect(opened, signals.spider_opened)
    process.crawl(crawler, seeds=name)
    process.start()
    stats = crawler.stats.get_stats()
    report = {
        "cpu_secs": time.process_time() - started["cpu"],
        "wall_secs": time.monotonic() - started["wall"],
        "pages": stats.get("downloader/response_status_count/200", 0),
        "stats": {name: value for name, value in stats.items() if isinstance(value, int | float)},
    }
    sys.stderr.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:4])
