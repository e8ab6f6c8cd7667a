"""Hosts that have fallen due in a crawl with priorities, that with the best page first.

A host stands here at the level of its best page (crawler.frontier.priorities), behind those of the same level that
came before. When a better page of it is found it is put here anew; the entry that it had is passed over.

Memory: that of the heap, and 8 bytes a host that ever stood here.
"""

from __future__ import annotations

import numpy as np

from crawler.frontier.hosts.heap import HostHeap
from crawler.webgraph.address_space import entries, reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS

MAX_LEVEL = 255
# 2^40 hosts may fall due before the order of two of one level is lost.
FALLEN_STEP = 2.0**-40


class RankedHosts:
    """The hosts, each once; true when there is one."""

    def __init__(self) -> None:
        self.heap = HostHeap()
        self.n_fallen = 0
        self.keys = entries(reserve(MAX_HOSTS, np.float64))  # 0: it does not stand here

    def __bool__(self) -> bool:
        while self.heap:
            key, host_id = self.heap.first
            if key == self.keys[host_id]:
                return True
            self.heap.pop()
        return False

    @property
    def n_entries(self) -> int:
        """The number of entries, those that are to be passed over with them."""
        return len(self.heap)

    @property
    def best_level(self) -> int:
        """The level of the host that comes next, 0 when there is none."""
        return (self.level(self.first) or 0) if self else 0

    @property
    def first(self) -> int:
        """The host that comes next; there is one."""
        if not self:
            raise IndexError("no host is ranked")
        return self.heap.first[1]

    def level(self, host_id: int) -> int | None:
        """Return the level at which the host stands here, None when it does not."""
        key = self.keys[host_id]
        return MAX_LEVEL - int(key) if key else None

    def put(self, host_id: int, level: int) -> None:
        """Let the host stand here at *level*, and no longer where it stood."""
        self.n_fallen += 1
        key = self.keys[host_id] = MAX_LEVEL - level + self.n_fallen * FALLEN_STEP
        self.heap.push(key, host_id)

    def pop(self) -> int:
        """Remove the host that comes next, there is one; return it."""
        host_id = self.first
        self.heap.pop()
        self.keys[host_id] = 0.0
        return host_id
