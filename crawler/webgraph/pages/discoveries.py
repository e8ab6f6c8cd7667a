"""Hosts and pages found by one commit, as the log ``disc`` holds them.

*On disk.* A record (crawler.durable.records) of as many rows as pages, a msgpack map:

===========  =====================================================================================
``ids``      u32[h] little-endian: HostIDs of the hosts found, each less the one before, modulo 2^32
``hosts``    their keys, in the same order, each ended by the byte 255
``runs``     u32[3, r] little-endian: HostID, first LocalID and number of pages of each run of
             neighbouring ids; runs ascend, and a HostID is written less the one before
``heads``    the heads of the pages, first all low bytes, then all high ones
             (crawler.durable.page_state); that of the end of the commit
``levels``   u8[n] priorities; missing where all are the default
``locals``   the local keys of the pages, each ended by the byte 255; missing in a sealed run
``last``     the last sequence of the log that a sealed run covers; 0 in the log
===========  =====================================================================================

Replaying the log in order is the page table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.durable.records import pack_record, unpack_record
from crawler.errors import FormatError
from crawler.webgraph.texts import Texts, joined_texts, split_texts

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Discoveries:
    """The keys *hosts* of *host_ids* uint32[h]; pages with ascending *ids* uint64[n], *heads* uint16[n].

    *runs* uint32[3, r] are HostID, first LocalID and number of pages of each run of neighbours.
    *levels* uint8[n] are priorities, None where all are the default; *locals* are as
    `crawler.webgraph.texts.split_texts` returns them.
    """

    host_ids: U32
    hosts: Texts
    ids: U64
    runs: U32
    heads: U16
    levels: U8 | None
    locals: Texts

    @property
    def seeds(self) -> U32:
        """The HostID of each page, by which its fingerprint is seeded."""
        seeds: U32 = np.repeat(self.runs[0], self.runs[2])
        return seeds


def id_runs(ids: U64) -> U32:
    """Return the runs of neighbours in ascending *ids*: uint32[3, r]."""
    starts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1] + np.uint64(1))[: len(ids)])
    heads = ids[starts]
    counts = np.diff(np.append(starts, len(ids)))
    rows = (heads >> np.uint64(32), heads & np.uint64(0xFFFFFFFF), counts)
    return np.array([row.astype(np.uint32) for row in rows], dtype=np.uint32).reshape(3, -1)


def run_ids(runs: U32) -> U64:
    """Return the ids of *runs*: the inverse of :func:`id_runs`."""
    hosts, firsts, counts = (row.astype(np.uint64) for row in runs)
    n = int(counts.sum())
    offsets = np.cumsum(counts) - counts
    bases = (hosts << np.uint64(32) | firsts) - offsets
    ids: U64 = np.repeat(bases, counts.astype(np.int64)) + np.arange(n, dtype=np.uint64)
    return ids


def distinct(ids: U64) -> U64:
    """Return *ids* ascending, each once; faster than ``np.unique`` for some thousands."""
    ids = np.sort(ids)
    first = np.ones(len(ids), dtype=np.bool_)
    np.not_equal(ids[1:], ids[:-1], out=first[1:])
    return ids[first]


def are_among(ids: U64, ascending: U64) -> npt.NDArray[np.bool_]:
    """Tell which of *ids* are in *ascending*."""
    if not len(ascending):
        return np.zeros(len(ids), dtype=np.bool_)
    places = np.minimum(np.searchsorted(ascending, ids), len(ascending) - 1)
    found: npt.NDArray[np.bool_] = ascending[places] == ids
    return found


def pack_discoveries(found: Discoveries, *, last: int = 0) -> bytes:
    """Return the record of *found*: of a sealed run when *last* is given, of the log else."""
    runs = found.runs.copy()
    runs[0, 1:] -= runs[0, :-1].copy()
    record: dict[str, Any] = {
        "ids": np.diff(found.host_ids, prepend=np.uint32(0)).astype("<u4").tobytes(),
        "hosts": joined_texts(found.hosts, np.arange(len(found.hosts))),
        "runs": runs.astype("<u4").tobytes(),
        "heads": pack_planes(found.heads),
        "last": last,
    }
    if not last:
        record["locals"] = found.locals.data.tobytes()
    if found.levels is not None:
        record["levels"] = found.levels.tobytes()
    return pack_record(record, len(found.ids))


def unpack_discoveries(record: bytes) -> tuple[Discoveries, int]:
    """Return what *record* holds, and its last sequence; raise `FormatError` when it is damaged."""
    value = unpack_record(record)
    try:
        runs = np.frombuffer(value["runs"], dtype="<u4").astype(np.uint32).reshape(3, -1)
        runs[0] = np.cumsum(runs[0], dtype=np.uint32)
        levels = value.get("levels")
        found = Discoveries(
            host_ids=np.cumsum(np.frombuffer(value["ids"], dtype="<u4"), dtype=np.uint32),
            hosts=split_texts(value["hosts"]),
            ids=run_ids(runs),
            runs=runs,
            heads=unpack_planes(value["heads"]),
            levels=None if levels is None else np.frombuffer(levels, dtype=np.uint8),
            locals=split_texts(value.get("locals", b"")),
        )
        last = int(value["last"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _damaged(error) from error
    if len(found.hosts) != len(found.host_ids):
        raise _damaged("numbers of hosts differ")
    if len(found.ids) != len(found.heads) or not (last or len(found.ids) == len(found.locals)):
        raise _damaged("lengths differ")
    return found, last


def pack_planes(values: U16) -> bytes:
    """Return the low bytes of *values*, then the high ones: such planes compress best."""
    return (values & 0xFF).astype(np.uint8).tobytes() + (values >> 8).astype(np.uint8).tobytes()


def unpack_planes(raw: bytes) -> U16:
    """Return the values of :func:`pack_planes`."""
    low, high = np.frombuffer(raw, dtype=np.uint8).astype(np.uint16).reshape(2, -1)
    values: U16 = low | high << np.uint16(8)
    return values


def _damaged(what: object) -> FormatError:
    return FormatError(f"a record of pages is damaged ({what}); restore the journal from a copy")
