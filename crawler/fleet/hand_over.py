"""Links to hosts of other shards: what is handed over to their owner, and how.

Each transaction that ends pages puts the links to hosts of another shard into one record for its
owner. Records for an owner are numbered from 1 without gaps. They stay in the sender's table ``out``
until the owner acknowledges that it has taken them, which it does when its own transaction is
durable; the owner takes them in order, each once, and passes over what it has taken. So a *transport* may
lose records, bring them late or twice, as long as what is sent again arrives in the end.

A page whose arcs replace older ones is listed with what it links to now, and with nothing for an owner
that may have older arcs only: a page listed takes the place of its older arcs there.

*On disk and on the way.* A record (crawler.durable.records) of as many rows as links, a msgpack map, numbers
little-endian: ``sources`` u64[s] PageIds, ``times`` i64[s] ms since 1970 when they were captured, ``counts`` u32[s]
links of each; ``hosts``, distinct host keys, and ``locals``, a local key for each link, each ended by the byte 255;
``host_of`` u32[n] place of each link's host among them; ``wishes`` u16[n] (crawler.frontier.wishes); ``flags`` u8[n]
(crawler.webgraph.arcs.records); ``priorities`` f32[n], missing where all are 0; ``categories``, a list of [host key,
its category paths] for hosts that seeds redirect to (crawler.frontier.hosts.redirected), missing where there are none.
A map with ``kind`` is something else (crawler.frontier.shards.moves, crawler.frontier.hosts.sitemap_names,
crawler.frontier.hosts.site_hosts). Tables of the journal: ``out``, u16 big-endian owner and u64 number → the record;
``taken``, u16 sender → u64 number of the last one that was taken.
"""

from __future__ import annotations

import struct
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgpack
import numpy as np

from crawler.durable.journal import next_number
from crawler.durable.records import pack_record
from crawler.errors import FormatError
from crawler.urls import KeyList

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.urls import PageKey

_KEY = struct.Struct(">HQ")
_SHARD = struct.Struct(">H")
_NUMBER = struct.Struct(">Q")
_END = b"\xff"


class Sent(NamedTuple):
    """Record number *number* from shard *source* for shard *owner*."""

    source: int
    owner: int
    number: int
    record: bytes


class Transport(Protocol):
    """Carries records between the shards; none of its methods waits.

    It may lose what it was given, and deliver twice, but keeps the order of what a shard sends
    another one. After `was_lost` the sender sends again what was not acknowledged.
    """

    def send(self, sent: Sent) -> None:
        """Carry *sent* to its owner."""

    def has_news(self) -> bool:
        """Tell whether one of the next three may have something: it is asked at each request."""

    def received(self) -> list[Sent]:
        """Return the records that have arrived since the last call."""

    def acknowledged(self) -> Mapping[int, int]:
        """Return the last number that each owner has acknowledged since the last call."""

    def was_lost(self) -> set[int]:
        """Return the owners that may have lost records since the last call."""

    def acknowledge(self, source: int, number: int) -> None:
        """Tell *source* that its records up to *number* are taken for good."""


class Links(NamedTuple):
    """Links for one owner: *counts* of them for each of *sources*, with *keys* and the rest in order; *categories* by
    host.
    """

    sources: npt.NDArray[np.uint64]
    times: npt.NDArray[np.int64]
    counts: npt.NDArray[np.uint32]
    keys: Sequence[PageKey]
    wishes: npt.NDArray[np.uint16]
    flags: npt.NDArray[np.uint8]
    priorities: npt.NDArray[np.float32] | None
    categories: Mapping[str, Sequence[str]] = MappingProxyType({})


def pack_links(links: Links) -> bytes:
    """Return the record of *links*."""
    keys = KeyList.of(links.keys)
    hosts, host_of = _hosts_of(keys)
    bounds = zip(keys.starts.tolist(), keys.ends.tolist(), strict=True)
    value: dict[str, Any] = {
        "sources": links.sources.astype("<u8").tobytes(),
        "times": links.times.astype("<i8").tobytes(),
        "counts": links.counts.astype("<u4").tobytes(),
        "hosts": b"".join(host.encode("utf-8", "surrogatepass") + _END for host in hosts),
        "host_of": host_of.tobytes(),
        "locals": b"".join([keys.data[start:end] + _END for start, end in bounds]),
        "wishes": links.wishes.astype("<u2").tobytes(),
        "flags": links.flags.tobytes(),
    }
    if links.priorities is not None and links.priorities.any():
        value["priorities"] = links.priorities.astype("<f4").tobytes()
    if links.categories:
        value["categories"] = [
            [
                host.encode("utf-8", "surrogatepass"),
                [path.encode("utf-8", "replace") for path in its],
            ]
            for host, its in links.categories.items()
        ]
    return pack_record(value, len(keys))


