"""Which shard owns a host: rendezvous hashing, so that a new shard takes only its share.

For each shard a score is hashed from the key of the host's registrable domain and the shard's number; the
highest has the domain, with all its hosts, so that one process keeps its gap. Divided by host, each host has
a score of its own. What the other shards score does not change when one comes or goes, so a host moves only
to a new shard, or away from one that is gone. *Source:* Thaler and Ravishankar 1998, "Using name-based mappings to
increase hit rates", section III (highest random weight).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from xxhash import xxh3_64_intdigest

from crawler.errors import InputError
from crawler.urls import domain_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

# Hosts whose owner is kept at hand.
_CACHED_HOSTS = 1 << 15


# What is divided among the shards.
DOMAIN, HOST = "domain", "host"


def check_division(divide_by: str) -> str:
    """Return *divide_by*; raise `InputError` when nothing can be divided so."""
    if divide_by not in {DOMAIN, HOST}:
        raise InputError(f"FLEET_DIVIDE_BY is {divide_by!r}; give {DOMAIN} or {HOST}")
    return divide_by


def owner_of(key: str, shards: Sequence[int]) -> int:
    """Return the shard of *shards*, at least one, that owns the domain, or the host, of *key*.

    Cost: a hash for each shard.

    >>> [owner_of("com.example", [0, 1, 2, 3]), owner_of("com.example", [3, 1])]
    [1, 1]
    """
    raw = key.encode("utf-8", "surrogatepass")
    return max(shards, key=lambda shard: (xxh3_64_intdigest(raw, shard), shard))


class Owners:
    """The owners of hosts among *shards*, of which this process is *own*; *divide_by* as above."""

    def __init__(self, own: int, shards: Sequence[int], *, divide_by: str = DOMAIN) -> None:
        if divide_by not in {DOMAIN, HOST}:
            raise ValueError(f"divide_by must be {DOMAIN} or {HOST}, got {divide_by!r}")
        if own not in shards:
            raise ValueError(f"own must be one of {sorted(shards)}, got {own}")
        self.own = own
        self.divide_by = divide_by
        self.shards = tuple(sorted(set(shards)))
        self._cache: dict[str, int] = {}

    def owner(self, host_key: str) -> int:
        """Return the shard that owns the host of *host_key*."""
        shard = self._cache.get(host_key)
        if shard is None:
            if len(self._cache) >= _CACHED_HOSTS:
                self._cache.clear()
            key = domain_key(host_key) if self.divide_by == DOMAIN else host_key
            shard = self._cache[host_key] = owner_of(key, self.shards)
        return shard

    def owners(self, host_keys: Sequence[str]) -> npt.NDArray[np.int32]:
        """Return the owner of each of *host_keys*."""
        return np.fromiter(map(self.owner, host_keys), np.int32, len(host_keys))

    def is_own(self, host_key: str) -> bool:
        """Tell whether this process owns the host of *host_key*."""
        return self.owner(host_key) == self.own
