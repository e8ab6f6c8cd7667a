"""The digests that exact duplicates share: of the main text, and of the raw bytes.

Two main texts are exact duplicates when they are equal after Unicode normalisation (NFC) and after
every run of white space, line ends among it, has become one space. Letter case, punctuation and
word order count: texts that differ there are near-duplicates.

:func:`bytes_digest` is of a response as it came. Most duplicates of main texts differ there, by a
time of day or an advertisement; pages of equal bytes need not be parsed, and files that hold no
text can be compared by it.

*Source:* Pomikálek 2011, 3.1 and 3.6.1 (one document per checksum of the cleaned text). Deviation:
xxh3-128 instead of MD5, which is faster; a collision among 10^9 texts has probability 1.5e-21.

Cost: linear in the text. Invariant: ``text_digest(a) == text_digest(b)`` if and only if
``normalised(a) == normalised(b)``, collisions apart.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from crawler.kernels.ascii_masks import WIDTH, break_mask, first_bit, high_mask, space_mask
from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import lean_kernel
from crawler.page.characters import SPACE, UNSETTLED, character_classes
from crawler.page.scanning.word_spans import code_point_at, n_bytes_of

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]


_LINE_FEED, _SPACE, _LAST_ASCII = 0x0A, 0x20, 0x7F


def normalised(text: str) -> str:
    r"""Fold what exact duplicates may differ in: composition (NFC) and white space.

    >>> normalised("  One\n\ttwo\u00a0three ")
    'One two three'
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def text_digest(text: str) -> bytes:
    """Return the 16-byte digest of *text*; an empty text, or one of white space, has one too.

    Lone surrogates, which no decoder of ours lets through, are digested as they stand.
    """
    data = text.encode("utf-8", "surrogatepass")
    if _is_folded(np.frombuffer(data, np.uint8), character_classes()):
        return xxhash.xxh3_128_digest(data.replace(b"\n", b" "))
    return xxhash.xxh3_128_digest(normalised(text).encode("utf-8", "surrogatepass"))


@lean_kernel
def _is_folded(data: U8, classes: U8) -> bool:
    """Tell whether a text is sure to be its own normal form, but for single line feeds, as main texts are."""
    # To the parts a plain 0 would be a type of its own: they would be compiled once more.
    start: Any = np.int64(0)
    place, end, was_space = start, len(data), True
    while place < end:
        byte = byte_at(data, place)
        if byte > _LAST_ASCII:
            size = n_bytes_of(byte)
            if classes[code_point_at(data, place, size)] & (SPACE | UNSETTLED):
                return False
            was_space = False
            place += size
        elif place + WIDTH <= end:
            size = first_bit(high_mask(data, place))
            within = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(WIDTH - size)
            spaces = space_mask(data, place) & within
            before = spaces << np.uint64(1) | np.uint64(was_space)
            if spaces != break_mask(data, place) & within or spaces & before:
                return False
            was_space = spaces >> np.uint64(size - 1) != 0
            place += size
        else:
            is_space = byte in (_SPACE, _LINE_FEED)
            if (byte < _SPACE and not is_space) or (is_space and was_space):
                return False
            was_space = is_space
            place += 1
    return not was_space or end == 0


def bytes_digest(data: bytes) -> bytes:
    """Return the 16-byte digest of raw *data*; no data have one too.

    >>> bytes_digest(b"<p>One two") == bytes_digest(b"<p>One  two")
    False
    """
    return xxhash.xxh3_128_digest(data)
