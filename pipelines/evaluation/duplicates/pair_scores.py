"""How alike the two texts of each pair are, from 0 to 1, by sets, by places, and by bits.

Of sets A and B: *resemblance* |A & B| / |A | B|, *containment* of the smaller in the larger
|A & B| / min(|A|, |B|), and *mutual containment* |A & B| / max(|A|, |B|), which is the containment
of either in the other at least. By places: the share of the places at which two signatures are
equal, those of a value that stands for nothing left out of the count but not of the places. By
bits: 1 - d / 64, d being the Hamming distance.

*Source:* Broder 1997, section 2; Charikar 2002, section 3. Shapes: ``pairs: int64[p, 2]``, results
``float64[p]``; a set without members scores 0 with any. Cost: O(p) times the length of a set or of
a signature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

N_BITS = 64


class Sets(NamedTuple):
    """Sets one behind the other: ``members: uint64[m]``, each set ascending, ``starts: int64[n + 1]``."""

    members: U64
    starts: I64

    @classmethod
    def of(cls, hashes: Iterable[npt.NDArray[np.unsignedinteger]]) -> Sets:
        """Return *hashes* as sets; what is repeated counts once."""
        sets = [np.unique(each).astype(np.uint64) for each in hashes]
        starts = np.cumsum([0, *map(len, sets)]).astype(np.int64)
        return cls(np.concatenate([np.empty(0, dtype=np.uint64), *sets]), starts)

    def sizes(self, pairs: I64) -> F64:
        """Return the two sizes of each pair, float64[p, 2]."""
        sizes: F64 = np.diff(self.starts)[pairs].astype(np.float64)
        return sizes


def n_common(sets: Sets, pairs: I64) -> F64:
    """Return the number of members that the sets of each pair share."""
    counts = np.zeros(len(pairs), dtype=np.float64)
    _count_common(sets.members, sets.starts, pairs, counts)
    return counts


def resemblances(sets: Sets, pairs: I64) -> F64:
    """Return the resemblance of each pair."""
    common = n_common(sets, pairs)
    return _share(common, sets.sizes(pairs).sum(axis=1) - common)


def containments(sets: Sets, pairs: I64) -> F64:
    """Return the containment of the smaller set of each pair in the larger."""
    return _share(n_common(sets, pairs), sets.sizes(pairs).min(axis=1))


def mutual_containments(sets: Sets, pairs: I64) -> F64:
    """Return the mutual containment of each pair."""
    return _share(n_common(sets, pairs), sets.sizes(pairs).max(axis=1))


def mutual_of_resemblance(resemblance: F64, sizes: F64) -> F64:
    """Return the mutual containment of sets of *sizes* ``float64[p, 2]`` and of that resemblance.

    |A & B| = r / (1 + r) (|A| + |B|).
    """
    common = resemblance * sizes.sum(axis=1) / (1 + resemblance)
    return np.minimum(_share(common, sizes.max(axis=1)), 1.0)


def equal_places(signatures: npt.NDArray[np.unsignedinteger], pairs: I64, nothing: int) -> F64:
    """Return the share of places at which the signatures ``[n, k]`` of each pair are equal."""
    counts = np.zeros(len(pairs), dtype=np.float64)
    _count_equal(signatures.astype(np.uint64), pairs, np.uint64(nothing), counts)
    shares: F64 = counts / signatures.shape[1]
    return shares


def equal_bits(values: U64, pairs: I64) -> F64:
    """Return the share of the 64 bits in which the values of each pair are equal."""
    differing = values[pairs[:, 0]] ^ values[pairs[:, 1]]
    shares: F64 = 1 - np.bitwise_count(differing) / N_BITS
    return shares


def _share(part: F64, whole: F64) -> F64:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


@lean_kernel
def _count_common(members: U64, starts: I64, pairs: I64, counts: F64) -> None:
    for pair in range(pairs.shape[0]):
        i, j = starts[pairs[pair, 0]], starts[pairs[pair, 1]]
        i_end, j_end = starts[pairs[pair, 0] + 1], starts[pairs[pair, 1] + 1]
        n = 0
        while i < i_end and j < j_end:
            x, y = members[i], members[j]
            n += x == y
            i += x <= y
            j += y <= x
        counts[pair] = n


@lean_kernel
def _count_equal(signatures: U64, pairs: I64, nothing: np.uint64, counts: F64) -> None:
    for pair in range(pairs.shape[0]):
        i, j = pairs[pair, 0], pairs[pair, 1]
        n = 0
        for place in range(signatures.shape[1]):
            x = signatures[i, place]
            n += x == signatures[j, place] and x != nothing
        counts[pair] = n
