"""Profile `broad`: many hosts at once, each as politely as before (Scrapy, *Optimizing*)."""

from __future__ import annotations

from settings.base import *  # noqa: F403  a profile is the base and what differs

CONCURRENT_REQUESTS = 256
REACTOR_THREADPOOL_MAXSIZE = 40
DNSCACHE_SIZE = 100_000
DOWNLOAD_TIMEOUT = 20
