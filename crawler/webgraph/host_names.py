"""The hosts in memory: host key → HostID and back.

HostIDs are given from 0 in the order in which hosts are found. A key is found by its 64-bit
fingerprint: of n hosts two share one with probability n^2 / 2^65 (3e-6 at 10^7).

Memory: the key's bytes (about 20), 8 bytes for its end and 14 for its fingerprint.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from crawler.webgraph.address_space import check_room, entries, reserve
from crawler.webgraph.host_extents import MAX_HOSTS
from crawler.webgraph.print_table import PrintTable
from crawler.webgraph.text_prints import text_prints
from crawler.webgraph.texts import Texts, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

# Keys whose HostID is kept at hand, as Python objects: the hosts that pages link to again and again.
_CACHED_HOSTS = 1 << 15
_NAME_BYTES = 2**34

UNKNOWN_HOST = 2**32 - 1
_RESERVED_HOSTS = 2**28


class HostNames:
    """Host keys by HostID, and the other way round."""

    __slots__ = ("_bytes", "_cache", "_count", "_data", "_ends", "_ids", "_places")

    def __init__(self) -> None:
        self._ids = PrintTable(reserved_slots=_RESERVED_HOSTS)
        self._count = np.zeros(1, dtype=np.uint32)
        self._data = reserve(_NAME_BYTES, np.uint8)
        self._ends = reserve(MAX_HOSTS + 1, np.int64)  # entry h + 1 is where host h ends
        self._bytes, self._places = entries(self._data), entries(self._ends)
        self._cache: dict[str, int] = {}

    def __len__(self) -> int:
        return int(self._count[0])

    @property
    def n_bytes(self) -> int:
        """Return the bytes in use."""
        return self._ids.n_bytes + int(self._ends[len(self)]) + 8 * len(self)

    def find(self, key: str) -> int | None:
        """Return the HostID of *key*, None when it is not known."""
        host_id = self._cache.get(key)
        return self.find_all([key]).get(key) if host_id is None else host_id

    def find_all(self, keys: Iterable[str], *, add: bool = False) -> dict[str, int]:
        """Return the HostIDs of those of *keys* that are known, of all when new ones are to *add*.

        New ones are given in the order of their keys.
        """
        cache = self._cache
        wanted = dict.fromkeys(keys)
        ids = {key: cache[key] for key in wanted if key in cache}
        rest = [key for key in wanted if key not in ids]
        if not rest:
            return ids
        found = self.add(rest) if add else self._ids.find(_prints(texts_of(rest))).tolist()
        for key, host_id in zip(rest, found, strict=True):
            if host_id >= 0:
                ids[key] = self._keep(key, host_id)
        return ids

    def ids(self, keys: Sequence[str], *, add: bool = False) -> npt.NDArray[np.uint32]:
        """Return the HostIDs of *keys*, `UNKNOWN_HOST` for one that is not known and not to *add*."""
        ids = np.fromiter(map(self._cache.get, keys, repeat(UNKNOWN_HOST)), np.uint32, len(keys))
        missing = np.flatnonzero(ids == UNKNOWN_HOST).tolist()
        if missing:
            found = self.find_all([keys[place] for place in missing], add=add)
            for place in missing:
                ids[place] = found.get(keys[place], UNKNOWN_HOST)
        return ids

    def _keep(self, key: str, host_id: int) -> int:
        if len(self._cache) >= _CACHED_HOSTS:
            self._cache.clear()
        self._cache[key] = host_id
        return host_id

    def add(self, keys: Sequence[str]) -> list[int]:
        """Return the HostIDs of *keys*, giving new ones in their order."""
        return self.add_texts(texts_of(keys))

    def add_texts(self, texts: Texts) -> list[int]:
        """Return the HostIDs of the keys *texts*, giving new ones in their order."""
        groups = np.zeros(len(texts), dtype=np.uint32)
        numbers, is_new = self._ids.number(_prints(texts), groups, self._count)
        check_room(self._ends, len(self) + 1)
        at = int(self._ends[len(self) - int(is_new.sum())])
        for index in np.flatnonzero(is_new).tolist():
            begin, end = int(texts.starts[index]), int(texts.ends[index])
            check_room(self._data, at + end - begin)
            self._data[at : at + end - begin] = texts.data[begin:end]
            at += end - begin
            self._ends[int(numbers[index]) + 1] = at
        return [int(number) for number in numbers]

    def key(self, host_id: int) -> str:
        """Return the key of *host_id*; raise `KeyError` when it was never given."""
        if not 0 <= host_id < len(self):
            raise KeyError(host_id)
        raw = self._bytes[self._places[host_id] : self._places[host_id + 1]]
        return str(raw, "utf-8", "surrogatepass")

    def texts(self, first: int = 0) -> Texts:
        """Return the keys of the hosts from *first* on; they are valid until hosts are forgotten."""
        n = len(self)
        return Texts(self._data, self._ends[first:n], self._ends[first + 1 : n + 1])

    def truncate(self, n: int) -> None:
        """Forget the hosts from *n* on."""
        if n < len(self):
            self._ids.remove(_prints(self.texts(n)))
            self._count[0] = n
            self._cache.clear()


def _prints(texts: Texts) -> npt.NDArray[np.uint64]:
    return text_prints(texts, np.zeros(len(texts), dtype=np.uint32))
