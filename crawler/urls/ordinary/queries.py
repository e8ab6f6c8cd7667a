"""The query of an ordinary reference, read and written by the kernel of `crawler.urls.ordinary.references`.

Its canonical form is that of `crawler.urls.canonical`: fields sorted by what their escapes stand for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import cold_part, part

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    I64 = npt.NDArray[np.int64]

MAX_FIELDS = 64
# Places in the state of the kernel.
PLACE, PATH_END, IS_ESCAPED, QUERY_START, QUERY_END, N_FIELDS, OUT, N_AUTHORITIES, N_STATE = range(
    9
)
_SPACE, _HASH, _PERCENT, _AND, _PLUS, _EQUALS, _QUESTION = 32, 35, 37, 38, 43, 61, 63
_IS_UNRESERVED = np.array(
    [bool(re.fullmatch(r"[A-Za-z0-9._~\-]", chr(byte))) for byte in range(256)]
)


@part
def read_query(data: U8, end: int, is_utf: bool, state: I64, fields: I64) -> bool:
    """Read the query behind the path, if there is one; return whether it is written here."""
    place = state[PLACE]
    state[N_FIELDS] = 0
    if place == end or data[place] != _QUESTION:
        state[QUERY_START] = state[QUERY_END] = -1
        return True
    place += 1
    state[QUERY_START] = place
    while place < end and data[place] != _HASH:
        start, equals = place, -1
        while place < end and data[place] != _HASH and data[place] != _AND:
            byte = byte_at(data, place)
            if not is_read(data, place, end, is_utf):
                return False
            if byte == _EQUALS and equals < 0:
                equals = place
            place += 1
        if place > start:
            number = state[N_FIELDS]
            if number == MAX_FIELDS:
                return False
            fields[number, 0], fields[number, 2] = start, place
            fields[number, 1] = place if equals < 0 else equals
            state[N_FIELDS] = number + 1
        place += place < end and data[place] == _AND
    state[QUERY_END] = place
    return True


@part
def is_read(data: U8, place: int, end: int, is_utf: bool) -> bool:
    """Tell whether the byte at *place* is one that is not left to the long way."""
    byte = byte_at(data, place)
    if 32 < byte < 127:
        return True
    if byte == _SPACE:  # those at the end, or before a fragment, are none of the reference
        following = byte_at(data, place + 1) if place + 1 < end else _SPACE
        return following > _SPACE and following != _HASH
    # Of lone surrogates, which UTF-8 cannot hold, these are the first two bytes.
    is_surrogate = byte == 0xED and place + 1 < end and byte_at(data, place + 1) >= 0xA0
    return is_utf and byte > 127 and not is_surrogate


@part
def write_query(data: U8, state: I64, fields: I64, out: U8) -> None:
    """Write the fields in their order, each with what its escapes stand for escaped anew."""
    n_fields = state[N_FIELDS]
    if n_fields > 1:
        _sort(data, fields, n_fields)
    for number in range(n_fields):
        out[state[OUT]] = _AND if number else _QUESTION
        state[OUT] += 1
        _write_part(data, fields[number, 0], fields[number, 1], state, out)
        if fields[number, 1] < fields[number, 2]:
            out[state[OUT]] = _EQUALS
            state[OUT] += 1
            _write_part(data, fields[number, 1] + 1, fields[number, 2], state, out)


@part
def _write_part(data: U8, start: int, end: int, state: I64, out: U8) -> None:
    place, to = start, state[OUT]
    while place < end:
        byte, place = _decoded(data, place, end)
        if _IS_UNRESERVED[byte]:
            out[to] = byte
            to += 1
        elif byte == _SPACE:
            out[to] = _PLUS
            to += 1
        else:
            state[OUT] = to
            write_escape(byte, state, out)
            to = state[OUT]
    state[OUT] = to


@part
def write_escape(byte: int, state: I64, out: U8) -> None:
    """Write the escape of *byte*."""
    to = state[OUT]
    out[to], out[to + 1], out[to + 2] = _PERCENT, _digit(byte >> 4), _digit(byte & 15)
    state[OUT] = to + 3


@part
def _decoded(data: U8, place: int, end: int) -> tuple[int, int]:
    """Return the byte that stands at *place* of a query, and the place behind it."""
    byte = byte_at(data, place)
    if byte == _PLUS:
        return _SPACE, place + 1
    if byte == _PERCENT and place + 2 < end:
        high, low = hex_value(byte_at(data, place + 1)), hex_value(byte_at(data, place + 2))
        if high >= 0 and low >= 0:
            return 16 * high + low, place + 3
    return byte, place + 1


@part
def _digit(value: int) -> int:
    return value + 48 if value < 10 else value + 55


@part
def hex_value(byte: int) -> int:
    """Return the value of a hexadecimal digit, -1 for anything else."""
    if 48 <= byte <= 57:
        return byte - 48
    lower = byte | 32
    return lower - 87 if 97 <= lower <= 102 else -1


@cold_part
def _sort(data: U8, fields: I64, n_fields: int) -> None:
    """Put the fields in the order of their names, and those of one name in that of their values."""
    for last in range(1, n_fields):
        place = last
        while place and _is_less(data, fields, place, place - 1):
            for column in range(3):
                before = fields[place - 1, column]
                fields[place - 1, column] = fields[place, column]
                fields[place, column] = before
            place -= 1


@part
def _is_less(data: U8, fields: I64, a: int, b: int) -> bool:
    names = _order(data, fields[a, 0], fields[a, 1], fields[b, 0], fields[b, 1])
    if names:
        return names < 0
    values = _order(data, fields[a, 1] + 1, fields[a, 2], fields[b, 1] + 1, fields[b, 2])
    if values:
        return values < 0
    # Of two without a value the one without "=" comes first.
    return bool(fields[a, 1] == fields[a, 2] and fields[b, 1] < fields[b, 2])


@part
def _order(data: U8, first: int, last: int, start: int, end: int) -> int:
    """Return below 0, 0 or above 0 as ``data[first:last]`` comes before ``data[start:end]`` or not."""
    while first < last and start < end:
        a, first = _decoded(data, first, last)
        b, start = _decoded(data, start, end)
        if a != b:
            return -1 if a < b else 1
    return int(first < last) - int(start < end)
