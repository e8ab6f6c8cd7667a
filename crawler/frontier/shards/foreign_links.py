"""Links to hosts of other shards: taken out of what a transaction found, and taken over by their owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.records import unpack_record
from crawler.errors import FormatError
from crawler.fleet.hand_over import (
    Links,
    last_taken,
    links_of,
    pack_links,
    put_out,
    put_taken,
    stray_keys,
)
from crawler.frontier.hosts import site_hosts, sitemap_names
from crawler.frontier.hosts.redirected import add_categories
from crawler.frontier.shards.moves import take_host, take_joined
from crawler.urls import KeyList
from crawler.webgraph.arcs.records import page_arcs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from crawler.durable.capture import Capture
    from crawler.durable.transaction import Transaction
    from crawler.fleet.hand_over import Sent
    from crawler.fleet.owners import Owners
    from crawler.frontier.frontier import Frontier
    from crawler.frontier.store.changes import Changes
    from crawler.urls import PageKey

# The source of what no page links to: a seed.
NO_SOURCE = 2**64 - 1


class FoundLinks(NamedTuple):
    """The links of a group of pages, page by page: *sizes* of each, *keys* and the rest in order."""

    sizes: npt.NDArray[np.int64]
    keys: KeyList
    wishes: npt.NDArray[np.uint16]
    flags: npt.NDArray[np.uint8]
    priorities: npt.NDArray[np.float32] | None

    def only(self, mask: npt.NDArray[np.bool_]) -> FoundLinks:
        """Return those links that *mask* names; pages without any are left with none."""
        page_of = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return FoundLinks(
            np.bincount(page_of[mask], minlength=len(self.sizes)).astype(np.int64),
            self.keys.take(mask),
            self.wishes[mask],
            self.flags[mask],
            None if self.priorities is None else self.priorities[mask],
        )


def split_links(
    txn: Transaction,
    frontier: Frontier,
    captures: Sequence[Capture],
    found: FoundLinks,
    heirs: Mapping[str, Iterable[str]],
) -> FoundLinks:
    """Put the links of *found* to foreign hosts into ``out``, with the categories of *heirs* among these; return the
    others.

    A page that was captured before, or may have been by a shard that was lost, is listed for every shard:
    each may have older arcs of it.
    """
    owners = frontier.owners
    assert owners is not None
    shards = owners.owners(found.keys.hosts)[found.keys.host]
    is_own = shards == owners.own
    before = [c.earlier is not None or c.host_id in frontier.returned for c in captures]
    recaptured = np.array(before, dtype=np.bool_)
    if is_own.all() and not recaptured.any():
        return found
    sources = np.array([capture.page_id for capture in captures], dtype=np.uint64)
    times = np.array([_captured_ms(capture) for capture in captures], dtype=np.int64)
    for owner in owners.shards:
        if owner == owners.own:
            continue
        mask = shards == owner
        if mask.any() or recaptured.any():
            its = found.only(mask)
            listed = (its.sizes > 0) | recaptured
            counts = its.sizes[listed].astype(np.uint32)
            categories = _of_hosts(heirs, its.keys)
            links = Links(sources[listed], times[listed], counts, *its[1:], categories)
            put_out(txn, owner, pack_links(links))
    return found.only(is_own)


def _of_hosts(categories: Mapping[str, Iterable[str]], keys: KeyList) -> dict[str, list[str]]:
    """Return those of *categories*, by host, that hosts of *keys* have."""
    if not categories:
        return {}
    hosts = {keys.hosts[place] for place in np.unique(keys.host).tolist()}
    return {host: sorted(its) for host, its in categories.items() if host in hosts}


def _captured_ms(capture: Capture) -> int:
    return 0 if capture.fetched_at is None else round(capture.fetched_at.timestamp() * 1000)


def put_foreign_seeds(
    txn: Transaction,
    owners: Owners,
    keys: Sequence[PageKey],
    wishes: npt.NDArray[np.uint16],
    priorities: npt.NDArray[np.float32] | None = None,
    categories: Mapping[str, Iterable[str]] | None = None,
) -> None:
    """Put *keys*, which no page links to and none of which is of an own host, into ``out``; *categories* are of
    hosts.
    """
    shards = owners.owners([key[0] for key in keys])
    for owner in np.unique(shards).tolist():
        places = np.flatnonzero(shards == owner)
        its = KeyList.of([keys[place] for place in places.tolist()])
        links = Links(
            np.array([NO_SOURCE], dtype=np.uint64),
            np.zeros(1, dtype=np.int64),
            np.array([len(places)], dtype=np.uint32),
            its,
            wishes[places],
            np.zeros(len(places), dtype=np.uint8),
            None if priorities is None else priorities[places],
            _of_hosts(categories or {}, its),
        )
        put_out(txn, owner, pack_links(links))


def redirect_strays(changes: Changes, owners: Owners) -> int:
    """Have what waits for shards that are no more queued by the owners of today; return the links.

    Their arcs are not kept: where a page links to several shards, each knows all its arcs there by one
    record (crawler.fleet.hand_over).
    """
    n_links, txn = 0, changes.txn
    for key in stray_keys(txn, owners.shards):
        value = unpack_record(txn.get("out", key) or b"")
        txn.delete("out", key)
        if "kind" in value:
            continue
        links = links_of(value)
        n_links += len(links.keys)
        is_own = owners.owners([each[0] for each in links.keys]) == owners.own
        own, others = np.flatnonzero(is_own), np.flatnonzero(~is_own)
        changes.want(*_wanted(links, own))
        add_categories(changes, links.categories)
        put_foreign_seeds(txn, owners, *_wanted(links, others), links.categories)
    return n_links


def _wanted(
    links: Links, places: npt.NDArray[np.int64]
) -> tuple[list[PageKey], npt.NDArray[np.uint16], npt.NDArray[np.float32] | None]:
    """Return keys, wishes and priorities of the links at *places*."""
    priorities = None if links.priorities is None else links.priorities[places]
    return [links.keys[place] for place in places.tolist()], links.wishes[places], priorities


def take_over(
    changes: Changes, arrived: Iterable[Sent], *, awaited: bool = False, is_stale: bool = False
) -> dict[int, int]:
    """Queue what the records *arrived* ask for and keep their arcs; return the last number by sender.

    A record that was taken before changes nothing; one that comes too early, a record before it being
    missing, is left to be sent again. As long as shards are *awaited*, links are left as well; where what we
    know of the owners *is_stale*, those for hosts that are not ours yet.
    """
    taken: dict[int, int] = {}
    for sent in arrived:
        last = taken.get(sent.source)
        if last is None:
            last = taken[sent.source] = last_taken(changes.txn, sent.source)
        if sent.number == last + 1:
            value = unpack_record(sent.record)
            kind = value.get("kind")
            if kind == "host":
                take_host(changes, value)
            elif kind == "joined":
                take_joined(changes.txn, sent.source, value)
            elif kind == sitemap_names.KIND:
                sitemap_names.take_named(changes.txn, value)
            elif kind == site_hosts.KIND:
                site_hosts.take_site_hosts(changes.txn, changes.frontier.owners, value)
            elif awaited or (is_stale and not _are_own(changes, links_of(value))):
                continue
            else:
                _take(changes, links_of(value))
            taken[sent.source] = sent.number
            put_taken(changes.txn, sent.source, sent.number)
    return taken


def _are_own(changes: Changes, links: Links) -> bool:
    owners = changes.frontier.owners
    return owners is None or all(map(owners.is_own, KeyList.of(links.keys).hosts))


def _take(changes: Changes, links: Links) -> None:
    if not _are_own(changes, links):
        raise FormatError(
            "links came for hosts of another shard: the shards do not agree on who owns them; start "
            "all with the same CLUSTER_NAME"
        )
    ids = changes.want(links.keys, links.wishes, links.priorities)
    add_categories(changes, links.categories)
    ends = np.cumsum(links.counts, dtype=np.int64).tolist()
    sizes = links.counts.tolist()
    for source, size, end in zip(links.sources.tolist(), sizes, ends, strict=True):
        if source != NO_SOURCE:
            targets, flags = ids[end - size : end], links.flags[end - size : end]
            changes.arcs.append(page_arcs(source, targets, flags))
