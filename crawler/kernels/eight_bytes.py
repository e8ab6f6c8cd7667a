"""Eight bytes at once, as one number of 64 bits with the first byte lowest: what stands before a sign, small letters.

All bytes are compared by sums that stay within each (Warren 2013, Hacker's Delight, section 6-1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crawler.kernels.ascii_masks import first_bit
from crawler.kernels.jit import part

_ONES = 0x01_01_01_01_01_01_01_01
_ALL_BITS, _LOW_BITS, _HIGH_BITS = (_ONES * byte for byte in (255, 127, 128))
_FROM_A, _BEYOND_Z = (_ONES * byte for byte in (128 - ord("A"), 127 - ord("Z")))


@part
def n_above(eight: Any, last: int) -> int:
    """Return how many of *eight* bytes come before the first that is at most *last*, which is below 128."""
    low = eight & np.uint64(_LOW_BITS)
    above = (low + np.uint64(_ONES) * np.uint64(127 - last)) | eight
    others = ~above & np.uint64(_HIGH_BITS)
    return int(first_bit(others) >> 3) if others else 8


@part
def small_letters(eight: Any) -> Any:
    """Return *eight* bytes with the capitals of ASCII as small letters."""
    low = eight & np.uint64(_LOW_BITS)
    is_capital = (low + np.uint64(_FROM_A)) & ~(low + np.uint64(_BEYOND_Z)) & ~eight
    return eight | (is_capital & np.uint64(_HIGH_BITS)) >> np.uint64(2)


@part
def first_of(eight: Any, n: int) -> Any:
    """Return the first *n* of *eight* bytes, 0 for the others."""
    if n >= 8:
        return eight
    return eight & ~(np.uint64(_ALL_BITS) << np.uint64(8 * n))
