"""``str.lower`` as UTF-8, for texts that are hashed: most of them without a string of the whole.

The letters of ASCII are made small by ``bytes.lower``; of the other characters those that are made small by
themselves, to as many bytes, by a table. A text with any other (a final sigma, the dotted capital I) is left to
``str.lower``. Invariant: what is returned is ``text.lower().encode("utf-8", "surrogatepass")``.

Shapes: ``small: uint16[65536]``, the small letter of every code point of the BMP, 0 where the table does not say.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.byte_search import byte_at, find_above
from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U16 = npt.NDArray[np.uint16]

_BMP_END = 0x10000
_SIGMA = 0x3A3
_LAST_ASCII = 0x7F
# Of the characters with four bytes those from here on, emoji among them, have no small letters.
_LAST_LEAD, _FIRST_BARE = 0xF0, 0x9F


def lower_utf8(text: str) -> bytes | bytearray:
    """Return *text* in small letters.

    >>> lower_utf8("À LA CARTE").decode()
    'à la carte'
    """
    data = text.encode("utf-8", "surrogatepass").lower()
    if text.isascii():
        return data
    changed = bytearray(data)
    if _make_small(np.frombuffer(changed, np.uint8), _small_letters()):
        return changed
    return text.lower().encode("utf-8", "surrogatepass")


@cache
def _small_letters() -> U16:
    """Return the table, made at the first call."""
    small = np.arange(_BMP_END, dtype=np.uint16)
    for point in range(_LAST_ASCII + 1, _BMP_END):
        letter = chr(point)
        lower = letter.lower()
        if lower != letter:
            is_like = len(lower.encode("utf-8")) == len(letter.encode("utf-8"))
            small[point] = ord(lower) if is_like and len(lower) == 1 else 0
    small[_SIGMA] = 0  # small in one way within a word, in another at its end
    return small


@lean_kernel
def _make_small(data: U8, small: U16) -> bool:
    """Make *data* small beyond ASCII; return False, and leave it unfinished, if it cannot be told how."""
    end = len(data)
    # To the part a plain 0 would be a type of its own: it would be compiled once more.
    start: Any = np.int64(0)
    place = find_above(data, start, end, _LAST_ASCII)
    while place < end:
        lead = byte_at(data, place)
        if lead >= _LAST_LEAD:
            if byte_at(data, place + 1) < _FIRST_BARE:
                return False
            place += 4
        elif lead >= 0xE0:
            low, middle = byte_at(data, place + 2) & 0x3F, byte_at(data, place + 1) & 0x3F
            point = (lead & 0x0F) << 12 | middle << 6 | low
            letter = np.int64(small[point])
            if letter == 0:
                return False
            if letter != point:
                data[place] = 0xE0 | letter >> 12
                data[place + 1] = 0x80 | letter >> 6 & 0x3F
                data[place + 2] = 0x80 | letter & 0x3F
            place += 3
        else:
            point = (lead & 0x1F) << 6 | byte_at(data, place + 1) & 0x3F
            letter = np.int64(small[point])
            if letter == 0:
                return False
            if letter != point:
                data[place] = 0xC0 | letter >> 6
                data[place + 1] = 0x80 | letter & 0x3F
            place += 2
        if place < end and byte_at(data, place) <= _LAST_ASCII:
            place = find_above(data, place, end, _LAST_ASCII)
    return True
