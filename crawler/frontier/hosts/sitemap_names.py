"""Hosts whose robots.txt names a sitemap on another host: that one may list their pages.

It is known where the sitemap is read, by the shard of its host, in all later runs too; and noted before the sitemap
is queued there.

*On disk.* ``meta``: ``named:``, then xxh3-64, u64 big-endian, of the keys of the sitemap's host and of the host that
names it → nothing. It moves with the sitemap's host.

*On the way.* A record (crawler.fleet.hand_over), a msgpack map: ``kind`` is ``named``, ``on`` a list of the sitemaps'
hosts, ``by`` the host that names them.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from xxhash import xxh3_64_digest

from crawler.durable.records import pack_record
from crawler.errors import FormatError
from crawler.fleet.hand_over import put_out

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from crawler.durable.transaction import Transaction
    from crawler.fleet.owners import Owners

KIND = "named"
_TABLE = "meta"
_PREFIX = b"named:"


def note_named(txn: Transaction, owners: Owners | None, on: Iterable[str], by: str) -> None:
    """Note that the robots.txt of host *by* names sitemaps on the hosts *on*; tell it to their *owners*."""
    elsewhere: dict[int, list[str]] = {}
    for host in on:
        if owners is None or owners.is_own(host):
            _put(txn, host, by)
        else:
            elsewhere.setdefault(owners.owner(host), []).append(host)
    for owner, hosts in sorted(elsewhere.items()):
        put_out(txn, owner, pack_record({"kind": KIND, "on": sorted(hosts), "by": by}, 0))


def take_named(txn: Transaction, value: Mapping[str, Any]) -> None:
    """Note what another shard found; raise `FormatError` when the record is damaged."""
    try:
        for host in value["on"]:
            _put(txn, host, value["by"])
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"a name that was handed over is damaged ({error})") from error


def naming(txn: Transaction, on: str, hosts: Collection[str]) -> set[str]:
    """Return those of *hosts* that name a sitemap on the host *on*."""
    return {host for host in hosts if txn.get(_TABLE, _key(on, host)) is not None}


def is_named(txn: Transaction, on: str) -> bool:
    """Tell whether any other host names a sitemap on the host *on*."""
    start = _PREFIX + _digest(on)
    return any(key.startswith(start) for key, _ in islice(txn.scan(_TABLE, start), 1))


def rows_of_named(txn: Transaction, on: str) -> list[list[object]]:
    """Return [table, key, value] of what is noted of sitemaps on the host *on*."""
    start, rows = _PREFIX + _digest(on), list[list[object]]()
    for key, _ in txn.scan(_TABLE, start):
        if not key.startswith(start):
            break
        rows.append([_TABLE, bytes(key), b""])
    return rows


def _put(txn: Transaction, on: str, by: str) -> None:
    txn.put(_TABLE, _key(on, by), b"")


def _key(on: str, by: str) -> bytes:
    return _PREFIX + _digest(on) + _digest(by)


def _digest(host: str) -> bytes:
    return xxh3_64_digest(host.encode("utf-8", "surrogatepass"))
