"""Authority and path of an ordinary reference, read by the kernel of `crawler.urls.ordinary.references`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import cold_part, part
from crawler.urls.ordinary.paths import IS_PLAIN
from crawler.urls.ordinary.queries import IS_ESCAPED, PATH_END, PLACE, is_read

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    I64 = npt.NDArray[np.int64]

# What becomes of a reference: the long way must be gone, its local key is written, it has no key.
LONG, DONE, NONE = 0, 1, 2
_HASH, _SLASH, _COLON, _QUESTION, _BACKSLASH = 35, 47, 58, 63, 92
# Bits of the classes of bytes.
_AUTHORITY, _DIGIT, _SCHEME, _LETTER = (1 << bit for bit in range(4))


def _classes() -> U8:
    classes = np.zeros(256, np.uint8)
    of_bits = {
        _AUTHORITY: r"[A-Za-z0-9.\-]",
        _DIGIT: "[0-9]",
        _SCHEME: r"[A-Za-z0-9+.\-]",
        _LETTER: "[A-Za-z]",
    }
    for bit, pattern in of_bits.items():
        for byte in range(128):
            classes[byte] |= bit if re.fullmatch(pattern, chr(byte)) else 0
    return classes


_CLASSES = _classes()


@part
def authority_start(data: U8, start: int, end: int) -> int:
    """Return where the authority begins, -1 where there is none."""
    place = start
    if end - start > 7 and data[start] == 104 and data[start + 1] == 116:
        if data[start + 2] == 116 and data[start + 3] == 112:
            place = start + 4 + (data[start + 4] == 115)
            if data[place] != _COLON:
                return -1
            place += 1
    if end - place >= 2 and data[place] == _SLASH and data[place + 1] == _SLASH:
        return place + 2
    return -1


@part
def authority_end(data: U8, start: int, end: int) -> int:
    """Return where a plain authority ends, -1 where it is none."""
    place = start
    while place < end and _CLASSES[byte_at(data, place)] & _AUTHORITY:
        place += 1
    if place == start:
        return -1
    if place < end and data[place] == _COLON:
        port = place + 1
        place = port
        while place < end and _CLASSES[byte_at(data, place)] & _DIGIT:
            place += 1
        if place == port:
            return -1
    if place == end or data[place] == _SLASH or data[place] == _QUESTION or data[place] == _HASH:
        return place
    return -1


@part
def read_path(data: U8, start: int, end: int, is_relative: bool, is_utf: bool, state: I64) -> int:
    """Read the path from *start*; say whether it is to be escaped anew."""
    place = start
    state[IS_ESCAPED] = 0
    # Up to the first byte that no scheme has, a colon says that it was one.
    may_be_scheme = is_relative and place < end and _CLASSES[byte_at(data, place)] & _LETTER != 0
    while place < end:
        byte = byte_at(data, place)
        if byte == _QUESTION or byte == _HASH:
            break
        if may_be_scheme and not _CLASSES[byte] & _SCHEME:
            if byte == _COLON:
                return LONG if _is_own_scheme(data, start, place) else NONE
            may_be_scheme = False
        if not IS_PLAIN[byte]:
            # Spaces before a reference are none of it; a backslash is a slash.
            if byte == _BACKSLASH or place == start or not is_read(data, place, end, is_utf):
                return LONG
            state[IS_ESCAPED] = 1
        place += 1
    if is_relative and place - start > 1 and data[start] == _SLASH == data[start + 1]:
        return LONG
    state[PATH_END] = place
    state[PLACE] = place
    return DONE


@cold_part
def _is_own_scheme(data: U8, start: int, end: int) -> bool:
    """Tell whether ``http`` or ``https`` stands from *start* to *end*, in whatever case."""
    if end - start < 4 or end - start > 5 or data[start] | 32 != 104:
        return False
    if data[start + 1] | 32 != 116 or data[start + 2] | 32 != 116 or data[start + 3] | 32 != 112:
        return False
    return bool(end - start == 4 or data[start + 4] | 32 == 115)
