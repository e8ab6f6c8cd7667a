"""Where a page declares what it is: its ``meta`` tags and its JSON-LD scripts.

One pass over the bytes, from one ``<`` to the next. What stands in comments and scripts is taken too:
it is rare, and as true as the rest.

Shapes: *source* uint8[n]; *found* int64[m, 2], rows of (kind, place behind the name of the tag).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at, find_byte
from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    I64 = npt.NDArray[np.int64]

META, JSON_LD = 0, 1
# Pages have about 25; those with thousands repeat themselves.
MAX_META = 400
MAX_JSON_LD = 40

# A script's tag that is longer has no end worth looking for: many of them would take quadratic time.
_MAX_TAG_BYTES = 400

_LESS_THAN, _GREATER_THAN, _PLUS = 60, 62, 43
_SMALL = 0x20
_META = np.frombuffer(b"meta", np.uint8)
_SCRIPT = np.frombuffer(b"script", np.uint8)
_LD = np.frombuffer(b"ld+json", np.uint8)


@part
def _is_at(source: U8, place: int, word: U8) -> bool:
    """Tell whether *word*, small letters and signs, begins at *place*, in any case of letters."""
    if place < 0 or place + len(word) > len(source):
        return False
    for i in range(len(word)):
        byte = byte_at(source, place + i)
        if byte != word[i] and byte | _SMALL != word[i]:
            return False
    return True


@lean_kernel
def declarations(source: U8, found: I64) -> int:
    """Write the places of declarations to *found*, ``MAX_META + MAX_JSON_LD`` rows; return how many."""
    size = len(source)
    n_found = n_meta = n_scripts = 0
    place = find_byte(source, 0, size, _LESS_THAN)
    while place < size - 6:
        letter = byte_at(source, place + 1) | _SMALL
        if letter == 109 and n_meta < MAX_META and _is_at(source, place + 1, _META):
            found[n_found, 0], found[n_found, 1] = META, place + 5
            n_found += 1
            n_meta += 1
        elif letter == 115 and n_scripts < MAX_JSON_LD and _is_at(source, place + 1, _SCRIPT):
            limit = min(place + _MAX_TAG_BYTES, size)
            end = find_byte(source, place, limit, _GREATER_THAN)
            plus = find_byte(source, place, end, _PLUS)
            if plus < end < limit and _is_at(source, plus - 2, _LD):
                found[n_found, 0], found[n_found, 1] = JSON_LD, end + 1
                n_found += 1
                n_scripts += 1
        place = find_byte(source, place + 1, size, _LESS_THAN)
    return n_found
