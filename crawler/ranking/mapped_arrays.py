"""Arrays that are mapped from files without a name, so that the system may put them out of memory.

Such a file is gone with its array, also when the process is killed.
"""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.durable.files import take_room

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt


def room(n: int, dtype: npt.DTypeLike, folder: Path | None) -> npt.NDArray[Any]:
    """Return an array of length *n*, mapped from a file in *folder*, or in memory for None."""
    if folder is None or n == 0:
        return np.empty(n, dtype=dtype)
    with tempfile.TemporaryFile(dir=folder) as file:
        take_room(file, n * np.dtype(dtype).itemsize, folder)
        return np.memmap(file, dtype=dtype, shape=(n,), mode="w+")