def _hosts_of(keys: KeyList) -> tuple[list[str], npt.NDArray[np.uint32]]:
    """Return the distinct hosts of *keys*, and the place of each key's among them."""
    places: dict[str, int] = {}
    used = np.unique(keys.host)
    place_of = np.zeros(len(keys.hosts), dtype="<u4")
    place_of[used] = [places.setdefault(keys.hosts[host], len(places)) for host in used.tolist()]
    return list(places), place_of[keys.host]


def links_of(value: Mapping[str, Any]) -> Links:
    """Return the links of a record that was unpacked; raise `FormatError` when it is damaged."""
    try:
        keys = _keys(value)
        priorities = value.get("priorities")
        links = Links(
            np.frombuffer(value["sources"], dtype="<u8").astype(np.uint64),
            np.frombuffer(value["times"], dtype="<i8").astype(np.int64),
            np.frombuffer(value["counts"], dtype="<u4").astype(np.uint32),
            keys,
            np.frombuffer(value["wishes"], dtype="<u2").astype(np.uint16),
            np.frombuffer(value["flags"], dtype=np.uint8),
            None if priorities is None else np.frombuffer(priorities, "<f4").astype(np.float32),
            {
                host.decode("utf-8", "surrogatepass"): [path.decode("utf-8") for path in its]
                for host, its in value.get("categories", ())
            },
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise FormatError(f"links that were handed over are damaged ({error})") from error
    n_links, n_sources = len(links.keys), len(links.sources)
    of_links = [links.wishes, links.flags, *([] if priorities is None else [links.priorities])]
    if (
        any(len(column) != n_links for column in of_links if column is not None)
        or not len(links.times) == len(links.counts) == n_sources
        or int(links.counts.sum(dtype=np.int64)) != n_links
    ):
        raise FormatError("links that were handed over are damaged (lengths)")
    return links


def _keys(value: Mapping[str, Any]) -> KeyList:
    """Return the keys of a record that was unpacked; raise `ValueError` for what is none."""
    locals_: bytes = value["locals"]
    hosts = [host.decode("utf-8", "surrogatepass") for host in value["hosts"].split(_END)[:-1]]
    locals_.replace(_END, b"\n").decode("utf-8", "surrogatepass")
    host_of = np.frombuffer(value["host_of"], dtype="<u4").astype(np.int64)
    ends = np.flatnonzero(np.frombuffer(locals_, dtype=np.uint8) == _END[0])
    if len(ends) != len(host_of) or (host_of >= len(hosts)).any():
        raise ValueError("places")
    starts = np.zeros_like(ends)
    starts[1:] = ends[:-1] + 1
    return KeyList(hosts, host_of, locals_, starts, ends)


# --- the tables of the journal ---------------------------------------------------------------------


def put_out(txn: Transaction, owner: int, record: bytes) -> None:
    """Add *record* to what is to be sent to *owner*."""
    txn.put("out", _KEY.pack(owner, next_number(txn, f"out:{owner}")), record)


def read_out(txn: Transaction, owner: int, first: int) -> Iterator[tuple[int, bytes]]:
    """Yield (number, record) of what is to be sent to *owner*, from number *first* on."""
    for key, record in txn.scan("out", _KEY.pack(owner, first)):
        found, number = _KEY.unpack(key)
        if found != owner:
            return
        yield number, record


def stray_keys(txn: Transaction, shards: Sequence[int]) -> list[bytes]:
    """Return the keys in ``out`` of what is to be sent to shards other than *shards*."""
    return [key for key in txn.keys("out") if _KEY.unpack(key)[0] not in shards]


def delete_out(txn: Transaction, owner: int, last: int) -> None:
    """Delete what *owner* has acknowledged, up to number *last*."""
    for number in [number for number, _ in read_out(txn, owner, 0) if number <= last]:
        txn.delete("out", _KEY.pack(owner, number))


def last_out(txn: Transaction, owner: int) -> int:
    """Return the number of the last record that was ever made for *owner*."""
    raw = txn.get("meta", f"out:{owner}".encode())
    return msgpack.unpackb(raw) if raw else 0


def last_taken(txn: Transaction, source: int) -> int:
    """Return the number of the last record of *source* that was taken."""
    raw = txn.get("taken", _SHARD.pack(source))
    return 0 if raw is None else int(_NUMBER.unpack(raw)[0])


def put_taken(txn: Transaction, source: int, number: int) -> None:
    """Note that the records of *source* up to *number* are taken."""
    txn.put("taken", _SHARD.pack(source), _NUMBER.pack(number))
