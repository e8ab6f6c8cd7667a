"""The seconds that a component's work takes, added up in a stat, so that a crawl splits by stage."""

from __future__ import annotations

from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class Stats(Protocol):
    """What keeps the numbers: Scrapy's stats collector does."""

    def get_value(self, key: str, default: Any = None) -> Any: ...
    def set_value(self, key: str, value: Any) -> None: ...


@contextmanager
def timed(stats: Stats, name: str) -> Iterator[None]:
    """Add the seconds of the block to stat ``<name>/secs``."""
    started = perf_counter()
    try:
        yield
    finally:
        stat = f"{name}/secs"
        stats.set_value(stat, stats.get_value(stat, 0.0) + perf_counter() - started)
