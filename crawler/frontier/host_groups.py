"""Hosts that share a domain or an address: one fetch at a time, and a gap after it.

A *group* is a registrable domain or an address (an IPv6 one by its first 64 bits). It is free, busy
with the fetch of one of its hosts, or rests until its gap is over. A host that is due but has a group
that is not free waits in that group, in order; one of those that wait has the *turn*: it stands in
the heap of hosts, at the time at which the group is free.

Invariant: a group in which hosts wait is busy, or one of its hosts has the turn. Whoever takes a host
from the heap without asking :meth:`HostGroups.enter` says so by :meth:`HostGroups.passed`.

Which address a host has is known once a run has resolved its name. A crawl that goes on lets every
group rest once more: when it was asked is not stored.

Memory: about 250 bytes a group that is asked or rests, or that a due host waits for, 8 a host that
waits, and 4 a host whose address is known. With both gaps off there is nothing of it.
"""

from __future__ import annotations

from collections import deque
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

import numpy as np
from xxhash import xxh3_64_intdigest

from crawler.urls import host_name, registrable_domain
from crawler.webgraph.address_space import entries, reserve
from crawler.webgraph.host_extents import MAX_HOSTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.frontier.host_queues import HostQueues
    from crawler.frontier.policy import FrontierPolicy
    from crawler.webgraph.host_names import HostNames

BUSY = float("inf")
_NOBODY = -1
# Groups above which those that are free are forgotten, before the number doubles.
_FIRST_PURGE = 4096


class _Group:
    __slots__ = ("delay", "free_at", "turn", "waiting")

    def __init__(self, delay: float, free_at: float) -> None:
        self.delay = delay
        self.free_at = free_at
        self.turn = _NOBODY
        self.waiting: deque[int] = deque()


class HostGroups:
    """The groups of the hosts in *hosts*, whose keys are in *names*, under *policy*."""

    def __init__(self, policy: FrontierPolicy, hosts: HostQueues, names: HostNames) -> None:
        self.policy = policy
        self.hosts = hosts
        self.names = names
        self._groups: dict[tuple[str, int], _Group] = {}
        self._held: dict[int, list[_Group]] = {}
        self._addresses = entries(reserve(MAX_HOSTS, np.uint32))
        self._rested_at = None if hosts.total_spent else float("-inf")
        self._purge_at = _FIRST_PURGE

    def __len__(self) -> int:
        return len(self._groups)

    def enter(self, host_id: int, now: float) -> bool:
        """Take the groups of a host that is due; if one is not free let the host wait, and tell so."""
        groups = self._of(host_id, now)
        self._give_up_turn(host_id, groups)
        blocked = next((group for group in groups if group.free_at > now), None)
        if blocked is None:
            self._hold(host_id, groups)
            return True
        self.hosts.hold(host_id)
        blocked.waiting.append(host_id)
        for group in groups:
            self._give_turn(group)
        return False

    def is_free(self, host_id: int, now: float) -> bool:
        """Tell whether no group of the host keeps it from being asked."""
        return all(group.free_at <= now for group in self._of(host_id, now))

    def take(self, host_id: int, now: float) -> None:
        """Take the groups of a host, free or not."""
        self._hold(host_id, self._of(host_id, now))

    def leave(self, host_id: int, now: float) -> None:
        """Let the groups that the host has taken rest."""
        for group in self._held.pop(host_id, ()):
            group.free_at = now + group.delay
            self._give_turn(group)

    def passed(self, host_id: int) -> None:
        """Note that the host, which may have had the turn, does not use it."""
        known = (self._groups.get((kind, number)) for kind, number, _ in self._keys(host_id))
        groups = [group for group in known if group is not None]
        self._give_up_turn(host_id, groups)
        for group in groups:
            self._give_turn(group)

    def knows_address(self, host_id: int) -> bool:
        """Tell whether the host's address is known, or does not matter."""
        return not self.policy.ip_delay_secs or bool(self._addresses[host_id])

    def set_address(self, host_id: int, address: str, now: float) -> bool:
        """Note the *address* of a host that is being asked; tell whether it may be asked at *now*."""
        ip = ip_address(address)
        part = int(ip) >> 64 if isinstance(ip, IPv6Address) else int(ip)
        digest = xxh3_64_intdigest(part.to_bytes(8, "little") + bytes([ip.version]))
        self._addresses[host_id] = (digest & 0xFFFFFFFF) or 1
        group = self._group("ip", self._addresses[host_id], self.policy.ip_delay_secs, now)
        if group.free_at > now:
            return False
        group.free_at = BUSY
        self._held.setdefault(host_id, []).append(group)
        return True

    def _keys(self, host_id: int) -> Iterator[tuple[str, int, float]]:
        """Yield kind, number and gap of the host's groups."""
        if delay := self.policy.domain_delay_secs:
            domain = registrable_domain(host_name(self.names.key(host_id)))
            yield "domain", xxh3_64_intdigest(domain.encode()), delay
        if (delay := self.policy.ip_delay_secs) and (address := self._addresses[host_id]):
            yield "ip", address, delay

    def _of(self, host_id: int, now: float) -> list[_Group]:
        return [self._group(*key, now) for key in self._keys(host_id)]

    def _group(self, kind: str, number: int, delay: float, now: float) -> _Group:
        group = self._groups.get((kind, number))
        if group is None:
            if self._rested_at is None:
                self._rested_at = now
            if len(self._groups) >= self._purge_at:
                self._purge(now)
            group = self._groups[kind, number] = _Group(delay, self._rested_at + delay)
        return group

    def _purge(self, now: float) -> None:
        self._groups = {
            key: group
            for key, group in self._groups.items()
            if group.free_at > now or group.waiting or group.turn != _NOBODY
        }
        self._purge_at = max(_FIRST_PURGE, 2 * len(self._groups))

    def _hold(self, host_id: int, groups: list[_Group]) -> None:
        for group in groups:
            group.free_at = BUSY
        self._held[host_id] = groups

    def _give_up_turn(self, host_id: int, groups: list[_Group]) -> None:
        for group in groups:
            if group.turn == host_id:
                group.turn = _NOBODY

    def _give_turn(self, group: _Group) -> None:
        if group.waiting and group.turn == _NOBODY and group.free_at != BUSY:
            group.turn = group.waiting.popleft()
            self.hosts.offer_at(group.turn, group.free_at)
