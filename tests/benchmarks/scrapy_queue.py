"""Scrapy's own queue with many hosts, for the benchmark of the frontier.

It is what Scrapy uses by default for a broad crawl, `DownloaderAwarePriorityQueue` over queues in memory (with
queues on disk it needs a file a host): push and pop of Requests.
"""

from __future__ import annotations

import time
from typing import Any

from tests.benchmarks.made_urls import local_key


def scrapy_pops(n_hosts: int, n_rounds: int) -> list[float]:
    """Return the pops a second, in rounds, of Scrapy's queue with *n_hosts* hosts, each with two Requests."""
    from scrapy.http import Request
    from scrapy.pqueues import DownloaderAwarePriorityQueue
    from scrapy.squeues import FifoMemoryQueue
    from scrapy.utils.test import get_crawler

    class Downloader:
        """What the queue asks Scrapy's downloader for: no host is being asked."""

        def __init__(self) -> None:
            self.slots: dict[str, Any] = {}

        def get_slot_key(self, request: Request) -> str:
            return request.url.split("/", 3)[2]

    crawler = get_crawler()
    crawler.engine = type("Engine", (), {"downloader": Downloader()})()
    queue = DownloaderAwarePriorityQueue(crawler, FifoMemoryQueue, "")
    for page in range(2):
        for host in range(n_hosts):
            queue.push(Request(f"http://h{host}.com/{local_key(host, page)[2:]}"))
    rates = []
    for _ in range(n_rounds):
        n, started = 0, time.perf_counter()
        while time.perf_counter() - started < 1.0 and n < n_hosts // 2:
            assert queue.pop() is not None
            n += 1
        rates.append(n / (time.perf_counter() - started))
    return rates
