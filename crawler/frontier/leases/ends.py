"""Ends of leases that hosts are told of together: by one kernel call when anybody looks at the hosts.

Only the usual end waits here: of a page that is done and counts. Invariant: hosts and their groups are
then as if they had been told of each end at once, in order; a test holds it.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.frontier.hosts.group_kernels import (
    GroupArrays,
    HeapArrays,
    leave,
    no_groups,
    prefetch_groups,
    prefetch_host,
)
from crawler.frontier.hosts.heap import push_entry
from crawler.kernels.jit import lean_kernel, part
from crawler.kernels.moving import prefetch

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.frontier.hosts.groups import HostGroups
    from crawler.frontier.hosts.queues import HostQueues

    F32 = npt.NDArray[np.float32]
    F64 = npt.NDArray[np.float64]
    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]

# Of fewer ends each is told of by itself, which takes less time than the call of the kernel.
_MANY = 16
# Numbers of an end: HostID, when it was, what the answer took.
_NUMBERS = 3
# Numbers before an end at which what it needs is brought into the cache.
_AHEAD = 8 * _NUMBERS


class _Hosts(NamedTuple):
    """What the kernel reads and changes of hosts, by HostID."""

    ready: U32
    spent: U32
    out: U16
    delays: F32


class _Rules(NamedTuple):
    """Seconds, a factor, and the pages of a host (0 for any number), as in `FrontierPolicy`."""

    host_delay: float
    latency_factor: float
    latency_max: float
    domain_delay: float
    address_delay: float
    per_host: int


@part
def _delay(rules: _Rules, own: float, latency: float) -> float:
    delay = max(rules.host_delay, own)
    if latency:
        delay = max(delay, min(rules.latency_factor * latency, rules.latency_max))
    return delay


@part
def _prefetch(heap: HeapArrays, hosts: _Hosts, groups: GroupArrays, ends: F64, at: int) -> None:
    """Have what some of the ends after that at the place *at* need brought into the cache."""
    if at + _AHEAD < ends.size:
        host = int(ends[at + _AHEAD])
        prefetch_host(heap, groups, host)
        prefetch(hosts.ready, host)
        prefetch(hosts.spent, host)
        prefetch(hosts.out, host)
        prefetch(hosts.delays, host)
    if at + _AHEAD // 2 < ends.size:
        prefetch_groups(groups, int(ends[at + _AHEAD // 2]))


@lean_kernel
def _end_all(
    heap: HeapArrays, n: int, hosts: _Hosts, groups: GroupArrays, rules: _Rules, ends: F64
) -> int:
    """End the leases of *ends*, `_NUMBERS` numbers each; return the size of the heap."""
    for i in range(0, ends.size, _NUMBERS):
        _prefetch(heap, hosts, groups, ends, i)
        host, now = int(ends[i]), ends[i + 1]
        hosts.out[host] -= np.uint16(1)
        delay = _delay(rules, np.float64(hosts.delays[host]), ends[i + 2])
        heap.due[host] = max(heap.due[host], now + delay)
        has_room = rules.per_host == 0 or np.int64(hosts.spent[host]) < rules.per_host
        if hosts.ready[host] and not heap.in_heap[host] and not hosts.out[host] and has_room:
            heap.in_heap[host] = np.uint8(1)
            push_entry(heap.times, heap.hosts, n, heap.due[host], host)
            n += 1
        if groups.held.size:
            n = leave(heap, n, groups, host, now + rules.domain_delay, now + rules.address_delay)
    return n


class LeaseEnds:
    """The ends that *hosts* and *groups* have not been told of.

    Of a crawl whose shards share addresses or domains none wait: others must know when those are free.
    """

    def __init__(self, hosts: HostQueues, groups: HostGroups | None) -> None:
        policy = hosts.policy
        self.may_wait = groups is None or groups.gaps is None
        self._hosts, self._groups = hosts, groups
        due, ready, spent, _, out, in_heap = hosts.arrays()
        self._arrays = _Hosts(ready, spent, out, np.asarray(hosts.delays))
        self._heap = HeapArrays(*hosts.heap.arrays(), due, in_heap)
        self._rules = _Rules(
            # For a whole number the kernel would be compiled once more.
            float(policy.host_delay_secs),
            policy.latency_factor,
            policy.latency_max_secs,
            policy.domain_delay_secs,
            policy.ip_delay_secs,
            policy.pages_per_host,
        )
        self._ends = array("d")

    def __len__(self) -> int:
        return len(self._ends) // _NUMBERS

    def add(self, host_id: int, now: float, latency_secs: float) -> None:
        """Note that the lease of a page of the host has ended at *now*."""
        self._ends.extend((host_id, now, latency_secs))

    def tell(self) -> None:
        """Tell hosts and groups of all ends."""
        ends, self._ends = self._ends, array("d")
        if len(ends) < _NUMBERS * _MANY:
            for i in range(0, len(ends), _NUMBERS):
                self._tell_one(int(ends[i]), ends[i + 1], ends[i + 2])
            return
        heap = self._hosts.heap
        heap.check_room(len(ends))
        groups = no_groups() if self._groups is None else self._groups.arrays
        n = _end_all(self._heap, len(heap), self._arrays, groups, self._rules, np.frombuffer(ends))
        heap.resize(n)

    def _tell_one(self, host_id: int, now: float, latency_secs: float) -> None:
        self._hosts.give_back(host_id, now, spent=True, latency_secs=latency_secs)
        if self._groups is not None:
            self._groups.leave(host_id, now)
