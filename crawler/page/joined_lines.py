"""The lines of texts that stand joined in UTF-8, a line feed behind each, found and copied by kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.byte_search import find_byte
from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]

_LINE_FEED: Any = np.int64(10)


@lean_kernel
def find_starts(utf8: U8, starts: npt.NDArray[np.int64]) -> None:
    """Write where each of n lines begins, and where one more would, to *starts*, int64[n + 1]."""
    place: Any = np.int64(0)
    for line in range(len(starts) - 1):
        starts[line] = place
        place = find_byte(utf8, place, len(utf8), _LINE_FEED) + 1
    starts[len(starts) - 1] = place


@lean_kernel
def split_lines(utf8: U8, offsets: npt.NDArray[np.int32], copied: U8) -> int:
    """Copy n lines without their line feeds to *copied*; return the bytes of *utf8* that they take, line feeds
    included.

    Line i is ``copied[offsets[i]:offsets[i + 1]]``, *offsets* int32[n + 1].
    """
    start: Any = np.int64(0)
    size = start
    for line in range(len(offsets) - 1):
        offsets[line] = size
        # Where there are too few lines it is behind the end.
        end = find_byte(utf8, min(start, len(utf8)), len(utf8), _LINE_FEED)
        n_bytes = max(end - start, 0)
        for i in range(n_bytes):
            copied[np.uint64(size + i)] = utf8[np.uint64(start + i)]
        size += n_bytes
        start = end + 1
    offsets[len(offsets) - 1] = size
    return int(start)


@lean_kernel
def copy_lines(utf8: U8, mask: npt.NDArray[np.bool_], copied: U8) -> int:
    """Copy the lines of *mask*, bool[n], each with its line feed, to *copied*; return the bytes they take."""
    start: Any = np.int64(0)
    size = start
    for line in range(len(mask)):
        end = find_byte(utf8, start, len(utf8), _LINE_FEED) + 1
        if mask[line]:
            for i in range(end - start):
                copied[np.uint64(size + i)] = utf8[np.uint64(start + i)]
            size += end - start
        start = end
    return int(size)
