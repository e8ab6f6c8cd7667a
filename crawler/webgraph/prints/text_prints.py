"""64-bit fingerprints of many texts at once: XXH64, seeded by the host of each text.

A page's fingerprint is that of its local key with its HostID as seed, so that equal paths of two
hosts have unrelated ones; one whose lower 56 bits are 0, which mark an empty slot, has 1 added. Of n pages two share a
fingerprint with probability n^2 / 2^65: 7e-5 at 5·10^7.

Invariant: equal to ``xxhash.xxh64_intdigest(text, seed)``. Source: XXH64 as its specification
(xxhash_spec.md, version 0.2.0) gives it. Cost: about 20 ns a URL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import find_byte, u32_at, u64_at
from crawler.kernels.jit import lean_kernel, part
from crawler.webgraph.texts import END

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.texts import Texts

# xxhash_spec.md, XXH64: PRIME64_1 to PRIME64_5
_PRIME_1 = np.uint64(0x9E3779B185EBCA87)
_PRIME_2 = np.uint64(0xC2B2AE3D27D4EB4F)
_PRIME_3 = np.uint64(0x165667B19E3779F9)
_PRIME_4 = np.uint64(0x85EBCA77C2B2AE63)
_PRIME_5 = np.uint64(0x27D4EB2F165667C5)


@part
def _rotated(value: np.uint64, left: np.uint64) -> np.uint64:
    return (value << left) | (value >> (np.uint64(64) - left))


@part
def _round(lane: np.uint64, word: np.uint64) -> np.uint64:
    return _rotated(lane + word * _PRIME_2, np.uint64(31)) * _PRIME_1


@part
def _merged(value: np.uint64, lane: np.uint64) -> np.uint64:
    return (value ^ _round(np.uint64(0), lane)) * _PRIME_1 + _PRIME_4


@part
def _stripes(data: npt.NDArray[np.uint8], at: int, size: int, seed: np.uint64) -> np.uint64:
    """Return the state after the stripes of 32 bytes; at least one."""
    a, b = seed + _PRIME_1 + _PRIME_2, seed + _PRIME_2
    c, d = seed, seed - _PRIME_1
    for stripe in range(at, at + size - 31, 32):
        a = _round(a, u64_at(data, stripe))
        b = _round(b, u64_at(data, stripe + 8))
        c = _round(c, u64_at(data, stripe + 16))
        d = _round(d, u64_at(data, stripe + 24))
    value = _rotated(a, np.uint64(1)) + _rotated(b, np.uint64(7))
    value += _rotated(c, np.uint64(12)) + _rotated(d, np.uint64(18))
    return _merged(_merged(_merged(_merged(value, a), b), c), d)


@part
def _xxh64(data: npt.NDArray[np.uint8], at: int, size: int, seed: np.uint64) -> np.uint64:
    end = at + size
    value = seed + _PRIME_5
    if size >= 32:
        value = _stripes(data, at, size, seed)
        at += size & ~31
    value += np.uint64(size)
    while at + 8 <= end:
        value = _rotated(value ^ _round(np.uint64(0), u64_at(data, at)), np.uint64(27))
        value = value * _PRIME_1 + _PRIME_4
        at += 8
    if at + 4 <= end:
        value = _rotated(value ^ (u32_at(data, at) * _PRIME_1), np.uint64(23))
        value = value * _PRIME_2 + _PRIME_3
        at += 4
    while at < end:
        value = _rotated(value ^ (np.uint64(data[at]) * _PRIME_5), np.uint64(11)) * _PRIME_1
        at += 1
    value = (value ^ (value >> np.uint64(33))) * _PRIME_2
    value = (value ^ (value >> np.uint64(29))) * _PRIME_3
    return value ^ (value >> np.uint64(32))


@part
def print_of(data: npt.NDArray[np.uint8], start: int, end: int, seed: np.uint64) -> np.uint64:
    """Return the fingerprint of a text."""
    value = _xxh64(data, start, end - start, seed)
    return value | np.uint64(value << np.uint64(8) == 0)


@lean_kernel
def _fill_prints(
    data: npt.NDArray[np.uint8],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    seeds: npt.NDArray[np.uint32],
    prints: npt.NDArray[np.uint64],
) -> None:
    for i in range(ends.size):
        prints[i] = print_of(data, starts[i], ends[i], np.uint64(seeds[i]))


def fill_prints(raw: bytes, seeds: npt.NDArray[np.uint32], prints: npt.NDArray[np.uint64]) -> int:
    """Write the fingerprints of the texts in *raw*, each ended by the byte 255, to *prints*.

    Returns how many texts there are; those for which there is no seed have none.
    """
    return _fill_split(np.frombuffer(raw, dtype=np.uint8), seeds, prints)


@lean_kernel
def _fill_split(
    data: npt.NDArray[np.uint8], seeds: npt.NDArray[np.uint32], prints: npt.NDArray[np.uint64]
) -> int:
    n, start = 0, 0
    end = find_byte(data, start, data.size, END)
    while end < data.size:
        if n < seeds.size:
            prints[n] = print_of(data, start, end, np.uint64(seeds[n]))
        n, start = n + 1, end + 1
        end = find_byte(data, start, data.size, END)
    return n


def text_prints(texts: Texts, seeds: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """Return the fingerprint of each of *texts*, each with its seed."""
    prints = np.empty(len(texts), dtype=np.uint64)
    _fill_prints(texts.data, texts.starts, texts.ends, seeds, prints)
    return prints
