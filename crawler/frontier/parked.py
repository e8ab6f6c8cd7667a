"""The hosts that are left alone for long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.webgraph.host_ids import BLOCK_HOSTS

if TYPE_CHECKING:
    from collections.abc import Iterable


class Parked(NamedTuple):
    """Hosts that wait for long, the pages queued there, and the seconds until the first is due."""

    hosts: int
    pages: int
    secs: float


def count_parked(
    due: Any, ready: Any, blocks: Iterable[int], *, later: float, now: float
) -> Parked:
    """Count the hosts of *blocks* of HostIDs that have *ready* pages and are *due* after *later*."""
    n_hosts, n_pages, first = 0, 0, float("inf")
    for block in blocks:
        hosts = slice(block * BLOCK_HOSTS, (block + 1) * BLOCK_HOSTS)
        at, n_ready = np.asarray(due)[hosts], np.asarray(ready)[hosts]
        is_parked = (n_ready > 0) & (at > later)
        n_hosts += int(is_parked.sum())
        n_pages += int(n_ready[is_parked].sum(dtype=np.int64))
        first = min(first, float(at[is_parked].min(initial=first)))
    return Parked(n_hosts, n_pages, first - now if n_hosts else 0.0)
