"""The arcs of pages, as the journal's log holds them.

A page's arcs are the set of (target, flags): a target that is linked to twice in the same way is
held once, in the order of ids. Flags: bit 0 nofollow, bits 1 to 4 the kind of link
(crawler.page.links).

*On disk.* A record of ``arcs`` is a msgpack map: ``counts``, the numbers of pages, targets and
entries of flags, and a binary value for each stream of a flat block (crawler.webgraph.arcs.streams). A
page without arcs is there too, so that a later capture replaces the arcs of an earlier one; of a
page that was captured twice within the record only the later capture is there.

Cost: O(m log m) a page for the set; about a byte an arc and two a page, compressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.records import pack_record, unpack_record
from crawler.errors import FormatError
from crawler.kernels.jit import lean_kernel, read_only
from crawler.webgraph.arcs.blocks import NOFOLLOW, ArcBatch, ArcBlock
from crawler.webgraph.arcs.streams import BITS, Streams, streams_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

KIND_SHIFT = 1
MAX_KIND = 15

# The streams of a flat block.
FLAT_STREAMS = Streams._fields[:BITS]

__all__ = [
    "NOFOLLOW",
    "ArcBatch",
    "PageArcs",
    "arc_flags",
    "pack_arcs",
    "pack_batch",
    "page_arcs",
    "unpack_arcs",
    "unpack_block",
]


@dataclass(frozen=True, slots=True)
class PageArcs:
    """The arcs of one capture: *targets* uint64[m] and *flags* uint8[m], sorted, each pair once."""

    source: int
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
    n = len(targets)
    kept_targets, kept_flags = np.empty(n, dtype=np.uint64), np.empty(n, dtype=np.uint8)
    n = _settle(targets, read_only(flags), targets.argsort(), kept_targets, kept_flags)
    return PageArcs(source, kept_targets[:n], kept_flags[:n])


@lean_kernel
def _settle(
    targets: npt.NDArray[np.uint64],
    flags: npt.NDArray[np.uint8],
    order: npt.NDArray[np.int64],
    kept_targets: npt.NDArray[np.uint64],
    kept_flags: npt.NDArray[np.uint8],
) -> int:
    """Write each pair once, given the *order* of targets; return their number."""
    end = begin = 0  # of what was written, and of the pairs with the last target
    for i in range(order.size):
        target, flag = targets[order[i]], flags[order[i]]
        if end == 0 or target != kept_targets[end - 1]:
            begin = end
        place = end
        while place > begin and kept_flags[place - 1] > flag:
            place -= 1
        if place > begin and kept_flags[place - 1] == flag:
            continue
        for k in range(end, place, -1):
            kept_flags[k] = kept_flags[k - 1]
        kept_targets[end], kept_flags[place] = target, flag
        end += 1
    return end


def pack_arcs(pages: Sequence[PageArcs]) -> bytes:
    """Return the record of the arcs of *pages*, at least one; of equal sources the last counts."""
    latest = {page.source: page for page in pages}
    ordered = [latest[source] for source in sorted(latest)]
    batch = ArcBatch(
        np.array([page.source for page in ordered], dtype=np.uint64),
        np.array([len(page.targets) for page in ordered], dtype=np.uint32),
        np.concatenate([page.targets for page in ordered]),
        np.concatenate([page.flags for page in ordered]),
    )
    return pack_batch(batch)


def pack_batch(batch: ArcBatch) -> bytes:
    """Return the record of *batch*, whose sources ascend, each once."""
    block = ArcBlock.of(batch)
    streams = {name: getattr(block.streams, name).tobytes() for name in FLAT_STREAMS}
    counts = [block.n_sources, block.n_targets, block.n_flags]
    return pack_record({"counts": counts, **streams}, len(batch.targets))


def unpack_block(record: bytes) -> ArcBlock:
    """Return the block of *record*; raise `FormatError` when it is damaged."""
    value = unpack_record(record)
    try:
        n_sources, n_targets, n_flags = map(int, value["counts"])
        streams = [np.frombuffer(value[name], dtype=np.uint8) for name in FLAT_STREAMS]
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"a record of arcs is damaged ({error}); restore it from a copy"
        ) from error
    if min(n_sources, n_targets, n_flags) < 0:
        raise FormatError("a record of arcs is damaged (counts); restore it from a copy")
    return ArcBlock(n_sources, n_targets, n_flags, streams_of(streams))


def unpack_arcs(record: bytes) -> ArcBatch:
    """Return the arcs of *record*; raise `FormatError` when it is damaged."""
    return unpack_block(record).batch()
