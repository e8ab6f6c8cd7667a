"""Arrays of many documents in a temporary file, one after the other.

Memory: where each begins, 8 bytes a document. The file is gone with the process.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from crawler.durable.temporary_files import temporary_file

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    import numpy.typing as npt

_Item = TypeVar("_Item", bound=np.generic)


class ArraySpool(Generic[_Item]):
    """Appends arrays of one type; once read from, it takes no more."""

    def __init__(self, dtype: type[_Item], folder: Path | None = None):
        self.dtype = np.dtype(dtype)
        self.ends = array("q", [0])
        self._file = temporary_file(folder)
        self._mapped: npt.NDArray[_Item] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._mapped = None
        self._file.close()

    def __len__(self) -> int:
        return len(self.ends) - 1

    def append(self, array: npt.NDArray[_Item]) -> None:
        """Add the array of the next document."""
        assert self._mapped is None
        self._file.write(np.ascontiguousarray(array, dtype=self.dtype).tobytes())
        self.ends.append(self.ends[-1] + array.size)

    def __getitem__(self, number: int) -> npt.NDArray[_Item]:
        """Return the array of document *number*, a view of the file."""
        return self.whole()[self.ends[number] : self.ends[number + 1]]

    def starts(self) -> npt.NDArray[np.int64]:
        """Return where each document begins, and the end at last, int64[n + 1]."""
        return np.array(self.ends, dtype=np.int64)

    def whole(self) -> npt.NDArray[_Item]:
        """Return all arrays as one, a view of the file."""
        if self._mapped is None:
            self._file.flush()
            mapped: Any = np.empty(0, dtype=self.dtype)
            if self.ends[-1]:
                # As an array: a memmap makes a slow object of each slice.
                mapped = np.asarray(
                    np.memmap(self._file, dtype=self.dtype, mode="r", shape=(self.ends[-1],))
                )
            self._mapped = mapped
        return self._mapped
