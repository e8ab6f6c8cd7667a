"""What steering learned, in the journal: a crawl that is started again knows its traps.

*On disk.* Table ``steering``, by the first byte of the key:

====== ============ ================================================================================
``y``  u32 HostID   yield: u32 pages, u32 kept, u64 clean bytes, u64 raw bytes, big-endian
``d``  domain       the same of a registered domain
``t``  u32 HostID   msgpack list of patterns, each a list of the fields of :data:`FIELDS`
``n``  domain       msgpack, one such pattern: the names below the domain
``s``               msgpack ``[[[bytes, words], ...], bytes, words]``: the windows of the stop rule, and the open one
====== ============ ================================================================================

It is written every :data:`SAVE_PAGES` pages, when a pattern is closed, and at the end; yields with the next commit,
too, for a host that is judged by its latest pages alone may be dropped for them. A crash loses what was learned since,
and the variable parts of patterns and the plans that were tried are never written: the crawl learns them again. Nothing
that is written there changes what was fetched.

A host that moves to another shard takes along what was learned of it, and of its domain.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import msgpack

from crawler.durable.keys import text_key, u32_key, u32_of
from crawler.frontier.steering.host_yields import Yield
from crawler.frontier.steering.trap_rules import Evidence, Level

if TYPE_CHECKING:
    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from crawler.frontier.steering.host_yields import HostYields
    from crawler.frontier.steering.steering import Steering
    from crawler.frontier.steering.traps import Traps

TABLE = "steering"
SAVE_PAGES = 1_000

FIELDS = (
    "level",
    "text",
    "score",
    "is_closed",
    "kind",
    "example",
    "n_worthless",
    "n_duplicates",
    "n_redirects",
    "n_refused",
)

_YIELD = struct.Struct(">IIQQ")


class SteeringSealer:
    """Writes what *steering* learned after commits, when there is enough of it."""

    def __init__(self, steering: Steering) -> None:
        self.steering = steering
        self._n_saved = (0, 0)

    def __call__(self, journal: Journal, *, force: bool = False) -> int:
        """Write what is due; return 0, the number of shards sealed."""
        steering = self.steering
        n_pages, n_closed = steering.n_learned, steering.n_closed
        if force or n_pages - self._n_saved[0] >= SAVE_PAGES or n_closed != self._n_saved[1]:
            journal.write(lambda txn: save(txn, steering))
            steering.forget_changes()
            self._n_saved = n_pages, n_closed
        return 0


def save(txn: Transaction, steering: Steering) -> None:
    """Write what changed since the last time."""
    if steering.yields is not None:
        save_yields(txn, steering.yields)
    if steering.traps is not None:
        _save_traps(txn, steering.traps)
    stop = steering.stop
    if stop is not None:
        txn.put(TABLE, b"s", msgpack.packb([stop.windows, stop.n_bytes, stop.n_words]))


def save_yields(txn: Transaction, yields: HostYields) -> None:
    """Write those that changed."""
    for name in yields.changed:
        if isinstance(name, int):
            txn.put(TABLE, b"y" + u32_key(name), _YIELD.pack(*yields.of_host(name)))
        else:
            txn.put(TABLE, text_key(f"d{name}"), _YIELD.pack(*yields.domains[name]))


def _save_traps(txn: Transaction, traps: Traps) -> None:
    for name in traps.changed:
        if isinstance(name, int):
            patterns = traps.hosts.get(name, {})
            key, rows = b"t" + u32_key(name), [_row(each) for each in patterns.values()]
        else:
            known = traps.domains.get(name)
            key, rows = text_key(f"n{name}"), [] if known is None else [_row(known)]
        if rows:
            txn.put(TABLE, key, msgpack.packb(rows))
        else:
            txn.delete(TABLE, key)


def _row(evidence: Evidence) -> list[Any]:
    return [getattr(evidence, field) for field in FIELDS]


def rows_of_host(txn: Transaction, host_id: int, domain: str) -> list[list[Any]]:
    """Return [table, key, value] of what was learned of a host, and of the registered *domain* that it is of."""
    keys = [*_host_keys(host_id), text_key(f"d{domain}"), text_key(f"n{domain}")]
    return [[TABLE, key, raw] for key in keys if (raw := txn.get(TABLE, key)) is not None]


def forget_host(txn: Transaction, host_id: int) -> None:
    """Delete what was learned of a host, which is another shard's now."""
    for key in _host_keys(host_id):
        if txn.get(TABLE, key) is not None:
            txn.delete(TABLE, key)


def _host_keys(host_id: int) -> tuple[bytes, bytes]:
    return b"y" + u32_key(host_id), b"t" + u32_key(host_id)


def load(txn: Transaction, steering: Steering) -> None:
    """Give *steering*, which is new, what an earlier crawl learned."""
    traps, yields, stop = steering.traps, steering.yields, steering.stop
    for key, raw in txn.scan(TABLE):
        kind, rest = key[:1], key[1:]
        if kind == b"y":
            found = Yield(*_YIELD.unpack(raw))
            if yields is not None:
                yields.set_host(u32_of(rest), found)
            if traps is not None and found.n_kept:
                traps.note_kept(u32_of(rest))
        elif kind == b"d" and yields is not None:
            yields.set_domain(rest.decode("utf-8", "surrogatepass"), Yield(*_YIELD.unpack(raw)))
        elif kind in {b"t", b"n"} and traps is not None:
            host_id = u32_of(rest) if kind == b"t" else None
            traps.restore(host_id, [_evidence(row) for row in msgpack.unpackb(raw)])
        elif kind == b"s" and stop is not None:
            stop.restore(*msgpack.unpackb(raw))


def _evidence(row: list[Any]) -> Evidence:
    evidence = Evidence(Level(row[0]), row[1])
    for field, value in zip(FIELDS[2:], row[2:], strict=True):
        setattr(evidence, field, value)
    return evidence
