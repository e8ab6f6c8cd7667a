"""The common part of two pages as sequences of events (XAS), found in linear time.

One page is cut into blocks of w events. A window of w events moves over the other page; where it is a block that
stands behind all that is common so far, the first such, both are common, with the events around them that are the same.
What is left between common parts goes through it again with a smaller w, of `WINDOWS`. With |D| the number of events
of a page, and c the number of common ones::

    d(D1, D2) = 1 - c(D1, D2) / max(|D1|, |D2|)

*Source: Gottron 2008, section 3.5.3, of Lindholm, Kangasharju and Tarkoma 2006*: events, and a heuristic after rsync
and xdelta in place of the longest common subsequence. The thesis has no more of it, and no distance. Our reading are
the blocks, which are rsync's; the sizes of windows; that common parts have one order in both pages, as they are to be
a page again; and that the page with fewer events is cut, of two with as many the one that is less where they first
differ.

Of a page the first `MAX_EVENTS` are compared. Shapes: events uint64[e] (:mod:`pipelines.templates.events`); a row
float64[n]. Cost: O(e1 + e2) for a pair; memory 16 bytes an event, and for a row up to 112 bytes an event of the largest
page. Invariant: symmetric, in [0, 1], 0 for a page with itself; c is at most the longest common subsequence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.templates.documents import Document

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

# From so many events that they are hardly the same by chance to one.
WINDOWS = (32, 16, 8, 4, 2, 1)
# Some ten for each of `pipelines.templates.rtdm.MAX_ELEMENTS`: start, end, attributes and text.
MAX_EVENTS = 100_000
# Odd, as powers of an even number lose the first events of a window.
_BASE, _SPREAD = 0x9E3779B97F4A7C15, 0xD1342543DE82EF95


class Blocks(NamedTuple):
    """Room for the blocks of a gap, a table of them by the hash of their events.

    Slot s is of the gap with number ``gap[s]``, or of none; ``first[s]`` is the first block with ``hash[s]`` that still
    counts, ``after[j]`` the next one with the same hash behind that at j, -1 for none.
    """

    hash: U64
    gap: I64
    first: I64
    after: I64


class Gap(NamedTuple):
    """Events of the page that is cut and of the other one, each between two common parts, and the *width* of windows.

    *number* is its own; 2^*n_bits* slots are for its blocks.
    """

    first_cut: int
    end_cut: int
    first: int
    end: int
    width: int
    number: int
    n_bits: int


def compared_events(document: Document) -> U64:
    """Return the first `MAX_EVENTS` events of *document*."""
    # A copy: a part would keep the whole.
    return document.events[:MAX_EVENTS].copy()


class XasRows:
    """The events of pages."""

    def __init__(self, pages: Sequence[U64]) -> None:
        self.size = np.array([len(each) for each in pages], np.int64)
        self.start = np.concatenate(([0], np.cumsum(self.size)))
        self.events = np.concatenate([np.zeros(0, np.uint64), *pages])

    def __len__(self) -> int:
        return len(self.size)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, by default all, float64[m]."""
        others = np.arange(len(self)) if others is None else others
        largest = np.maximum(self.size[others], self.size[place])
        return 1 - np.where(largest, self.common(place, others) / np.maximum(largest, 1), 1.0)

    def common(self, place: int, others: I64) -> I64:
        """Return how many events are common to the page at *place* and each of *others*, int64[m]."""
        n_events = int(self.size.max(initial=1))
        n_slots = 2 ** (2 * n_events).bit_length()
        blocks = Blocks(
            hash=np.empty(n_slots, np.uint64),
            gap=np.zeros(n_slots, np.int64),
            first=np.empty(n_slots, np.int64),
            after=np.empty(n_events, np.int64),
        )
        common = np.zeros(len(others), np.int64)
        partner = np.empty(n_events, np.int64)
        count_common(self.start, self.events, place, others, blocks, partner, common)
        return common


@lean_kernel
def count_common(  # noqa: PLR0913, PLR0917 - a kernel takes arrays one by one
    start: I64, events: U64, place: int, others: I64, blocks: Blocks, partner: I64, common: I64
) -> None:
    """Write how many events the page at *place* has in common with each of *others*; *partner* is room."""
    mine = events[start[place] : start[place + 1]]
    n_gaps = 0
    for entry in range(len(others)):
        theirs = events[start[others[entry]] : start[others[entry] + 1]]
        is_mine_cut = _is_less(mine, theirs)
        cut, other = (mine, theirs) if is_mine_cut else (theirs, mine)
        partner[: len(other)] = -1
        for width in WINDOWS:
            n_gaps, n_found = _match_gaps(cut, other, width, n_gaps, blocks, partner)
            common[entry] += n_found


