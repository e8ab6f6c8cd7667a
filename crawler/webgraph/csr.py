"""The host graph in arrays: pages numbered host by host, and for each page who links to it.

Pages are numbered 0 … n-1 in ascending order of (HostID, LocalID), so the pages of a host are
neighbours, in ascending order of LocalID. The numbers are those of one snapshot: a page keeps its
PageId for ever and its number here only as long as the snapshot lives.

An arc is a pair: repeated arcs count once. Self links are kept. A page without arcs out of it is
*dangling*.

Shapes, for h hosts, n pages, m arcs: ``host_ids: uint32[h]``, ``host_ptr: int64[h+1]`` (the pages
of host k are ``host_ptr[k]`` to ``host_ptr[k+1]``), ``local_ids: uint32[n]``,
``indptr: int64[n+1]``, ``indices: uint32[m]`` (the sources of target t are
``indices[indptr[t]:indptr[t+1]]``, ascending), ``out_degree: uint32[n]``.

Memory: 4 bytes an arc, 16 bytes a page, 12 bytes a host; 38 bytes an arc more while it is built.
Cost of building: O(m log m).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

_LOW = np.uint64(0xFFFFFFFF)
_HIGH_BITS = np.uint64(32)


@dataclass(frozen=True, slots=True, eq=False)
class HostGraph:
    """A snapshot of the web graph, transposed, pages contiguous by host; see the module."""

    host_ids: npt.NDArray[np.uint32]
    host_ptr: npt.NDArray[np.int64]
    local_ids: npt.NDArray[np.uint32]
    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]
    out_degree: npt.NDArray[np.uint32]

    @classmethod
    def from_arcs(
        cls,
        pages: npt.NDArray[np.uint64],
        sources: npt.NDArray[np.uint64],
        targets: npt.NDArray[np.uint64],
    ) -> HostGraph:
        """Build the graph of *pages* and the arcs *sources* → *targets*, all packed PageIds.

        A packed PageId is ``HostID << 32 | LocalID``. *pages* in any order, repeats once; the arcs
        in any order, repeats once. Raises :exc:`ValueError` when an arc's end is not in *pages*,
        or when the arc arrays differ in length.
        """
        if len(sources) != len(targets):
            raise ValueError(f"{len(sources)} sources, but {len(targets)} targets")
        packed = _sorted_once(np.array(pages, dtype=np.uint64))
        hosts = (packed >> _HIGH_BITS).astype(np.uint32)
        host_ptr = np.append(np.flatnonzero(_differs(hosts)), len(packed))
        bare = cls(
            host_ids=hosts[host_ptr[:-1]],
            host_ptr=host_ptr.astype(np.int64),
            local_ids=(packed & _LOW).astype(np.uint32),
            **_transposed(np.empty(0, dtype=np.uint64), len(packed)),
        )
        keys = bare.numbers(targets).astype(np.uint64) << _HIGH_BITS
        keys |= bare.numbers(sources)
        return replace(bare, **_transposed(keys, len(packed)))

    @property
    def n_pages(self) -> int:
        return len(self.local_ids)

    @property
    def n_hosts(self) -> int:
        return len(self.host_ids)

    @property
    def n_arcs(self) -> int:
        return len(self.indices)

    @property
    def host_of_page(self) -> npt.NDArray[np.uint32]:
        """The place of each page's host in ``host_ids``: uint32[n], made at each access."""
        places = np.arange(self.n_hosts, dtype=np.uint32)
        return np.repeat(places, np.diff(self.host_ptr))

    @property
    def packed(self) -> npt.NDArray[np.uint64]:
        """The packed PageId of each page, ascending: uint64[n], made at each access."""
        hosts = np.repeat(self.host_ids, np.diff(self.host_ptr)).astype(np.uint64)
        return (hosts << _HIGH_BITS) | self.local_ids

    def arcs(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return (sources, targets) as page numbers, by ascending target, then source."""
        pages = np.arange(self.n_pages, dtype=np.uint32)
        return self.indices, np.repeat(pages, np.diff(self.indptr))

    def numbers(self, ids: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint32]:
        """Return the page numbers of packed *ids*; :exc:`ValueError` names one that has none."""
        packed = self.packed
        ids = np.asarray(ids, dtype=np.uint64)
        if not len(ids) or not len(packed):
            _check_known(ids)
            return np.empty(0, dtype=np.uint32)
        # LocalIDs of a host count up from 0, so most pages stand where their LocalID says
        host = np.searchsorted(self.host_ids, (ids >> _HIGH_BITS).astype(np.uint32))
        last = len(packed) - 1
        number = np.minimum(self.host_ptr[host] + (ids & _LOW).astype(np.int64), last)
        wrong = np.flatnonzero(packed[number] != ids)
        number[wrong] = np.minimum(np.searchsorted(packed, ids[wrong]), last)
        _check_known(ids[wrong[packed[number[wrong]] != ids[wrong]]])
        return number.astype(np.uint32)

    def with_self_links_where_dangling(self) -> HostGraph:
        """Return the graph in which each dangling page links to itself; other pages as they are."""
        dangling = np.flatnonzero(self.out_degree == 0).astype(np.uint64)
        if not len(dangling):
            return self
        sources, targets = self.arcs()
        keys = (targets.astype(np.uint64) << _HIGH_BITS) | sources
        keys = np.concatenate([keys, (dangling << _HIGH_BITS) | dangling])
        return replace(self, **_transposed(keys, self.n_pages))


class _Transposed(TypedDict):
    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]
    out_degree: npt.NDArray[np.uint32]


def _transposed(keys: npt.NDArray[np.uint64], n_pages: int) -> _Transposed:
    """Return the arrays of arcs given as ``target << 32 | source``, in any order, repeats once."""
    keys = _sorted_once(keys)
    sources = (keys & _LOW).astype(np.uint32)
    keys >>= _HIGH_BITS
    in_degree = np.bincount(keys.astype(np.int64), minlength=n_pages)
    return _Transposed(
        indptr=np.concatenate([[0], np.cumsum(in_degree)]).astype(np.int64),
        indices=sources,
        out_degree=np.bincount(sources, minlength=n_pages).astype(np.uint32),
    )


def _sorted_once(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Sort *keys* in place and return them without repeats (quicker than ``np.unique`` here)."""
    keys.sort()
    return keys[_differs(keys)]


def _differs(ascending: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.bool_]:
    """Tell of each element whether it is the first of its value."""
    first = np.ones(len(ascending), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return first


def _check_known(unknown: npt.NDArray[np.uint64]) -> None:
    if len(unknown):
        page = int(unknown[0])
        raise ValueError(
            f"page {page >> 32}:{page & 0xFFFFFFFF} is not among the pages of the graph"
        )
