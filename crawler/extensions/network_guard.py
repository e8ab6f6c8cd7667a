"""The network guard: a crawl pauses while its own network is down, and goes on by itself."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured

from crawler.extensions.address_guard import host_entry, read_hosts
from crawler.extensions.pausing import PausingGuard
from crawler.policies import crawl_reach

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.extensions.address_guard import Hosts
    from crawler.frontier.outage import Outage
    from crawler.urls.addresses import Reach

# Between two looks at the witnesses, doubled while they take connections and other hosts do not; and how long one of
# them may take.
LOOK_SECS = 5.0
MAX_LOOK_SECS = 320.0
PATIENCE_SECS = 4.0

_PORTS = {"http": 80, "https": 443}
# Addresses of a witness that are tried, such as one of IPv6 and one of IPv4.
_MAX_ADDRESSES = 2


class NetworkGuard(PausingGuard):
    """Pauses the engine while no host answers, and none of those that answered last takes a connection.

    Pages that end without an answer meanwhile are handed back as if they had not been asked for
    (`crawler.fetch_ends`). Settings: ``NETWORK_DOWN_HOSTS``, ``HOSTS_FILE``, ``ALLOWED_PRIVATE_NETWORKS``,
    ``USER_AGENT``. Stats: ``network/pauses``.
    """

    WHAT = "network"
    CHECK_SECS = 0.5
    LOOKS_AT_ONCE = False

    def __init__(self, crawler: Crawler, reach: Reach, hosts: Hosts | None):
        super().__init__(crawler)
        self.reach = reach
        self.hosts = hosts
        self.look: asyncio.Task[None] | None = None
        self.looked_at = float("-inf")
        self.look_secs = LOOK_SECS
        self.newest = ""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getint("NETWORK_DOWN_HOSTS"):
            raise NotConfigured("NETWORK_DOWN_HOSTS is 0")
        path = crawler.settings.get("HOSTS_FILE")
        return cls(crawler, crawl_reach(crawler.settings), read_hosts(path) if path else None)

    def spider_closed(self) -> None:
        super().spider_closed()
        if self.look is not None:
            self.look.cancel()

    def check(self) -> None:
        """Look at the witnesses if that is due; pause or go on as is known."""
        outage = self._outage()
        if outage is None:
            return
        if (outage.is_likely or outage.is_down) and self.look is None:
            self._look_if_due(outage)
        self.turn(
            is_wanted=outage.is_down,
            why="No host answers, nor do those that did: the crawl pauses until the network is back",
            why_not="The network is back: the crawl goes on",
        )

    def _outage(self) -> Outage | None:
        return getattr(getattr(self.crawler.engine, "scheduler", None), "outage", None)

    def _look_if_due(self, outage: Outage) -> None:
        """Begin to look at the witnesses; where there is none, the hosts are dead themselves."""
        witnesses = outage.witnesses()
        if not witnesses:
            outage.end()
            return
        if witnesses[0] != self.newest:  # there were answers since the last look
            self.newest, self.look_secs = witnesses[0], LOOK_SECS
            self.looked_at = float("-inf")
        if time.monotonic() - self.looked_at >= self.look_secs:
            self.look = asyncio.ensure_future(self._look(outage, *witnesses))

    async def _look(self, outage: Outage, newest: str, *others: str) -> None:
        """Have *outage* say whether a witness takes a connection."""
        try:
            is_there = await self._is_reached(newest)
            if not is_there:  # one host may be down by itself
                is_there = any(await asyncio.gather(*map(self._is_reached, others)))
            if is_there:
                outage.end()
            elif outage.is_likely:  # no answer came meanwhile
                outage.is_down = True
        finally:
            self.looked_at = time.monotonic()
            self.look = None
        self.look_secs = min(2 * self.look_secs, MAX_LOOK_SECS) if is_there else LOOK_SECS
        self.check()

    async def _is_reached(self, url: str) -> bool:
        """Tell whether the host of *url* takes a connection; it is closed at once."""
        parts = urlsplit(url)
        try:
            async with asyncio.timeout(PATIENCE_SECS):
                found = await self._addresses(
                    parts.hostname or "", parts.port or _PORTS[parts.scheme]
                )
                may_reach = [each for each in found if self.reach.refusal(each[0]) is None]
                for address, port in may_reach[:_MAX_ADDRESSES]:
                    with suppress(OSError):
                        _, writer = await asyncio.open_connection(address, port)
                        writer.close()
                        return True
        except (OSError, UnicodeError):
            pass
        return False

    async def _addresses(self, name: str, port: int) -> list[tuple[str, int]]:
        """Return addresses and ports of the host *name*, by the system: Scrapy's resolver would remember them."""
        if self.hosts is not None:
            entry = host_entry(self.hosts, name)
            return [entry] if entry is not None else []
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
        return [(str(address[0]), port) for *_, address in found]
