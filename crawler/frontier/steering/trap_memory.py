"""The evidence against patterns of URLs, in bounded memory.

Nothing is held for a host whose pages are kept: a pattern is forgotten when its sum is back at 0. Else there
are at most :data:`MAX_PATTERNS` open patterns a host, and :data:`MAX_WATCHED` hosts and as many domains, the oldest
without a closed pattern forgotten first. A pattern takes some 400 bytes, and while it is open some 70 for each variable
part that was seen of it; beside them a byte a host.

A pattern for which there is no room takes its weight off all that are open, and the place of one of which nothing is
left (J. Misra & D. Gries 1982, "Finding repeated elements", Sci. Comput. Program. 2.2): were the one with the least
forgotten, it would always be the latest, and a trap that comes after many others would have no end.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from crawler.frontier.steering.residuals import Residuals
from crawler.frontier.steering.trap_links import has_new_links
from crawler.frontier.steering.trap_rules import FACTORS, Evidence, Level, PatternKey, trap_kind
from crawler.frontier.steering.url_patterns import local_part, url_pattern
from crawler.webgraph.address_space import entries, reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from crawler.frontier.steering.page_worth import PageWorth
    from crawler.frontier.steering.url_patterns import UrlPattern

K = TypeVar("K", int, str)

MAX_PATTERNS = 64
MAX_WATCHED = 50_000

Patterns = dict[PatternKey, Evidence]


class TrapMemory:
    """What is known against the patterns of each host, and against the names below each domain."""

    def __init__(self, evidence: float) -> None:
        if not evidence > 0:
            raise ValueError(f"evidence must be above 0, got {evidence}")
        self.evidence = evidence
        self.hosts: dict[int, Patterns] = {}
        self.domains: dict[str, Evidence] = {}
        self.closed_hosts: set[int] = set()
        self.closed_domains: set[str] = set()
        self.changed: set[int | str] = set()
        self.n_closed = 0
        self.residuals = Residuals()
        self._has_kept = entries(reserve(MAX_HOSTS, np.uint8))

    @property
    def has_closed(self) -> bool:
        """Tell whether anything is closed: while nothing is, nothing need be asked."""
        return bool(self.closed_hosts or self.closed_domains)

    def take_off(self, host_id: int, patterns: Patterns, key: PatternKey, weight: float) -> None:
        """Take *weight* off what is known against the pattern *key*."""
        evidence = patterns.get(key)
        if evidence is None:
            return
        if evidence.take_off(weight):
            del patterns[key]
        else:
            self.open_again(evidence, host_id)
        self.changed.add(host_id)

    def open_again(self, evidence: Evidence, host_id: int | None = None) -> None:
        """Open a closed pattern of a host, or of a domain, when little is left against it."""
        if not evidence.is_closed or evidence.score >= self.threshold(evidence.level) / 2:
            return
        evidence.is_closed = False
        if host_id is None:
            self.closed_domains.discard(evidence.text)
        elif not any(other.is_closed for other in self.hosts[host_id].values()):
            self.closed_hosts.discard(host_id)

    def threshold(self, level: Level) -> float:
        """Return the sum at which a pattern of *level* is closed."""
        return self.evidence * FACTORS[level]

    def add(
        self, page: PageWorth, pattern: UrlPattern, key: PatternKey, weight: float, variable: str
    ) -> None:
        """Add a worthless *page* to the pattern *key* of its host, and close that when it is enough."""
        host_id = page.host_id
        patterns = self.hosts.get(host_id)
        if patterns is None:
            if len(self.hosts) >= MAX_WATCHED:
                self.forget(_oldest(self.hosts, self.closed_hosts))
            patterns = self.hosts[host_id] = {}
        is_barren = key[0] != Level.BARREN and not has_new_links(page)
        evidence = patterns.get(key)
        if evidence is None:
            if len(patterns) >= MAX_PATTERNS and not _make_room(
                patterns, 0 if is_barren else weight
            ):
                return
            evidence = patterns[key] = Evidence(*key)
        if not evidence.is_fed(is_barren=is_barren):
            return
        if evidence.add(weight, page.worth, variable):
            self.changed.add(host_id)
            if not evidence.is_closed and evidence.score >= self.threshold(key[0]):
                self.close(evidence, page, pattern)
                self.closed_hosts.add(host_id)

    def close(self, evidence: Evidence, page: PageWorth, pattern: UrlPattern) -> None:
        """Close the pattern of *evidence*, *page* being the last that spoke against it."""
        evidence.is_closed = True
        evidence.variables.clear()
        evidence.kind = trap_kind(evidence, pattern)
        evidence.example = page.url
        evidence.n_refused = 0
        self.n_closed += 1

    def add_to_domain(self, page: PageWorth, domain: str, weight: float) -> None:
        """Add a worthless *page* to the evidence against the names below *domain*, once a host."""
        evidence = self.domains.get(domain)
        if evidence is None:
            if len(self.domains) >= MAX_WATCHED:
                oldest = _oldest(self.domains, self.closed_domains)
                del self.domains[oldest]
                self.closed_domains.discard(oldest)
                self.changed.add(oldest)
            evidence = self.domains[domain] = Evidence(Level.DOMAIN, domain)
        if not evidence.is_fed(is_barren=not has_new_links(page)):
            return
        if evidence.add(weight, page.worth, page.host):
            self.changed.add(domain)
            if not evidence.is_closed and evidence.score >= self.threshold(Level.DOMAIN):
                self.close(evidence, page, url_pattern(local_part(page.url)))
                self.closed_domains.add(domain)

    def has_kept(self, host_id: int) -> bool:
        """Tell whether a page of the host was kept."""
        return bool(self._has_kept[host_id])

    def note_kept(self, host_id: int) -> None:
        """Note that pages of the host were kept."""
        self._has_kept[host_id] = 1

    def restore(self, host_id: int | None, found: Sequence[Evidence]) -> None:
        """Take in what was known against a host, or with None against the names below a domain.

        What has less than half the evidence against it that is asked for now is open again, as in `open_again`.
        """
        for evidence in found:
            evidence.is_closed &= evidence.score >= self.threshold(evidence.level) / 2
            if host_id is None:
                self.domains[evidence.text] = evidence
                if evidence.is_closed:
                    self.closed_domains.add(evidence.text)
            else:
                self.hosts.setdefault(host_id, {})[evidence.level, evidence.text] = evidence
                if evidence.is_closed:
                    self.closed_hosts.add(host_id)

    def forget(self, host_id: int) -> None:
        """Forget what is known against a host."""
        del self.hosts[host_id]
        self.residuals.forget(host_id)
        self.closed_hosts.discard(host_id)
        self.changed.add(host_id)

    def closed(self) -> Iterator[tuple[int | None, Evidence]]:
        """Yield (HostID, or None for a domain; evidence) of all that is closed."""
        for host_id in sorted(self.closed_hosts):
            for evidence in self.hosts[host_id].values():
                if evidence.is_closed:
                    yield host_id, evidence
        for domain in sorted(self.closed_domains):
            yield None, self.domains[domain]


def _make_room(patterns: Patterns, weight: float) -> bool:
    """Take *weight* off all that are open, or what the least has, which is forgotten then; tell if there is room."""
    open_ones = [key for key, evidence in patterns.items() if not evidence.is_closed]
    if len(open_ones) < MAX_PATTERNS:
        return True
    least = min(open_ones, key=lambda key: patterns[key].score)
    taken = min(weight, patterns[least].score)
    for key in open_ones:
        patterns[key].score -= taken
    if patterns[least].score > 0:
        return False
    del patterns[least]
    return True


def _oldest(watched: dict[K, Patterns] | dict[K, Evidence], closed: Collection[int | str]) -> K:
    """Return the first of *watched* that is not closed; the first of all when the next 64 are."""
    first = list(islice(watched, 64))
    return next((key for key in first if key not in closed), first[0])
