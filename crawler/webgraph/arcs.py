"""The arcs of pages, as the journal's log holds them.

A page's arcs are the set of (target, flags): a target that is linked to twice in the same way is
held once, in the order of ids. Flags: bit 0 nofollow, bits 1 to 4 the kind of link
(crawler.page.links).

*On disk.* A record of ``arcs`` is a msgpack map of little-endian arrays: ``sources`` u64[k] captured
pages, ``counts`` u32[k] their arcs, ``targets`` u64[m], ``flags`` u8[m]. A page without arcs has
count 0, so that a later capture replaces the arcs of an earlier one.

Cost: O(m log m) a page for the set; before compression 9 bytes an arc and 12 a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.records import pack_record, unpack_record
from crawler.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

NOFOLLOW = np.uint8(1)
KIND_SHIFT = 1
MAX_KIND = 15


@dataclass(frozen=True, slots=True)
class PageArcs:
    """The arcs of one capture: *targets* uint64[m] and *flags* uint8[m], sorted, each pair once."""

    source: int
    targets: npt.NDArray[np.uint64]
    flags: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ArcBatch:
    """The arcs of many captures: *sources* uint64[k], *counts* uint32[k], *targets*, *flags* [m]."""

    sources: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.uint32]
    targets: npt.NDArray[np.uint64]
    flags: npt.NDArray[np.uint8]


def arc_flags(
    kind: npt.NDArray[np.uint8], nofollow: npt.NDArray[np.bool_]
) -> npt.NDArray[np.uint8]:
    """Return the flags of links of *kind*, with *nofollow* in bit 0."""
    if kind.size and int(kind.max()) > MAX_KIND:
        raise ValueError(f"kind must be at most {MAX_KIND}, got {int(kind.max())}")
    flags: npt.NDArray[np.uint8] = (
        kind.astype(np.uint8) << np.uint8(KIND_SHIFT)
    ) | nofollow.astype(np.uint8)
    return flags


def page_arcs(
    source: int, targets: npt.NDArray[np.uint64], flags: npt.NDArray[np.uint8]
) -> PageArcs:
    """Return the arcs of *source* as a set, sorted by target, then flags."""
    order = np.lexsort((flags, targets))
    targets, flags = targets[order], flags[order]
    first = np.ones(len(targets), dtype=np.bool_)
    first[1:] = (targets[1:] != targets[:-1]) | (flags[1:] != flags[:-1])
    return PageArcs(source, targets[first], flags[first])


def pack_arcs(pages: Sequence[PageArcs]) -> bytes:
    """Return the record of the arcs of *pages*, at least one."""
    value = {
        "sources": np.array([page.source for page in pages], dtype="<u8").tobytes(),
        "counts": np.array([len(page.targets) for page in pages], dtype="<u4").tobytes(),
        "targets": np.concatenate([page.targets for page in pages]).astype("<u8").tobytes(),
        "flags": np.concatenate([page.flags for page in pages]).astype("u1").tobytes(),
    }
    return pack_record(value, sum(len(page.targets) for page in pages))


def unpack_arcs(record: bytes) -> ArcBatch:
    """Return the arcs of *record*; raise `FormatError` when it is damaged."""
    value = unpack_record(record)
    try:
        batch = ArcBatch(
            np.frombuffer(value["sources"], dtype="<u8").astype(np.uint64),
            np.frombuffer(value["counts"], dtype="<u4").astype(np.uint32),
            np.frombuffer(value["targets"], dtype="<u8").astype(np.uint64),
            np.frombuffer(value["flags"], dtype=np.uint8),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"a record of arcs is damaged ({error}); restore it from a copy"
        ) from error
    if int(batch.counts.sum()) != len(batch.targets) or len(batch.targets) != len(batch.flags):
        raise FormatError("a record of arcs is damaged (lengths differ); restore it from a copy")
    return batch
