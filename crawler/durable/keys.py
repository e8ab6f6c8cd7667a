"""Keys of the journal's tables: numbers big-endian, so that they sort as numbers do, and text."""

from __future__ import annotations

import struct

from xxhash import xxh3_128_digest

# LMDB's compiled-in limit
MAX_KEY_BYTES = 511

_DIGEST_BYTES = 16

_U64 = struct.Struct(">Q")
_U32 = struct.Struct(">I")
_U32_PAIR = struct.Struct(">II")


def u64_key(number: int) -> bytes:
    """Return *number* as 8 bytes: a page id, a sequence, a time in ms."""
    return _U64.pack(number)


def u64_of(key: bytes) -> int:
    """Return the number in the first 8 bytes of *key*."""
    number: int = _U64.unpack_from(key)[0]
    return number


def u32_key(number: int) -> bytes:
    """Return *number* as 4 bytes: a HostID."""
    return _U32.pack(number)


def u32_pair_key(first: int, second: int) -> bytes:
    """Return two numbers as 4 bytes each: a run and a group of it."""
    return _U32_PAIR.pack(first, second)


def u32_of(key: bytes) -> int:
    """Return the number in the first 4 bytes of *key*."""
    number: int = _U32.unpack_from(key)[0]
    return number


def text_key(text: str) -> bytes:
    """Return *text* as a key, cut to what LMDB takes and then ending in its digest.

    >>> text_key("com.example.www")
    b'com.example.www'
    """
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= MAX_KEY_BYTES - _DIGEST_BYTES:
        return raw
    return raw[: MAX_KEY_BYTES - _DIGEST_BYTES] + xxh3_128_digest(raw)
