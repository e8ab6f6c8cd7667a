"""The hosts that come next popped off the heap, and the first queued page of each leased, by one kernel call.

What a host needs comes from all over memory: it is brought into the cache while the hosts before are dealt with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.frontier.hosts.group_kernels import (
    GroupArrays,
    HeapArrays,
    enter,
    pass_on,
    prefetch_groups,
    prefetch_host,
)
from crawler.frontier.hosts.heap import pop_entry, push_entry
from crawler.frontier.hosts.queue_kernels import first_queued
from crawler.kernels.jit import lean_kernel, part
from crawler.kernels.moving import prefetch
from crawler.webgraph.hosts.extents import UNIT_VALUES

if TYPE_CHECKING:
    import numpy.typing as npt

    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

# Of the first entries of the heap one is the next to be popped, and two of these are the next but one.
_NEXT_HOSTS = 3


class LeaseHosts(NamedTuple):
    """What the kernel reads and changes of hosts, by HostID."""

    ready: U32
    spent: U32
    cursor: U32
    out: U16


class LeasePages(NamedTuple):
    """Where the kernel finds the pages of hosts."""

    arena: U16
    bases: U32
    next_local: U32
    nothing_out: U32


class LeaseRules(NamedTuple):
    """*now*; pages *per_host*, 0 for any number; whether hosts have *groups*, and by domain."""

    now: float
    per_host: int
    has_groups: bool
    has_domains: bool


@part
def _may_lease(hosts: LeaseHosts, rules: LeaseRules, host: int) -> bool:
    if hosts.out[host] or not hosts.ready[host]:
        return False
    return rules.per_host == 0 or bool(np.int64(hosts.spent[host]) < rules.per_host)


@part
def _lease_first(hosts: LeaseHosts, pages: LeasePages, host: int) -> np.uint64:
    """Count the first queued page of *host* as leased; return its id."""
    base = UNIT_VALUES * int(pages.bases[host])
    start, end = int(hosts.cursor[host]), int(pages.next_local[host])
    local = first_queued(pages.arena, base, start, end, pages.nothing_out)
    hosts.cursor[host] = np.uint32(local + 1)
    hosts.ready[host] -= np.uint32(1)
    hosts.spent[host] += np.uint32(1)
    hosts.out[host] += np.uint16(1)
    return np.uint64(host) << np.uint64(32) | np.uint64(local)


@part
def _pass_over(
    heap: HeapArrays, n: int, groups: GroupArrays, host: int, is_again: bool, has_groups: bool
) -> int:
    """Put a host that is not to be asked now where it belongs; return the size of the heap."""
    if is_again:
        heap.in_heap[host] = np.uint8(1)
        push_entry(heap.times, heap.hosts, n, heap.due[host], host)
        n += 1
    return pass_on(heap, n, groups, host) if has_groups else n


@part
def _prefetch_next(
    heap: HeapArrays, n: int, arrays: tuple[LeaseHosts, GroupArrays, LeasePages]
) -> None:
    """Have what is known of the hosts that come next brought into the cache: the first entries of the heap."""
    hosts, groups, pages = arrays
    for place in range(1, min(n, _NEXT_HOSTS)):
        host = int(heap.hosts[place])
        prefetch_host(heap, groups, host)
        prefetch(hosts.ready, host)
        prefetch(hosts.spent, host)
        prefetch(hosts.cursor, host)
        prefetch(hosts.out, host)
        prefetch(pages.bases, host)
        prefetch(pages.next_local, host)
    if n:
        host = int(heap.hosts[0])
        prefetch(pages.arena, UNIT_VALUES * int(pages.bases[host]) + int(hosts.cursor[host]))
        prefetch_groups(groups, host)


@lean_kernel
def pop_due(
    heap: HeapArrays,
    n: int,
    arrays: tuple[LeaseHosts, GroupArrays, LeasePages],
    rules: LeaseRules,
    found: int,
    ids: U64,
) -> tuple[int, int]:
    """Lease the first queued pages of hosts due, from the place *found* of *ids* on.

    Returns the size of the heap and the place after the last one. It stops before a host whose domain is
    to be known and is not.
    """
    hosts, groups, pages = arrays
    while n and found < ids.size and heap.times[0] <= rules.now:
        if rules.has_domains and not groups.domain_of[heap.hosts[0]]:
            break
        host = pop_entry(heap.times, heap.hosts, n)
        n -= 1
        _prefetch_next(heap, n, arrays)
        heap.in_heap[host] = np.uint8(0)
        may_lease = _may_lease(hosts, rules, host)
        if not may_lease or heap.due[host] > rules.now:
            n = _pass_over(heap, n, groups, host, may_lease, rules.has_groups)
            continue
        if rules.has_groups:
            n, is_in = enter(heap, n, groups, host, rules.now)
            if not is_in:
                continue
        ids[found] = _lease_first(hosts, pages, host)
        found += 1
    return n, found
