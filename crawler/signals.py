"""Signals of Winnow, sent through ``crawler.signals`` like Scrapy's own.

``address_refused`` (host: str, reason: str)
    *host* has only addresses that a crawl must not reach, or was found at one; *reason* as in
    crawler.failures.
``crawl_delay`` (host_key: str, secs: float)
    A robots.txt asked for *secs* between fetches from the host of *host_key*, already capped.
``fetches_stopped``
    The crawl is closing, and waits no longer for the fetches that are under way.
``pages_committed`` (captures: list[Capture])
    A group of pages was committed. Each capture tells what became of the page and, where it has links,
    their pages and which of them were not known before (crawler.durable.capture).
``shard_joins`` (share_rules: Callable)
    A shard of a crawl on several machines is about to join the others. *share_rules* has the shard's rules be those
    of all, where there are none, and returns those of all. A listener returns why it cannot join, None if it can.
"""

from __future__ import annotations

from typing import Final

address_refused: Final = object()
crawl_delay: Final = object()
fetches_stopped: Final = object()
pages_committed: Final = object()
shard_joins: Final = object()
