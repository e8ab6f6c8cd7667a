"""Character references: ``&amp;``, ``&eacute``, ``&#8211;``.

Source: HTML standard, sections 13.2.5.72 to 13.2.5.80 and 13.5 (names). In an attribute a name without
its semicolon must be one of the old ones, whole, and no ``=`` may follow: ``?a=1&copy=2`` holds no
copyright sign. A number stands for what windows-1252 has there from 128 to 159, for U+FFFD when it is
no character.
"""

from __future__ import annotations

from functools import cache
from html.entities import html5
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import cold_part, part
from crawler.page.scanning.characters import read_character

if TYPE_CHECKING:
    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]

# FNV-1a, 64 bits, in signed numbers.
_BASIS = 0xCBF29CE484222325 - (1 << 64)
_PRIME = 0x100000001B3
_SLOTS = 8192
_AMPERSAND = 38
_LONGEST = 31
# The longest name that may stand without its semicolon.
_LONGEST_OLD = 6
_REPLACEMENT = 0xFFFD
_MAX_CODE_POINT = 0x10FFFF
# The reference is none; its "&" is text.
LITERAL = -1


class ReferenceTable(NamedTuple):
    """The names, with their semicolon where they need one.

    ``rows``, int64[8192, 5]: hash (0: free), first byte in ``text``, length, first and second code
    point or 0. ``windows`` holds the code points of windows-1252 from 128 to 159.
    """

    rows: npt.NDArray[np.int64]
    text: Bytes
    windows: npt.NDArray[np.int64]


@cache
def reference_table() -> ReferenceTable:
    """Return the table of all 2,231 names, made at the first call."""
    rows = np.zeros((_SLOTS, 5), np.int64)
    text = bytearray()
    for name, characters in html5.items():
        key = _hash(name.encode())
        slot = key % _SLOTS
        while rows[slot, 0]:
            slot = (slot + 1) % _SLOTS
        first, second, *_ = *map(ord, characters), 0
        rows[slot] = key, len(text), len(name), first, second
        text += name.encode()
    windows = [ord(bytes([byte]).decode("cp1252", "replace")) for byte in range(128, 160)]
    kept = [128 + i if point == _REPLACEMENT else point for i, point in enumerate(windows)]
    return ReferenceTable(rows, np.frombuffer(bytes(text), np.uint8), np.array(kept, np.int64))


def _hash(name: bytes) -> int:
    value = _BASIS % (1 << 64)
    for byte in name:
        value = (value ^ byte) * _PRIME % (1 << 64)
    return value - (value >> 63 << 64)


@cold_part
def read_reference(
    source: Bytes, start: int, end: int, table: ReferenceTable, in_attribute: bool
) -> tuple[int, int, int]:
    """Read the reference at the ``&`` in *start*: its end, first and second code point or 0.

    The first one is LITERAL, and the end that of the ``&``, when it is no reference.
    """
    place = start + 1
    if place < end and source[place] == 35:  # "#"
        place, point = _read_number(source, place + 1, end, table.windows)
        return (place, point, 0) if point >= 0 else (start + 1, LITERAL, 0)
    value = _BASIS
    slot = -1
    name_end = start + 1
    # The longest old name that the run begins with is remembered on the way.
    while place < end and place - start <= _LONGEST and _is_alphanumeric(source[place]):
        value = (value ^ byte_at(source, place)) * _PRIME
        place += 1
        if 2 <= place - start - 1 <= _LONGEST_OLD:
            found = _slot_of(source, start + 1, place, value, table)
            if found >= 0:
                slot, name_end = found, place
    if place < end and source[place] == 59:  # ";"
        value = (value ^ 59) * _PRIME
        found = _slot_of(source, start + 1, place + 1, value, table)
        if found >= 0:
            return place + 1, table.rows[found, 3], table.rows[found, 4]
    if slot < 0:
        return start + 1, LITERAL, 0
    if in_attribute:
        whole = name_end == place
        if not whole or (place < end and source[place] == 61):  # "="
            return start + 1, LITERAL, 0
    return name_end, table.rows[slot, 3], table.rows[slot, 4]


@part
def next_point(
    source: Bytes, place: int, end: int, second: int, table: ReferenceTable, in_attribute: bool
) -> tuple[int, int, int]:
    """Return the next code point, where it ends, and the second one of a reference or 0.

    *second* is that of the reference before, which comes first.
    """
    if second:
        return second, place, 0
    if byte_at(source, place) == _AMPERSAND:
        place, point, second = read_reference(source, place, end, table, in_attribute)
        return (_AMPERSAND if point == LITERAL else point), place, second
    point, place = read_character(source, place)
    return point, place, 0


@part
def _slot_of(source: Bytes, start: int, end: int, value: int, table: ReferenceTable) -> int:
    slot = value & _SLOTS - 1
    while table.rows[slot, 0] != 0:
        if table.rows[slot, 0] == value and table.rows[slot, 2] == end - start:
            offset = table.rows[slot, 1]
            same = True
            for i in range(end - start):
                same = same and source[start + i] == table.text[offset + i]
            if same:
                return slot
        slot = (slot + 1) & _SLOTS - 1
    return -1


@part
def _is_alphanumeric(byte: int) -> bool:
    return 48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122


@cold_part
def _read_number(
    source: Bytes, start: int, end: int, windows: npt.NDArray[np.int64]
) -> tuple[int, int]:
    place = start
    is_hexadecimal = place < end and (source[place] | 32) == 120  # "x"
    if is_hexadecimal:
        place += 1
    first_digit = place
    value = 0
    while place < end:
        digit = _digit(source[place], is_hexadecimal)
        if digit < 0:
            break
        value = min(value * (16 if is_hexadecimal else 10) + digit, _MAX_CODE_POINT + 1)
        place += 1
    if place == first_digit:
        return start, LITERAL
    if place < end and source[place] == 59:
        place += 1
    if 128 <= value < 160:
        value = windows[value - 128]
    elif value == 0 or value > _MAX_CODE_POINT or 0xD800 <= value < 0xE000:
        value = _REPLACEMENT
    return place, value


@part
def _digit(byte: int, is_hexadecimal: bool) -> int:
    if 48 <= byte <= 57:
        return byte - 48
    low = byte | 32
    if is_hexadecimal and 97 <= low <= 102:
        return low - 87
    return -1
