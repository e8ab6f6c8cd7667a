"""Counting bits, in kernels."""

from __future__ import annotations

import numpy as np

from crawler.kernels.jit import part


@part
def n_set_bits(x: np.uint64) -> int:
    """Return the number of bits of *x* that are set (Warren, Hacker's Delight, 2nd edition, figure 5-2)."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    x = (x & pairs) + ((x >> np.uint64(2)) & pairs)
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
