"""Stored real pages before the rules of steering, in the order of the files: what would have been refused?

Each page is judged before it is learned from, as a crawl would; what is refused is learned from all the same, so
that one wrong decision hides no other.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from crawler.durable.capture import Capture, LinkPages
from crawler.urls import page_key
from crawler.urls.hosts import host_name
from tests.simulated_crawl import IndexedDuplicates, fill


class Replay:
    """Feeds *steering* with pages; counts those that it would have refused, by reason."""

    def __init__(self, steering):
        self.steering = steering
        self.duplicates = IndexedDuplicates()
        self.ids = {}
        self.hosts = {}
        self.next_local: Counter[int] = Counter()
        self.n_pages = 0
        self.refused: Counter[str] = Counter()
        self.examples = []

    def page_id(self, key):
        """The id of *key*, and whether it is a new one."""
        is_new = key not in self.ids
        if is_new:
            host = self.hosts.setdefault(key.host, len(self.hosts))
            self.ids[key] = host << 32 | self.next_local[host]
            self.next_local[host] += 1
        return self.ids[key], is_new

    def add(self, url, answer):
        """Judge the page at *url*, then learn from it."""
        key = page_key(url)
        if key is None:
            return
        page_id, _ = self.page_id(key)
        host = url.split("/")[2]
        capture = Capture(page_id=page_id, url=url, host=host)
        self.n_pages += 1
        reason = self.steering.judge(page_id >> 32, host, key.local, fetch=True)
        if reason is not None:
            self.refused[reason] += 1
            self.examples.append((reason, url))
        fill(capture, answer, self.duplicates)
        if capture.links is not None:
            found = [self.page_id(key) for key in capture.links.key]
            capture.link_pages = LinkPages(
                capture.links.key,
                np.array([page_id for page_id, _ in found], dtype=np.uint64),
                np.array([is_new for _, is_new in found], dtype=np.bool_),
                capture.links.follow,
            )
        self.steering.learn([capture])

    def n_refused_links(self):
        """How many of all URLs that the pages link to are refused now."""
        return sum(
            self.steering.judge(page_id >> 32, host_name(key.host), key.local, fetch=False)
            is not None
            for key, page_id in self.ids.items()
        )
