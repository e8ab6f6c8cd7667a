"""Yield: the clean bytes that hosts and registered domains give for the raw bytes fetched of them.

A host (domain) is dropped when its yield falls below ``t(n) = floor * (log10 n - 1)``, *n* the pages judged
of it: with *floor* .01 nothing at 10 pages, 1 % at 100, 2 % at 1,000, 3 % at 10,000. Source: SpiderLing
(Suchomel & Pomikálek 2012, "Efficient web crawling for large text corpora", WAC7), which cleans while it
crawls and drops domains so. Clean bytes are UTF-8 of the main text of pages that are kept or that
duplicate others: what a host repeats is not its cleaner's fault.

A domain is judged by the sum of its hosts. Memory: 24 bytes a host, some 300 a domain that was fetched from.
"""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.frontier.steering.page_worth import Worth
from crawler.urls.domains import registrable_domain
from crawler.webgraph.address_space import entries, reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS

if TYPE_CHECKING:
    from crawler.frontier.steering.page_worth import PageWorth

_JUDGED = frozenset({Worth.KEPT, Worth.DUPLICATE, Worth.THIN})


class Yield(NamedTuple):
    """Pages judged, those kept of them, and the clean and raw bytes of all."""

    n_pages: int = 0
    n_kept: int = 0
    clean_bytes: int = 0
    raw_bytes: int = 0

    @property
    def rate(self) -> float:
        """Clean bytes for a raw one; 1 when nothing was fetched."""
        return self.clean_bytes / self.raw_bytes if self.raw_bytes else 1.0

    def plus(self, page: PageWorth) -> Yield:
        """Return the yield with *page* added."""
        return Yield(
            self.n_pages + 1,
            self.n_kept + (page.worth == Worth.KEPT),
            self.clean_bytes + page.clean_bytes,
            self.raw_bytes + page.raw_bytes,
        )


def yield_threshold(n_pages: int, floor: float) -> float:
    """Return the yield that is asked for after *n_pages*.

    >>> [round(yield_threshold(n, 0.01), 6) for n in (1, 10, 100, 10_000)]
    [0.0, 0.0, 0.01, 0.03]
    """
    return max(0.0, floor * (log10(n_pages) - 1)) if n_pages else 0.0


class HostYields:
    """The yields of a crawl under *floor*; with 0 they are counted, and nothing is dropped."""

    def __init__(self, floor: float) -> None:
        if not floor >= 0:
            raise ValueError(f"floor must be at least 0, got {floor}")
        self.floor = floor
        self.domains: dict[str, Yield] = {}
        self.dropped_hosts: set[int] = set()
        self.dropped_domains: set[str] = set()
        self.changed: set[int | str] = set()
        self._counts = [entries(reserve(MAX_HOSTS, np.uint32)) for _ in range(2)]
        self._bytes = [entries(reserve(MAX_HOSTS, np.uint64)) for _ in range(2)]

    def of_host(self, host_id: int) -> Yield:
        """Return the yield of a host."""
        return Yield(*(column[host_id] for column in (*self._counts, *self._bytes)))

    def learn(self, page: PageWorth) -> None:
        """Add *page*; it may be the one after which its host or domain is dropped."""
        if page.worth not in _JUDGED:
            return
        host_id, domain = page.host_id, registrable_domain(page.host)
        self.set_host(host_id, self.of_host(host_id).plus(page))
        self.set_domain(domain, self.domains.get(domain, Yield()).plus(page))
        self.changed.update((host_id, domain))

    def set_host(self, host_id: int, found: Yield) -> None:
        """Set the yield of a host, and drop it when that is too low."""
        for column, value in zip((*self._counts, *self._bytes), found, strict=True):
            column[host_id] = value
        if self.is_low(found):
            self.dropped_hosts.add(host_id)

    def set_domain(self, domain: str, found: Yield) -> None:
        """Set the yield of a registered domain, and drop it when that is too low."""
        self.domains[domain] = found
        if self.is_low(found):
            self.dropped_domains.add(domain)

    def is_low(self, found: Yield) -> bool:
        """Tell whether a host with this yield is to be dropped."""
        return found.rate < yield_threshold(found.n_pages, self.floor)

    def is_dropped(self, host_id: int, host: str) -> bool:
        """Tell whether the host, or its domain, was dropped."""
        if host_id in self.dropped_hosts:
            return True
        return bool(self.dropped_domains) and registrable_domain(host) in self.dropped_domains
