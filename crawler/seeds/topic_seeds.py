"""The seeds of a focused crawl: those of the topic, and some of other topics to tell it from.

Of the seeds of other categories those with the smallest hashes are taken: the same from the same file in any
order, spread over all categories as the file is. Of a URL that is there under several, the first is taken. Memory:
twice the seeds that are taken.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from xxhash import xxh3_64_intdigest

from crawler.errors import InputError
from crawler.seeds.reader import SeedReader
from crawler.seeds.seed import matches_category

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from crawler.seeds.seed import Seed


class TopicSeeds:
    """The seeds of *path* under category *topic*, and at most *n_background* of those that are not.

    Raises `InputError` when either kind is missing.
    """

    def __init__(self, path: str | Path, topic: str, n_background: int) -> None:
        self.reader = SeedReader(path)
        self.topic = topic
        self.n_background = n_background

    def check(self) -> None:
        """Raise `InputError` unless the file has seeds of the topic, and others."""
        kinds = {self.is_on_topic(seed.categories) for seed in self.reader}
        if True not in kinds:
            raise InputError(
                f"seeds file {self.reader.path} has no seed in category {self.topic!r}; see its topics"
            )
        if False not in kinds:
            raise InputError(
                f"seeds file {self.reader.path} has no seed outside category {self.topic!r}; give a "
                "list of several categories, as the topic is told from others"
            )

    def is_on_topic(self, categories: tuple[str, ...]) -> bool:
        """Tell whether one of *categories* is of the topic."""
        return any(matches_category(category, self.topic) for category in categories)

    def on_topic(self) -> Iterator[Seed]:
        """Yield the seeds of the topic, in file order."""
        return (seed for seed in self.reader if self.is_on_topic(seed.categories))

    def background(self) -> list[Seed]:
        """Return the seeds of other topics, one a URL, in the order of their hashes."""
        taken: dict[int, Seed] = {}
        for seed in self.reader:
            if not self.is_on_topic(seed.categories):
                taken.setdefault(xxh3_64_intdigest(seed.url.encode()), seed)
            if len(taken) > 2 * self.n_background:
                taken = dict(heapq.nsmallest(self.n_background, taken.items()))
        return [seed for _, seed in heapq.nsmallest(self.n_background, taken.items())]
