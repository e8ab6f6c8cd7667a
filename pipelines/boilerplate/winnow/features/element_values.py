"""What the values of an element's class, id, role and itemprop say, each value read once a page.

Most values of a page stand in it many times. What a value says is kept by a hash of 64 bits, in the one
place of a small table that the hash names: a later value takes the place of an earlier one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.byte_search import byte_at, u64_at
from crawler.kernels.jit import cold_part, part
from pipelines.boilerplate.winnow.features.keywords import SYMBOL_BITS

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.boilerplate.winnow.features.element_tables import Tables

    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_N_PLACES = 1024
_PLACE_BITS = 54
_FACTOR = 0x9E3779B97F4A7C15


class Values(NamedTuple):
    """Values read: their hash, the bits of the groups of keywords, the hash of their letters.

    The last entry of *letters* is room.
    """

    key: U64
    keywords: U32
    letters: U32


def room_for_values() -> Values:
    """Return the table of a page, not filled in."""
    return Values(np.empty(_N_PLACES, np.uint64), *np.empty((2, _N_PLACES + 1), np.uint32))


@part
def forget_values(values: Values) -> None:
    """Make *values* those of a page that nothing has been read of."""
    values.key[:] = 0


@part
def value_place(source: U8, start: int, end: int, known: Tables, values: Values) -> Any:
    """Return the place in *values* of what ``source[start:end]`` says."""
    key = _hash(source, start, end)
    place = key >> np.uint64(_PLACE_BITS)
    if values.key[place] != key:
        values.key[place] = key
        values.letters[place] = 0
        values.keywords[place] = read_value(source, start, end, known, values.letters, place)
    return place


@cold_part
def read_value(source: U8, start: int, end: int, known: Tables, letters: U32, place: Any) -> Any:
    """Return the groups whose words ``source[start:end]`` has, and go on with *letters[place]*."""
    found = np.uint32(0)
    hashed = letters[place]
    row = np.uint64(known.step[0])
    for i in range(start, end):
        lower = byte_at(source, i) | 32
        symbol = np.uint32(lower - 96 if 97 <= lower <= 122 else 0)
        row = np.uint64(known.step[row + symbol])
        found |= known.found[row >> np.uint64(SYMBOL_BITS)]
        if symbol:
            hashed = (hashed ^ symbol) * np.uint32(16777619)
    letters[place] = hashed
    return found | known.found[known.step[row] >> np.uint64(SYMBOL_BITS)]


@cold_part
def further_letters(
    source: U8, start: int, end: int, known: Tables, values: Values, letters: Any
) -> Any:
    """Return the hash of the letters of one value more, after others with the hash *letters*."""
    values.letters[_N_PLACES] = letters
    read_value(source, start, end, known, values.letters, _N_PLACES)
    return values.letters[_N_PLACES]


@part
def _hash(source: U8, start: int, end: int) -> Any:
    """Return a hash of ``source[start:end]``, never 0."""
    key = np.uint64(end - start)
    at = start
    while at + 8 <= end:
        key = (key ^ u64_at(source, at)) * np.uint64(_FACTOR)
        key ^= key >> np.uint64(29)
        at += 8
    if at < end:
        rest = np.uint64(0)
        if end >= 8:
            rest = u64_at(source, end - 8) >> np.uint64(8 * (8 - (end - at)))
        else:
            for i in range(at, end):
                rest = rest << np.uint64(8) | np.uint64(source[i])
        key = (key ^ rest) * np.uint64(_FACTOR)
        key ^= key >> np.uint64(29)
    key *= np.uint64(_FACTOR)
    return key | np.uint64(1)
