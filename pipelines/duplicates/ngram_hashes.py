"""xxh3-64 of every word n-gram of a text, in one compiled pass over its bytes.

Notation: words w_1 … w_m, joined by one space and encoded as UTF-8; n-gram i is the bytes from the
start of w_i to the end of w_{i+n-1}, so nothing is copied. Fewer than n words, but at least one,
make a single n-gram of all of them; no words make none.

*Source:* xxHash 0.8.3, the functions XXH3_len_1to3_64b to XXH3_len_17to128_64b with seed 0,
https://github.com/Cyan4973/xxHash/blob/v0.8.3/xxhash.h; its primes and its secret stand below.
Deviation: n-grams of more than 128 bytes, one in thousands, and of none go through the
`xxhash` package.

Shapes: ``data: uint8[bytes]``, ``starts, ends: int64[g]``, result ``uint64[g]``. Cost: time linear
in n times the bytes, memory 24 bytes a n-gram. Invariant: every value equals
``xxhash.xxh3_64_intdigest`` of its n-gram. Words must not hold a space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from crawler.kernels.byte_search import u32_at, u64_at
from crawler.kernels.jit import lean_kernel, part, read_only
from crawler.page.word_spans import utf8_word_spans
from pipelines.duplicates.lower_case import lower_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_SPACE = 0x20
_MAX_COMPILED_BYTES = 128

# xxhash.h, XXH3_kSecret: its first 128 bytes as little-endian words
_SECRET = np.frombuffer(
    bytes.fromhex(
        "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
        "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
        "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
        "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    ),
    dtype="<u8",
).astype(np.uint64)
_LOW_32 = np.uint64(0xFFFFFFFF)
_FLIP_1TO3 = (_SECRET[0] & _LOW_32) ^ (_SECRET[0] >> np.uint64(32))
_FLIP_4TO8 = _SECRET[1] ^ _SECRET[2]
_FLIP_9TO16_FIRST = _SECRET[3] ^ _SECRET[4]
_FLIP_9TO16_LAST = _SECRET[5] ^ _SECRET[6]

# xxhash.h: XXH_PRIME64_1 to _3, then PRIME_MX1 and PRIME_MX2
_PRIME_1 = np.uint64(0x9E3779B185EBCA87)
_PRIME_2 = np.uint64(0xC2B2AE3D27D4EB4F)
_PRIME_3 = np.uint64(0x165667B19E3779F9)
_PRIME_MX1 = np.uint64(0x165667919E3779F9)
_PRIME_MX2 = np.uint64(0x9FB21C651E98DF25)


@part
def _folded_product(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the low word xor the high word of the 128-bit product (XXH3_mul128_fold64)."""
    half, low_32 = np.uint64(32), np.uint64(0xFFFFFFFF)
    low = (a & low_32) * (b & low_32)
    cross = (low >> half) + (a >> half) * (b & low_32)
    middle = (cross & low_32) + (a & low_32) * (b >> half)
    high = (a >> half) * (b >> half) + (cross >> half) + (middle >> half)
    return (a * b) ^ high


@part
def _avalanche(value: np.uint64) -> np.uint64:
    value = (value ^ (value >> np.uint64(37))) * _PRIME_MX1
    return value ^ (value >> np.uint64(32))


@part
def _hash_1to3(data: npt.NDArray[np.uint8], at: int, size: int) -> np.uint64:
    first, middle, last = data[at], data[at + (size >> 1)], data[at + size - 1]
    value = (
        (np.uint64(first) << np.uint64(16))
        | (np.uint64(middle) << np.uint64(24))
        | np.uint64(last)
        | (np.uint64(size) << np.uint64(8))
    ) ^ _FLIP_1TO3
    value = (value ^ (value >> np.uint64(33))) * _PRIME_2
    mixed: np.uint64 = (value ^ (value >> np.uint64(29))) * _PRIME_3
    return mixed ^ (mixed >> np.uint64(32))


@part
def _hash_4to8(data: npt.NDArray[np.uint8], at: int, size: int) -> np.uint64:
    last = u32_at(data, at + size - 4)
    value = (last + (u32_at(data, at) << np.uint64(32))) ^ _FLIP_4TO8
    # XXH3_rrmxmx: rotations by 49 and 24 to the left
    value ^= ((value << np.uint64(49)) | (value >> np.uint64(15))) ^ (
        (value << np.uint64(24)) | (value >> np.uint64(40))
    )
    value *= _PRIME_MX2
    value ^= (value >> np.uint64(35)) + np.uint64(size)
    mixed: np.uint64 = value * _PRIME_MX2
    return mixed ^ (mixed >> np.uint64(28))


