"""The localised crawl: the pages of one site, as template detection wants them.

*Source: Gottron 2008, "Bridging the gap: from multi document template detection to single document content
extraction"*: the pages that one page links to on its own host have its template most probably.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from crawler.engine import scheduler_of
from crawler.errors import InputError
from crawler.page.links import LinkKind
from crawler.policies import REACH_MENDS, crawl_reach
from crawler.spiders.base import WinnowSpider, parse_switches, require
from crawler.spiders.link_sources import SWITCHES, LinkSources
from crawler.urls import PageKey, host_name, page_key, page_url, registrable_domain
from crawler.urls.addresses import is_address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from crawler.items import Page
    from crawler.page.links import Links

SCOPES = ("host", "domain")
# Hosts that are not asked about again.
MAX_KNOWN_HOSTS = 10_000


class SiteSpider(WinnowSpider):
    """``crawl site -a url=URL [-a scope=host|domain]`` and the limits of every spider.

    Pages of the host of *url*, and of that which it redirects to, also by a refresh, or of all hosts of its registrable
    domain; ``max_depth=1`` takes those that *url* links to. ``-a sitemaps=1`` and ``-a feeds=1`` take links to such
    pages out of the site's sitemaps and feeds, too (`crawler.spiders.link_sources`), with ``-a links=0`` these alone; a
    sitemap may be on another host, a page there is rejected as ``off_site``. Stats: ``seeds/read``, ``seeds/new``.
    """

    name = "site"
    arguments = ("url", "scope", *SWITCHES)

    def __init__(self, url: str = "", scope: str = "host", **arguments: Any):
        self.takes = parse_switches(arguments, SWITCHES)
        self.page_links = self.takes.pop("links")
        super().__init__(**arguments)
        self.url = url
        self.scope = scope
        self.places: set[str] = set()
        self.address: PageKey | None = None
        self._n_learnt = 0
        self._known: dict[str, bool] = {}

    @classmethod
    def check(cls, arguments: Mapping[str, str], settings: BaseSettings) -> None:
        super().check(arguments, settings)
        url = require(arguments, "url", "https://www.example.org/")
        key = page_key(url)
        if key is None:
            raise InputError(
                f"url is {url!r}; give an address that begins with http:// or https://"
            )
        name = urlsplit(page_url(key)).hostname or ""
        if is_address(name) and (why := crawl_reach(settings).refusal(name)):
            raise InputError(f"url {url!r} is not fetched ({why}); {REACH_MENDS[why]}")
        switches = parse_switches(arguments, SWITCHES)
        if not any(switches.values()):
            raise InputError("links=0 leaves the first page alone; give sitemaps=1 or feeds=1, too")
        if arguments.get("scope", "host") not in SCOPES:
            raise InputError(f"scope is {arguments['scope']!r}; give {' or '.join(SCOPES)}")

    @property
    def followed(self) -> str:
        key = page_key(self.url)
        assert key is not None
        place = self._place(key.host)
        within = host_name(place) if self.scope == "host" else f"the domain {place}"
        return f"links within {within}" if self.page_links else f"no links of pages within {within}"

    async def start(self) -> AsyncIterator[Any]:
        """Hand the one seed to the frontier; yields nothing, the frontier makes the requests."""
        key = page_key(self.url)
        assert key is not None
        self.address = key
        scheduler = scheduler_of(self.crawler)
        self.places.add(self._place(key.host))
        self._learn()
        if any(self.takes.values()):
            self.link_sources = LinkSources.from_crawler(
                self.crawler, **self.takes, within=self._is_inside
            )
            self.link_sources.open()
        self.crawler.stats.inc_value("seeds/read")
        n_new = scheduler.add_seeds([(key, ())])
        self.crawler.stats.inc_value("seeds/new", n_new)
        if self.takes["sitemaps"] and not n_new:
            self._ask_known_hosts(key)
        return
        yield  # an async generator without items

    def _ask_known_hosts(self, address: PageKey) -> None:
        """Queue the usual sitemap of the hosts that the *address* led to: who has a robots.txt read tells of others.

        Where nothing waits none is read, so that a site that was crawled without sitemaps never had them.
        """
        scheduler = scheduler_of(self.crawler)
        for host in dict.fromkeys((address.host, *self._store.site_hosts(address.host))):
            scheduler.add_sitemaps([PageKey(host, f"{address.local[0]}/sitemap.xml")], host)

    def take_redirect(self, links: Links, url: str, depth: int) -> None:
        """Follow a redirect to the site only, that of the address wherever it leads, and that of a sitemap elsewhere on
        its host.
        """
        if not self._is_first(url, depth):
            key = page_key(url)
            if (
                key is None
                or not links.key.of_hosts(key.host.__eq__).all()
                or not self._is_of_sitemaps(key.host)
            ):
                self._stay(links)
            return
        assert self.address is not None
        for key in links.key:
            self._store.add_site_way(self.address.host, key)

    def parse(self, response: Response, **_: Any) -> Iterator[Page]:
        """Yield the page; of its links only those to the site are followed."""
        page: Page | None = response.meta.get("winnow_page")
        if page is None or page.model is None:
            return
        key = page_key(page.url)
        if key is not None and self._is_first(page.url, page.depth):
            self._note(key.host)
            self._note_refresh(page.model.links)
        self._stay(page.model.links)
        if key is not None and self._is_of_sitemaps(key.host):
            # Where a sitemap was to be there may be a page.
            page.model.reject = page.model.reject or "off_site"
        yield from super().parse(response)

    def _is_first(self, url: str, depth: int) -> bool:
        """Tell whether *url* is the address, or what it redirects to: sitemaps, and other crawls' first pages, are
        neither.
        """
        key = page_key(url)
        assert self.address is not None
        if depth or key is None:
            return False
        return key == self.address or self._store.is_site_way(self.address.host, key)

    def _is_of_sitemaps(self, host: str) -> bool:
        """Tell whether of *host*, which is another, only sitemaps are wanted; others may be left of another crawl."""
        return self.takes["sitemaps"] and not self._is_inside(host) and self._store.is_named(host)

    def _note_refresh(self, links: Links) -> None:
        """Have the site be, too, where a refresh of its first page leads: some sites redirect so."""
        is_way = links.follow & (links.kind == LinkKind.REFRESH)
        for place in is_way.nonzero()[0].tolist():
            self._note(links.key[place].host)

    def _note(self, host: str) -> None:
        """Note, for all runs and shards, that the address leads to *host*."""
        assert self.address is not None
        self._store.add_site_host(self.address.host, host)
        self._learn()

    def _stay(self, links: Links) -> None:
        """Follow of *links* those to the site."""
        if self._store.hand_overs is not None:
            # Another shard may have seen where the address leads.
            self._learn()
        links.follow &= links.key.of_hosts(self._is_inside)

    @property
    def _store(self) -> Any:
        return scheduler_of(self.crawler).store

    def _learn(self) -> None:
        assert self.address is not None
        hosts = self._store.site_hosts(self.address.host)
        if len(hosts) != self._n_learnt:
            self._n_learnt = len(hosts)
            self.places.update(map(self._place, hosts))
            self._known.clear()
            if self.link_sources is not None:
                self.link_sources.named.look_again()

    def _is_inside(self, host: str) -> bool:
        inside = self._known.get(host)
        if inside is None:
            if len(self._known) >= MAX_KNOWN_HOSTS:
                self._known.clear()
            inside = self._known[host] = self._place(host) in self.places
        return inside

    def _place(self, host: str) -> str:
        name = host_name(host)
        return registrable_domain(name) if self.scope == "domain" else host
