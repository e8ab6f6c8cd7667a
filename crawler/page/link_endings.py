"""Which of many local keys end like the name of a file that holds no text, in one pass over their bytes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at, find_byte
from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.urls import KeyList

    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]
    U64 = npt.NDArray[np.uint64]

_MAX_CHARS = 8
_DOT, _QUESTION = 46, 63


def have_endings(keys: KeyList, endings: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Return which local keys of *keys* end in one of *endings*, in whatever case.

    An ending is what follows the last dot of the path: at most eight small letters and digits.

    >>> from crawler.urls.key_list import KeyList
    >>> keys = KeyList.of(("com.a", each) for each in ("0/a.PDF?x=b.html", "0/a.html?x=b.pdf", "0/pdf"))
    >>> have_endings(keys, frozenset({"pdf"})).tolist()
    [True, False, False]
    """
    found = np.zeros(len(keys), np.bool_)
    data = np.frombuffer(keys.data, np.uint8)
    _mark(data, keys.starts, keys.ends, _packed(endings), found)
    return found


@cache
def _packed(endings: frozenset[str]) -> U64:
    numbers = [int.from_bytes(ending.encode("ascii"), "big") for ending in endings]
    return np.array(sorted(numbers), np.uint64)


@lean_kernel
def _mark(data: U8, starts: I64, ends: I64, endings: U64, found: npt.NDArray[np.bool_]) -> None:
    for i in range(len(found)):
        start = starts[i]
        at = find_byte(data, start, ends[i], _QUESTION) - 1
        # The last eight bytes of the path.
        last = np.uint64(0)
        n_chars = 0
        while at >= start and n_chars <= _MAX_CHARS and data[at] != _DOT:
            byte = byte_at(data, at)
            lower = byte | 32 if 65 <= byte <= 90 else byte
            if n_chars < _MAX_CHARS:
                last |= np.uint64(lower) << np.uint64(8 * n_chars)
            n_chars += 1
            at -= 1
        if n_chars <= _MAX_CHARS and at >= start and data[at] == _DOT:
            found[i] = _is_among(last, endings)


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
