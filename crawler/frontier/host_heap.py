"""A heap of hosts in two arrays, the smallest (time, HostID) first.

Memory: 12 bytes an entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel
from crawler.webgraph.address_space import check_room, entries, reserve
from crawler.webgraph.host_extents import MAX_HOSTS

if TYPE_CHECKING:
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    U32 = npt.NDArray[np.uint32]


@lean_kernel
def _push(times: F64, hosts: U32, n: int, time: float, host: int) -> None:
    place = n
    while place:
        above = (place - 1) >> 1
        if times[above] < time or (times[above] == time and hosts[above] <= host):
            break
        times[place], hosts[place] = times[above], hosts[above]
        place = above
    times[place], hosts[place] = time, np.uint32(host)


@lean_kernel
def _pop(times: F64, hosts: U32, n: int) -> int:
    first = int(hosts[0])
    last = n - 1
    time, host = times[last], int(hosts[last])
    place = 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
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


class HostHeap:
    """Entries (time, HostID); a host may stand there more than once."""

    __slots__ = ("_first_host", "_first_time", "_hosts", "_n", "_times")

    def __init__(self) -> None:
        self._times: F64 = reserve(MAX_HOSTS, np.float64)
        self._hosts: U32 = reserve(MAX_HOSTS, np.uint32)
        self._first_time, self._first_host = entries(self._times), entries(self._hosts)
        self._n = 0

    def __len__(self) -> int:
        return self._n

    @property
    def first(self) -> tuple[float, int]:
        """The smallest entry; there is one."""
        return self._first_time[0], self._first_host[0]

    def push(self, time: float, host_id: int) -> None:
        """Add an entry."""
        if self._n == len(self._times):
            check_room(self._times, self._n + 1)
        _push(self._times, self._hosts, self._n, time, host_id)
        self._n += 1

    def pop(self) -> int:
        """Remove the smallest entry, there is one; return its HostID."""
        host_id = _pop(self._times, self._hosts, self._n)
        self._n -= 1
        return host_id

    def fill(self, times: F64, hosts: U32) -> None:
        """Take the entries of *times* and *hosts* into an empty heap."""
        order = np.lexsort((hosts, times))
        check_room(self._times, len(order))
        self._times[: len(order)], self._hosts[: len(order)] = times[order], hosts[order]
        self._n = len(order)
