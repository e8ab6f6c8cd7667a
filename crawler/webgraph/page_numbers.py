"""The numbers of pages in a host graph: 0 … n-1 in ascending order of (HostID, LocalID)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from crawler.webgraph.csr_kernels import NONE, PageNumbers, number_pages

if TYPE_CHECKING:
    import numpy.typing as npt

_LOW = np.uint64(0xFFFFFFFF)
_HIGH_BITS = np.uint64(32)


class Room(Protocol):
    """Makes an array of *n* entries, whatever is in it."""

    def __call__(self, n: int, dtype: npt.DTypeLike, /) -> npt.NDArray[Any]: ...


def page_numbers(pages: npt.NDArray[np.uint64], room: Room = np.empty) -> PageNumbers:
    """Return the numbers of *pages* (packed, in any order, repeats once), arrays of pages from *room*."""
    packed = np.asarray(pages, dtype=np.uint64)
    if not (packed[1:] > packed[:-1]).all():
        packed = np.sort(packed)
        packed = packed[_differs(packed)]
    if len(packed) >= NONE:
        raise ValueError(f"pages must be fewer than {NONE}, got {len(packed)}")
    local_ids: npt.NDArray[np.uint32] = room(len(packed), np.uint32)
    np.bitwise_and(packed, _LOW, out=local_ids, casting="unsafe")
    hosts = (packed >> _HIGH_BITS).astype(np.uint32)
    host_ptr = np.append(np.flatnonzero(_differs(hosts)), len(packed)).astype(np.int64)
    return PageNumbers(hosts[host_ptr[:-1]], host_ptr, local_ids)


def numbers_of(ids: npt.NDArray[np.uint64], pages: PageNumbers) -> npt.NDArray[np.uint32]:
    """Return the page numbers of packed *ids*; :exc:`ValueError` names one that has none."""
    numbers = np.empty(len(ids), dtype=np.uint32)
    if number_pages(ids, pages, numbers):
        page = int(ids[numbers == NONE][0])
        raise ValueError(
            f"page {page >> 32}:{page & 0xFFFFFFFF} is not among the pages of the graph"
        )
    return numbers


def bases_of(pages: PageNumbers) -> npt.NDArray[np.uint64] | None:
    """Return the number of the first page of each HostID, as `crawler.webgraph.arcs.decoding` takes it.

    None where LocalIDs do not count up from 0, or HostIDs leave out more than there are.
    """
    host_ids, host_ptr, local_ids = pages
    if not len(host_ids) or int(host_ids[-1]) > 2 * len(host_ids) + 2**20:
        return None
    sizes = np.diff(host_ptr)
    if (local_ids[host_ptr[1:] - 1] != sizes - 1).any():
        return None
    of_id = np.zeros(int(host_ids[-1]) + 2, dtype=np.uint64)
    of_id[host_ids.astype(np.int64) + 1] = sizes
    return np.cumsum(of_id, dtype=np.uint64)


def _differs(ascending: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.bool_]:
    """Tell of each element whether it is the first of its value."""
    first = np.ones(len(ascending), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return first
