"""Up to eight ASCII letters of a word at once, in one number of 64 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.ascii_masks import first_bit
from crawler.kernels.byte_search import u64_at
from crawler.kernels.jit import part

if TYPE_CHECKING:
    import numpy.typing as npt

_ALL_BITS, _LOW_BITS, _HIGH_BITS = (0x01_01_01_01_01_01_01_01 * byte for byte in (255, 127, 128))
_BITS_32, _FROM_A, _BEYOND_Z = (
    0x01_01_01_01_01_01_01_01 * byte for byte in (32, 128 - ord("a"), 127 - ord("z"))
)


@part
def letters_at(data: npt.NDArray[np.uint8], start: int) -> tuple[int, int, Any]:
    """Return how many letters stand at *start*, eight at most, how many of them are large, and their key.

    The key has them as small letters, the first one lowest.
    """
    if start + 8 > len(data):
        return 0, 0, np.uint64(0)
    word = u64_at(data, start)
    lower = word | np.uint64(_BITS_32)
    low = lower & np.uint64(_LOW_BITS)
    # The highest bit of each byte: whether it is at least "a", beyond "z", no ASCII.
    is_letter = (low + np.uint64(_FROM_A)) & ~(low + np.uint64(_BEYOND_Z)) & ~word
    is_none = ~is_letter & np.uint64(_HIGH_BITS)
    if is_none & np.uint64(128):
        return 0, 0, np.uint64(0)
    n = first_bit(is_none) >> 3
    kept = np.uint64(_ALL_BITS) >> np.uint64(64 - 8 * n)
    large = ~word << np.uint64(2) & np.uint64(_HIGH_BITS) & kept
    n_large = 0
    while large:
        n_large += 1
        large &= large - np.uint64(1)
    return n, n_large, lower & kept
