"""Hamming distances of 64-bit values, one by one and of all pairs.

The distance of two values is the number of set bits of their exclusive or. :func:`near_slowly` and
:func:`pairs_slowly` compare everything with everything: what an index must find, and what it is
measured against.
Shapes: ``values: uint64[n]``, places ``int64[m]`` ascending, pairs ``int64[p, 2]``, i < j, ascending.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

N_BITS = 64


def check_distance(distance: int) -> None:
    """Raise ValueError for a *distance* outside 0 to 63."""
    if not 0 <= distance < N_BITS:
        raise ValueError(f"distance must be between 0 and {N_BITS - 1}, got {distance}")


def near_slowly(values: U64, query: int, distance: int) -> I64:
    """Return the places of the *values* that differ from *query* in at most *distance* bits."""
    return np.flatnonzero(np.bitwise_count(values ^ np.uint64(query)) <= distance)


def pairs_slowly(values: U64, distance: int) -> I64:
    """Return the pairs of *values* that differ in at most *distance* bits."""
    found = [
        (i, i + 1 + j)
        for i in range(len(values))
        for j in near_slowly(values[i + 1 :], int(values[i]), distance).tolist()
    ]
    return np.array(found, dtype=np.int64).reshape(-1, 2)
