"""The words of a text, written one after the other: a kernel for :mod:`crawler.page.word_spans`.

Of a stretch of ASCII 64 bytes are looked at in one go and each word is one copy. Other characters, and the few between
two of them, go one by one. *word* is where the word in hand begins in ``data``, *size* where its next byte goes,
*seen* the class bits of its characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.ascii_masks import (
    copy_64,
    first_bit,
    high_mask,
    space_mask,
    word_mask,
)
from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import lean_kernel, part
from crawler.page.characters import ASIAN, HAN, SPACE, WORD
from crawler.page.words import HAN_KANA_UNIT_CHARS, SOUTH_EAST_ASIAN_UNIT_CHARS

if TYPE_CHECKING:
    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]
    I64 = npt.NDArray[np.int64]

_UNITS = HAN | ASIAN
_SPACE_BYTE, _LAST_ASCII = 0x20, 0x7F
# The bytes of ASCII before another character from which it pays to take them at once.
_STRETCH = 4


@lean_kernel
def split_words(source: Bytes, end: int, classes: Bytes, data: Bytes, ends: I64) -> tuple[int, int]:
    """Write the words to *data* and their ends to *ends*; return how much of each is used."""
    # To the parts a plain 0 would be a type of its own: they would be compiled once more.
    start: Any = np.int64(0)
    size = n_words = word = at = start
    kind = seen = n_chars = 0
    while at < end:
        lead = byte_at(source, at)
        if kind == 0 and lead <= _LAST_ASCII:
            stop = min(at + first_bit(high_mask(source, at)), end)
            if stop >= at + _STRETCH:
                size, n_words, word, seen = _add_ascii(
                    source, at, stop, data, ends, size, n_words, word, seen
                )
                at = stop
                continue
        n_bytes = n_bytes_of(lead)
        bits = int(classes[code_point_at(source, at, n_bytes)])
        unit = bits & _UNITS
        if bits & SPACE or unit != kind or n_chars == _unit_chars(unit):
            size, n_words = _end_word(data, ends, size, n_words, word, seen)
            word = size
            kind, seen, n_chars = unit, 0, 0
        if not bits & SPACE:
            for i in range(n_bytes):
                data[size + i] = source[at + i]
            size += n_bytes
            seen |= bits
            n_chars += unit != 0
        at += n_bytes
    return _end_word(data, ends, size, n_words, word, seen)


@part
def _add_ascii(
    source: Bytes,
    at: int,
    stop: int,
    data: Bytes,
    ends: I64,
    size: int,
    n_words: int,
    word: int,
    seen: int,
) -> tuple[int, int, int, int]:
    """Add ASCII from *at* to *stop*, at most 64 bytes; return size, words, word and what is seen."""
    spaces, letters = space_mask(source, at), word_mask(source, at)
    while True:
        run = min(first_bit(spaces), stop - at)
        copy_64(source, at, data, size)
        if first_bit(letters) < run:
            seen |= WORD
        size, at = size + run, at + run + 1
        if at > stop:
            return size, n_words, word, seen
        size, n_words = _end_word(data, ends, size, n_words, word, seen)
        word, seen = size, 0
        if at == stop:
            return size, n_words, word, seen
        spaces, letters = spaces >> np.uint64(run + 1), letters >> np.uint64(run + 1)


@part
def _end_word(
    data: Bytes, ends: I64, size: int, n_words: int, word: int, seen: int
) -> tuple[int, int]:
    """Keep the word in hand if it has a letter or digit; return the new size and number of words."""
    if not seen & WORD:
        return word, n_words
    ends[n_words] = size
    data[size] = _SPACE_BYTE
    return size + 1, n_words + 1


@part
def _unit_chars(unit: int) -> int:
    """Return how long a unit of a script without spaces is; -1 for other scripts."""
    if unit == HAN:
        return HAN_KANA_UNIT_CHARS
    return SOUTH_EAST_ASIAN_UNIT_CHARS if unit == ASIAN else -1


@part
def n_bytes_of(lead: int) -> int:
    """Return how many bytes the character has that begins with *lead*."""
    return 1 + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0)


@part
def code_point_at(source: Bytes, at: int, size: int) -> int:
    """Return the character of *size* bytes at place *at*."""
    lead = byte_at(source, at)
    if size == 1:
        return lead
    point = lead & (0x7F >> size)
    for i in range(at + 1, at + size):
        point = (point << 6) | (byte_at(source, i) & 0x3F)
    return point
