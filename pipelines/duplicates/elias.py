"""Elias' gamma code: whole numbers from 1 on in about 2 log2 x bits each.

x of b binary digits is b - 1 zeros and then its digits. *Source:* Elias 1975; Pomikálek 2011, 3.4.2,
which stores n-grams of word numbers so; numbers from 0 on are stored as x + 1.

Shapes: ``bits: uint8[m]``, the first bit of a byte being its highest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, read_only

if TYPE_CHECKING:
    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]
    U64 = npt.NDArray[np.uint64]


def encode(values: U64) -> Bytes:
    """Return the code of *values*, each from 0 to 2^63."""
    n_digits = np.frexp(values.astype(np.float64) + 1)[1].astype(np.int64)
    bits = np.zeros(int((2 * n_digits + 1).sum()) // 8 + 1, dtype=np.uint8)
    n_bits = _encode(values, bits)
    return bits[: (n_bits + 7) // 8]


def decode(bits: Bytes, n: int) -> U64:
    """Return the first *n* values of *bits*; ValueError when they end before."""
    values = np.empty(n, dtype=np.uint64)
    if _decode(read_only(bits), values) != n:
        raise ValueError(f"the code ends before value {n}")
    return values


@lean_kernel
def _encode(values: U64, bits: Bytes) -> int:
    at = 0
    for i in range(values.size):
        value = values[i] + np.uint64(1)
        n_digits = 0
        while value >> np.uint64(n_digits):
            n_digits += 1
        at += n_digits - 1
        for digit in range(n_digits - 1, -1, -1):
            if (value >> np.uint64(digit)) & np.uint64(1):
                bits[at >> 3] |= np.uint8(128 >> (at & 7))
            at += 1
    return at


@lean_kernel
def _decode(bits: Bytes, values: U64) -> int:
    at, end = 0, 8 * bits.size
    for i in range(values.size):
        n_more = 0
        while at < end and not bits[at >> 3] & np.uint8(128 >> (at & 7)):
            n_more += 1
            at += 1
        if at + n_more >= end:
            return i
        value = np.uint64(0)
        for _ in range(n_more + 1):
            value = (value << np.uint64(1)) | np.uint64((bits[at >> 3] >> (7 - (at & 7))) & 1)
            at += 1
        values[i] = value - np.uint64(1)
    return values.size
