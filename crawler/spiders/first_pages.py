"""The pages that a focused crawl begins with: those of its topic, and those it tells the topic from.

A seed is of the topic or not by its own category: those of its host are of all seeds there, and a large host has
seeds of many topics. A page that has seeds of both kinds is of the topic. What a seed redirects to is as it is: most
old addresses are but those of other pages by now.

Memory: 8 bytes a page of the topic, and the seeds of the background.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from xxhash import xxh3_64_intdigest

from crawler.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crawler.items import Page
    from crawler.seeds.topic_seeds import TopicSeeds
    from crawler.urls import PageKey


class FirstPages:
    """The pages of *seeds*, and what they redirect to, which *store*, the crawl's, knows after this run, too.

    *background*: the seeds of other topics, none of a page of the topic.
    """

    def __init__(self, seeds: TopicSeeds, store: Any) -> None:
        self._seeds = seeds
        self._store = store
        self._topics = np.unique(np.fromiter(_prints(seeds), np.uint64))
        keyed = [(page_key(seed.url), seed) for seed in seeds.background()]
        others = [
            (key, seed) for key, seed in keyed if key is not None and not self._is_topics(key)
        ]
        self.background = [seed for _, seed in others]
        self._others = {key for key, _ in others}

    def is_on_topic(self, page: Page, key: PageKey | None) -> bool | None:
        """Tell whether *page*, of *key*, is a first page of the topic, None for one that is no first page.

        One that no seed names now was left by an earlier run: the categories of its host tell.
        """
        if page.depth or key is None:
            return None
        on_topic = self._by_seeds(key)
        if on_topic is None and page.category:
            on_topic = self._seeds.is_on_topic(tuple(page.category))
        return on_topic

    def redirect(self, key: PageKey | None, depth: int, targets: Iterable[PageKey]) -> None:
        """Note that the page of *key*, so many links deep, redirects to those of *targets*."""
        on_topic = None if depth or key is None else self._by_seeds(key)
        if on_topic is not None:
            for target in targets:
                self._store.add_site_way(self._ways(on_topic=on_topic), target)

    def _by_seeds(self, key: PageKey) -> bool | None:
        if self._is_topics(key):
            return True
        if key in self._others:
            return False
        for on_topic in (True, False):
            if self._store.is_site_way(self._ways(on_topic=on_topic), key):
                return on_topic
        return None

    def _ways(self, *, on_topic: bool) -> str:
        """Return what stands for the address's host where the store has the ways of a site; no host has a blank."""
        return f"{'topic' if on_topic else 'other than'} {self._seeds.topic}"

    def _is_topics(self, key: PageKey) -> bool:
        place = np.searchsorted(self._topics, _print(key))
        return bool(place < len(self._topics) and self._topics[place] == _print(key))


def _prints(seeds: TopicSeeds) -> Iterator[np.uint64]:
    keys = (page_key(seed.url) for seed in seeds.on_topic())
    return (_print(key) for key in keys if key is not None)


def _print(key: PageKey) -> np.uint64:
    text = f"{key.host} {key.local}"
    return np.uint64(xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")))
