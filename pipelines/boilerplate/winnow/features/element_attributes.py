# ruff: noqa: PLR1714, SIM109 - the compiler takes no sets
"""The attributes of a start tag that say what it is for: ``class``, ``id``, ``role``, ``itemprop``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.byte_search import byte_at, find_byte
from crawler.kernels.jit import part
from pipelines.boilerplate.winnow.features.element_values import (
    Values,
    further_letters,
    value_place,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.boilerplate.winnow.features.element_tables import Tables

    U8 = npt.NDArray[np.uint8]

_GT, _SLASH, _EQUALS, _QUOTE, _APOSTROPHE = 62, 47, 61, 34, 39
_ROOM = 32
_NEITHER, _CLASS, _OTHER = range(3)


class Said(NamedTuple):
    """What attributes say: bits of the groups of keywords, hash of the classes, whether the tag ends itself."""

    keywords: Any
    classes: Any
    is_closed: Any


@part
def read_attributes(source: U8, start: int, end: int, known: Tables, values: Values) -> Said:
    """Read the attributes of the start tag from *start* to *end*."""
    keywords, classes = np.uint32(0), np.uint32(0)
    is_closed = False
    at = _skip_name(source, start + 1, end)
    while at < end:
        byte = byte_at(source, at)
        if byte == _GT:
            break
        if byte <= 32 or byte == _QUOTE or byte == _APOSTROPHE or byte == _EQUALS:
            at += 1
            continue
        if byte == _SLASH:
            is_closed = at + 1 < end and byte_at(source, at + 1) == _GT
            at += 1
            continue
        name_start, at = at, _skip_name(source, at, end)
        kind = _kind(source, name_start, at - name_start)
        at = _skip_blanks(source, at, end)
        if at >= end or byte_at(source, at) != _EQUALS:
            continue
        value_start, value_end, at = _value(source, _skip_blanks(source, at + 1, end), end)
        if kind != _NEITHER:
            said = value_place(source, value_start, value_end, known, values)
            keywords = np.uint32(keywords | values.keywords[said])
            if kind == _CLASS and classes:
                classes = further_letters(source, value_start, value_end, known, values, classes)
            elif kind == _CLASS:
                classes = values.letters[said]
    return Said(keywords, classes, is_closed)


@part
def _skip_name(source: U8, start: int, end: int) -> int:
    at = start
    while at < end:
        byte = byte_at(source, at)
        if byte <= 32 or byte == _EQUALS or byte == _GT:
            break
        at += 1
    return at


@part
def _skip_blanks(source: U8, start: int, end: int) -> int:
    at = start
    while at < end and byte_at(source, at) <= 32:
        at += 1
    return at


@part
def _value(source: U8, start: int, end: int) -> tuple[int, int, int]:
    """Return the two ends of the value at *start*, and where to go on."""
    if start >= end:
        return start, start, start
    quote = byte_at(source, start)
    if quote == _QUOTE or quote == _APOSTROPHE:
        # With room behind the tag even a short value is searched many bytes at once.
        close = min(find_byte(source, start + 1, min(end + _ROOM, len(source)), quote), end)
        return start + 1, close, close + 1
    at = start
    while at < end and byte_at(source, at) > 32 and byte_at(source, at) != _GT:
        at += 1
    return start, at, at


@part
def _kind(source: U8, start: int, size: int) -> int:
    """Tell a class, and an id, a role or an itemprop, from their first two letters and their size."""
    if size != 5 and size != 2 and size != 4 and size != 8:
        return _NEITHER
    first, second = byte_at(source, start) | 32, byte_at(source, start + 1) | 32
    if size == 5:
        return _CLASS if first == 99 and second == 108 else _NEITHER
    if size == 4:
        return _OTHER if first == 114 and second == 111 else _NEITHER
    is_other = first == 105 and second == (100 if size == 2 else 116)
    return _OTHER if is_other else _NEITHER
