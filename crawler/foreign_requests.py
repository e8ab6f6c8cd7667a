"""Requests that a spider makes by itself: from memory, at Scrapy's price, as politely as all others.

A request for a page that is done or out is a duplicate and is dropped, unless it says
``dont_filter``; so is one beyond a limit of the crawl, unless the parent of a fleet may still give pages, or a shard
of several machines rests for another: it is *held* until then. Such requests are not durable: after a crash the spider
makes them again. What is fetched for them is committed like any page.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING

from crawler.frontier.leases.lease import Busy, Lease, Limit, Seen
from crawler.shards.fleet_member import FleetMember
from crawler.urls import page_key

if TYPE_CHECKING:
    from scrapy.http import Request

    from crawler.durable.capture import Capture
    from crawler.frontier.store.crawl_store import CrawlStore
    from crawler.seeds.warc import WarcResponse
    from crawler.shards.cluster_member import ClusterMember

logger = logging.getLogger(__name__)

# Requests that are looked at in one call: a queue of requests for busy hosts costs no more than this.
MAX_TRIES = 64

# Seconds after which a queue that had nothing due is looked at again.
RETRY_SECS = 0.1


class ForeignRequests:
    """A first-in, first-out queue of Requests; a request whose host is busy goes to its end."""

    def __init__(self, store: CrawlStore, fleet: FleetMember | ClusterMember | None = None):
        self.store = store
        self.queue: deque[Request] = deque()
        # Those that only wait for pages of the fleet's limit, or for a rest to be over.
        self.held: deque[Request] = deque()
        self._fleet = fleet
        self.n_beyond = 0  # stored captures that a limit left out
        self._has_told = False

    def __len__(self) -> int:
        return len(self.queue) + len(self.held)

    def add(self, request: Request) -> bool:
        """Queue *request*; return False for a duplicate."""
        key = page_key(request.url)
        if key is not None and not request.dont_filter and self.store.is_seen(key):
            self._tell(request)
            return False
        self.queue.append(request)
        return True

    def _tell(self, request: Request) -> None:
        """Say of the first duplicate what it is: ``scrapy parse`` asks for nothing else, and shows nothing then."""
        if not self._has_told:
            self._has_told = True
            logger.info(
                "%(url)s is not fetched, for the corpus has or awaits it (no more such pages are told); give another "
                "CORPUS_DIR, or dont_filter=True to its Request",
                {"url": request.url},
            )

    def next(self, now: float) -> Request | None:
        """Return the next request whose host is free, with an open capture if its page needs one."""
        if self.held and not self._awaits_pages:
            self.queue.extendleft(reversed(self.held))
            self.held.clear()
        for _ in range(min(MAX_TRIES, len(self.queue))):
            request = self.queue.popleft()
            key = page_key(request.url) if request.method == "GET" else None
            if key is None:
                return request  # the downloader judges it
            lease = self.store.lease_key(key, now, polite="winnow_warc" not in request.meta)
            if lease is Busy:
                self.queue.append(request)
            elif isinstance(lease, Lease):
                capture = request.meta["winnow_capture"] = self.store.open_capture(lease)
                if (stored := request.meta.get("winnow_warc")) is not None:
                    _note_stored(capture, stored)
                return request
            elif lease is Limit and self._awaits_pages:
                self.held.append(request)
            elif lease is Limit:
                self.n_beyond += "winnow_warc" in request.meta
            elif lease is Seen and request.dont_filter:
                return request  # fetched again, and not recorded twice
        return None

    @property
    def is_held(self) -> bool:
        """Tell whether there are requests, and all wait for pages that may still be given."""
        return bool(self.held) and not self.queue and self._awaits_pages

    @property
    def _awaits_pages(self) -> bool:
        hosts = self.store.frontier.hosts
        return _may_give_pages(self._fleet) and hosts.is_spent and not hosts.is_stopped

    def next_due(self, now: float) -> float | None:  # noqa: ARG002  the same question as the store's
        """Return the seconds after which :meth:`next` should be asked again; None when empty."""
        return RETRY_SECS if self.queue else None


def _note_stored(capture: Capture, stored: WarcResponse) -> None:
    """Note in *capture* what is known of the *stored* answer."""
    capture.is_stored, capture.fetched_at = True, stored.fetched_at
    if stored.notes is not None:
        capture.depth, capture.categories = stored.notes.depth, stored.notes.categories


def _may_give_pages(fleet: FleetMember | ClusterMember | None) -> bool:
    """Tell whether more pages may be leased later: by the parent of a *fleet*, or when a shard has rested."""
    if isinstance(fleet, FleetMember):
        return fleet.may_give_pages
    return fleet is not None and fleet.is_resting
