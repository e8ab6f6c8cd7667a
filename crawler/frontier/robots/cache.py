"""The robots.txt files that are in memory: the sites asked last, within a number and a size."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crawler.frontier.robots.record import RobotsRecord
    from crawler.frontier.robots.rules import RobotsRules

# Measured by tests/test_robots_cache.py: an entry without its body and rules.
_ENTRY_BYTES = 500


@dataclass(frozen=True, slots=True)
class KnownRobots:
    """The *record* of a site's robots.txt, without its body, and the *rules* in it."""

    record: RobotsRecord
    rules: RobotsRules
    failure: str = ""

    @property
    def n_bytes(self) -> int:
        return _ENTRY_BYTES + self.rules.n_bytes


class RobotsCache:
    """Holds at most *max_sites* sites and about *max_bytes*; the one asked longest ago goes first."""

    def __init__(self, max_sites: int, max_bytes: int) -> None:
        for name, value in (("max_sites", max_sites), ("max_bytes", max_bytes)):
            if value < 1:
                raise ValueError(f"{name} must be at least 1, got {value}")
        self.max_sites = max_sites
        self.max_bytes = max_bytes
        self.n_bytes = 0
        self._sites: OrderedDict[str, KnownRobots] = OrderedDict()

    def __len__(self) -> int:
        return len(self._sites)

    def get(self, site: str, now: float) -> KnownRobots | None:
        """Return what is known of *site* and still holds at *now*."""
        known = self._sites.get(site)
        if known is None or not known.record.is_fresh(now):
            return None
        self._sites.move_to_end(site)
        return known

    def put(self, site: str, known: KnownRobots) -> None:
        """Keep *known*; one that alone is larger than the cache is not kept."""
        self._forget(site)
        self._sites[site] = known
        self.n_bytes += known.n_bytes
        while len(self._sites) > self.max_sites or self.n_bytes > self.max_bytes:
            self._forget(next(iter(self._sites)))

    def _forget(self, site: str) -> None:
        known = self._sites.pop(site, None)
        if known is not None:
            self.n_bytes -= known.n_bytes
