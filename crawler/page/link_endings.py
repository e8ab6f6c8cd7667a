"""Which of many local keys end like the name of a file that holds no text, in one pass over their bytes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U64 = npt.NDArray[np.uint64]

_MAX_CHARS = 8
_LINE_FEED, _DOT, _QUESTION = 10, 46, 63


def have_endings(local_keys: Sequence[str], endings: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Return which of *local_keys*, of ASCII without line feeds, end in one of *endings*, in whatever case.

    An ending is what follows the last dot of the path: at most eight small letters and digits.

    >>> have_endings(["0/a.PDF?x=b.html", "0/a.html?x=b.pdf", "0/pdf"], frozenset({"pdf"})).tolist()
    [True, False, False]
    """
    found = np.zeros(len(local_keys), np.bool_)
    data = np.frombuffer(("\n".join(local_keys) + "\n").encode("ascii"), np.uint8)
    if len(found):
        _mark(data, _packed(endings), found)
    return found


@cache
def _packed(endings: frozenset[str]) -> U64:
    numbers = [int.from_bytes(ending.encode("ascii"), "big") for ending in endings]
    return np.array(sorted(numbers), np.uint64)


@lean_kernel
def _mark(data: U8, endings: U64, found: npt.NDArray[np.bool_]) -> None:
    place = 0
    for i in range(len(found)):
        path_end = -1
        # The last eight bytes before the end of the path.
        last = np.uint64(0)
        while data[place] != _LINE_FEED:
            byte = byte_at(data, place)
            if byte == _QUESTION and path_end < 0:
                path_end = place
            place += 1
        end = place if path_end < 0 else path_end
        at = end - 1
        n_chars = 0
        while at >= 0 and n_chars <= _MAX_CHARS and data[at] != _DOT and data[at] != _LINE_FEED:
            byte = byte_at(data, at)
            lower = byte | 32 if 65 <= byte <= 90 else byte
            if n_chars < _MAX_CHARS:
                last |= np.uint64(lower) << np.uint64(8 * n_chars)
            n_chars += 1
            at -= 1
        if n_chars <= _MAX_CHARS and at >= 0 and data[at] == _DOT:
            found[i] = _is_among(last, endings)
        place += 1


@part
def _is_among(wanted: np.uint64, numbers: U64) -> bool:
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) >> 1
        if numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return bool(low < len(numbers) and numbers[low] == wanted)
