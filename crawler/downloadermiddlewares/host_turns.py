"""Turns of hosts for what is fetched on behalf of another: a robots.txt that redirects elsewhere.

Such a fetch is of no page of its host, so nothing is leased for it. The host is borrowed instead: the frontier
leases no page of it meanwhile, and its gap, its domain's and its address's are waited for before and kept
after. Of a host that another process of the crawl owns, only what both share is known here: the gap of its address,
and that of its domain where hosts are divided one by one.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from crawler.downloadermiddlewares.addresses import resolve
from crawler.engine import is_closing, scheduler_of
from crawler.failures import FetchStoppedError
from crawler.urls import page_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler

    from crawler.fleet.gaps import Claim, Gaps
    from crawler.frontier.frontier import Frontier

# Seconds after which a host that was not free is looked at again.
_ASK_SECS = 0.05


class HostTurns:
    """Turns of other hosts, each waited for at most *timeout_secs*. Stats: ``robots/elsewhere_busy``."""

    def __init__(self, crawler: Crawler, timeout_secs: float):
        self.crawler = crawler
        self.timeout_secs = timeout_secs
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, url: str, asking_url: str) -> AsyncIterator[bool]:
        """Hold the turn of the host of *url* while the block runs; give it whether it came in time.

        The host of *asking_url* is being asked, and rests meanwhile: where both are one, there is
        nothing to wait for.
        """
        store = getattr(scheduler_of(self.crawler), "store", None)
        key, asking = page_key(url), page_key(asking_url)
        if store is None or key is None or (asking is not None and key.host == asking.host):
            yield True
            return
        frontier, host_id = store.frontier, store.host_of(key)
        of_asking = None if asking is None else frontier.memory.hosts.find(asking.host)
        lock = self._locks.setdefault(key.host, asyncio.Lock())
        name = urlsplit(url).hostname or ""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self.timeout_secs):
                    await stack.enter_async_context(lock)
                    if host_id is None:
                        await self._claim(stack, frontier, key.host, name, of_asking)
                    else:
                        await self._borrow(stack, frontier, host_id, name, of_asking)
            except TimeoutError:
                self.crawler.stats.inc_value("robots/elsewhere_busy")
                yield False
            else:
                yield True

    async def _borrow(
        self, stack: AsyncExitStack, frontier: Frontier, host_id: int, name: str, asking: int | None
    ) -> None:
        """Wait until the host *host_id* and its groups are free, and hold them for *stack*."""
        frontier.batch.give_back()
        frontier.hosts.borrow(host_id)
        stack.callback(_give_back, frontier, host_id)
        while (free_in := frontier.hosts.free_in(host_id, time.monotonic())) != 0.0:
            if (free_in or 0.0) > self.timeout_secs:
                raise TimeoutError  # it is in trouble
            await self._pause(free_in or _ASK_SECS)
        groups = frontier.groups
        if groups is None:
            return
        if not groups.knows_address(host_id) and (address := await resolve(name)):
            groups.note_address(host_id, address, time.monotonic())
        while not _joins(frontier, host_id, asking):
            await self._pause(_ASK_SECS)
        while any(waits := await groups.claim(host_id, time.monotonic())):
            await self._pause(max(waits))

    async def _claim(
        self, stack: AsyncExitStack, frontier: Frontier, key: str, name: str, asking: int | None
    ) -> None:
        """Wait until no process asks the domain or the address of *name*, whose host key is *key*, and claim them."""
        groups = frontier.groups
        if groups is None or groups.gaps is None:
            return
        address = await resolve(name) if groups.gaps.rests.address else None
        claimed, waits = await groups.claim_for(key, address, asking, time.monotonic())
        while any(waits):
            await self._pause(max(waits))
            claimed, waits = await groups.claim_for(key, address, asking, time.monotonic())
        if any(claimed):
            stack.callback(_release, groups.gaps, claimed)

    async def _pause(self, secs: float) -> None:
        """Wait for *secs*; raise `FetchStoppedError` when the crawl ends meanwhile."""
        until = time.monotonic() + secs
        while (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, _ASK_SECS))
            if is_closing(self.crawler):
                raise FetchStoppedError


def _joins(frontier: Frontier, host_id: int, asking: int | None) -> bool:
    """Take the groups of the host if they are free, or those of the one *asking*; tell whether they are."""
    groups = frontier.groups
    return groups is None or groups.join(host_id, asking, time.monotonic())


def _give_back(frontier: Frontier, host_id: int) -> None:
    now = time.monotonic()
    frontier.hosts.give_back(host_id, now, spent=True)
    if frontier.groups is not None:
        frontier.groups.leave(host_id, now)


def _release(gaps: Gaps, claimed: Claim) -> None:
    gaps.release(claimed, time.monotonic())
