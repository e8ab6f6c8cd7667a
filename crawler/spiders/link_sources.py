"""Sitemaps and feeds as sources of links, beside the links of pages.

A sitemap or a feed is fetched as a page of its own, so robots.txt, delays, retries, limits and
``kill -9`` hold for it as for any other; what it lists are its out-links (kind ``FEED``), a link deeper.
It is rejected as ``sitemap`` or ``feed``, for it is no text. What a file is shows in its content alone,
so that a crawl that goes on needs no memory of what led to it.

Whose pages a sitemap may list: those of its own host; and those of a host whose robots.txt names a sitemap on the
sitemap's host (sitemaps.org, *Sitemaps & Cross Submits*; we take the name of one file for its host, because an index
there lists files that no robots.txt names). What a robots.txt names is known from when it is first read, in all runs
and processes (crawler.frontier.hosts.sitemap_names). An index lists sitemaps and no other index (the same). Feeds list
the pages that they like, as pages do; where feeds are not asked for one is a sitemap (the same, *Syndication feed*) and
lists what such may.

In a crawl that fetches pages again (``recrawl_after``) the sitemaps that are known are read again at its start,
and a page whose ``lastmod`` is later than its last visit falls due at once. One that is earlier changes
nothing: the page waits for its time. So does what was a sitemap and is none when it is read again, or cannot be
read, tried again as pages are.

A crawl of a part of the web asks only the hosts of that part for sitemaps, wherever these are; of what they and
feeds list only pages within it are followed.

A page may be ``DOWNLOAD_MAXSIZE`` large, a sitemap ``SITEMAP_MAX_BYTES``. Which of them is wanted shows in the URL
(crawler.seeds.sitemaps); a page that was let through for its URL is ``too_large`` all the same.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.durable.keys import u64_key
from crawler.durable.visits import FEED, READ, SITEMAPS
from crawler.engine import scheduler_of
from crawler.page.joined_texts import JoinedTexts
from crawler.page.links import LinkKind, Links
from crawler.policies import recrawl_after_secs
from crawler.seeds.feeds import read_feed
from crawler.seeds.lastmod import read_lastmod
from crawler.seeds.link_files import LinkFileLimits
from crawler.seeds.sitemaps import INDEX, TEXT, URLSET, read_sitemap, says_sitemap
from crawler.spiders.named_sitemaps import NamedSitemaps
from crawler.urls import KeyList, page_key, page_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from crawler.items import Page
    from crawler.seeds.link_files import LinkFile
    from crawler.urls import PageKey

# The arguments of spiders that take them, and what they are by default; ``links``: whether links of pages are taken.
SWITCHES = {"links": True, "sitemaps": False, "feeds": False}
# Hosts whose share is counted: the ones seen longest ago are forgotten.
_COUNTED_HOSTS = 50_000
_HTML = b"text/html"
# What is sent as a page and begins so is none (MIME sniffing standard, section 7.3, and for sitemaps the same).
_NO_PAGE = (b"<?xml", b"<rss", b"<feed", b"<rdf:rdf", b"<urlset", b"<sitemapindex")
_HEAD_BYTES = 256


def _anywhere(_: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """*max_files*: sitemaps of one robots.txt or index, and feeds of one host; *host_urls*: links of one
    host's sitemaps in a run; *file*: what is read of one sitemap.
    """

    max_files: int = 50
    host_urls: int = 200_000
    file: LinkFileLimits = field(default_factory=LinkFileLimits)


class LinkSources:
    """Finds sitemaps and feeds for a spider, and takes the links of those that were fetched.

    *within* tells of a host key whether its pages are to be fetched: all are by default.

    Settings: ``SITEMAP_MAX_FILES``, ``SITEMAP_MAX_URLS``, ``SITEMAP_MAX_BYTES``, ``SITEMAP_HOST_URLS``.
    Stats: ``sitemaps/found`` (given to the frontier), ``sitemaps/read``, ``sitemaps/urls``,
    ``sitemaps/other_host``, ``sitemaps/over_limit``, ``sitemaps/nested`` (indexes whose links are not taken, as another
    index lists them or a page links to them), ``sitemaps/<problem>``, ``feeds/read``, ``feeds/urls``,
    ``feeds/over_limit``, ``feeds/<problem>``; of dates ``lastmod/due`` (pages that they made due), ``lastmod/old``,
    ``lastmod/bad``, ``lastmod/future``; ``lastmod/sitemaps`` (read again).
    """

    def __init__(
        self,
        crawler: Crawler,
        limits: SourceLimits,
        *,
        sitemaps: bool,
        feeds: bool,
        within: Callable[[str], bool] = _anywhere,
    ):
        self.crawler = crawler
        self.limits = limits
        self.within = within
        self.sitemaps = sitemaps
        self.feeds = feeds
        settings = crawler.settings
        after_secs = recrawl_after_secs(settings, crawler.spider)
        self.is_recrawl = sitemaps and after_secs > 0
        self.page_bytes = settings.getint("DOWNLOAD_MAXSIZE")
        self._n_urls: OrderedDict[str, int] = OrderedDict()
        self._n_feeds: OrderedDict[str, int] = OrderedDict()
        self.named = NamedSitemaps(crawler, limits.max_files, within)

    @classmethod
    def from_crawler(cls, crawler: Crawler, **options: Any) -> Self:
        settings = crawler.settings
        limits = SourceLimits(
            max_files=settings.getint("SITEMAP_MAX_FILES"),
            host_urls=settings.getint("SITEMAP_HOST_URLS"),
            file=LinkFileLimits(
                max_bytes=settings.getint("SITEMAP_MAX_BYTES"),
                max_urls=settings.getint("SITEMAP_MAX_URLS"),
            ),
        )
        return cls(crawler, limits, **options)

    def open(self) -> None:
        """Hear of every robots.txt; to be called when the crawl's engine is there."""
        if self.sitemaps:
            self.named.open()
            if 0 < self.page_bytes < self.limits.file.max_bytes:
                scheduler_of(self.crawler).max_bytes_of = self._max_bytes
        if self.is_recrawl:
            n_due = scheduler_of(self.crawler).store.queue_sitemaps()
            self.crawler.stats.set_value("lastmod/sitemaps", n_due)

    def take(self, page: Page, response: Response) -> None:
        """Follow the feeds of *page*; make its links those that it lists if it is a sitemap or a feed."""
        model: Any = page.model
        if self.feeds:
            self._follow_feeds(page)
        if not self._take_file(page, response) and 0 < self.page_bytes < len(response.body):
            model.reject = "too_large"

    def _take_file(self, page: Page, response: Response) -> bool:
        """Tell whether *page* is a sitemap or a feed that is asked for; if so, take what it lists."""
        model: Any = page.model
        kind = (response.headers.get("Content-Type") or b"").lower()
        if kind.startswith(_HTML) and not _is_no_page(response.body[:_HEAD_BYTES]):
            return False
        if self.sitemaps and (found := self._sitemap(response.body)) is not None:
            listed = self._listed(page, found)
            links = file_links([key for key, _ in listed])
            if found.kind != INDEX:
                links.follow &= links.key.of_hosts(self.within)
            self._note("sitemaps", found, links)
            model.reject, mark = "sitemap", READ
            if self.is_recrawl and found.kind in (URLSET, TEXT):
                self._note_lastmod(listed)
        elif self.feeds and (found := read_feed(response.body)) is not None:
            keys = page_keys([entry.url for entry in found.entries], page.url)
            links = file_links([key for key in keys if key is not None])
            links.follow &= links.key.of_hosts(self.within)
            self._note("feeds", found, links)
            model.reject, mark = "feed", FEED
        else:
            return False
        if model.capture is not None:
            model.capture.links = links
            model.capture.puts.append((SITEMAPS, u64_key(model.capture.page_id), mark))
        return True

    def _note(self, name: str, found: LinkFile, links: Links) -> None:
        stats = self.crawler.stats
        stats.inc_value(f"{name}/read")
        stats.inc_value(f"{name}/urls", len(links))
        for problem in sorted(found.problems):
            stats.inc_value(f"{name}/{problem}")

    # --- sitemaps ----------------------------------------------------------------------------

    def _max_bytes(self, url: str) -> int | None:
        return self.limits.file.max_bytes if says_sitemap(url) else None

    def _sitemap(self, body: bytes) -> LinkFile | None:
        found = read_sitemap(body, self.limits.file)
        return read_feed(body, self.limits.file) if found is None and not self.feeds else found

    def _listed(self, page: Page, found: LinkFile) -> list[tuple[PageKey, str | None]]:
        """Return (key, lastmod) of what *found*, the sitemap at *page*, may list, within the limits."""
        own = page_key(page.url)
        if own is None:
            return []
        if found.kind == INDEX and page.depth > 0:
            self.crawler.stats.inc_value("sitemaps/nested")
            return []
        listed, n_other = [], 0
        keys = page_keys([entry.url for entry in found.entries], page.url)
        hosts = {key.host for key in keys if key is not None} - {own.host}
        hosts = scheduler_of(self.crawler).store.hosts_naming(own.host, hosts) | {own.host}
        for key, entry in zip(keys, found.entries, strict=True):
            if key is None:
                continue
            if key.host in hosts:
                listed.append((key, entry.lastmod))
            else:
                n_other += 1
        room = self.limits.max_files
        if found.kind != INDEX:
            room = self.limits.host_urls - self._n_urls.get(own.host, 0)
            _count(self._n_urls, own.host, min(len(listed), room))
        self.crawler.stats.inc_value("sitemaps/other_host", n_other)
        self.crawler.stats.inc_value("sitemaps/over_limit", max(0, len(listed) - room))
        return listed[: max(0, room)]

    def _note_lastmod(self, listed: list[tuple[PageKey, str | None]]) -> None:
        """Have those of the *listed* pages fetched that changed since their last visit."""
        now_us = round(time.time() * 1e6)
        counts: Counter[str] = Counter()
        changes = []
        for key, text in listed:
            if text is None:
                continue
            span = read_lastmod(text)
            if span is None or span.start > now_us:
                counts["bad" if span is None else "future"] += 1
            else:
                changes.append((key, partial(span.is_after, now_us=now_us)))
        counts["due"], counts["old"] = scheduler_of(self.crawler).store.queue_modified(changes)
        for name, number in counts.items():
            self.crawler.stats.inc_value(f"lastmod/{name}", number)

    # --- feeds -------------------------------------------------------------------------------

    def _follow_feeds(self, page: Page) -> None:
        links = page.model.links if page.model is not None else None
        if links is None:
            return
        for place in self._feeds(links):
            host = links.key[place].host
            if self._n_feeds.get(host, 0) < self.limits.max_files:
                _count(self._n_feeds, host, 1)
                links.follow[place] = True
            else:
                self.crawler.stats.inc_value("feeds/over_limit")

    def _feeds(self, links: Links) -> Iterator[int]:
        wanted = (links.kind == LinkKind.FEED) & ~links.nofollow
        for place in np.flatnonzero(wanted).tolist():
            if self.within(links.key[place].host):
                yield place


def file_links(keys: list[PageKey]) -> Links:
    """Return *keys* as the links of the file that lists them, all to be followed."""
    n = len(keys)
    places = np.zeros(n, dtype=np.uint32)
    return Links(
        key=KeyList.of(keys),
        kind=np.full(n, LinkKind.FEED, dtype=np.uint8),
        nofollow=np.zeros(n, dtype=np.bool_),
        block=places,
        anchors=JoinedTexts.of([""] * n),
        follow=np.ones(n, dtype=np.bool_),
        priority=np.zeros(n, dtype=np.float32),
        reference=np.arange(n, dtype=np.uint32),
    )


def _is_no_page(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_NO_PAGE)


def _count(counts: OrderedDict[str, int], host: str, number: int) -> None:
    counts[host] = counts.pop(host, 0) + max(0, number)
    if len(counts) > _COUNTED_HOSTS:
        counts.popitem(last=False)
