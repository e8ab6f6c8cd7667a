"""Steering: what a crawl does not fetch, because its user says so, or because of what it learned of pages like it.

Three rules: URLs that are denied or not allowed (`crawler.frontier.steering.url_filter`), traps
(`crawler.frontier.steering.traps`) and low yield (`crawler.frontier.steering.host_yields`); a fourth says when the
crawl as a whole is to stop (`crawler.frontier.steering.stop_rule`). The three act when a page is to be leased, so that
what was queued before is refused then, and when links are found, so that what is refused is not queued. Seeds are never
refused, but of hosts that the spider excludes, and no trap is a page that was fetched before and is due again: there is
an end to such pages, and what has become of them opens the pattern again.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.page_state import DEPTH_SHIFT, STATE_MASK, PageState
from crawler.durable.visits import unpack_visit
from crawler.frontier.steering.page_worth import Worth, page_worth
from crawler.frontier.steering.url_filter import UrlFilter
from crawler.frontier.steering.url_patterns import local_part
from crawler.frontier.wishes import NOT_FOLLOWED
from crawler.urls import PageKey, page_url
from crawler.urls.hosts import host_name
from crawler.urls.named_hosts import is_of_hosts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.durable.capture import Capture
    from crawler.frontier.leases.lease import Lease
    from crawler.frontier.steering.host_yields import HostYields
    from crawler.frontier.steering.stop_rule import StopRule
    from crawler.frontier.steering.traps import Traps

LOW_YIELD, EXCLUDED = "low_yield", "excluded"


class Steering:
    """Asks *urls*, *traps* and *yields*, and feeds *stop*; each may be None: that rule is off."""

    def __init__(
        self,
        traps: Traps | None,
        yields: HostYields | None,
        stop: StopRule | None = None,
        urls: UrlFilter | None = None,
    ) -> None:
        self.urls = urls if urls is not None else UrlFilter()
        # Hosts of which nothing is fetched, seeds and what redirects lead to included.
        self.excluded: Sequence[str] = ()
        self.traps = traps
        self.yields = yields
        self.stop = stop
        # Links to what it learned to refuse, and to what its user refuses.
        self.n_not_queued = self.n_left_out = 0
        self.visits_refused: Counter[str] = Counter()  # of pages that were due again, by the reason
        self.n_bytes = self.n_new_words = 0  # what the stop rule was fed with
        self.n_learned = 0

    @property
    def n_closed(self) -> int:
        """How often a pattern was closed, and a host or a domain dropped."""
        n = self.traps.n_closed if self.traps is not None else 0
        if self.yields is not None:
            n += len(self.yields.dropped_hosts) + len(self.yields.dropped_domains)
        return n

    def forget_changes(self) -> None:
        """Take what was learned so far as written."""
        for rule in (self.traps, self.yields):
            if rule is not None:
                rule.changed.clear()

    @property
    def is_idle(self) -> bool:
        """Tell whether nothing is refused so far."""
        traps, yields = self.traps, self.yields
        has_dropped = yields is not None and bool(yields.dropped_hosts or yields.dropped_domains)
        return self.urls.is_idle and not has_dropped and (traps is None or not traps.has_closed)

    def refusal(self, lease: Lease) -> str | None:
        """Return the reason why the page of *lease* is not to be fetched, None when it is."""
        if self.excluded and is_of_hosts(lease.url, self.excluded):
            return EXCLUDED
        if self.is_idle or not (lease.depth or lease.hops):
            return None
        local = local_part(lease.url)
        return self.urls.refusal(lease.url) or self.judge(
            lease.host_id, lease.host, local, fetch=True, again=_was_fetched(lease)
        )

    def judge(
        self, host_id: int, host: str, local: str, *, fetch: bool, again: bool = False
    ) -> str | None:
        """Return the reason to refuse a page by what was learned, None for none; with *fetch* it is fetched then.

        *again*: it was fetched before.
        """
        if self.yields is not None and self.yields.is_dropped(host_id, host):
            return LOW_YIELD
        if self.traps is None:
            return None
        if again:
            self.traps.note_again(host_id, local)
            return None
        return self.traps.refusal(host_id, host, local, fetch=fetch)

    def admit(
        self,
        keys: Sequence[tuple[str, str]],
        ids: npt.NDArray[np.uint64],
        wishes: npt.NDArray[np.uint16],
        heads: npt.NDArray[np.uint16],
    ) -> npt.NDArray[np.uint16]:
        """Return *wishes* for pages of *keys* with *heads*, those that are refused not followed."""
        if self.is_idle:
            return wishes
        is_asked = (wishes & STATE_MASK == PageState.QUEUED) & (wishes >> DEPTH_SHIFT > 0)
        places = np.flatnonzero(is_asked & (heads & STATE_MASK == PageState.KNOWN)).tolist()
        refused, n_left_out = [], 0
        for place in places:
            key = PageKey(*keys[place])
            host_id, host = int(ids[place]) >> 32, host_name(key.host)
            if self.urls.refusal(page_url(key)):
                refused.append(place)
                n_left_out += 1
            elif self.judge(host_id, host, key.local, fetch=False):
                refused.append(place)
        if refused:
            wishes = wishes.copy()
            wishes[refused] = NOT_FOLLOWED
            self.n_left_out += n_left_out
            self.n_not_queued += len(refused) - n_left_out
        return wishes

    def learn(self, captures: Sequence[Capture]) -> None:
        """Take in what committed *captures* were worth."""
        for capture in captures:
            page = page_worth(capture)
            if page is None:
                continue
            if self.traps is not None:
                self.traps.learn(page)
            if self.yields is not None:
                self.yields.learn(page)
            n_new_words = page.n_words if page.worth == Worth.KEPT else 0
            if self.stop is not None:
                self.stop.add(page.raw_bytes, n_new_words)
            self.n_bytes += page.raw_bytes
            self.n_new_words += n_new_words
            self.n_learned += 1


def _was_fetched(lease: Lease) -> bool:
    """Tell whether the page of *lease* was there when it was last visited."""
    return lease.visited is not None and not unpack_visit(lease.visited).n_missed
