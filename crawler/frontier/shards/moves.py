"""Hosts that move to another shard, because shards were added: with all that is known of them.

When a shard is opened and the shards of the crawl are not those that it knew, it hands each host that it
no longer owns over to its owner, and then tells every shard that it has *joined*, all in one
transaction. A host keeps its HostID and its pages their LocalIDs; rows and arcs that were committed stay
where they are. Of shards that are given up: crawler.frontier.shards.returns. Before that all shards have come to rest:
nothing is leased, nothing in any ``out``. A shard that is new takes no links before all have joined, for their host may
be on its way.

*On the way.* Records of table ``out`` (crawler.fleet.hand_over), each a msgpack map with ``kind``:

``host``    ``id`` HostID, ``key``, ``first`` LocalID, ``locals`` keys of at most `MOST_PAGES` pages,
            ``heads`` and ``levels`` of them as in crawler.webgraph.pages.discoveries, ``rows``: list of
            [table, key, value] that the journal has of the host and of these pages
``joined``  ``shards`` of the crawl that the sender knows now

*On disk.* ``meta``: ``shards``, list of the shards that were known; ``joined:<shard>``, what that shard has said;
``gathered``, once all hosts for this shard are there. Table ``moved``: crawler.frontier.shards.returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgpack
import numpy as np

from crawler.durable.journals import known_shards
from crawler.durable.keys import u32_key, u64_key, u64_of
from crawler.durable.page_state import STATE_MASK, PageState
from crawler.durable.records import pack_record
from crawler.errors import FormatError
from crawler.fleet.hand_over import put_out
from crawler.frontier.hosts.site_hosts import tell_site_hosts
from crawler.frontier.hosts.sitemap_names import rows_of_named
from crawler.frontier.shards.returns import keep_moved, take_back
from crawler.frontier.steering.store import forget_host, rows_of_host
from crawler.urls.domains import registrable_domain
from crawler.urls.hosts import host_name
from crawler.webgraph.pages.discoveries import pack_planes, unpack_planes
from crawler.webgraph.texts import joined_texts, split_texts, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.fleet.owners import Owners
    from crawler.frontier.store.changes import Changes

    U64 = npt.NDArray[np.uint64]

MOST_PAGES = 50_000
# Tables by HostID, and by page id.
HOST_TABLES = ("categories", "politeness", "returned")
PAGE_TABLES = ("retries", "crashes", "visited", "sitemaps")


def has_joined(txn: Transaction, shard: int, shards: Sequence[int]) -> bool:
    """Tell whether *shard* has said that *shards* are those it knows."""
    raw = txn.get("meta", _joined_key(shard))
    return raw is not None and set(shards) == set(msgpack.unpackb(raw))


def has_gathered(txn: Transaction) -> bool:
    """Tell whether all hosts for this shard have come."""
    return txn.get("meta", b"gathered") is not None


def put_gathered(txn: Transaction) -> None:
    """Note that they have."""
    txn.put("meta", b"gathered", b"")


def moved_hosts(txn: Transaction) -> set[int]:
    """Return the hosts that have moved away."""
    return {int.from_bytes(key, "big") for key in txn.keys("moved")}


def _joined_key(shard: int) -> bytes:
    return f"joined:{shard}".encode()


# --- leaving ---------------------------------------------------------------------------------------


def join(changes: Changes, owners: Owners, *, is_new: bool = False) -> int:
    """Hand over what *owners* say is not our own, and tell all shards; return the number of hosts.

    *is_new*: the crawl had begun without this shard.
    """
    txn, hosts, known = changes.txn, changes.memory.hosts, known_shards(changes.txn) or ()
    if removed := set(known).difference(owners.shards):
        take_back(changes, owners, known, removed)
        txn.delete("meta", b"gathered")
    gone = moved_hosts(txn)
    leaving = {
        host_id: owner
        for host_id in hosts.ascending().tolist()
        if host_id not in gone and (owner := owners.owner(hosts.key(host_id))) != owners.own
    }
    late = _late_rows(txn, leaving)
    if known:
        tell_site_hosts(txn, sorted(set(owners.shards).difference(known)))
    for host_id, owner in leaving.items():
        for record in _host_records(changes, host_id, late):
            put_out(txn, owner, record)
        heads = changes.memory.heads.get(_ids(changes, host_id))
        keep_moved(txn, u32_key(host_id), owner, heads, _host_rows(changes, host_id, late))
        _forget(changes, host_id, late.get(host_id, ()))
    if known or is_new:
        told = pack_record({"kind": "joined", "shards": list(owners.shards)}, 0)
        for shard in owners.shards:
            if shard != owners.own:
                put_out(txn, shard, told)
    txn.put("meta", b"shards", msgpack.packb(list(owners.shards)))
    return len(leaving)


def _late_rows(txn: Transaction, hosts: Mapping[int, int]) -> dict[int, list[bytes]]:
    """Return the keys of table ``late`` of each of *hosts*."""
    found: dict[int, list[bytes]] = {}
    if hosts:
        for key in txn.keys("late"):
            host_id = u64_of(key[8:]) >> 32
            if host_id in hosts:
                found.setdefault(host_id, []).append(key)
    return found


def _ids(changes: Changes, host_id: int) -> U64:
    n_pages = int(changes.memory.next_local[host_id])
    return np.uint64(host_id << 32) + np.arange(n_pages, dtype=np.uint64)


def _host_records(
    changes: Changes, host_id: int, late: Mapping[int, Sequence[bytes]]
) -> Iterator[bytes]:
    txn, memory = changes.txn, changes.memory
    ids, key = _ids(changes, host_id), memory.hosts.key(host_id)
    rows = _host_rows(changes, host_id, late) + rows_of_named(txn, key)
    for first in range(0, len(ids), MOST_PAGES):
        part = ids[first : first + MOST_PAGES]
        texts = texts_of(memory.texts(txn, part))
        record = {
            "kind": "host",
            "id": host_id,
            "key": key.encode("utf-8", "surrogatepass"),
            "first": first,
            "locals": joined_texts(texts, np.arange(len(part))),
            "heads": pack_planes(memory.heads.get(part)),
            "levels": memory.levels_of(part).astype(np.uint8).tobytes(),
            "rows": rows if first + MOST_PAGES >= len(ids) else [],
        }
        yield pack_record(record, len(part))


def _host_rows(
    changes: Changes, host_id: int, late: Mapping[int, Sequence[bytes]]
) -> list[list[Any]]:
    """Return [table, key, value] of all that the journal has of a host and its pages."""
    txn, name = changes.txn, host_name(changes.memory.hosts.key(host_id))
    rows: list[list[Any]] = [
        [table, u32_key(host_id), value]
        for table in HOST_TABLES
        if (value := txn.get(table, u32_key(host_id))) is not None
    ]
    rows += rows_of_host(txn, host_id, registrable_domain(name))
    return rows + [["late", key, b""] for key in late.get(host_id, ())] + _page_rows(txn, host_id)


def _page_rows(txn: Transaction, host_id: int) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for table in PAGE_TABLES:
        for key, value in txn.scan(table, u64_key(host_id << 32)):
            if u64_of(key[:8]) >> 32 != host_id:
                break
            rows.append([table, key, value])
    return rows


def _forget(changes: Changes, host_id: int, late: Iterable[bytes]) -> None:
    """Take all pages of the host as merely known: they are fetched, and counted, elsewhere."""
    ids = _ids(changes, host_id)
    heads = changes.memory.heads.get(ids)
    np.subtract.at(changes.counts, heads & STATE_MASK, 1)
    changes.counts[PageState.KNOWN] += len(ids)
    changes.memory.set_heads(ids, np.zeros(len(ids), dtype=np.uint16))
    forget_host(changes.txn, host_id)
    for key in late:
        changes.txn.delete("late", key)
    for table, key, _ in _page_rows(changes.txn, host_id):
        changes.txn.delete(table, key)


# --- arriving --------------------------------------------------------------------------------------


def take_joined(txn: Transaction, source: int, value: Mapping[str, Any]) -> None:
    """Note what shards *source* knows."""
    txn.put("meta", _joined_key(source), msgpack.packb(value["shards"]))


def take_host(changes: Changes, value: Mapping[str, Any]) -> None:
    """Take a host over, or some pages of it; raise `FormatError` for a *value* that is damaged, or of other pages."""
    try:
        host_id, key = value["id"], value["key"].decode("utf-8", "surrogatepass")
        texts = split_texts(value["locals"])
        heads = unpack_planes(value["heads"])
        levels = np.frombuffer(value["levels"], dtype=np.uint8).astype(np.uint16)
        first, rows = value["first"], value["rows"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"a host that was handed over is damaged ({error})") from error
    memory = changes.memory
    memory.hosts.adopt(key, host_id)
    ids, is_new = memory.give(np.full(len(texts), host_id, dtype=np.uint32), texts)
    expected = np.uint64((host_id << 32) + first) + np.arange(len(texts), dtype=np.uint64)
    if not (ids == expected).all():
        raise FormatError(f"host {key} was handed over with other pages than are known of it")
    np.subtract.at(changes.counts, memory.heads.get(ids[~is_new]) & STATE_MASK, 1)
    np.add.at(changes.counts, heads & STATE_MASK, 1)
    memory.set_heads(ids, heads)
    if levels.any():
        memory.set_levels(ids, levels)
    for table, row_key, row in rows:
        changes.txn.put(table, row_key, row)
    changes.txn.delete("moved", u32_key(host_id))