@part
def _is_less(a: U64, b: U64) -> bool:
    if len(a) != len(b):
        return len(a) < len(b)
    for place in range(len(a)):
        if a[place] != b[place]:
            return bool(a[place] < b[place])
    return False


@part
def _match_gaps(
    cut: U64, other: U64, width: int, n_gaps: int, blocks: Blocks, partner: I64
) -> tuple[int, int]:
    """Match what has no partner yet; return the number of gaps so far, and how many events have one now."""
    n_found = first_cut = place = 0
    while place < len(other):
        if partner[place] >= 0:
            first_cut = partner[place] + 1
            place += 1
            continue
        first = place
        while place < len(other) and partner[place] < 0:
            place += 1
        end_cut = partner[place] if place < len(other) else len(cut)
        if min(end_cut - first_cut, place - first) < width:
            continue
        n_gaps += 1
        n_bits = 1
        while 2**n_bits * width < 2 * (end_cut - first_cut):
            n_bits += 1
        gap = Gap(first_cut, end_cut, first, place, width, n_gaps, n_bits)
        _add_blocks(cut, gap, blocks)
        n_found += _match_gap(cut, other, gap, blocks, partner)
    return n_gaps, n_found


@part
def _add_blocks(cut: U64, gap: Gap, blocks: Blocks) -> None:
    n_blocks = (gap.end_cut - gap.first_cut) // gap.width
    # The first one in the end is the first of its hash.
    for number in range(n_blocks - 1, -1, -1):
        at = gap.first_cut + number * gap.width
        hashed = _hash(cut, at, gap.width)
        slot = _slot(hashed, gap, blocks)
        blocks.after[at] = blocks.first[slot] if blocks.gap[slot] == gap.number else -1
        blocks.hash[slot], blocks.gap[slot], blocks.first[slot] = hashed, gap.number, at


@part
def _match_gap(cut: U64, other: U64, gap: Gap, blocks: Blocks, partner: I64) -> int:
    """Give partners to events of *other* in the *gap*; return to how many."""
    power = np.uint64(1)
    for _ in range(gap.width - 1):
        power *= np.uint64(_BASE)
    n_found, place, done, reached = 0, gap.first, gap.first, gap.first_cut
    hashed = _hash(other, place, gap.width)
    while place + gap.width <= gap.end:
        at = _block(hashed, reached, gap, blocks)
        n_same = 0
        if at >= 0:
            n_same = _n_same(cut[at : gap.end_cut], other[place : gap.end])
        if n_same < gap.width:
            if place + gap.width < gap.end:
                hashed = (hashed - other[place] * power) * np.uint64(_BASE) + other[
                    place + gap.width
                ]
            place += 1
            continue
        n_before = 0
        while place - n_before > done and at - n_before > reached:
            if cut[at - n_before - 1] != other[place - n_before - 1]:
                break
            n_before += 1
        for step in range(-n_before, n_same):
            partner[place + step] = at + step
        n_found += n_before + n_same
        done = place = place + n_same
        reached = at + n_same
        if place + gap.width <= gap.end:
            hashed = _hash(other, place, gap.width)
    return n_found


@part
def _block(hashed: Any, reached: int, gap: Gap, blocks: Blocks) -> int:
    """Return where the first block with the hash is from *reached* on, -1 for none."""
    slot = _slot(hashed, gap, blocks)
    if blocks.gap[slot] != gap.number:
        return -1
    # No later window wants those before.
    while 0 <= blocks.first[slot] < reached:
        blocks.first[slot] = blocks.after[blocks.first[slot]]
    return int(blocks.first[slot])


@part
def _slot(hashed: Any, gap: Gap, blocks: Blocks) -> int:
    """Return the slot of the hash in the table of *gap*."""
    slot = np.int64((hashed * np.uint64(_SPREAD)) >> np.uint64(64 - gap.n_bits))
    while blocks.gap[slot] == gap.number and blocks.hash[slot] != hashed:
        slot = (slot + 1) & (2**gap.n_bits - 1)
    return int(slot)


@part
def _hash(events: U64, first: int, width: int) -> Any:
    value = np.uint64(0)
    for place in range(first, first + width):
        value = value * np.uint64(_BASE) + events[place]
    return value


@part
def _n_same(a: U64, b: U64) -> int:
    """Return how many events two sequences begin with in common."""
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n
