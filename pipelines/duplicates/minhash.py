"""Min-wise sketches: what two documents share, estimated from k numbers each.

Value i of the sketch of a set S is the least value of a permutation pi_i over S. Two sets have it
in common with the probability of their resemblance, so that the share of the positions where two
sketches are equal estimates it, with variance r (1 - r) / k. *Equality is by position: that of the
two sets of values would be too large.*

*Source:* Broder 1997, section 3.2; Broder, Charikar, Frieze, Mitzenmacher 2000; Pomikálek 2011,
3.2.1. Permutations are x -> a x + b modulo 2^32, a odd, of the upper half of a shingle's 64 bits
mixed with the lower; the pairs (a, b) are drawn from one seed and never change, so that sketches
of different days compare. The published permutations are of all 64 bits: of 10^5 shingles of one
document one in 43,000 has the half of another.

Shapes: ``hashes: uint64[m]``, with repetitions or without, a sketch is ``uint32[k]``. Cost: O(k m),
in vector instructions. Invariant: the order of *hashes* does not matter.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

N_VALUES = 128
# The sketch of an empty set, which is like none.
NOTHING = 2**32 - 1
_SEED = 20011


def sketch(hashes: U64, k: int = N_VALUES) -> U32:
    """Return the min-wise sketch of a set of *hashes*; all :data:`NOTHING` for the empty one.

    Raises ValueError for *k* below 1.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    values = np.empty(k, dtype=np.uint32)
    folded = (hashes ^ (hashes >> np.uint64(32))).astype(np.uint32)
    _minima(folded, *permutations(k), values)
    return values


def estimated_resemblance(a: U32, b: U32) -> float:
    """Return the share of the positions where *a* and *b* are equal; 0 when one is of an empty set.

    Raises ValueError for sketches of different lengths.
    """
    if a.shape != b.shape:
        raise ValueError(f"sketches must be of one length, got {a.size} and {b.size}")
    if (a == NOTHING).all() or (b == NOTHING).all():
        return 0.0
    return float((a == b).mean())


@cache
def permutations(k: int) -> tuple[U32, U32]:
    """Return the factors and the terms of the first *k* permutations, uint32[k] each."""
    rng = np.random.Generator(np.random.PCG64(_SEED))
    drawn = rng.integers(0, 2**32, size=(k, 2), dtype=np.uint32)
    return drawn[:, 0] | np.uint32(1), drawn[:, 1].copy()


@lean_kernel
def _minima(folded: U32, factors: U32, terms: U32, values: U32) -> None:
    """Write the least of each permutation over *folded* hashes."""
    for i in range(values.size):
        factor, term = factors[i], terms[i]
        least = np.uint32(NOTHING)
        # One load, product, sum and minimum for each vector: the minimum stays in a register.
        for j in range(folded.size):
            least = min(least, np.uint32(factor * folded[j] + term))
        values[i] = least
