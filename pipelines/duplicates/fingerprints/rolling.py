"""A hash of every window of a text, each in constant time from the one before (Rabin and Karp 1987).

With x_0 … x_{n-1} the window's bytes or characters and B an odd constant::

    h = x_0 B^(n-1) + x_1 B^(n-2) + … + x_{n-1}   modulo 2^64

followed by a mixing of its bits, for those who look at the lowest of them. Shapes: ``units`` of m
numbers, result ``uint64[max(m - n + 1, 0)]``. Cost: O(m), whatever the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, read_only

if TYPE_CHECKING:
    import numpy.typing as npt

    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_BASE = np.uint64(0x9E3779B97F4A7C15)
# The finalizer of MurmurHash3, of 64 bits
_MIX_1 = np.uint64(0xFF51AFD7ED558CCD)
_MIX_2 = np.uint64(0xC4CEB9FE1A85EC53)


def window_hashes(units: U32, n: int) -> U64:
    """Return the hash of each window of *n* units; ValueError for *n* below 1."""
    if n < 1:
        raise ValueError(f"a window needs at least 1 unit, got {n}")
    hashes = np.empty(max(units.size - n + 1, 0), dtype=np.uint64)
    if hashes.size:
        _roll(read_only(units), n, hashes)
    return hashes


def code_points(text: str) -> U32:
    """Return the characters of *text* as numbers, uint32[m]."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


@lean_kernel
def _roll(units: U32, n: int, hashes: U64) -> None:
    rolled, leaving = np.uint64(0), np.uint64(1)
    for i in range(n):
        rolled = rolled * _BASE + np.uint64(units[i]) + np.uint64(1)
        leaving *= _BASE
    for i in range(hashes.size):
        value = rolled
        value = (value ^ (value >> np.uint64(33))) * _MIX_1
        value = (value ^ (value >> np.uint64(33))) * _MIX_2
        hashes[i] = value ^ (value >> np.uint64(33))
        if i + n < units.size:
            first = (np.uint64(units[i]) + np.uint64(1)) * leaving
            rolled = rolled * _BASE + np.uint64(units[i + n]) + np.uint64(1) - first
