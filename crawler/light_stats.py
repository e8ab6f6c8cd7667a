"""The stats collector: Scrapy's, without what it does at each access to warn of old call forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.statscollectors import MemoryStatsCollector

if TYPE_CHECKING:
    from scrapy import Spider


class LightStats(MemoryStatsCollector):
    """Scrapy 2.19 wraps every method at every access, to warn of an argument *spider*: 1.5 us a number.

    A page counts about sixty numbers. The argument is taken as before, and means nothing, as before.
    """

    __getattribute__ = object.__getattribute__

    def inc_value(
        self,
        key: str,
        count: float = 1,
        start: float = 0,
        spider: Spider | None = None,  # noqa: ARG002  Scrapy's interface
    ) -> None:
        """Add *count* to the number *key*, which begins at *start*."""
        stats: dict[str, Any] = self._stats
        stats[key] = stats.get(key, start) + count
