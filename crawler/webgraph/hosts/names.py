"""The hosts in memory: host key → HostID and back.

Hosts have places, from 0 in the order in which they are found, and HostIDs that leave gaps where
several processes share the numbers (crawler.webgraph.hosts.ids). A key is found by its 64-bit
fingerprint: of n hosts two share one with probability n^2 / 2^65 (3e-6 at 10^7).

Memory: the key (crawler.webgraph.hosts.keys), 12 bytes for its fingerprint, and 8 for its HostID where
that is not its place. Some 50 bytes more for each of those that are at hand: of one batch of leases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import FormatError
from crawler.webgraph.address_space import check_room, entries, reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS
from crawler.webgraph.hosts.ids import HostIdLease, leased_ids
from crawler.webgraph.hosts.keys import HostKeys
from crawler.webgraph.prints.table import PrintTable
from crawler.webgraph.prints.text_prints import text_prints
from crawler.webgraph.texts import Texts, picked_texts, texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.webgraph.hosts.ids import BlockSource

    U32 = npt.NDArray[np.uint32]

# Keys whose HostID is kept at hand, as Python objects: the hosts that pages link to again and again.
_CACHED_HOSTS = 1 << 15

UNKNOWN_HOST = 2**32 - 1
_RESERVED_HOSTS = 2**28


class HostNames:
    """Host keys by HostID, and the other way round."""

    __slots__ = (
        "_adopted",
        "_at_hand",
        "_cache",
        "_count",
        "_ids",
        "_keys",
        "_lease",
        "_n_plain",
        "_place_of",
        "_places",
        "_table",
    )

    def __init__(self) -> None:
        self._table = PrintTable(reserved_slots=_RESERVED_HOSTS)
        self._n_plain = 0  # the HostIDs of so many first hosts are their places
        self._ids: U32 = reserve(MAX_HOSTS, np.uint32)  # by place, of the others
        self._place_of: U32 = reserve(MAX_HOSTS, np.uint32)  # by HostID; the place plus 1
        self._lease: HostIdLease | None = None
        self._count = np.zeros(1, dtype=np.uint32)
        self._keys = HostKeys()
        self._places = entries(self._place_of)
        self._cache: dict[str, int] = {}
        self._adopted: set[int] = set()  # HostIDs that another process had given
        # Keys that were gathered and will soon be once more, and their HostIDs, ascending.
        self._at_hand: tuple[Texts, npt.NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        return int(self._count[0])

    @property
    def n_bytes(self) -> int:
        """Return the bytes in use."""
        n = len(self)
        return self._table.n_bytes + self._keys.n_bytes + 8 * (n - self._n_plain)

    def lease_from(self, source: BlockSource) -> None:
        """Take the HostIDs of new hosts from the blocks of *source*."""
        n, self._n_plain = self._n_plain, 0
        self._name(0, np.arange(n, dtype=np.uint32), may_be_plain=False)
        self._lease = leased_ids(source, self._place_of)

    def find(self, key: str) -> int | None:
        """Return the HostID of *key*, None when it is not known."""
        host_id = self._cache.get(key)
        if host_id is None:
            host_id = int(self.ids(texts_of([key]))[0])
            if host_id == UNKNOWN_HOST:
                return None
            if len(self._cache) >= _CACHED_HOSTS:
                self._cache.clear()
            self._cache[key] = host_id
        return host_id

    def ids(self, texts: Texts, *, add: bool = False) -> U32:
        """Return the HostIDs of the keys *texts*; new ones are given in their order if *add*.

        Else one that is not known has `UNKNOWN_HOST`.
        """
        ids = self._named(self._table.find_texts(texts))
        if add and len(missing := np.flatnonzero(ids == UNKNOWN_HOST)):
            new = Texts(texts.data, texts.starts[missing], texts.ends[missing])
            ids[missing] = self.add_texts(new)
        return ids

    def _named(self, numbers: npt.NDArray[np.int64]) -> U32:
        """Return the HostIDs at the places *numbers*, `UNKNOWN_HOST` for -1."""
        ids = numbers.astype(np.uint32)
        if self._n_plain < len(self):
            others = numbers >= self._n_plain
            ids[others] = self._ids[numbers[others]]
        return ids

    def add(self, keys: Sequence[str]) -> list[int]:
        """Return the HostIDs of *keys*, giving new ones in their order."""
        host_ids: list[int] = self.add_texts(texts_of(keys)).tolist()
        return host_ids

    def add_texts(self, texts: Texts, ids: U32 | None = None) -> U32:
        """Return the HostIDs of the keys *texts*; new ones get those of *ids*, or leased ones."""
        first = len(self)
        groups = np.zeros(len(texts), dtype=np.uint32)
        prints = _prints(texts)
        numbers, is_new = self._table.number(prints, groups, self._count)
        new = Texts(texts.data, texts.starts[is_new], texts.ends[is_new])
        try:
            self._keys.append(new)
            self._name(first, self._take(int(is_new.sum())) if ids is None else ids[is_new])
        except BaseException:
            self._table.remove(prints[is_new])
            self._keys.truncate(first)
            self._count[0] = first
            raise
        return self._named(numbers)

    def adopt(self, key: str, host_id: int) -> None:
        """Add the host of *key*, to which another process gave *host_id*.

        Raises `FormatError` when it has another HostID here.
        """
        known = self.find(key)
        if known is None:
            self._adopted.add(host_id)
            self.add_texts(texts_of([key]), np.array([host_id], dtype=np.uint32))
        elif known != host_id:
            raise FormatError(
                f"host {key} has HostID {known} here and {host_id} in another shard; crawl it anew"
            )

    def _take(self, n: int) -> U32:
        if not n:
            return np.zeros(0, dtype=np.uint32)
        if self._lease is None:
            known = self.host_ids()[: len(self) - n]
            begin = int(known.max()) + 1 if len(known) else 0
            self._lease = HostIdLease([(begin, len(self._place_of))])
        try:
            return self._lease.take(n)
        except LookupError:
            check_room(self._place_of, len(self._place_of) + 1)
            raise

    def _name(self, first: int, ids: U32, *, may_be_plain: bool = True) -> None:
        """Give the hosts from place *first* on the HostIDs *ids*."""
        check_room(self._place_of, int(ids.max(initial=0)) + 1)
        places = np.arange(first, first + len(ids), dtype=np.uint32)
        if may_be_plain and first == self._n_plain and np.array_equal(ids, places):
            self._n_plain += len(ids)
            return
        self._ids[places] = ids
        self._place_of[ids] = places + np.uint32(1)

    def key(self, host_id: int) -> str:
        """Return the key of *host_id*; raise `KeyError` when it was never given."""
        return self._keys.key(self._place(host_id))

    def keys(self, host_ids: Sequence[int]) -> list[str]:
        """Return the keys of *host_ids*; raise `KeyError` as `key` does."""
        return self._keys.keys([self._place(host_id) for host_id in host_ids])

    def gather(self, host_ids: npt.NDArray[np.int64], *, again: bool = False) -> Texts:
        """Return the keys of *host_ids*, all of which were given: `keys` for many, in arrays.

        *again*: these will soon be gathered once more, and are kept at hand until others are.
        """
        if again:
            ascending = np.sort(host_ids)
            self._at_hand = self._gathered(ascending), ascending
        if self._at_hand is None:
            return self._gathered(host_ids)
        keys, known = self._at_hand
        places = np.searchsorted(known, host_ids)
        is_known = known.take(places, mode="clip") == host_ids
        order = places[is_known]
        found = Texts(keys.data, keys.starts[order], keys.ends[order])
        if is_known.all():
            return found
        orders = [np.flatnonzero(is_known), np.flatnonzero(~is_known)]
        return picked_texts([found, self._gathered(host_ids[~is_known])], orders)

    def _gathered(self, host_ids: npt.NDArray[np.int64]) -> Texts:
        places = host_ids
        if (others := host_ids >= self._n_plain).any():
            places = host_ids.copy()
            places[others] = self._place_of[host_ids[others]].astype(np.int64) - 1
        return self._keys.gather(places)

    def _place(self, host_id: int) -> int:
        place = host_id
        if not 0 <= host_id < self._n_plain:
            place = self._places[host_id] - 1 if 0 <= host_id < len(self._place_of) else -1
        if place < 0:
            raise KeyError(host_id)
        return int(place)

    def host_ids(self, first: int = 0) -> U32:
        """Return the HostIDs from place *first* on, in the order of places."""
        plain = np.arange(first, self._n_plain, dtype=np.uint32)
        others = self._ids[max(first, self._n_plain) : len(self)]
        return np.concatenate([plain, others]) if len(plain) else others

    def ascending(self) -> U32:
        """Return all HostIDs, ascending."""
        return np.sort(self.host_ids())

    def has(self, host_id: int) -> bool:
        """Tell whether *host_id* was given."""
        is_plain = host_id < self._n_plain
        return is_plain or (host_id < len(self._place_of) and self._places[host_id] > 0)

    def texts(self, first: int = 0) -> Texts:
        """Return the keys from place *first* on; they are valid until hosts are added or forgotten."""
        return self._keys.texts(first)

    def settle(self) -> None:
        """Take all hosts as there to stay; :meth:`truncate` can forget none of them any more."""
        self._keys.settle()

    def truncate(self, n: int) -> None:
        """Forget the hosts from place *n* on, the last ones that were added."""
        if n < len(self):
            self._table.remove(_prints(self.texts(n)))
            ids = self.host_ids(n).copy()
            self._place_of[self._ids[max(n, self._n_plain) : len(self)]] = 0
            self._n_plain = min(self._n_plain, n)
            if self._lease is not None:
                self._lease.give_back(ids[~np.isin(ids, list(self._adopted))])
            self._keys.truncate(n)
            self._count[0] = n
            self._cache.clear()
            self._at_hand = None


def _prints(texts: Texts) -> npt.NDArray[np.uint64]:
    return text_prints(texts, np.zeros(len(texts), dtype=np.uint32))
