"""The seconds that a component's work takes, added up in a stat, so that a crawl splits by stage."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Protocol


class Stats(Protocol):
    """What keeps the numbers: Scrapy's stats collector does."""

    def inc_value(self, key: str, count: Any = 1, start: Any = 0) -> None: ...


class timed:  # noqa: N801  it is used as a function
    """Adds the seconds of a ``with`` block to stat ``<name>/secs``."""

    __slots__ = ("name", "started", "stats")

    def __init__(self, stats: Stats, name: str) -> None:
        self.stats = stats
        self.name = name

    def __enter__(self) -> None:
        self.started = perf_counter()

    def __exit__(self, *error: object) -> None:
        self.stats.inc_value(f"{self.name}/secs", perf_counter() - self.started, 0.0)
