"""The hosts of a localised crawl that its address redirects to, for the runs after the one that saw it.

*On disk.* ``meta``: ``site:``, xxh3-64 of the key of the address's host in hexadecimal (a key of the journal has at most
511 bytes), a space and the key of a host where a page was that the address led to, by redirects or at once → nothing.
Written with that page, and told to the shard that its host moves to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xxhash import xxh3_64_hexdigest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.durable.transaction import Transaction

TABLE = "meta"
_PREFIX = b"site:"


def site_host_put(address_host: str, host: str) -> tuple[str, bytes, bytes]:
    """Return (table, key, value) that note that the address at *address_host* led to a page of *host*, both host keys."""
    return TABLE, _key(address_host, host), b""


def site_hosts(txn: Transaction, address_host: str) -> list[str]:
    """Return the hosts that the address at *address_host* led to, in order."""
    start = _key(address_host, "")
    return [key[len(start) :].decode("utf-8", "surrogatepass") for key in _keys(txn, start)]


def rows_of_host(txn: Transaction, host: str) -> list[list[object]]:
    """Return [table, key, value] of what is noted of *host*."""
    end = _end(host)
    return [[TABLE, key, b""] for key in _keys(txn, _PREFIX) if key.endswith(end)]


def _key(address_host: str, host: str) -> bytes:
    name = xxh3_64_hexdigest(address_host.encode("utf-8", "surrogatepass"))
    return _PREFIX + name.encode() + _end(host)


def _end(host: str) -> bytes:
    return b" " + host.encode("utf-8", "surrogatepass")


def _keys(txn: Transaction, start: bytes) -> Iterator[bytes]:
    for key, _ in txn.scan(TABLE, start):
        if not key.startswith(start):
            return
        yield bytes(key)
