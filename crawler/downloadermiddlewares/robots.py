"""robots.txt as RFC 9309 wants it: parsed by Protego, fetched by rules of our own.

A 2xx body is parsed; 4xx or a sixth redirect means no rules; 5xx or a network error means that
nothing may be fetched (RFC 9309 sections 2.3.1.2 to 2.3.1.4).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from protego import Protego
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Request
from scrapy.http.request import NO_CALLBACK

from crawler.signals import crawl_delay
from crawler.urls import page_key

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

# RFC 9309 section 2.3.1.2: "at least five consecutive redirects".
MAX_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """How robots.txt files are fetched and kept; seconds and bytes as the settings say."""

    user_agent: str
    host_delay_secs: float
    crawl_delay_max_secs: float
    max_bytes: int
    cache_hosts: int


class RobotsMiddleware:
    """Asks the site's robots.txt before each request of a crawl.

    Settings: ``HOST_DELAY_SECS``, ``CRAWL_DELAY_MAX_SECS``, ``ROBOTS_MAX_BYTES``,
    ``ROBOTS_CACHE_HOSTS``, Scrapy's ``USER_AGENT`` and ``ROBOTSTXT_USER_AGENT``. Stats:
    ``robots/fetched``, ``robots/status/<code>``, ``robots/unreachable``, ``robots/refused``,
    ``robots/crawl_delay_cut``. Meta: ``winnow_robots`` marks the requests for robots.txt itself.
    Signals: ``crawl_delay``.
    """

    def __init__(self, crawler: Crawler, policy: RobotsPolicy):
        self.crawler = crawler
        self.policy = policy
        self.cache: OrderedDict[str, Protego] = OrderedDict()
        self.pending: dict[str, asyncio.Future[Protego]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        policy = RobotsPolicy(
            user_agent=robots_agent(settings),
            host_delay_secs=settings.getfloat("HOST_DELAY_SECS"),
            crawl_delay_max_secs=settings.getfloat("CRAWL_DELAY_MAX_SECS"),
            max_bytes=settings.getint("ROBOTS_MAX_BYTES"),
            cache_hosts=settings.getint("ROBOTS_CACHE_HOSTS"),
        )
        return cls(crawler, policy)

    async def process_request(self, request: Request) -> None:
        if request.meta.get("winnow_robots"):
            return
        rules = await self._rules(request)
        if not rules.can_fetch(request.url, self.policy.user_agent):
            self.crawler.stats.inc_value("robots/refused")
            raise IgnoreRequest("robots")

    async def _rules(self, request: Request) -> Protego:
        scheme, netloc, *_ = urlsplit(request.url)
        site = f"{scheme}://{netloc}"
        rules = self.cache.get(site)
        if rules is not None:
            self.cache.move_to_end(site)
            return rules
        if site in self.pending:
            return await asyncio.shield(self.pending[site])
        future = self.pending[site] = asyncio.get_running_loop().create_future()
        try:
            rules = await self._fetch(f"{site}/robots.txt")
            self._keep(site, rules)
            await asyncio.sleep(self._announce_delay(request.url, rules))
            future.set_result(rules)
        finally:
            del self.pending[site]
            future.cancel()  # nothing when it has its result
        return rules

    def _keep(self, site: str, rules: Protego) -> None:
        self.cache[site] = rules
        while len(self.cache) > self.policy.cache_hosts:
            self.cache.popitem(last=False)

    def _announce_delay(self, url: str, rules: Protego) -> float:
        """Tell the frontier of a Crawl-delay; return the seconds to wait after robots.txt itself."""
        asked = rules.crawl_delay(self.policy.user_agent)
        key = page_key(url)
        # Sites also ask for negative seconds, and for "nan".
        if asked is None or key is None or not float(asked) >= 0:
            return self.policy.host_delay_secs
        secs = min(float(asked), self.policy.crawl_delay_max_secs)
        if secs < asked:
            self.crawler.stats.inc_value("robots/crawl_delay_cut")
        self.crawler.signals.send_catch_log(crawl_delay, host_key=key.host, secs=secs)
        return max(secs, self.policy.host_delay_secs)

    async def _fetch(self, url: str) -> Protego:
        """Fetch and parse the robots.txt at *url*; never raises for what the site does."""
        stats = self.crawler.stats
        for _ in range(MAX_REDIRECTS + 1):
            response = await self._download(url)
            if response is None:
                stats.inc_value("robots/unreachable")
                return _nothing_allowed()
            stats.inc_value("robots/fetched")
            stats.inc_value(f"robots/status/{response.status}")
            location = response.headers.get("Location")
            if not (300 <= response.status < 400 and location):
                return self._judge(response)
            try:
                url = urljoin(url, location.decode("latin-1"))
            except ValueError:
                break
            if not url.startswith(("http://", "https://")):
                break
            await asyncio.sleep(self.policy.host_delay_secs)
        return _everything_allowed()

    def _judge(self, response: Response) -> Protego:
        if response.status >= 500:
            return _nothing_allowed()
        if not 200 <= response.status < 300:
            return _everything_allowed()
        body = response.body[: self.policy.max_bytes].removeprefix(b"\xef\xbb\xbf")
        return Protego.parse(body.decode("utf-8", "replace"))

    async def _download(self, url: str) -> Response | None:
        request = Request(
            url, priority=1000, meta={"winnow_robots": True}, callback=NO_CALLBACK, dont_filter=True
        )
        assert self.crawler.engine is not None
        try:
            return await self.crawler.engine.download_async(request)
        except Exception:  # noqa: BLE001  every way a download can fail means "unreachable" here
            return None


def robots_agent(settings: BaseSettings) -> str:
    """Return the name under which a site may address this crawl."""
    agent: str = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"].split("/", 1)[0]
    return agent


def _everything_allowed() -> Protego:
    return Protego.parse("")


def _nothing_allowed() -> Protego:
    return Protego.parse("User-agent: *\nDisallow: /")