@part
def _hash_9to16(data: npt.NDArray[np.uint8], at: int, size: int) -> np.uint64:
    first = u64_at(data, at) ^ _FLIP_9TO16_FIRST
    last = u64_at(data, at + size - 8) ^ _FLIP_9TO16_LAST
    swapped = np.uint64(0)
    for i in range(8):
        swapped |= ((first >> np.uint64(8 * i)) & np.uint64(0xFF)) << np.uint64(56 - 8 * i)
    value: np.uint64 = np.uint64(size) + swapped + last + _folded_product(first, last)
    return _avalanche(value)


@part
def _hash_17to128(data: npt.NDArray[np.uint8], at: int, size: int) -> np.uint64:
    value = np.uint64(size) * _PRIME_1
    for i in range((size + 31) // 32):
        front, back, secret = at + 16 * i, at + size - 16 * (i + 1), 4 * i
        value += _folded_product(
            u64_at(data, front) ^ _SECRET[secret], u64_at(data, front + 8) ^ _SECRET[secret + 1]
        )
        value += _folded_product(
            u64_at(data, back) ^ _SECRET[secret + 2],
            u64_at(data, back + 8) ^ _SECRET[secret + 3],
        )
    return _avalanche(value)


@lean_kernel
def _hash_spans(
    data: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64], n: int, hashes: npt.NDArray[np.uint64]
) -> bool:
    """Write the hash of each n-gram; return whether one is too long, or empty, for this kernel."""
    is_left = False
    # To the parts a plain 0 would be a type of its own: they would be compiled once more.
    at: Any = np.int64(0)
    for i in range(hashes.size):
        size = ends[i + n - 1] - at
        if size > 16:
            if size <= _MAX_COMPILED_BYTES:
                hashes[i] = _hash_17to128(data, at, size)
        elif size > 8:
            hashes[i] = _hash_9to16(data, at, size)
        elif size > 3:
            hashes[i] = _hash_4to8(data, at, size)
        elif size > 0:
            hashes[i] = _hash_1to3(data, at, size)
        is_left |= size > _MAX_COMPILED_BYTES or size == 0
        at = ends[i] + 1
    return is_left


def ngram_hashes(words: Sequence[str], n: int) -> npt.NDArray[np.uint64]:
    """Return xxh3-64 of each *n*-gram of *words*, ``uint64[max(m - n + 1, min(m, 1))]``.

    Repeated n-grams are repeated in the result. Raises `ValueError` for *n* below 1.
    """
    # texts of ours hold no surrogates; a caller's may, and must not end a crawl
    encoded = " ".join(words).encode("utf-8", "surrogatepass") + b" " * bool(words)
    data = np.frombuffer(encoded, dtype=np.uint8)
    return _hashes(data, np.flatnonzero(data == _SPACE), n)


def text_ngram_hashes(text: str, n: int) -> npt.NDArray[np.uint64]:
    """Return xxh3-64 of each *n*-gram of the density tokens of *text* in small letters.

    Equal to :func:`ngram_hashes` of them, without a string a word. Raises `ValueError` likewise.
    """
    return _hashes(*utf8_word_spans(lower_utf8(text)), n)


def _hashes(
    data: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64], n: int
) -> npt.NDArray[np.uint64]:
    if n < 1:
        msg = f"n must be at least 1, got {n}"
        raise ValueError(msg)
    if not len(ends):
        return np.empty(0, dtype=np.uint64)
    n = min(n, len(ends))
    hashes = np.empty(len(ends) + 1 - n, dtype=np.uint64)
    if _hash_spans(read_only(data), ends, n, hashes):
        last = ends[n - 1 :]
        starts = np.concatenate(([0], ends[: len(hashes) - 1] + 1))
        sizes = last - starts
        for i in np.flatnonzero((sizes > _MAX_COMPILED_BYTES) | (sizes == 0)).tolist():
            hashes[i] = xxhash.xxh3_64_intdigest(data[starts[i] : last[i]].tobytes())
    return hashes
