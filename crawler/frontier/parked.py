"""The hosts that are left alone for long, and those that have given enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.webgraph.host_ids import BLOCK_HOSTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crawler.frontier.host_queues import HostQueues


class Parked(NamedTuple):
    """Hosts that wait for long, the pages queued there, and the seconds until the first is due."""

    hosts: int
    pages: int
    secs: float


def together(parts: Iterable[Parked]) -> Parked:
    """Return what *parts*, of several shards, are together."""
    waiting = [part for part in parts if part.hosts]
    return Parked(
        sum(part.hosts for part in waiting),
        sum(part.pages for part in waiting),
        min((part.secs for part in waiting), default=0.0),
    )


def count_parked(hosts: HostQueues, now: float) -> Parked:
    """Count the hosts with work that wait at *now* for longer than the delay of any host."""
    due, ready, *_ = hosts.arrays()
    n_hosts, n_pages, first = 0, 0, float("inf")
    for block in hosts.blocks:
        part = slice(block * BLOCK_HOSTS, (block + 1) * BLOCK_HOSTS)
        is_parked = (ready[part] > 0) & (due[part] > now + hosts.longest_delay)
        n_hosts += int(is_parked.sum())
        n_pages += int(ready[part][is_parked].sum(dtype=np.int64))
        first = min(first, float(due[part][is_parked].min(initial=first)))
    return Parked(n_hosts, n_pages, first - now if n_hosts else 0.0)


def have_full(hosts: HostQueues) -> bool:
    """Tell whether the limit of pages of a host keeps any that has more."""
    limit = hosts.policy.pages_per_host
    _, ready, spent, *_ = hosts.arrays()
    parts = [slice(block * BLOCK_HOSTS, (block + 1) * BLOCK_HOSTS) for block in hosts.blocks]
    return bool(limit) and any(((ready[part] > 0) & (spent[part] >= limit)).any() for part in parts)
