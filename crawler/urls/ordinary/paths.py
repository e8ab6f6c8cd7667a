"""The path of an ordinary reference, written in its canonical form (`crawler.urls.canonical`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import cold_part, part
from crawler.urls.canonical import PLAIN_PATH_CHARS
from crawler.urls.ordinary.queries import OUT, hex_value, write_escape

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    I64 = npt.NDArray[np.int64]

_PERCENT, _DOT, _SLASH, _SEMICOLON, _QUESTION = 37, 46, 47, 59, 63
IS_PLAIN = np.array([bool(re.fullmatch(f"[{PLAIN_PATH_CHARS}]", chr(i))) for i in range(256)])


@cold_part
def write_escaped(data: U8, start: int, end: int, state: I64, out: U8) -> None:
    """Write ``data[start:end]``: escapes decoded where the character may stand plain, else escaped."""
    place = start
    while place < end:
        byte = byte_at(data, place)
        place += 1
        is_escape = False
        if byte == _PERCENT and place + 1 < end:
            high, low = hex_value(byte_at(data, place)), hex_value(byte_at(data, place + 1))
            if high >= 0 and low >= 0:
                byte = 16 * high + low
                is_escape = True
                place += 2
        # Escaped, these mean another thing than plain.
        is_kept = is_escape and (byte == _SLASH or byte == _SEMICOLON or byte == _QUESTION)
        if IS_PLAIN[byte] and not is_kept:
            out[state[OUT]] = byte
            state[OUT] += 1
        else:
            write_escape(byte, state, out)


@part
def has_dots(start: int, state: I64, out: U8) -> bool:
    """Tell whether what was written from *start* on may have a dot segment."""
    for place in range(start, state[OUT] - 1):
        if out[place] == _SLASH and out[place + 1] == _DOT:
            return True
    return False


@cold_part
def remove_dot_segments(start: int, state: I64, out: U8) -> None:
    """Take the dot segments out of the path that was written from *start* on."""
    end = state[OUT]
    at, to = start, start
    is_dot = False
    while at < end:
        first = at + 1
        last = first
        while last < end and out[last] != _SLASH:
            last += 1
        is_dot = last - first == 1 and out[first] == _DOT
        is_up = last - first == 2 and out[first] == _DOT and out[first + 1] == _DOT
        if is_up:
            while to > start:
                to -= 1
                if out[to] == _SLASH:
                    break
            is_dot = True
        elif not is_dot:
            for place in range(at, last):
                out[to] = out[place]
                to += 1
        at = last
    if is_dot:
        out[to] = _SLASH
        to += 1
    state[OUT] = to
