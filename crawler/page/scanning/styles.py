"""What a ``style`` attribute says of whether its element is shown, and of whether it begins on a line of its own.

Source: CSS Syntax 3, sections 5.4.5 and 5.4.6, and CSS Cascade 4, section 6.1: names and values are in either case,
comments are blanks, of valid declarations the last one counts, an important one before others. A value of one word is
taken for a valid one. Not read: escapes, and references of HTML; values of several words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at, find_byte
from crawler.kernels.jit import cold_part, part
from crawler.page.scanning.letters import is_blank, is_letter, lower, matches

if TYPE_CHECKING:
    from crawler.page.scanning.state import U8

# Bits of what is said: that there is no box, that there is one, and that it is not within a line; that it is not seen,
# that it is, that it is as what it stands in; that it is important.
NO_BOX, BOX, OWN_LINE, _IMPORTANT_BOX, NOT_SEEN, IS_SEEN, _AS_AROUND, _IMPORTANT_SIGHT = (
    1 << bit for bit in range(8)
)
_OF_BOX = NO_BOX | BOX | OWN_LINE | _IMPORTANT_BOX
_OF_SIGHT = NOT_SEEN | IS_SEEN | _AS_AROUND | _IMPORTANT_SIGHT
_DISPLAY, _NONE, _VISIBILITY, _HIDDEN, _VISIBLE, _INITIAL, _IMPORTANT = (
    np.frombuffer(word, np.uint8)
    for word in (
        *(b"display", b"none", b"visibility", b"hidden", b"visible", b"initial"),
        b"important",
    )
)
# How the values begin that part a box from the line around it. *Source: CSS Display 3, section 2; CSS Tables 3, section
# 2.1.* Browsers take the older names of "flex".
_OWN_LINES = tuple(
    np.frombuffer(word, np.uint8)
    for word in (
        *(b"block", b"flow-root", b"list-item", b"flex", b"grid", b"table"),
        *(b"-webkit-box", b"-webkit-flex", b"-ms-flexbox"),
    )
)
_BANG, _STAR, _DASH, _SLASH, _COLON, _SEMICOLON, _Y = 33, 42, 45, 47, 58, 59, 121


@cold_part
def style_says(source: U8, start: int, end: int) -> int:
    """Return what the style from *start* to *end* says of its element, as bits."""
    place = find_byte(source, start, end, _COLON)
    while place < end:
        last = place - 1
        while last > start and is_blank(byte_at(source, last)):
            last -= 1
        # Both names end with the same letter, as few others do; or a comment stands behind them.
        if last >= start and (lower(source[last]) == _Y or source[last] == _SLASH):
            return _declared(source, start, end)
        place = find_byte(source, place + 1, end, _COLON)
    return 0


@part
def _declared(source: U8, start: int, end: int) -> int:
    said = 0
    place = start
    while place < end:
        more = _declaration(source, _skip(source, place, end), end)
        for group in (_OF_BOX, _OF_SIGHT):
            importance = group & (_IMPORTANT_BOX | _IMPORTANT_SIGHT)
            if more & group and said & importance <= more & importance:
                said = said & ~group | more & group
        while place < end and source[place] != _SEMICOLON:
            place = (
                _behind_comment(source, place, end)
                if _is_comment(source, place, end)
                else place + 1
            )
        place += 1
    return said


@part
def _declaration(source: U8, start: int, end: int) -> int:
    """Return what the declaration at *start* says, 0 for one of other things, or that is not valid."""
    is_box = matches(source, start, end, _DISPLAY)
    if not is_box and not matches(source, start, end, _VISIBILITY):
        return 0
    place = _skip(source, start + (len(_DISPLAY) if is_box else len(_VISIBILITY)), end)
    if place >= end or source[place] != _COLON:
        return 0
    value = _skip(source, place + 1, end)
    value_end = value
    while value_end < end and (is_letter(source[value_end]) or source[value_end] == _DASH):
        value_end += 1
    place = _skip(source, value_end, end)
    importance = 0
    if place < end and source[place] == _BANG:
        place = _skip(source, place + 1, end)
        if not matches(source, place, end, _IMPORTANT):
            return 0
        place = _skip(source, place + len(_IMPORTANT), end)
        importance = _IMPORTANT_BOX if is_box else _IMPORTANT_SIGHT
    if value == value_end or (place < end and source[place] != _SEMICOLON):
        return 0
    if is_box:
        return importance | _box(source, value, value_end)
    return importance | _sight(source, value, value_end)


@part
def _box(source: U8, start: int, end: int) -> int:
    if _is(source, start, end, _NONE):
        return NO_BOX
    for word in _OWN_LINES:
        if matches(source, start, end, word):
            return BOX | OWN_LINE
    return BOX


@part
def _sight(source: U8, start: int, end: int) -> int:
    if _is(source, start, end, _HIDDEN):
        return NOT_SEEN
    is_seen = _is(source, start, end, _VISIBLE) or _is(source, start, end, _INITIAL)
    return IS_SEEN if is_seen else _AS_AROUND


@part
def _is(source: U8, start: int, end: int, word: U8) -> bool:
    return end - start == len(word) and matches(source, start, end, word)


@part
def _skip(source: U8, start: int, end: int) -> int:
    """Return the first place from *start* on that is neither in whitespace nor in a comment."""
    place = start
    while place < end:
        if is_blank(source[place]):
            place += 1
        elif _is_comment(source, place, end):
            place = _behind_comment(source, place, end)
        else:
            break
    return place


@part
def _is_comment(source: U8, place: int, end: int) -> bool:
    return source[place] == _SLASH and place + 1 < end and source[place + 1] == _STAR


@part
def _behind_comment(source: U8, start: int, end: int) -> int:
    """Return the end of the comment at *start*, *end* when it has none."""
    place = find_byte(source, start + 2, end, _SLASH)
    while place < end and (place < start + 3 or source[place - 1] != _STAR):
        place = find_byte(source, place + 1, end, _SLASH)
    return min(place + 1, end)
