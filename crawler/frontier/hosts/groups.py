"""Hosts that share a domain or an address: one fetch at a time, and a gap after it.

A *group* is a registrable domain or an address (an IPv6 one by its first 64 bits). It is free, busy
with the fetch of one of its hosts, or rests until its gap is over. A host that is due but has a group
that is not free waits in that group, in order; one of those that wait has the *turn*: it stands in
the heap of hosts, at the time at which the group is free.

Invariant: a group in which hosts wait is busy, or one of its hosts has the turn. Whoever takes a host
from the heap without asking :meth:`HostGroups.enter` says so by :meth:`HostGroups.passed`.

The domain of a host is looked up when the host first comes up. Which address it has is known once a
run has resolved its name. A crawl that goes on lets every group rest once more: when it was asked is
not stored.

Shards of one crawl share addresses, and domains where each may have hosts of one (crawler.fleet.gaps): what a host has
taken here it claims from the others before it is asked (:meth:`HostGroups.claim`), and it is put back when one of
them has it.

Memory: 13 bytes a host, and 31 a group, 39 in a crawl of several shards, that a host of this run was found to belong
to; two groups are taken for one with probability n^2 / 2^64. With both gaps off there is nothing of it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from crawler.fleet.gaps import Claim, Secs
from crawler.frontier.hosts.group_kernels import (
    BUSY,
    HOLDS_ADDRESS,
    HOLDS_DOMAIN,
    GroupArrays,
    HeapArrays,
    enter,
    hold,
    pass_on,
)
from crawler.frontier.hosts.group_prints import DOMAIN, address_print, domain_print
from crawler.urls.domain_kernels import domain_ends
from crawler.webgraph.address_space import check_room, entries, reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS
from crawler.webgraph.prints.table import PrintTable
from crawler.webgraph.prints.text_prints import text_prints
from crawler.webgraph.texts import Texts

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.fleet.gaps import Gaps
    from crawler.frontier.hosts.queues import HostQueues
    from crawler.frontier.policy import FrontierPolicy
    from crawler.webgraph.hosts.names import HostNames

    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_NO_CLAIM, _NO_WAIT = Claim(), Secs()
_MAX_GROUPS = 2 * MAX_HOSTS


class HostGroups:
    """The groups of the hosts in *hosts*, whose keys are in *names*, under *policy*.

    *gaps*: of groups that several shards have hosts of; None when this process crawls alone.
    """

    def __init__(
        self,
        policy: FrontierPolicy,
        hosts: HostQueues,
        names: HostNames,
        gaps: Gaps | None = None,
    ) -> None:
        self.policy = policy
        self.hosts = hosts
        self.names = names
        self.gaps = gaps
        self._numbers = PrintTable(reserved_slots=MAX_HOSTS)
        self._count = np.zeros(1, dtype=np.uint32)
        of_host, of_group = partial(reserve, MAX_HOSTS), partial(reserve, _MAX_GROUPS)
        self.arrays = GroupArrays(
            domain_of=of_host(np.uint32),
            address_of=of_host(np.uint32),
            held=of_host(np.uint8),
            next=of_host(np.uint32),
            free_at=of_group(np.float64),
            turn=of_group(np.uint32),
            first=of_group(np.uint32),
            last=of_group(np.uint32),
        )
        heap, (due, *_, in_heap) = hosts.heap.arrays(), hosts.arrays()
        self._heap = HeapArrays(*heap, due, in_heap)
        of = self.arrays
        self._domain_of, self._address_of = entries(of.domain_of), entries(of.address_of)
        self._held, self._free_at = entries(of.held), entries(of.free_at)
        self._first = entries(of.first)
        # The fingerprints of groups, and what hosts have claimed.
        self._prints = of_group(np.uint64)
        self._claims: dict[int, Claim] = {}
        # What this shard has never asked others may have asked before they were started anew.
        is_new = not hosts.total_spent and gaps is None
        self._rested_at = float("-inf") if is_new else None

    def __len__(self) -> int:
        return int(self._count[0])

    def enter(self, host_id: int, now: float) -> bool:
        """Take the groups of a host that is due; if one is not free let the host wait, and tell so."""
        self.know(host_id, now)
        heap = self.hosts.heap
        heap.arrays()
        n, is_in = enter(self._heap, len(heap), self.arrays, host_id, now)
        heap.resize(n)
        return is_in

    def is_free(self, host_id: int, now: float) -> bool:
        """Tell whether no group of the host keeps it from being asked."""
        self.know(host_id, now)
        return all(self._free_at[group - 1] <= now for group in self._of(host_id))

    def take(self, host_id: int, now: float) -> None:
        """Take the groups of a host, free or not."""
        self.know(host_id, now)
        hold(self.arrays, host_id)

    def join(self, host_id: int, other_id: int | None, now: float) -> bool:
        """Take the groups of a host in which the *other*, which is being asked, is not; tell if all were free.

        For a fetch on behalf of the other host, which comes between two of its own.
        """
        self.know(host_id, now)
        theirs = () if other_id is None else self._of(other_id)
        both = (self._domain_of[host_id], self._address_of[host_id])
        wanted = [
            (bit, group)
            for bit, group in zip((HOLDS_DOMAIN, HOLDS_ADDRESS), both, strict=True)
            if group and group not in theirs
        ]
        if any(self._free_at[group - 1] > now for _, group in wanted):
            return False
        for bit, group in wanted:
            self._free_at[group - 1] = BUSY
            self._held[host_id] |= bit
        return True

    def leave(self, host_id: int, now: float) -> None:
        """Let the groups that the host has taken rest."""
        domain, address = self.policy.domain_delay_secs, self.policy.ip_delay_secs
        if (claimed := self._claims.pop(host_id, None)) and self.gaps is not None:
            rests = self.gaps.release(claimed, now)
            domain = rests.domain if claimed.domain else domain
            address = rests.address if claimed.address else address
        self._leave(host_id, now + domain, now + address)

    def _leave(self, host_id: int, domain_until: float, address_until: float) -> None:
        held, has_waiting = self._held[host_id], False
        self._held[host_id] = 0
        if held & HOLDS_DOMAIN:
            has_waiting |= self._rest(self._domain_of[host_id], domain_until)
        if held & HOLDS_ADDRESS:
            has_waiting |= self._rest(self._address_of[host_id], address_until)
        if has_waiting:
            self.passed(host_id)

    def _rest(self, group: int, until: float) -> bool:
        """Let *group* rest; tell whether hosts wait in it."""
        self._free_at[group - 1] = until
        return bool(self._first[group - 1])

    def give_back(self, host_id: int, now: float = float("-inf"), waits: Secs = _NO_WAIT) -> None:
        """Let the groups that the host has taken be free again, those of other shards after *waits*.

        For a host that was not asked, and has claimed nothing.
        """
        self._leave(host_id, now + waits.domain, now + waits.address)

    def pass_by(self, host_id: int, now: float) -> None:
        """Let the groups of a host that was not asked be free again; those that it has claimed rest."""
        if host_id in self._claims:
            self.leave(host_id, now)
        else:
            self.give_back(host_id)

    async def claim_for(
        self, key: str, address: str | None, other_id: int | None, now: float
    ) -> tuple[Claim, Secs]:
        """Claim domain and *address* of another shard's host *key*, for a fetch on behalf of the *other* host.

        Returns what is to be released then, and the seconds after which to try again.
        """
        if self.gaps is None:
            return _NO_CLAIM, _NO_WAIT
        has = _NO_CLAIM if other_id is None else self._claims.get(other_id, _NO_CLAIM)
        domain, rests = domain_print(key), self.gaps.rests
        at = address_print(address) if address else 0
        wanted = Claim(
            domain if rests.domain and domain != has.domain else 0,
            at if rests.address and at != has.address else 0,
        )
        waits = await self.gaps.claim(wanted, now) if any(wanted) else _NO_WAIT
        return (_NO_CLAIM if any(waits) else wanted), waits

    def shared(self, host_id: int) -> Claim:
        """Return what the host has taken and shards share; they agree on the fingerprints."""
        if self.gaps is None:
            return _NO_CLAIM
        held, rests = self._held[host_id], self.gaps.rests
        of_domain, of_address = self._domain_of[host_id], self._address_of[host_id]
        return Claim(
            int(self._prints[of_domain - 1]) if rests.domain and held & HOLDS_DOMAIN else 0,
            int(self._prints[of_address - 1]) if rests.address and held & HOLDS_ADDRESS else 0,
        )

    async def claim(self, host_id: int, now: float) -> Secs:
        """Claim the groups of a host that is being asked from the other shards, as far as they are known.

        Returns zeros, or, when another shard has any, the seconds after which to try again.
        """
        wanted = self.shared(host_id)
        if self.gaps is None or not any(wanted):
            return _NO_WAIT
        if not any(waits := await self.gaps.claim(wanted, now)):
            self._claims[host_id] = wanted
        return waits

    def passed(self, host_id: int) -> None:
        """Note that the host, which may have had the turn, does not use it."""
        heap = self.hosts.heap
        heap.arrays()
        heap.resize(pass_on(self._heap, len(heap), self.arrays, host_id))

    def knows_address(self, host_id: int) -> bool:
        """Tell whether the host's address is known, or does not matter."""
        return not self.policy.ip_delay_secs or bool(self._address_of[host_id])

    def set_address(self, host_id: int, address: str, now: float) -> bool:
        """Note the *address* of a host that is being asked; tell whether it may be asked at *now*."""
        group = self.note_address(host_id, address, now)
        if self._free_at[group - 1] > now:
            return False
        self._free_at[group - 1] = BUSY
        self._held[host_id] |= HOLDS_ADDRESS
        return True

    def note_address(self, host_id: int, address: str, now: float) -> int:
        """Note the *address* of a host; return its group."""
        print_ = address_print(address)
        group = self._numbers.find_one(print_) + 1
        if not group:
            wanted = np.array([print_], dtype=np.uint64)
            group = int(self._groups(wanted, self.policy.ip_delay_secs, now)[0])
        self._address_of[host_id] = group
        return group

    def know(self, host_id: int, now: float) -> None:
        """Look up the domain of a host, if that matters."""
        if self.policy.domain_delay_secs and not self._domain_of[host_id]:
            self.know_all(np.array([host_id], dtype=np.uint32), now)

    def know_all(self, host_ids: U32, now: float) -> None:
        """Look up the domains of those of *host_ids* whose domains are not known."""
        unknown = host_ids[self.arrays.domain_of[host_ids] == 0]
        keys = self.names.gather(unknown.astype(np.int64), again=True)
        ends = domain_ends(keys.data, keys.starts, keys.ends)
        domains = Texts(keys.data, keys.starts, ends)
        prints = text_prints(domains, np.full(len(unknown), DOMAIN, dtype=np.uint32))
        delay = self.policy.domain_delay_secs
        self.arrays.domain_of[unknown] = self._groups(prints, delay, now)

    def _of(self, host_id: int) -> list[int]:
        both = (self._domain_of[host_id], self._address_of[host_id])
        return [group for group in both if group]

    def _groups(self, prints: U64, delay: float, now: float) -> U32:
        """Return the groups of *prints*; new ones rest if this crawl goes on."""
        if self._rested_at is None:
            self._rested_at = now
        first = len(self)
        check_room(self.arrays.free_at, first + len(prints))
        none = np.zeros(len(prints), dtype=np.uint32)
        numbers, _ = self._numbers.number(prints, none, self._count)
        self.arrays.free_at[first : len(self)] = self._rested_at + delay
        if self.gaps is not None:
            self._prints[numbers] = prints
        return (numbers + 1).astype(np.uint32)
