"""A heap of hosts in two arrays, the smallest (time, HostID) first.

Memory: 12 bytes an entry, about 80 one that was pushed since the heap was looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.kernels.moving import prefetch
from crawler.webgraph.address_space import check_room, entries, reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS

if TYPE_CHECKING:
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    U32 = npt.NDArray[np.uint32]


@lean_kernel
def push_entry(times: F64, hosts: U32, n: int, time: float, host: int) -> None:
    """Add an entry to a heap of *n*, which has room."""
    place = n
    while place:
        above = (place - 1) >> 1
        if times[above] < time or (times[above] == time and hosts[above] <= host):
            break
        times[place], hosts[place] = times[above], hosts[above]
        place = above
    times[place], hosts[place] = time, np.uint32(host)


@lean_kernel
def pop_entry(times: F64, hosts: U32, n: int) -> int:
    """Remove the smallest entry of a heap of *n*; return its HostID."""
    first = int(hosts[0])
    last = n - 1
    time, host = times[last], int(hosts[last])
    place = 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        # In a large heap these come from memory, one after the other.
        prefetch(times, 8 * place + 7)
        prefetch(times, 8 * place + 14)
        prefetch(hosts, 8 * place + 7)
        other = below + 1
        if other < last and (
            times[other] < times[below]
            or (times[other] == times[below] and hosts[other] < hosts[below])
        ):
            below = other
        if time < times[below] or (time == times[below] and host <= int(hosts[below])):
            break
        times[place], hosts[place] = times[below], hosts[below]
        place = below
    times[place], hosts[place] = time, np.uint32(host)
    return first


@part
def _is_before(times: F64, hosts: U32, a: int, b: int) -> bool:
    return bool(times[a] < times[b] or (times[a] == times[b] and hosts[a] < hosts[b]))


@lean_kernel
def _find_first(times: F64, hosts: U32, n: int, found: U32, next_: U32) -> None:
    """Fill *found* with the first hosts of a heap of *n*, in order; *next_* has room for one more.

    Those of its places that may come next are a heap of their own: the least of them is found, and makes
    room for the two below it.
    """
    next_[0], n_next = np.uint32(0), 1
    for i in range(found.size):
        first = int(next_[0])
        found[i] = hosts[first]
        n_next -= 1
        place, moved = 0, int(next_[n_next])
        while True:
            below = 2 * place + 1
            if below >= n_next:
                break
            if below + 1 < n_next and _is_before(times, hosts, next_[below + 1], next_[below]):
                below += 1
            if not _is_before(times, hosts, next_[below], moved):
                break
            next_[place] = next_[below]
            place = below
        next_[place] = np.uint32(moved)
        for added in range(2 * first + 1, min(2 * first + 3, n)):
            place = n_next
            while place and _is_before(times, hosts, added, next_[(place - 1) >> 1]):
                next_[place] = next_[(place - 1) >> 1]
                place = (place - 1) >> 1
            next_[place] = np.uint32(added)
            n_next += 1


@lean_kernel
def _push_all(times: F64, hosts: U32, n: int, new_times: F64, new_hosts: U32) -> None:
    for i in range(new_times.size):
        push_entry(times, hosts, n + i, new_times[i], int(new_hosts[i]))


class HostHeap:
    """Entries (time, HostID); a host may stand there more than once.

    Entries that are pushed are put in order when the heap is next looked at, all at once.
    """

    __slots__ = ("_first_host", "_first_time", "_hosts", "_n", "_new_hosts", "_new_times", "_times")

    def __init__(self) -> None:
        self._times: F64 = reserve(MAX_HOSTS, np.float64)
        self._hosts: U32 = reserve(MAX_HOSTS, np.uint32)
        self._first_time, self._first_host = entries(self._times), entries(self._hosts)
        self._n = 0
        self._new_times: list[float] = []
        self._new_hosts: list[int] = []

    def __len__(self) -> int:
        return self._n + len(self._new_times)

    @property
    def first(self) -> tuple[float, int]:
        """The smallest entry; there is one."""
        if self._new_times:
            self._settle()
        return self._first_time[0], self._first_host[0]

    def push(self, time: float, host_id: int) -> None:
        """Add an entry."""
        self._new_times.append(time)
        self._new_hosts.append(host_id)

    def push_many(self, times: F64, hosts: U32) -> None:
        """Add an entry for each of *hosts*."""
        self.check_room(len(hosts))  # what was pushed is in the arrays then
        _push_all(self._times, self._hosts, self._n, times, hosts)
        self._n += len(hosts)

    def pop(self) -> int:
        """Remove the smallest entry, there is one; return its HostID."""
        if self._new_times:
            self._settle()
        host_id = pop_entry(self._times, self._hosts, self._n)
        self._n -= 1
        return host_id

    def _settle(self) -> None:
        n = len(self._new_times)
        check_room(self._times, self._n + n)
        if n == 1:
            push_entry(self._times, self._hosts, self._n, self._new_times[0], self._new_hosts[0])
        else:
            times = np.array(self._new_times, dtype=np.float64)
            hosts = np.array(self._new_hosts, dtype=np.uint32)
            _push_all(self._times, self._hosts, self._n, times, hosts)
        self._n += n
        self._new_times.clear()
        self._new_hosts.clear()

    def arrays(self) -> tuple[F64, U32]:
        """Return the arrays of times and HostIDs, in order, for kernels."""
        if self._new_times:
            self._settle()
        return self._times, self._hosts

    def check_room(self, n: int) -> None:
        """Raise `InputError` when there is no room for *n* entries more, which a kernel adds."""
        check_room(self.arrays()[0], self._n + n)

    def first_hosts(self, most: int) -> U32:
        """Return the HostIDs of the first *most* entries, in order; they stay where they are."""
        times, hosts = self.arrays()
        found = np.empty(min(most, self._n), dtype=np.uint32)
        if len(found):
            _find_first(times, hosts, self._n, found, np.empty(len(found) + 1, dtype=np.uint32))
        return found

    def resize(self, n: int) -> None:
        """Take the heap as one of *n* entries, which a kernel has left."""
        self._n = n

    def fill(self, times: F64, hosts: U32) -> None:
        """Take the entries of *times* and *hosts* into an empty heap."""
        order = np.lexsort((hosts, times))
        check_room(self._times, len(order))
        self._times[: len(order)], self._hosts[: len(order)] = times[order], hosts[order]
        self._n = len(order)
