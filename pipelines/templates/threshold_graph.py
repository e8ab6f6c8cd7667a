# ruff: noqa: PLR0913, PLR0917 - parts of kernels hand their arrays on
"""The connected components of pages whose distance is below a threshold, without the matrix of distances.

Two sets A and B are linked if 1 - |A & B| / max(|A|, |B|) < t; with m the larger size, if they have at least c(m)
members in common, the fewest that say so. As c(m) does not fall with m, of every set the rarest |A| - c(|A|) + 1
members are enough to find all that it is linked with: two sets that have none of these in common lack too many (prefix
filter, Chaudhuri, Ganti and Kaushik 2006), and sets with |A| < c(|B|) are never linked (size filter). How many of the
rarest members are in common is counted for all sets at once; the others are counted for each set that has any, and that
may be near. Of each set there is a bitmap with a bit for each hash of a member: each bit of A that B has not is a
member that is not in common (bitmap filter, Sandes, Teodoro and Melo 2020). Sets that are in one component already are
not compared, nor are the owners of a member that all are. Empty sets are one component.
*Source of what is clustered: Gottron 2008, section 7.1.2, single linkage cut at a threshold.*

Shapes: n sets, int64[n] of the first set in the component of each. Cost: O(k log k) for k members in all, and for each
set the owners of its rarest members of which not all are in its component; memory that of the index, and one to two
bytes a member. Invariant: the components are those of the graph of all pairs below the threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import lean_kernel, part
from crawler.kernels.union_find import root_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.templates.set_rows import SetRows

    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

# Bits a member, on average, so that few members share one.
_BITS = 8
_MAX_WORDS = 64
_NO_SET, _SEVERAL = -1, -2


class Index(NamedTuple):
    """The arrays of :class:`pipelines.templates.set_rows.SetRows`, a bitmap of each set, and the sets by size."""

    start: I64
    members: U32
    first: I64
    owners: U32
    bitmaps: U64
    order: I64


class Seen(NamedTuple):
    """What is known of the sets that came before.

    ``alike``: of each member a set of the one component that all sets seen with it are in, or `_SEVERAL`; ``tried``:
    the last set that each component was tried with; ``common``: members in common with the set at hand, of those in
    ``touched``.
    """

    alike: I64
    tried: I64
    common: I64
    touched: I64


def components(rows: SetRows, threshold: float) -> I64:
    """Return for each set the first one of its component at distances below *threshold*, 0 to 1.

    >>> from pipelines.templates.set_rows import SetRows
    >>> sets = [np.array(each, np.uint64) for each in ([1, 2], [2, 3], [3, 4], [8])]
    >>> components(SetRows(sets), 0.6).tolist()
    [0, 0, 0, 3]
    """
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold must be from 0 to 1, got {threshold}")
    n = len(rows)
    above = np.arange(n)
    if threshold > 0 and n:
        order = np.argsort(rows.size, kind="stable")
        index = Index(rows.start, rows.members, rows.first, rows.owners, _bitmaps(rows), order)
        seen = Seen(
            np.full(len(rows.first) - 1, _NO_SET),
            np.full(n, _NO_SET),
            np.zeros(n, np.int64),
            np.empty(n, np.int64),
        )
        _join_near(index, np.argsort(order), threshold, above, seen)
    roots = np.array([_root(above, place) for place in range(n)], np.int64)
    _, first, component = np.unique(roots, return_index=True, return_inverse=True)
    return first[component]


def _bitmaps(rows: SetRows) -> U64:
    """Return a bitmap of the members of each set, uint64[n, words]."""
    wanted = _BITS * len(rows.members) / (64 * max(len(rows), 1))
    n_words = 1
    while n_words < min(wanted, _MAX_WORDS):
        n_words *= 2
    bitmaps = np.zeros((len(rows), n_words), np.uint64)
    _set_bits(rows.start, rows.members, bitmaps)
    return bitmaps


@lean_kernel
def _set_bits(start: I64, members: U32, bitmaps: U64) -> None:
    """Set in *bitmaps* the bits of the members of each set; there are 2^k words."""
    last_word = bitmaps.shape[1] - 1
    for row in range(len(bitmaps)):
        for k in range(start[row], start[row + 1]):
            # The high bits of a product depend on all bits of both (Knuth, section 6.4).
            spread = np.uint64(members[k]) * np.uint64(0x9E3779B97F4A7C15)
            word = np.int64(spread >> np.uint64(48)) & last_word
            bitmaps[row, word] |= np.uint64(1) << (spread >> np.uint64(32) & np.uint64(63))


@part
def _may_be_near(a: int, b: int, index: Index, fewest: int) -> bool:
    """Tell whether the bitmaps of *a* and *b* leave room for *fewest* members in common."""
    left_a = index.start[a + 1] - index.start[a] - fewest
    left_b = index.start[b + 1] - index.start[b] - fewest
    for word in range(index.bitmaps.shape[1]):
        first, second = index.bitmaps[a, word], index.bitmaps[b, word]
        left_a -= n_set_bits(first & ~second)
        left_b -= n_set_bits(second & ~first)
        if left_a < 0 or left_b < 0:
            return False
    return True


@lean_kernel
def _root(above: I64, place: int) -> int:
    return root_of(above, place)


@part
def _fewest_common(size: int, threshold: float) -> int:
    """Return the least number of common members of two sets, the larger of *size*, below *threshold*."""
    fewest = max(int((1 - threshold) * size) - 1, 0)
    while not 1 - fewest / size < threshold:
        fewest += 1
    return fewest


@part
def _is_near(a: int, b: int, first_a: int, n_common: int, index: Index, fewest: int) -> bool:
    """Tell whether *a* and *b* have *fewest* members in common, of which *n_common* lie before *first_a* in *a*."""
    i, end_i = first_a, index.start[a + 1]
    j, end_j = index.start[b], index.start[b + 1]
    if n_common and i < end_i:
        # What b has before is counted.
        j += np.searchsorted(index.members[j:end_j], index.members[i])
    n = n_common
    while n < fewest:
        if n + min(end_i - i, end_j - j) < fewest:
            return False
        first, second = index.members[i], index.members[j]
        n += first == second
        i += first <= second
        j += second <= first
    return True


@lean_kernel
def _join_near(index: Index, turn: I64, threshold: float, above: I64, seen: Seen) -> None:
    """Join in *above* what is linked; *turn*: the place of each set in the order by size."""
    empty = _NO_SET
    for place in range(len(turn)):
        this = index.order[place]
        size = index.start[this + 1] - index.start[this]
        if size == 0:
            if empty != _NO_SET:
                above[root_of(above, this)] = root_of(above, empty)
            empty = this
            continue
        fewest = _fewest_common(size, threshold)
        # Rarest first: what is behind is not enough on its own.
        end = index.start[this + 1] - fewest + 1
        n_touched = 0
        for k in range(index.start[this], end):
            member = index.members[k]
            alike = seen.alike[member]
            if alike == _NO_SET:
                seen.alike[member] = this
            elif alike == _SEVERAL or root_of(above, alike) != root_of(above, this):
                n_touched = _count(this, place, member, fewest, n_touched, index, turn, above, seen)
        for entry in range(n_touched):
            _settle(this, seen.touched[entry], end, fewest, index, above, seen)
        _note_rest(this, end, index, above, seen)


@part
def _count(
    this: int,
    place: int,
    member: int,
    fewest: int,
    n_touched: int,
    index: Index,
    turn: I64,
    above: I64,
    seen: Seen,
) -> int:
    """Count *member* for its owners that came before *this* and are in other components; return how many were touched.

    The first one of a component that is met is compared at once: most often it is of the same template, and
    what its component alone has need not be counted. Where all owners are in one component, the last of them
    is that one, and if it is near no other is looked at: of equal sets each would look at all before it.
    """
    is_one = True
    mine = root_of(above, this)
    last = seen.alike[member]
    if last != _SEVERAL and seen.tried[root_of(above, last)] != this:
        seen.tried[root_of(above, last)] = this
        if _may_be_near(this, last, index, fewest) and _is_near(
            this, last, index.start[this], 0, index, fewest
        ):
            above[root_of(above, last)] = mine
            seen.alike[member] = this
            return n_touched
    for entry in range(index.first[member], index.first[member + 1]):
        other = int(index.owners[entry])
        if turn[other] >= place:
            continue
        root = root_of(above, other)
        if root == mine:
            continue
        if seen.common[other] == 0:
            seen.touched[n_touched] = other
            n_touched += 1
        seen.common[other] += 1
        is_tried = seen.tried[root] == this
        seen.tried[root] = this
        if seen.common[other] >= fewest or (
            not is_tried
            and _may_be_near(this, other, index, fewest)
            and _is_near(this, other, index.start[this], 0, index, fewest)
        ):
            above[root] = mine
        else:
            is_one = False
    seen.alike[member] = this if is_one else _SEVERAL
    return n_touched


@part
def _settle(
    this: int, other: int, end: int, fewest: int, index: Index, above: I64, seen: Seen
) -> None:
    """Join *this* with *other* if they are near; its members before *end* are counted."""
    n_common = seen.common[other]
    seen.common[other] = 0
    root, mine = root_of(above, other), root_of(above, this)
    if (
        root != mine
        and _may_be_near(this, other, index, fewest)
        and _is_near(this, other, end, n_common, index, fewest)
    ):
        above[root] = mine


@part
def _note_rest(this: int, end: int, index: Index, above: I64, seen: Seen) -> None:
    """Note that *this* has its members from *end* on, whose owners were not looked at."""
    mine = root_of(above, this)
    for k in range(end, index.start[this + 1]):
        member = index.members[k]
        alike = seen.alike[member]
        if alike == _NO_SET:
            seen.alike[member] = this
        elif alike >= 0 and root_of(above, alike) != mine:
            seen.alike[member] = _SEVERAL
