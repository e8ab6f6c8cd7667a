"""``light_oddities.py KIND CASE...``: crawls of made answers in which a component does what it should not.

KIND as in `tests.light_crawl`. Prints a JSON object: of each case what was seen, in order, and what is left
in the engine; and the log lines that tell of a bug of the engine.
"""

from __future__ import annotations

import gc
import json
import logging
import sys

from scrapy import signals
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import AsyncCrawlerProcess

from crawler.light.engine import LightEngine, lighten
from tests.light_crawl import Lines
from tests.light_odd_cases import Case, Handler, Pipeline

SETTINGS = {
    "DOWNLOAD_HANDLERS": {"http": Handler},
    "DOWNLOADER": "crawler.light.chains.LightDownloader",
    "ITEM_PROCESSOR": "crawler.light.chains.LightPipelines",
    "ITEM_PIPELINES": {Pipeline: 1},
    "CONCURRENT_ITEMS": 1,
    "DOWNLOAD_DELAY": 0,
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "LOG_ENABLED": False,
    "CONCURRENT_REQUESTS": 3,
}
CASES = {case.name: case for case in Case.__subclasses__()}


def main(kind, *names):
    """Crawl and print."""
    process = AsyncCrawlerProcess(SETTINGS)
    crawlers = {name: process.create_crawler(CASES[name]) for name in names or CASES}

    def opened(spider):
        if kind == "light":
            lighten(spider.crawler)
        expected = LightEngine if kind == "light" else ExecutionEngine
        assert type(spider.crawler.engine) is expected

    def failed(failure, spider):
        spider.note(type(failure.value).__name__)

    lines = Lines()
    for name in ("asyncio", "scrapy.core.engine", "scrapy.core.scraper"):
        logging.getLogger(name).addHandler(lines)
        logging.getLogger(name).setLevel(logging.INFO)
    for crawler in crawlers.values():
        crawler.signals.connect(opened, signals.spider_opened)
        crawler.signals.connect(failed, signals.spider_error)
        crawler.signals.connect(failed, signals.item_error)
        process.crawl(crawler)
    process.start()
    gc.collect()  # a task that nobody asks for its exception tells of it when it goes
    sys.stdout.write(json.dumps(_report(crawlers, lines)))


def _report(crawlers, lines):
    report = {
        # That the start failed is an error of the spider.
        "bugs": [
            line
            for line in lines.lines
            if ("Error while" in line[2] and "reading start" not in line[2]) or "Task" in line[2]
        ]
    }
    for name, crawler in crawlers.items():
        engine = crawler.engine
        slot = engine.scraper.slot
        left = [len(engine.downloader.active), len(getattr(engine, "serving", ()))]
        left += [len(slot.active), slot.active_size, slot.itemproc_size]
        spider = crawler.spider
        report[name] = {"seen": spider.seen, "most": spider.most, "left": left}
    return report


if __name__ == "__main__":
    main(*sys.argv[1:])
