"""Pairs of pages in one number each: the smaller page number in the upper half, the other below.

Shapes: pairs are int64[p, 2], packed uint64[p]; numbers are below 2^32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def packed(pairs: I64) -> U64:
    """Return *pairs* of numbers, in any order, packed."""
    ordered = np.sort(pairs, axis=1).astype(np.uint64)
    both: U64 = ordered[:, 0] << _HALF | ordered[:, 1]
    return both


def unpacked(pairs: U64) -> I64:
    """Return packed *pairs* as rows of two numbers.

    >>> unpacked(packed(np.array([[7, 3]]))).tolist()
    [[3, 7]]
    """
    return np.stack((smaller(pairs), larger(pairs)), axis=1)


def smaller(pairs: U64) -> I64:
    """Return the smaller number of each of the packed *pairs*."""
    return (pairs >> _HALF).astype(np.int64)


def larger(pairs: U64) -> I64:
    """Return the larger number of each of the packed *pairs*."""
    return (pairs & _LOW).astype(np.int64)
