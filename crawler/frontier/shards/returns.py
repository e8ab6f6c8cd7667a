"""Hosts that had moved to a shard which was then given up: the last that had them takes them back.

A shard that hands a host over keeps what it knew of it. When the shard that has the host is lost, the last one
before it goes on from there: what was fetched until then is not fetched again, what was queued then is
queued, and what the lost one found is lost. Where the owner of today is another shard again, the host moves on to
it in the same transaction (crawler.frontier.shards.moves).

The lost shard may have given LocalIDs of the host to pages that nobody knows any more, and the arcs of those pages
stand in other shards. So a page that is captured after the return is listed for every shard, like one that was
captured before: its arcs take the place of those. `crawler.webgraph.graph` leaves out the arcs of pages that no
owner has captured.

A shard that is lost while it hands hosts over to a newcomer: those that had not arrived begin anew there, and what
others had fetched of them is fetched again, under other PageIds.

*On disk.* Table ``moved``: u32 HostID → u16 shard that it went to, then a record (crawler.durable.records), a map:
``heads`` of its pages, ``rows``, list of [table, key, value] of the host. Table ``returned``: u32 HostID → nothing.
``meta``, ``lost``: list of the shards that were given up.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import msgpack
import numpy as np

from crawler.durable.keys import u32_of
from crawler.durable.page_state import STATE_MASK
from crawler.durable.records import pack_record, unpack_record
from crawler.fleet.owners import Owners
from crawler.webgraph.pages.discoveries import pack_planes, unpack_planes

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.frontier.store.changes import Changes

_SHARD = struct.Struct(">H")


def keep_moved(
    txn: Transaction,
    key: bytes,
    owner: int,
    heads: npt.NDArray[np.uint16],
    rows: Sequence[Sequence[Any]],
) -> None:
    """Note that the host of *key* went to *owner*, and what was known of it."""
    kept = pack_record({"heads": pack_planes(heads), "rows": list(rows)}, len(heads))
    txn.put("moved", key, _SHARD.pack(owner) + kept)
    txn.delete("returned", key)


def lost_shards(txn: Transaction) -> set[int]:
    """Return the shards that were given up, as far as this one knows."""
    raw = txn.get("meta", b"lost")
    return set() if raw is None else set(msgpack.unpackb(raw))


def take_back(
    changes: Changes, owners: Owners, known: Sequence[int], removed: Collection[int]
) -> None:
    """Take back what had moved to the *removed* shards of those *known* before, and is nowhere else."""
    txn = changes.txn
    txn.put("meta", b"lost", msgpack.packb(sorted(lost_shards(txn).union(removed))))
    before = Owners(owners.own, known, divide_by=owners.divide_by)
    for key, value in list(txn.scan("moved")):
        if _SHARD.unpack_from(value)[0] not in removed:
            continue
        host_id, kept = u32_of(key), value[_SHARD.size :]
        holder = before.owner(changes.memory.hosts.key(host_id))
        if holder in removed:
            _restore(changes, host_id, unpack_record(kept))
            txn.delete("moved", key)
            txn.put("returned", key, b"")
        else:
            txn.put("moved", key, _SHARD.pack(holder) + kept)


def _restore(changes: Changes, host_id: int, kept: dict[str, Any]) -> None:
    memory, heads = changes.memory, unpack_planes(kept["heads"])
    ids = np.uint64(host_id << 32) + np.arange(len(heads), dtype=np.uint64)
    np.subtract.at(changes.counts, memory.heads.get(ids) & STATE_MASK, 1)
    np.add.at(changes.counts, heads & STATE_MASK, 1)
    memory.set_heads(ids, heads)
    for table, key, value in kept["rows"]:
        changes.txn.put(table, key, value)
