"""Bytes that lie in many places as one array, without a copy: kernels take no list of them.

The array begins where the first of them in memory does and ends where the last one does. What lies between them is
not to be touched; it may not even be there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]


class _Span:
    """Memory from *first* on, as numpy reads it; it keeps what lies there."""

    def __init__(self, first: int, size: int, kept: Sequence[pa.Buffer]) -> None:
        # Not said to be read-only, though it is: numba would compile each kernel once more for that.
        self.__array_interface__: dict[str, Any] = {
            "version": 3,
            "typestr": "|u1",
            "data": (first, False),
            "shape": (size,),
        }
        self.kept = kept


def as_one_array(parts: Sequence[bytes | memoryview]) -> tuple[U8, I64]:
    """Return an array in which all *parts* lie, and where each of them begins there."""
    if not parts:
        return np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.int64)
    buffers = [pa.py_buffer(part) for part in parts]
    addresses = np.fromiter((each.address for each in buffers), np.int64, len(buffers))
    sizes = np.fromiter((each.size for each in buffers), np.int64, len(buffers))
    first = int(addresses.min())
    span = _Span(first, int((addresses + sizes).max()) - first, buffers)
    return np.asarray(span), addresses - first
