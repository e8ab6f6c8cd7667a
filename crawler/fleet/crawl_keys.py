"""The names of the keys of a crawl in Redis; what they hold stands where it is used."""

from __future__ import annotations

from crawler.errors import InputError


class CrawlKeys:
    """The keys of the crawl *name*, those of crawler.fleet.redis and of crawler.fleet.cluster."""

    def __init__(self, name: str) -> None:
        if not name:
            raise InputError("the crawl has no name; set CLUSTER_NAME")
        self._prefix = f"winnow:{name}:"
        self.made = self.of("made")
        self.round = self.of("round")

    def of(self, name: str) -> str:
        return f"{self._prefix}{name}"

    def stream(self, owner: int) -> str:
        return f"{self._prefix}to:{owner}"

    def taken(self, sender: int) -> str:
        return f"{self._prefix}taken:{sender}"
