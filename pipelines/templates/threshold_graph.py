"""The connected components of pages whose distance is below a threshold, without the matrix of distances.

Two sets A and B are linked if 1 - |A & B| / max(|A|, |B|) < t; with m the larger size, if they have at least
c(m) members in common, the fewest that say so. As c(m) does not fall with m, of every set the rarest |A| - c(|A|) + 1
members are enough to find all that it is linked with: two sets that have none of these in common lack too many
(prefix filter, Chaudhuri, Ganti and Kaushik 2006), and sets with |A| < c(|B|) are never linked (size
filter). Of each set there is a bitmap with a bit for each hash of a member: each bit of A that B has not is a member that is
not in common (bitmap filter, Sandes, Teodoro and Melo 2020); only what passes is compared. Sets that are in one component already are not compared, nor are the owners of a member that
all are. Empty sets are one component. *Source of what is clustered: Gottron 2008, section 7.1.2, single linkage
cut at a threshold.*

Shapes: n sets, int64[n] of the first set in the component of each. Cost: O(k log k) for k members in all, and for each set
the owners of its rarest members of which not all are in its component; memory that of the index, and one to two bytes a member.
Invariant: the components are those of the graph of all pairs below the threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import lean_kernel, part

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
        _join_near(
            (rows.start, rows.members, rows.first, rows.owners),
            _bitmaps(rows),
            order,
            np.argsort(order),
            threshold,
            above,
            np.full(len(rows.first) - 1, _NO_SET),
            np.full(n, _NO_SET),
        )
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
def _may_be_near(a: int, b: int, start: I64, bitmaps: U64, fewest: int) -> bool:
    """Tell whether the bitmaps of *a* and *b* leave room for *fewest* members in common."""
    left_a = start[a + 1] - start[a] - fewest
    left_b = start[b + 1] - start[b] - fewest
    for word in range(bitmaps.shape[1]):
        first, second = bitmaps[a, word], bitmaps[b, word]
        left_a -= n_set_bits(first & ~second)
        left_b -= n_set_bits(second & ~first)
        if left_a < 0 or left_b < 0:
            return False
    return True


@lean_kernel
def _root(above: I64, place: int) -> int:
    return _find(above, place)


@part
def _find(above: I64, place: int) -> int:
    while above[place] != place:
        above[place] = above[above[place]]
        place = above[place]
    return place


@part
def _fewest_common(size: int, threshold: float) -> int:
    """Return the least number of common members of two sets, the larger of *size*, below *threshold*."""
    fewest = max(int((1 - threshold) * size) - 1, 0)
    while not 1 - fewest / size < threshold:
        fewest += 1
    return fewest


@part
def _is_near(a: int, b: int, start: I64, members: U32, fewest: int) -> bool:
    """Tell whether the sets *a* and *b* have *fewest* members in common."""
    i, j = start[a], start[b]
    end_i, end_j = start[a + 1], start[b + 1]
    n = 0
    while n + min(end_i - i, end_j - j) >= fewest:
        if n == fewest:
            return True
        if i == end_i or j == end_j:
            return False
        first, second = members[i], members[j]
        n += first == second
        i += first <= second
        j += second <= first
    return False


@lean_kernel
def _join_near(  # noqa: PLR0913, PLR0917 - a kernel takes arrays one by one
    index: Any,
    bitmaps: U64,
    order: I64,
    turn: I64,
    threshold: float,
    above: I64,
    alike: I64,
    asked: I64,
) -> None:
    """Join in *above* what is linked.

    *order*: the sets by size; *turn*: the place of each in it. *alike*: of each member a set of the one component
    that all sets seen with it are in, or `_SEVERAL`. *asked*: the last set that each was compared with.
    """
    start, members, first, owners = index
    empty = _NO_SET
    for place in range(len(order)):
        this = order[place]
        size = start[this + 1] - start[this]
        if size == 0:
            if empty != _NO_SET:
                above[_find(above, this)] = _find(above, empty)
            empty = this
            continue
        fewest = _fewest_common(size, threshold)
        # Rarest first: what is behind is not enough on its own.
        for k in range(start[this], start[this + 1] - fewest + 1):
            member = members[k]
            if alike[member] == _NO_SET:
                alike[member] = this
                continue
            if alike[member] >= 0 and _find(above, alike[member]) == _find(above, this):
                continue
            alike[member] = _compare(
                this, place, fewest, start, members, bitmaps, owners[first[member] : first[member + 1]],
                turn, above, asked,
            )  # fmt: skip


@part
def _compare(  # noqa: PLR0913, PLR0917 - a part of a kernel hands its arrays on
    this: int,
    place: int,
    fewest: int,
    start: I64,
    members: U32,
    bitmaps: U64,
    owners: U32,
    turn: I64,
    above: I64,
    asked: I64,
) -> int:
    """Join *this* with those of *owners* that came before it and are near; return what they all are in."""
    is_one = True
    mine = _find(above, this)
    for entry in range(len(owners)):
        other = int(owners[entry])
        if turn[other] >= place:
            continue
        root = _find(above, other)
        if root == mine:
            continue
        if asked[other] != this:
            asked[other] = this
            if _may_be_near(this, other, start, bitmaps, fewest) and _is_near(
                this, other, start, members, fewest
            ):
                above[root] = mine
                continue
        is_one = False
    return this if is_one else _SEVERAL
