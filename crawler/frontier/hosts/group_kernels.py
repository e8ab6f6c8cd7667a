"""What hosts that share a domain or an address do in the heap of hosts (crawler.frontier.hosts.groups)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.frontier.hosts.heap import push_entry
from crawler.kernels.jit import lean_kernel, part
from crawler.kernels.moving import prefetch

if TYPE_CHECKING:
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]

BUSY = float("inf")
# What a host has taken.
HOLDS_DOMAIN, HOLDS_ADDRESS = 1, 2


class GroupArrays(NamedTuple):
    """Of hosts and of groups; hosts and groups are their number plus 1, 0 is none.

    By HostID: the groups *domain_of* and *address_of*, what is *held*, and who is *next* among those
    that wait. By group: the time at which it is free, the host that has the turn, and the *first* and
    the *last* of those that wait.
    """

    domain_of: U32
    address_of: U32
    held: U8
    next: U32
    free_at: F64
    turn: U32
    first: U32
    last: U32


def no_groups() -> GroupArrays:
    """Return the arrays of no groups and no hosts."""
    u32 = np.zeros(0, dtype=np.uint32)
    u8, f64 = np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.float64)
    return GroupArrays(u32, u32, u8, u32, f64, u32, u32, u32)


class HeapArrays(NamedTuple):
    """A heap of hosts, with *due* and *in_heap* by HostID."""

    times: F64
    hosts: U32
    due: F64
    in_heap: U8


@part
def prefetch_host(heap: HeapArrays, groups: GroupArrays, host: int) -> None:
    """Have what is known of *host* and its groups brought into the cache, some hosts before its turn."""
    prefetch(heap.due, host)
    prefetch(heap.in_heap, host)
    if groups.held.size:
        prefetch(groups.domain_of, host)
        prefetch(groups.address_of, host)
        prefetch(groups.held, host)


@part
def prefetch_groups(groups: GroupArrays, host: int) -> None:
    """Have the groups of *host*, which are known by now, brought into the cache, one host before its turn."""
    if groups.held.size:
        for group in (int(groups.domain_of[host]), int(groups.address_of[host])):
            if group:
                prefetch(groups.free_at, group - 1)
                prefetch(groups.turn, group - 1)
                prefetch(groups.first, group - 1)


@lean_kernel
def give_turn(heap: HeapArrays, n: int, groups: GroupArrays, group: int) -> int:
    """Let the first that waits in *group* have the turn, if it can; return the size of the heap."""
    if not group or not groups.first[group - 1] or groups.turn[group - 1]:
        return n
    free_at = groups.free_at[group - 1]
    if free_at == BUSY:
        return n
    host = int(groups.first[group - 1])
    groups.first[group - 1] = groups.next[host - 1]
    groups.next[host - 1] = np.uint32(0)
    if not groups.first[group - 1]:
        groups.last[group - 1] = np.uint32(0)
    groups.turn[group - 1] = np.uint32(host)
    push_entry(heap.times, heap.hosts, n, max(heap.due[host - 1], free_at), host - 1)
    return n + 1


@lean_kernel
def _give_up_turn(groups: GroupArrays, host: int, group: int) -> None:
    if group and int(groups.turn[group - 1]) == host + 1:
        groups.turn[group - 1] = np.uint32(0)


@lean_kernel
def pass_on(heap: HeapArrays, n: int, groups: GroupArrays, host: int) -> int:
    """Let others have the turns of *host*, which does not use them; return the size of the heap."""
    domain, address = int(groups.domain_of[host]), int(groups.address_of[host])
    _give_up_turn(groups, host, domain)
    _give_up_turn(groups, host, address)
    n = give_turn(heap, n, groups, domain)
    return give_turn(heap, n, groups, address)


@lean_kernel
def enter(heap: HeapArrays, n: int, groups: GroupArrays, host: int, now: float) -> tuple[int, bool]:
    """Take the groups of *host*; if one is not free let it wait there, out of the heap.

    Returns the size of the heap, and whether the groups are taken.
    """
    domain, address = int(groups.domain_of[host]), int(groups.address_of[host])
    _give_up_turn(groups, host, domain)
    _give_up_turn(groups, host, address)
    blocked = 0
    if domain and groups.free_at[domain - 1] > now:
        blocked = domain
    elif address and groups.free_at[address - 1] > now:
        blocked = address
    if not blocked:
        hold(groups, host)
        return n, True
    heap.in_heap[host] = np.uint8(1)
    if groups.last[blocked - 1]:
        groups.next[groups.last[blocked - 1] - np.uint32(1)] = np.uint32(host + 1)
    else:
        groups.first[blocked - 1] = np.uint32(host + 1)
    groups.last[blocked - 1] = np.uint32(host + 1)
    n = give_turn(heap, n, groups, domain)
    return give_turn(heap, n, groups, address), False


@lean_kernel
def hold(groups: GroupArrays, host: int) -> None:
    """Take the groups of *host*, free or not."""
    domain, address = int(groups.domain_of[host]), int(groups.address_of[host])
    held = 0
    if domain:
        groups.free_at[domain - 1] = BUSY
        held |= HOLDS_DOMAIN
    if address:
        groups.free_at[address - 1] = BUSY
        held |= HOLDS_ADDRESS
    groups.held[host] = np.uint8(held)


@part
def _rest(groups: GroupArrays, group: int, until: float) -> bool:
    """Let *group* rest; tell whether hosts wait in it."""
    groups.free_at[group - 1] = until
    return bool(groups.first[group - 1] != np.uint32(0))


@lean_kernel
def leave(
    heap: HeapArrays,
    n: int,
    groups: GroupArrays,
    host: int,
    domain_until: float,
    address_until: float,
) -> int:
    """Let the groups that *host* has taken rest; return the size of the heap."""
    held, has_waiting = int(groups.held[host]), False
    groups.held[host] = np.uint8(0)
    if held & HOLDS_DOMAIN:
        has_waiting |= _rest(groups, int(groups.domain_of[host]), domain_until)
    if held & HOLDS_ADDRESS:
        has_waiting |= _rest(groups, int(groups.address_of[host]), address_until)
    return pass_on(heap, n, groups, host) if has_waiting else n
