"""The addresses of hosts, resolved before the first request of each, for the gap between two of one."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.exceptions import CannotResolveHostError, IgnoreRequest, NotConfigured
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IResolutionReceiver
from zope.interface.declarations import implementer

from crawler.deadlines import secs_left
from crawler.engine import scheduler_of

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request
    from twisted.internet.interfaces import IAddress, IHostResolution


@implementer(IResolutionReceiver)
class _First:
    """Gives *future* the first address, None when there is none."""

    def __init__(self, future: asyncio.Future[str | None]):
        self.future = future

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802  Twisted's name
        pass

    def addressResolved(self, address: IAddress) -> None:  # noqa: N802  Twisted's name
        if isinstance(address, IPv4Address | IPv6Address) and not self.future.done():
            self.future.set_result(address.host)

    def resolutionComplete(self) -> None:  # noqa: N802  Twisted's name
        if not self.future.done():
            self.future.set_result(None)


class AddressMiddleware:
    """Tells the frontier which address a host has; hands the page back when that must rest.

    A resolver that does not answer by the request's deadline has no address for it. Settings:
    ``IP_DELAY_SECS``. Stats: ``addresses/resolved``, ``addresses/handed_back``. Meta: ``winnow_capture``.
    """

    def __init__(self, crawler: Crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getfloat("IP_DELAY_SECS"):
            raise NotConfigured("IP_DELAY_SECS is 0")
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        capture = request.meta.get("winnow_capture")
        store = getattr(scheduler_of(self.crawler), "store", None)
        if capture is None or store is None or "winnow_warc" in request.meta:
            return
        groups = store.frontier.groups
        if groups is None or groups.knows_address(capture.host_id):
            return
        name = urlsplit(request.url).hostname or ""
        try:
            async with asyncio.timeout(secs_left(request)):
                address = await resolve(name)
        except TimeoutError:
            raise CannotResolveHostError(f"nobody told the address of {name} in time") from None
        if address is None:
            return  # the download will say why
        self.crawler.stats.inc_value("addresses/resolved")
        may_ask = store.frontier.groups.set_address(capture.host_id, address, time.monotonic())
        if may_ask or not scheduler_of(self.crawler).makes_again(request):
            return
        if scheduler_of(self.crawler).hand_back(capture):
            self.crawler.stats.inc_value("addresses/handed_back")
            raise IgnoreRequest("done")


async def resolve(name: str) -> str | None:
    """Return the first address of the host *name*, None when it has none."""
    from twisted.internet import reactor

    future: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
    resolver: Any = reactor
    resolver.nameResolver.resolveHostName(_First(future), name.strip("[]"))
    return await future
