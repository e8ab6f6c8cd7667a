"""Where the address of a localised crawl led to: all runs, and all shards, know it.

They are noted before the page that shows one is committed. A shard that notes one, or is told of it, tells all others
in the same transaction, and shards that are added when it hands their hosts over; so whoever is sent a link of the site
was told before where the site is, as records of one shard are taken in their order.

*On disk.* ``meta``: ``site:``, xxh3-64 of the key of the address's host in hexadecimal (a key of the journal has at
most 511 bytes), a space and the key of a host where a page was that the address led to, by redirects or at once →
nothing; with ``>`` for the space, xxh3-64 of the key of a page that such a redirect leads to, whatever is there. A
focused crawl has where its seeds lead there, too, under names that no host has (crawler.spiders.first_pages).

*On the way.* A record (crawler.fleet.hand_over), a msgpack map: ``kind`` is ``site``, ``keys`` a list of such keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xxhash import xxh3_64_hexdigest

from crawler.durable.records import pack_record
from crawler.errors import FormatError
from crawler.fleet.hand_over import put_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from crawler.durable.transaction import Transaction
    from crawler.fleet.owners import Owners
    from crawler.urls import PageKey

KIND = "site"
_TABLE = "meta"
_PREFIX = b"site:"


def note_site_host(txn: Transaction, owners: Owners | None, address_host: str, host: str) -> None:
    """Note that the address at *address_host* led to a page of *host*, both host keys, and tell *owners*."""
    _note(txn, owners, [_hosts(address_host) + host.encode("utf-8", "surrogatepass")])


def note_site_way(txn: Transaction, owners: Owners | None, address_host: str, key: PageKey) -> None:
    """Note that a redirect of the address at *address_host* leads to the page of *key*, and tell *owners*."""
    _note(txn, owners, [_way(address_host, key)])


def take_site_hosts(txn: Transaction, owners: Owners | None, value: Mapping[str, Any]) -> None:
    """Note what another shard found, and tell all; raise `FormatError` when the record is damaged."""
    keys = value.get("keys")
    if not isinstance(keys, list) or not all(
        isinstance(key, bytes) and key.startswith(_PREFIX) for key in keys
    ):
        raise FormatError("hosts of a site that were handed over are damaged")
    _note(txn, owners, keys)


def tell_site_hosts(txn: Transaction, shards: Iterable[int]) -> None:
    """Tell all that is known to *shards*."""
    _tell(txn, shards, list(_keys(txn, _PREFIX)))


def site_hosts(txn: Transaction, address_host: str) -> list[str]:
    """Return the hosts of the pages that the address at *address_host* led to, in order."""
    start = _hosts(address_host)
    return [key[len(start) :].decode("utf-8", "surrogatepass") for key in _keys(txn, start)]


def is_site_way(txn: Transaction, address_host: str, key: PageKey) -> bool:
    """Tell whether a redirect of the address at *address_host* leads to the page of *key*."""
    return txn.get(_TABLE, _way(address_host, key)) is not None


def _note(txn: Transaction, owners: Owners | None, keys: Iterable[bytes]) -> None:
    new = [key for key in keys if txn.get(_TABLE, key) is None]
    for key in new:
        txn.put(_TABLE, key, b"")
    if owners is not None:
        _tell(txn, (shard for shard in owners.shards if shard != owners.own), new)


def _tell(txn: Transaction, shards: Iterable[int], keys: list[bytes]) -> None:
    for shard in shards if keys else ():
        put_out(txn, shard, pack_record({"kind": KIND, "keys": keys}, 0))


def _hosts(address_host: str) -> bytes:
    return _PREFIX + _digest(address_host) + b" "


def _way(address_host: str, key: PageKey) -> bytes:
    return _PREFIX + _digest(address_host) + b">" + _digest(f"{key.host} {key.local}")


def _digest(text: str) -> bytes:
    return xxh3_64_hexdigest(text.encode("utf-8", "surrogatepass")).encode()


def _keys(txn: Transaction, start: bytes) -> Iterator[bytes]:
    for key, _ in txn.scan(_TABLE, start):
        if not key.startswith(start):
            return
        yield bytes(key)
