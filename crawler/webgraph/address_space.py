"""Arrays that grow in place: address space is reserved at once, memory is taken where it is touched.

Growing an array by copying stops the writer and takes twice its memory for a while; these are never
copied.
"""

from __future__ import annotations

import ctypes
import mmap
import resource
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

# Linux's MAP_NORESERVE, which the module mmap does not name before Python 3.13.
_NO_RESERVE = 0x4000
_MIN_BYTES = 2**22
# A crawl reserves about thirty arrays; one of them in full would leave nothing for the rest.
_SHARES = 64


@cache
def _max_bytes() -> int:
    """Return the bytes of one array: a share of what the process may reserve, if that is limited."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    limits = [] if limit == resource.RLIM_INFINITY else [limit]
    with suppress(OSError, ValueError, IndexError):
        # Under this policy of Linux address space counts as memory, touched or not.
        if Path("/proc/sys/vm/overcommit_memory").read_text().strip() == "2":
            lines = Path("/proc/meminfo").read_text().splitlines()
            commit = next(line for line in lines if line.startswith("CommitLimit:"))
            limits.append(int(commit.split()[1]) * 1024)
    return max(_MIN_BYTES, min(limits) // _SHARES) if limits else sys.maxsize


def reserve(n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return *n* zeros of *dtype*, or fewer where address space is limited."""
    size = np.dtype(dtype).itemsize
    n = min(n, _max_bytes() // size)
    while True:
        try:
            flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
            space = mmap.mmap(-1, n * size, flags=flags)
            break
        except OSError as error:
            if n * size <= _MIN_BYTES:
                raise InputError(
                    f"no address space for the page table ({error.strerror}); raise the limit of "
                    "the process (ulimit -v)"
                ) from error
            n //= 2
    # A page of 2 MB where a few bytes are touched would be most of the memory of a small crawl.
    space.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(space, dtype=dtype)


def release(array: npt.NDArray[Any], first: int) -> None:
    """Give back the memory of the entries of a reserved *array* from *first* on.

    They are 0 again, but for those of one page of memory with the entry before.
    """
    base: Any = array.base
    begin = -(-first * array.itemsize // mmap.PAGESIZE) * mmap.PAGESIZE
    if begin < array.nbytes:
        base.obj.madvise(mmap.MADV_DONTNEED, begin, array.nbytes - begin)


def check_room(array: npt.NDArray[Any], n: int) -> None:
    """Raise `InputError` when *array* has no room for *n* entries."""
    if n > len(array):
        raise InputError(
            f"the page table is full ({len(array):,} entries); raise the limit of the address space "
            "of the process (ulimit -v) or crawl in several shards"
        )


def entries(array: npt.NDArray[Any]) -> Any:
    """Return a view of *array* whose single entries are plain numbers.

    They are read and written in a third of the time that numpy takes for one.
    """
    view: Any = memoryview
    return view(array)


def trim_heap() -> None:
    """Give the system back what the heap holds free, which glibc keeps after much work on records."""
    with suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
