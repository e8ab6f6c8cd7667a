"""The compiled loops that lay out arcs for topic PageRank, and find what a topic reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.ranking.topic_kernels import Int64s, Links, UInt32s


@kernel
def lay_out(
    host_ptr: Int64s, indptr: Int64s, indices: UInt32s, links: Links, counts: Int64s
) -> None:
    """Fill the arrays of *links* that tell of arcs from a graph's transposed ones.

    *counts*, of each linking page: its arcs to other linking pages of its host, and all to others.
    """
    place = 0
    for host in range(len(host_ptr) - 1):
        first, last = host_ptr[host], host_ptr[host + 1]
        for t in range(first, last):
            links.indptr[t] = place
            start = place
            n_inner = 0
            is_linking = links.is_linking[t]
            for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + 1])):
                source = np.int64(indices[j])
                if source == t:
                    continue
                s = links.linking_of[source]
                links.indices[place] = s
                place += 1
                counts[1, s] += 1
                start += source < first
                if first <= source < last:
                    n_inner += 1
                    counts[0, s] += is_linking
            if is_linking:
                links.inner_start[links.linking_of[t]] = start
                links.inner_stop[links.linking_of[t]] = start + n_inner
    links.indptr[len(links.indptr) - 1] = place


@kernel
def out_links(links: Links, out_ptr: Int64s, targets: UInt32s) -> None:
    """Fill *targets* with the targets of each linking page; *out_ptr* begins as the starts."""
    for t in range(len(links.indptr) - 1):
        for j in range(np.uint64(links.indptr[t]), np.uint64(links.indptr[t + 1])):
            source = links.indices[j]
            targets[np.uint64(out_ptr[source])] = t
            out_ptr[source] += 1


@kernel
def mark_reached(
    links: Links,
    out_ptr: Int64s,
    targets: UInt32s,
    reached: npt.NDArray[np.bool_],
) -> None:
    """Mark in *reached* all pages that can be reached from those marked."""
    waiting = np.empty(len(links.page_of), dtype=np.uint32)
    n_waiting = 0
    for t in range(len(reached)):
        if reached[t] and links.is_linking[t]:
            waiting[n_waiting] = links.linking_of[t]
            n_waiting += 1
    while n_waiting:
        n_waiting -= 1
        source = waiting[n_waiting]
        for j in range(np.uint64(out_ptr[source]), np.uint64(out_ptr[source + np.uint64(1)])):
            t = targets[j]
            if not reached[t]:
                reached[t] = True
                if links.is_linking[t]:
                    waiting[n_waiting] = links.linking_of[t]
                    n_waiting += 1
