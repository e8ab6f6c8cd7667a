"""Hosts in memory: which of them has pages to fetch, and when each may be asked again.

Contents: for each known host the number of pages ready to be leased, those spent against its limit,
the cursor below which nothing is queued, and the time it is due. A host's queue itself is the
interval of its LocalIDs from the cursor on, in the journal: a page that is found costs nothing here.

Order: a heap by (due, HostID) of the hosts that may be leased from. Guarantee: a host is in the heap
exactly once while it has a ready page, room under its limit and no lease; entries that went stale
are dropped or put back when they come up.

Memory: 21 bytes a known host (arrays of uint32, uint32, uint32, float64, uint8) times at most 1.125
for room to grow, about 130 bytes more for a host in the heap, 0 for a known page. Measured by
tests/test_frontier_host_queues.py.
"""

from __future__ import annotations

from array import array
from collections import Counter
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crawler.frontier.policy import FrontierPolicy
    from crawler.webgraph.host_rows import HostRow

NEVER_ASKED = float("-inf")


class HostQueues:
    """The hosts of a crawl under *policy*, numbered from 0 without gaps."""

    __slots__ = (
        "_delays",
        "_due",
        "_heap",
        "_in_heap",
        "_leases",
        "_resumed",
        "_spent",
        "cursor",
        "n_ready",
        "policy",
        "ready",
        "total_spent",
    )

    def __init__(self, policy: FrontierPolicy) -> None:
        self.policy = policy
        self.ready = array("I")
        self.cursor = array("I")
        self._spent = array("I")
        self._due = array("d")
        self._in_heap = bytearray()
        self._heap: list[tuple[float, int]] = []
        self._delays: dict[int, float] = {}
        self._leases: Counter[int] = Counter()
        self._resumed: list[int] = []
        self.n_ready = 0
        self.total_spent = 0

    def __len__(self) -> int:
        """Return the number of known hosts."""
        return len(self.ready)

    @property
    def n_bytes(self) -> int:
        """Return the bytes of the arrays, room to grow included."""
        arrays = (self.ready, self.cursor, self._spent, self._due)
        return sum(a.__sizeof__() for a in arrays) + self._in_heap.__sizeof__()

    # --- what the journal says -----------------------------------------------------------------

    def load(self, row: HostRow) -> None:
        """Take the next host from a journal that is resumed.

        A host that was fetched from waits for its delay once more: when that was is not stored.
        """
        self._grow(row.host_id + 1)
        self.ready[row.host_id] = row.n_queued
        self.n_ready += row.n_queued
        self._spent[row.host_id] = row.n_fetched
        self.total_spent += row.n_fetched
        self.cursor[row.host_id] = row.cursor
        limit = self.policy.pages_per_host
        if row.n_fetched and row.n_queued and (not limit or row.n_fetched < limit):
            self._resumed.append(row.host_id)
        else:
            self._offer(row.host_id)

    def start(self, now: float) -> None:
        """Set the clock of the hosts that were resumed; later calls do nothing."""
        for host_id in self._resumed:
            self._due[host_id] = now + self.policy.host_delay_secs
            self._offer(host_id)
        self._resumed = []

    def apply(self, row: HostRow) -> None:
        """Take what a committed transaction made of a host."""
        self._grow(row.host_id + 1)
        if row.n_woken:
            self.ready[row.host_id] += row.n_woken
            self.n_ready += row.n_woken
            self.cursor[row.host_id] = min(self.cursor[row.host_id], row.lowest_woken)
            self._offer(row.host_id)

    # --- leases --------------------------------------------------------------------------------

    @property
    def is_spent(self) -> bool:
        """Tell whether the limit of the whole crawl is reached."""
        return bool(self.policy.max_pages) and self.total_spent >= self.policy.max_pages

    def has_room(self, host_id: int) -> bool:
        """Tell whether the limits let one more page of the host be leased."""
        limit = self.policy.pages_per_host
        return not self.is_spent and (not limit or self._spent[host_id] < limit)

    def is_free(self, host_id: int, now: float) -> bool:
        """Tell whether the host has no lease and its delay is over."""
        return not self._leases[host_id] and self._due[host_id] <= now

    def pop(self, now: float) -> int | None:
        """Return the host that has been due longest, None when none is due or may be leased."""
        while not self.is_spent and self._heap and self._heap[0][0] <= now:
            host_id = self._leave()
            if self._due[host_id] > now:
                self._offer(host_id)
            elif self._may_lease(host_id):
                return host_id
        return None

    def take(self, host_id: int, *, was_ready: bool) -> None:
        """Count a lease of a page of the host; *was_ready*: it was one of the ready ones."""
        self.ready[host_id] -= was_ready
        self.n_ready -= was_ready
        self._leases[host_id] += 1
        self._spent[host_id] += 1
        self.total_spent += 1

    def give_back(self, host_id: int, now: float, *, spent: bool, ready: bool = False) -> None:
        """Count the end of a lease; *spent*: the page counts; *ready*: it may be leased again."""
        self._leases[host_id] -= 1
        if not self._leases[host_id]:
            del self._leases[host_id]
        self._spent[host_id] -= not spent
        self.total_spent -= not spent
        self.ready[host_id] += ready
        self.n_ready += ready
        delay = max(self.policy.host_delay_secs, self._delays.get(host_id, 0.0))
        self._due[host_id] = now + delay
        self._offer(host_id)

    def set_delay(self, host_id: int, secs: float) -> None:
        """Wait at least *secs* after each fetch from the host; the policy's delay is the least."""
        if not secs >= 0:
            raise ValueError(f"secs must be at least 0, got {secs}")
        self._delays[host_id] = secs

    def next_due(self, now: float) -> float | None:
        """Return the seconds until a host is due, None when none will be by time alone."""
        while self._heap and not self.is_spent:
            host_id = self._heap[0][1]
            if self._may_lease(host_id) and self._due[host_id] <= self._heap[0][0]:
                return max(0.0, self._heap[0][0] - now)
            self._leave()
            self._offer(host_id)
        return None

    @property
    def has_work(self) -> bool:
        """Tell whether a host has a page that time alone lets be leased."""
        return not self.is_spent and (bool(self._resumed) or self.next_due(0.0) is not None)

    # --- the heap ------------------------------------------------------------------------------

    def _may_lease(self, host_id: int) -> bool:
        return self.ready[host_id] > 0 and not self._leases[host_id] and self.has_room(host_id)

    def _offer(self, host_id: int) -> None:
        limit = self.policy.pages_per_host
        if (
            self.ready[host_id]
            and not self._in_heap[host_id]
            and host_id not in self._leases
            and (not limit or self._spent[host_id] < limit)
        ):
            self._in_heap[host_id] = 1
            heappush(self._heap, (self._due[host_id], host_id))

    def _leave(self) -> int:
        host_id = heappop(self._heap)[1]
        self._in_heap[host_id] = 0
        return host_id

    def _grow(self, n_hosts: int) -> None:
        room = n_hosts - len(self.ready)
        if room > 0:
            for counts in (self.ready, self.cursor, self._spent):
                counts.extend([0] * room)
            self._due.extend([NEVER_ASKED] * room)
            self._in_heap.extend(bytes(room))
