"""The compiled loops that build a host graph; `crawler.webgraph.csr` tells what they compute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.jit import kernel, lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    Ids = npt.NDArray[np.uint64]

_ZERO, _ONE, _32 = np.uint64(0), np.uint64(1), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
# The number of a page that is not there. Numbers are below 2^32 - 1.
NONE = np.uint32(0xFFFFFFFF)


class PageNumbers(NamedTuple):
    """What leads from ids to page numbers: arrays of the graph."""

    host_ids: npt.NDArray[np.uint32]
    host_ptr: npt.NDArray[np.int64]
    local_ids: npt.NDArray[np.uint32]


class Lists(NamedTuple):
    """Page numbers: of each of *sources* the next *counts* of *targets*."""

    sources: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint32]
    targets: npt.NDArray[np.uint32]


@part
def _first_at_least(
    values: npt.NDArray[np.uint32], low: np.uint64, high: np.uint64, value: np.uint64
) -> np.uint64:
    """Return the first place from *low* to before *high* with a number of at least *value*, or *high*."""
    while low < high:
        middle = (low + high) >> _ONE
        if np.uint64(values[middle]) < value:
            low = middle + _ONE
        else:
            high = middle
    return low


@lean_kernel
def number_pages(ids: Ids, pages: PageNumbers, numbers: npt.NDArray[np.uint32]) -> int:
    """Write the page numbers of *ids*, `NONE` for those that have none; return how many those are.

    HostIDs and LocalIDs mostly count up from 0, so a page mostly stands where they say.
    """
    n_hosts = np.uint64(len(pages.host_ids))
    host_id, start, stop = ~_ZERO, _ZERO, _ZERO
    n_unknown = 0
    for i in range(np.uint64(len(ids))):
        if ids[i] >> _32 != host_id:
            host_id = ids[i] >> _32
            host = host_id
            if host >= n_hosts or np.uint64(pages.host_ids[host]) != host_id:
                host = _first_at_least(pages.host_ids, _ZERO, n_hosts, host_id)
            start = stop = _ZERO
            if host < n_hosts and np.uint64(pages.host_ids[host]) == host_id:
                start = np.uint64(pages.host_ptr[host])
                stop = np.uint64(pages.host_ptr[host + _ONE])
        local = ids[i] & _LOW
        place = start + local
        if place >= stop or np.uint64(pages.local_ids[place]) != local:
            place = _first_at_least(pages.local_ids, start, stop, local)
        if place < stop and np.uint64(pages.local_ids[place]) == local:
            numbers[i] = np.uint32(place)
        else:
            numbers[i] = NONE
            n_unknown += 1
    return n_unknown


@lean_kernel
def count_targets(targets: npt.NDArray[np.uint32], counts: npt.NDArray[Any]) -> None:
    """Add 1 to ``counts[t]`` for each target t."""
    for j in range(np.uint64(len(targets))):
        counts[np.uint64(targets[j])] += 1


@lean_kernel
def place_sources(
    sources: npt.NDArray[np.uint32],
    targets: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.int64],
    indices: npt.NDArray[np.uint32],
) -> None:
    """Write each source behind those of its target, whose list ends at ``ends[t]``."""
    for j in range(np.uint64(len(targets))):
        target = np.uint64(targets[j])
        indices[np.uint64(ends[target])] = sources[j]
        ends[target] += 1


@lean_kernel
def begin_lists(
    first: npt.NDArray[np.unsignedinteger],
    second: npt.NDArray[np.unsignedinteger],
    indptr: npt.NDArray[np.int64],
) -> None:
    """Put in the place of two counts of arcs to each target where the arcs of each count begin.

    Those of *first* stand before those of *second*; *indptr* gets where each target's begin.
    """
    end = _ZERO
    for t in range(np.uint64(len(first))):
        indptr[t] = np.int64(end)
        n_first, n_second = np.uint64(first[t]), np.uint64(second[t])
        first[t] = end
        second[t] = end + n_first
        end += n_first + n_second
    indptr[np.uint64(len(first))] = np.int64(end)


@lean_kernel
def count_sources(sources: npt.NDArray[np.uint32], out_degree: npt.NDArray[np.uint32]) -> None:
    """Add 1 to ``out_degree[s]`` for each source s."""
    for j in range(np.uint64(len(sources))):
        out_degree[np.uint64(sources[j])] += np.uint32(1)


@lean_kernel
def place_lists(
    lists: Lists,
    ends: npt.NDArray[np.unsignedinteger],
    indices: npt.NDArray[np.uint32],
    out_degree: npt.NDArray[np.uint32],
) -> None:
    """Write each source behind those of its targets, whose lists end at ``ends[t]``; set *out_degree*.

    No source stands twice.
    """
    j = _ZERO
    for i in range(np.uint64(len(lists.sources))):
        source, count = lists.sources[i], lists.counts[i]
        out_degree[np.uint64(source)] = count
        for _ in range(count):
            target = np.uint64(lists.targets[j])
            place = np.uint64(ends[target])
            ends[target] = place + _ONE
            indices[place] = source
            j += _ONE


@lean_kernel
def place_targets(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
) -> None:
    """Write each target behind those of its sources, whose lists end at ``ends[s]``."""
    for t in range(np.uint64(len(indptr) - 1)):
        for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + _ONE])):
            source = np.uint64(indices[j])
            targets[np.uint64(ends[source])] = np.uint32(t)
            ends[source] += 1


@lean_kernel
def add_self_links(
    old_indptr: npt.NDArray[np.int64],
    old_indices: npt.NDArray[np.uint32],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.uint32],
) -> None:
    """Copy the rows to *indices*; those that are longer by *indptr* get their own number besides."""
    for t in range(np.uint64(len(indptr) - 1)):
        start, stop = np.uint64(old_indptr[t]), np.uint64(old_indptr[t + _ONE])
        write = np.uint64(indptr[t])
        is_missing = bool(np.uint64(indptr[t + _ONE]) - write > stop - start)
        for j in range(start, stop):
            if is_missing and np.uint64(old_indices[j]) > t:
                is_missing = False
                indices[write] = np.uint32(t)
                write += _ONE
            indices[write] = old_indices[j]
            write += _ONE
        if is_missing:
            indices[write] = np.uint32(t)


@kernel
def sort_rows(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.uint32], first: int, stop: int
) -> None:
    """Sort the rows *first* to before *stop* of *indices*."""
    for t in range(np.uint64(first), np.uint64(stop)):
        begin, end = np.uint64(indptr[t]), np.uint64(indptr[t + _ONE])
        for j in range(begin + _ONE, end):
            if indices[j] < indices[j - _ONE]:
                indices[begin:end].sort()
                break


@lean_kernel
def close_gaps(indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.uint32]) -> int:
    """Leave out repeats in the rows of *indices*, which ascend, and close the gaps; return the end."""
    write, start = _ZERO, _ZERO
    for t in range(np.uint64(len(indptr) - 1)):
        stop = np.uint64(indptr[t + _ONE])
        for j in range(start, stop):
            if j == start or indices[j] != indices[j - _ONE]:
                if write != j:
                    indices[write] = indices[j]
                write += _ONE
        start = stop
        indptr[t + _ONE] = write
    return int(write)
