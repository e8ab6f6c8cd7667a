"""The hosts of a localised crawl that its address led to: all runs, and all shards, know them.

They are noted before the page that shows one is committed. A shard that notes one, or is told of it, tells all others in
the same transaction, and shards that are added when it hands their hosts over; so whoever is sent a link of the site was
told before where the site is, as records of one shard are taken in their order.

*On disk.* ``meta``: ``site:``, xxh3-64 of the key of the address's host in hexadecimal (a key of the journal has at most
511 bytes), a space and the key of a host where a page was that the address led to, by redirects or at once → nothing;
with ``>`` for the space, the key of a host that such a redirect leads to, whatever is there.

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

KIND = "site"
_TABLE = "meta"
_PREFIX = b"site:"


def note_site_host(
    txn: Transaction, owners: Owners | None, address_host: str, host: str, *, is_page: bool
) -> None:
    """Note that the address at *address_host* led to *host*, both host keys, to a page of it or not, and tell *owners*."""
    start = _start(address_host, is_page=is_page)
    _note(txn, owners, [start + host.encode("utf-8", "surrogatepass")])


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


def site_hosts(txn: Transaction, address_host: str, *, is_page: bool) -> list[str]:
    """Return the hosts that the address at *address_host* led to, in order: of pages, or of redirects."""
    start = _start(address_host, is_page=is_page)
    return [key[len(start) :].decode("utf-8", "surrogatepass") for key in _keys(txn, start)]


def _note(txn: Transaction, owners: Owners | None, keys: Iterable[bytes]) -> None:
    new = [key for key in keys if txn.get(_TABLE, key) is None]
    for key in new:
        txn.put(_TABLE, key, b"")
    if owners is not None:
        _tell(txn, (shard for shard in owners.shards if shard != owners.own), new)


def _tell(txn: Transaction, shards: Iterable[int], keys: list[bytes]) -> None:
    for shard in shards if keys else ():
        put_out(txn, shard, pack_record({"kind": KIND, "keys": keys}, 0))


def _start(address_host: str, *, is_page: bool) -> bytes:
    name = xxh3_64_hexdigest(address_host.encode("utf-8", "surrogatepass"))
    return _PREFIX + name.encode() + (b" " if is_page else b">")


def _keys(txn: Transaction, start: bytes) -> Iterator[bytes]:
    for key, _ in txn.scan(_TABLE, start):
        if not key.startswith(start):
            return
        yield bytes(key)
