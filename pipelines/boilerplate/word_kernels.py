"""The parts of kernels that count the words and characters of source text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import cold_part, part
from crawler.page.characters import ASIAN, DROPPED, HAN, SPACE, WORD
from crawler.page.words import HAN_KANA_UNIT_CHARS, SOUTH_EAST_ASIAN_UNIT_CHARS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]

_AMPERSAND, _HASH, _SEMICOLON, _X = 38, 35, 59, 120
# The longest name of a character reference in the HTML standard, section 13.5.
_LONGEST_REFERENCE = 32
_MAX_CODE_POINT = 0x10FFFF
_LETTER = 65
_NO_BREAK_SPACE = 0xA0
_S, _P = 115, 112


@part
def is_letter(byte: int) -> bool:
    """Tell whether *byte* is one of A to Z, a to z."""
    return 97 <= byte | 32 <= 122


@cold_part
def measure(source: U8, start: int, end: int, classes: U8) -> tuple[int, int]:
    """Return the words and the characters, but for whitespace, from *start* to *end*."""
    words, chars, units, room, script = 0, 0, 0, 0, -1
    has_word = False
    place = start
    while place < end:
        point, place = _next_point(source, place, end)
        kind = classes[point]
        if kind & SPACE:
            if script >= 0:
                words += max(units + has_word, 1)
            units, script, has_word = 0, -1, False
        elif not kind & DROPPED:
            own_script = kind & (HAN | ASIAN)
            if own_script != script or (script > 0 and room == 0):
                units += has_word
                has_word, script = False, own_script
                room = HAN_KANA_UNIT_CHARS if script == HAN else SOUTH_EAST_ASIAN_UNIT_CHARS
            has_word = has_word or kind & WORD != 0
            chars, room = chars + 1, room - 1
    if script >= 0:
        words += max(units + has_word, 1)
    return words, chars


@part
def _next_point(source: U8, place: int, end: int) -> tuple[int, int]:
    """Return the code point at *place*, that of a character reference too, and where it ends."""
    byte = byte_at(source, place)
    if byte == _AMPERSAND:
        return _reference(source, place, end)
    if byte < 0x80:
        return byte, place + 1
    # Valid UTF-8; a run may be cut nowhere but between characters.
    size = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
    point = byte & (0x7F >> size)
    for offset in range(1, size):
        if place + offset < end:
            point = point << 6 | (byte_at(source, place + offset) & 0x3F)
    return min(point, _MAX_CODE_POINT), min(place + size, end)


@cold_part
def _reference(source: U8, start: int, end: int) -> tuple[int, int]:
    """Return what ``&name;`` or ``&#1;`` stands for: a space, a letter or the number's character."""
    place = start + 1
    last = min(end, place + _LONGEST_REFERENCE)
    while place < last and (is_letter(byte_at(source, place)) or _is_digit(source, place)):
        place += 1
    if place < last and byte_at(source, place) == _SEMICOLON and place > start + 1:
        # nbsp, ensp, emsp, thinsp, hairsp and the like; no other name ends so.
        is_space = byte_at(source, place - 1) == _P and byte_at(source, place - 2) == _S
        return (_NO_BREAK_SPACE if is_space else _LETTER), place + 1
    if place == start + 1 and place < last and byte_at(source, place) == _HASH:
        return _number(source, start, last)
    return _AMPERSAND, start + 1


@part
def _is_digit(source: U8, place: int) -> bool:
    return 48 <= byte_at(source, place) <= 57


@cold_part
def _number(source: U8, start: int, end: int) -> tuple[int, int]:
    place = start + 2
    is_hex = place < end and byte_at(source, place) | 32 == _X
    place += is_hex
    first, point = place, 0
    while place < end:
        byte = byte_at(source, place)
        if _is_digit(source, place):
            digit = byte - 48
        elif is_hex and 97 <= byte | 32 <= 102:
            digit = (byte | 32) - 87
        else:
            break
        point = min(point * (16 if is_hex else 10) + digit, _MAX_CODE_POINT)
        place += 1
    if place == first or place >= end or byte_at(source, place) != _SEMICOLON:
        return _AMPERSAND, start + 1
    return point, place + 1
