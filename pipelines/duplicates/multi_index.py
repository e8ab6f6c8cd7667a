"""Multi-index hashing of 64-bit values: all within a Hamming distance of k, by pieces of them.

The 64 bits are cut into m pieces. With k = m s + a, 0 <= a < m, two values that differ in at most k
bits have a piece among the first a + 1 that differs in at most s bits, or one of the others that
differs in at most s - 1: else they would differ in (a + 1)(s + 1) + (m - a - 1) s = k + 1 bits. So a
look-up asks for each piece's neighbours at that distance, and compares what it finds. With m > k
that is s = 0: k + 1 pieces that must be equal, the others are not asked (Henzinger 2006).

*Source:* Norouzi, Punjani, Fleet 2012, sections 2 and 3 (the refined radii of proposition 2);
Pomikálek 2011, 3.2.2.

Shapes: ``values: uint64[n]`` in any order, repetitions allowed; an index of a piece is the pieces of
all values, sorted, ``uint64[n]``, and their places ``int64[n]``. Memory: 16 m + 8 bytes a value.
Time of a look-up: for a piece of b bits and radius s, the sum of C(b, i), i = 0..s, searches of
log2(n) steps; m of about 64 / log2(n) is best (there, section 5). The index is made once.

Invariant: a look-up returns what a comparison with all values does.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import kernel, part
from pipelines.duplicates.hamming import N_BITS, check_distance

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

# A look-up of more would take longer than a comparison with all values.
MAX_PROBES = 10_000_000
_FIRST_ROOM = 64


class Piece(NamedTuple):
    """Bits of a value: the lowest, how many, and how many of them may differ."""

    first: int
    width: int
    radius: int


def pieces_of(distance: int, n_pieces: int) -> list[Piece]:
    """Return the pieces that a look-up asks for.

    Raises ValueError for a distance outside 0 to 63, *n_pieces* outside 1 to 64, and for so many
    neighbours that no look-up would end.

    >>> [piece.radius for piece in pieces_of(7, 4)]
    [1, 1, 1, 1]
    >>> [piece.radius for piece in pieces_of(5, 4)]
    [1, 1, 0, 0]
    """
    check_distance(distance)
    if not 1 <= n_pieces <= N_BITS:
        raise ValueError(f"n_pieces must be between 1 and {N_BITS}, got {n_pieces}")
    s, a = divmod(distance, n_pieces)
    bounds = [N_BITS * piece // n_pieces for piece in range(n_pieces + 1)]
    pieces = [
        Piece(bounds[at], bounds[at + 1] - bounds[at], s if at <= a else s - 1)
        for at in range(n_pieces)
        if s or at <= a
    ]
    n_probes = sum(comb(width, bits) for _, width, r in pieces for bits in range(r + 1))
    if n_probes > MAX_PROBES:
        raise ValueError(f"n_pieces is too small for distance {distance}: {n_probes:,} neighbours")
    return pieces


class MultiIndex:
    """All values within *distance* bits of a query, 0 to 63, by *n_pieces* pieces."""

    def __init__(self, values: U64, distance: int, n_pieces: int = 4):
        self.distance = distance
        self.pieces = pieces_of(distance, n_pieces)
        self.values = values
        shape = (len(self.pieces), len(values))
        self._keys = np.empty(shape, dtype=np.uint64)
        self._places = np.empty(shape, dtype=np.int64)
        for row, (first, width, _) in enumerate(self.pieces):
            keys = (values >> np.uint64(first)) & np.uint64((1 << width) - 1)
            self._places[row] = np.argsort(keys, kind="stable")
            self._keys[row] = keys[self._places[row]]
        self._shape = np.array(self.pieces, dtype=np.uint64)

    def near(self, query: int) -> I64:
        """Return the places of the values near *query*, ascending."""
        found = _near(
            self.values, self._keys, self._places, self._shape, np.uint64(query), self.distance
        )
        return np.unique(found)

    def pairs(self) -> I64:
        """Return all pairs of values within the distance, i < j, ascending."""
        found = [
            (place, other)
            for place, value in enumerate(self.values.tolist())
            for other in self.near(value).tolist()
            if other > place
        ]
        return np.array(found, dtype=np.int64).reshape(-1, 2)


@part
def _first_at_least(keys: U64, row: int, wanted: np.uint64) -> int:
    low, high = 0, keys.shape[1]
    while low < high:
        middle = (low + high) // 2
        if keys[row, middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _near(values: U64, keys: U64, places: I64, pieces: U64, query: np.uint64, distance: int) -> I64:
    one = np.uint64(1)
    found = np.empty(_FIRST_ROOM, dtype=np.int64)
    n_found = 0
    for row in range(pieces.shape[0]):
        width = pieces[row, 1]
        whole = np.uint64(0xFFFFFFFFFFFFFFFF) >> (np.uint64(64) - width)
        piece = (query >> pieces[row, 0]) & whole
        for n_bits in range(np.int64(pieces[row, 2]) + 1):
            flips = whole >> (width - np.uint64(n_bits)) if n_bits else np.uint64(0)
            while True:
                wanted = piece ^ flips
                at = _first_at_least(keys, row, wanted)
                while at < keys.shape[1] and keys[row, at] == wanted:
                    if n_set_bits(values[places[row, at]] ^ query) <= distance:
                        if n_found == found.size:
                            found = np.append(found, np.empty_like(found))
                        found[n_found] = places[row, at]
                        n_found += 1
                    at += 1
                if n_bits == 0:
                    break
                # The next number of as many set bits (Hacker's Delight, 2nd edition, section 2-1).
                lowest = flips & (~flips + one)
                carried = flips + lowest
                if carried > whole or carried == 0:
                    break
                flips = carried | (((carried ^ flips) >> np.uint64(2)) // lowest)
    return found[:n_found].copy()
