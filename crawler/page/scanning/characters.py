"""Characters in UTF-8: reading one from the source, writing one to a buffer.

The source is valid UTF-8, as :mod:`crawler.page.encoding.text` gives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import part

if TYPE_CHECKING:
    from crawler.page.scanning.state import U8


@part
def read_character(source: U8, place: int) -> tuple[int, int]:
    """Return the code point at *place* and where the next one begins."""
    first = byte_at(source, place)
    if first < 0x80:
        return first, place + 1
    if first < 0xE0:
        return (first & 0x1F) << 6 | (byte_at(source, place + 1) & 0x3F), place + 2
    if first < 0xF0:
        middle = (byte_at(source, place + 1) & 0x3F) << 6
        return (first & 0x0F) << 12 | middle | (byte_at(source, place + 2) & 0x3F), place + 3
    high = (first & 0x07) << 18 | (byte_at(source, place + 1) & 0x3F) << 12
    low = (byte_at(source, place + 2) & 0x3F) << 6 | (byte_at(source, place + 3) & 0x3F)
    return high | low, place + 4


@part
def write_character(buffer: U8, place: int, point: int) -> int:
    """Write the code point *point* at *place* of *buffer*; return the place behind it."""
    if point < 0x80:
        buffer[place] = point
        return place + 1
    if point < 0x800:
        buffer[place] = 0xC0 | point >> 6
        buffer[place + 1] = 0x80 | point & 0x3F
        return place + 2
    if point < 0x10000:
        buffer[place] = 0xE0 | point >> 12
        buffer[place + 1] = 0x80 | point >> 6 & 0x3F
        buffer[place + 2] = 0x80 | point & 0x3F
        return place + 3
    buffer[place] = 0xF0 | point >> 18
    buffer[place + 1] = 0x80 | point >> 12 & 0x3F
    buffer[place + 2] = 0x80 | point >> 6 & 0x3F
    buffer[place + 3] = 0x80 | point & 0x3F
    return place + 4
