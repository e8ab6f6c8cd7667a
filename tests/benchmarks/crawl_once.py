"""One crawl in a process of its own, for bench_crawl: ``crawl_once.py KIND WEB CORPUS CORE``.

*KIND* is ``winnow`` (everything on; it finds the pages by their links), ``winnow-within`` (the same within
the pages of ``urls.txt``: other links are arcs only), ``winnow-warc`` (and WARC files), or what Scrapy
with its default settings does with the list of the web's URLs: ``fetch`` (nothing), ``links`` (a
LinkExtractor), ``justext`` (the same and jusText), ``trafilatura`` (lxml's links and trafilatura). None
of those follows a link, which spares them Scrapy's price of a request. The process keeps to processor
*CORE*.

Prints one JSON object: pages after number `N_WARM`, CPU seconds from the answer to that on until nothing is left to
fetch (what is loaded at first use is left out, the tables for pages that name no encoding, too, and what keeps Winnow
within the pages: a crawl of the web chooses none, nor do the others), those of what closes the crawl then, which
deals with all pages, wall seconds of both, and the stats.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from urllib.parse import urljoin

from scrapy import Spider, signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.settings import Settings
from scrapy.utils.project import get_project_settings

from crawler.page.encoding.guess_tables import byte_readings
from crawler.page.encoding.guess_wide import wide_readings
from crawler.spiders.odp import OdpSpider
from crawler.urls import page_key

N_WARM = 150

# Names resolve as for Winnow; everything else is Scrapy's default.
PLAIN = {
    "EXTENSIONS": {"crawler.extensions.address_guard.AddressGuard": 100},
    "ALLOWED_PRIVATE_NETWORKS": ["127.0.0.0/8"],
}

NO_GAPS = dict.fromkeys(("HOST_DELAY_SECS", "DOMAIN_DELAY_SECS", "IP_DELAY_SECS"), 0)
OURS = {"PROGRESS_SECS": 0, "HOST_DELAY_LATENCY_FACTOR": 0, **NO_GAPS}


def _web_urls(web: str) -> list[str]:
    return (Path(web) / "urls.txt").read_text(encoding="utf-8").split("\n")


class WebSpider(OdpSpider):
    """The broad crawl within the web; the links that lead out of it are arcs only."""

    name = "web"
    urls: str | None = None

    def __init__(self, **arguments):
        super().__init__(**arguments)
        # The local keys of the web's pages, in UTF-8, by their host's key.
        self.wanted: dict[str, set[bytes]] = {}
        for key in map(page_key, _web_urls(self.urls) if self.urls else ()):
            if key is not None:
                self.wanted.setdefault(key.host, set()).add(key.local.encode())
        self.longest = max((len(key) for keys in self.wanted.values() for key in keys), default=0)
        self.choosing_cpu = 0.0

    def parse(self, response, **_):
        page = response.meta.get("winnow_page")
        if page is not None and self.wanted:
            began = time.process_time()
            links = page.model.links
            links.follow &= self.are_wanted(links.key)
            self.choosing_cpu += time.process_time() - began
        yield from super().parse(response)

    def are_wanted(self, keys):
        """Tell which of *keys* are pages of the web, bool[n]; most are of other hosts and not looked at."""
        found = keys.of_hosts(self.wanted.__contains__) & (keys.ends - keys.starts <= self.longest)
        own = keys.take(found)
        places = zip(own.host.tolist(), own.starts.tolist(), own.ends.tolist(), strict=True)
        found[found] = [own.data[a:b] in self.wanted[own.hosts[host]] for host, a, b in places]
        return found


class ListSpider(Spider):
    """Fetches a list of URLs and hands each page to *work*."""

    name = "list"

    def __init__(self, web, work, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = _web_urls(web)
        self.work = work

    def parse(self, response):
        if isinstance(response, TextResponse):
            self.work(response)


def lxml_links(response) -> list[str]:
    """Return the link targets as lxml finds them."""
    return [urljoin(response.url, href) for href in response.xpath("//a/@href").getall()]


def work_of(kind: str):
    """Return what the peer *kind* does with a page."""
    extractor = LinkExtractor()
    if kind == "fetch":
        return lambda _response: None
    if kind == "links":
        return extractor.extract_links
    if kind == "justext":
        import justext

        words = justext.get_stoplist("English")
        return lambda response: (
            extractor.extract_links(response),
            justext.justext(response.body, words),
        )
    import trafilatura

    return lambda response: (lxml_links(response), trafilatura.extract(response.body))


class Watch:
    """Notes the time when page number `N_WARM` comes, counts the pages after it, and notes when nothing is left."""

    def __init__(self, crawler):
        self.crawler = crawler
        self.n_pages = -N_WARM
        self.cpu = self.wall = self.idle_cpu = 0.0

    def answered(self, response):
        if response.status != 200 or response.url.endswith("/robots.txt"):
            return
        self.n_pages += 1
        if self.n_pages == 0:
            self.cpu, self.wall = self.counted_cpu(), time.monotonic()

    def idle(self):
        self.idle_cpu = self.counted_cpu()

    def counted_cpu(self) -> float:
        return time.process_time() - getattr(self.crawler.spider, "choosing_cpu", 0.0)


def main(kind: str, web: str, corpus: str, core: str) -> None:
    """Run the crawl of *kind* and print what it took."""
    os.sched_setaffinity(0, {int(core)})
    spider: type[Spider]
    if kind.startswith("winnow"):
        settings = get_project_settings()
        settings.setdict({**OURS, "CORPUS_DIR": corpus}, priority="cmdline")
        settings.set("WARC_ENABLED", kind == "winnow-warc", priority="cmdline")
        arguments = {"seeds": f"{web}/seeds.tsv", "urls": None if kind == "winnow" else web}
        spider = WebSpider
        byte_readings(), wide_readings()
    else:
        settings = Settings(PLAIN, priority="cmdline")
        arguments, spider = {"web": web, "work": work_of(kind)}, ListSpider
    settings.setdict({"HOSTS_FILE": f"{web}/hosts.tsv", "LOG_ENABLED": False}, priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(spider)
    watch = Watch(crawler)
    crawler.signals.connect(watch.answered, signals.response_received)
    # The last time before the spider closes.
    crawler.signals.connect(watch.idle, signals.spider_idle)
    process.crawl(crawler, **arguments)
    process.start()
    stats = crawler.stats.get_stats()
    report = {
        "cpu_secs": watch.idle_cpu - watch.cpu,
        "wall_secs": time.monotonic() - watch.wall,
        "closing_cpu_secs": watch.counted_cpu() - watch.idle_cpu,
        "pages": watch.n_pages,
        "n_warm": N_WARM,
        "stats": {name: value for name, value in stats.items() if isinstance(value, int | float)},
    }
    sys.stderr.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:5])
