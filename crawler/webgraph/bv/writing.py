"""Writes successor lists in the BV format, which `crawler.webgraph.bv.graph` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.jit import kernel, part
from crawler.webgraph.bv.codes import folded, put_gamma, put_unary, put_zeta

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.arcs.streams import Bytes
    from crawler.webgraph.bv.codes import Parameters

    Indptr = npt.NDArray[np.int64]
    Indices = npt.NDArray[np.uint32]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Forward(NamedTuple):
    """The graph, forwards, and of each node the length of its chain of references (uint8)."""

    indptr: Indptr
    indices: Indices
    depth: Bytes


class Work(NamedTuple):
    """The parameters, and room for what a list is made of: two more than the longest list each."""

    parameters: Parameters
    blocks: npt.NDArray[np.uint64]
    extra: npt.NDArray[np.uint64]
    left: npt.NDArray[np.uint64]
    length: npt.NDArray[np.uint64]


@part
def _compare(own: Indices, other: Indices, work: Work) -> Any:
    """Fill the copy blocks of *own* from *other*, and what is not there; return how many of each.

    The last block is left out: what is behind the others is copied if their number is even.
    """
    n_blocks, n_extra, run = _ZERO, _ZERO, _ZERO
    is_copying = True
    i = _ZERO
    for j in range(np.uint64(len(other))):
        while i < np.uint64(len(own)) and own[i] < other[j]:
            work.extra[n_extra] = own[i]
            n_extra += _ONE
            i += _ONE
        is_common = bool(i < np.uint64(len(own)) and own[i] == other[j])
        if is_common != is_copying:
            work.blocks[n_blocks] = run
            n_blocks += _ONE
            run = _ZERO
            is_copying = is_common
        run += _ONE
        if is_common:
            i += _ONE
    while i < np.uint64(len(own)):
        work.extra[n_extra] = own[i]
        n_extra += _ONE
        i += _ONE
    return n_blocks, n_extra


@part
def _intervals(n_extra: np.uint64, shortest: np.uint64, work: Work) -> Any:
    """Move runs of *shortest* or more numbers out of the extra ones; return how many runs, and what is left."""
    n_intervals, n_left, i = _ZERO, _ZERO, _ZERO
    extra = work.extra
    while i < n_extra:
        stop = i + _ONE
        while stop < n_extra and extra[stop] == extra[stop - _ONE] + _ONE:
            stop += _ONE
        if shortest > _ZERO and stop - i >= shortest:
            work.left[n_intervals] = extra[i]
            work.length[n_intervals] = stop - i
            n_intervals += _ONE
            i = stop
        else:
            while i < stop:
                extra[n_left] = extra[i]
                n_left += _ONE
                i += _ONE
    return n_intervals, n_left


@part
def _put_extra(
    x: np.uint64, n_extra: np.uint64, work: Work, out: Bytes, place: np.uint64, write: bool
) -> Any:  # fmt: skip
    """Write the intervals and residuals of node *x*; return the end."""
    shortest, zeta_k = work.parameters.min_interval, work.parameters.zeta_k
    n_intervals, n_left = _intervals(n_extra, shortest, work)
    if shortest > _ZERO:
        place = put_gamma(out, place, n_intervals, write)
        end = _ZERO
        for i in range(n_intervals):
            left = work.left[i]
            gap = folded(left, x) if i == _ZERO else left - end - _ONE
            place = put_gamma(out, place, gap, write)
            place = put_gamma(out, place, work.length[i] - shortest, write)
            end = left + work.length[i]
    for i in range(n_left):
        number = work.extra[i]
        gap = folded(number, x) if i == _ZERO else number - work.extra[i - _ONE] - _ONE
        place = put_zeta(out, place, gap, zeta_k, write)
    return place


@part
def _put_list(  # noqa: PLR0913, PLR0917 (parts hand on what their kernel works on)
    x: np.uint64, ref: np.uint64, graph: Forward, work: Work, out: Bytes, place: np.uint64, write: bool
) -> Any:  # fmt: skip
    """Write the list of node *x* with reference *ref*; return the end."""
    indptr, indices = graph.indptr, graph.indices
    own = indices[indptr[x] : indptr[x + _ONE]]
    degree = np.uint64(len(own))
    place = put_gamma(out, place, degree, write)
    if degree == _ZERO:
        return place
    if work.parameters.window > _ZERO:
        place = put_unary(out, place, ref, write)
    other = indices[indptr[x - ref] : indptr[x - ref + _ONE]] if ref > _ZERO else own[:0]
    n_blocks, n_extra = _compare(own, other, work)
    if ref > _ZERO:
        place = put_gamma(out, place, n_blocks, write)
        for i in range(n_blocks):
            less = _ZERO if i == _ZERO else _ONE
            place = put_gamma(out, place, work.blocks[i] - less, write)
    if n_extra > _ZERO:
        place = _put_extra(x, n_extra, work, out, place, write)
    return place


@kernel
def write_lists(
    first: int, graph: Forward, work: Work, out: Bytes, place: int, sizes: npt.NDArray[np.uint64]
) -> int:  # fmt: skip
    """Write the lists of nodes from *first* on at bit *place* of *out*; return the end.

    *sizes* is filled with the bits of each list; it tells how many there are.
    """
    at = np.uint64(place)
    parameters = work.parameters
    for i in range(np.uint64(len(sizes))):
        x = np.uint64(first) + np.uint64(i)
        best, best_end = _ZERO, _put_list(x, _ZERO, graph, work, out, at, False)
        for r in range(min(parameters.window, x)):
            ref = np.uint64(r) + _ONE
            other = x - ref
            is_empty = graph.indptr[other] == graph.indptr[other + _ONE]
            if is_empty or np.uint64(graph.depth[other]) >= parameters.max_ref:
                continue
            end = _put_list(x, ref, graph, work, out, at, False)
            if end < best_end:
                best, best_end = ref, end
        _put_list(x, best, graph, work, out, at, True)
        graph.depth[x] = np.uint8(graph.depth[x - best] + 1) if best > _ZERO else np.uint8(0)
        sizes[i] = best_end - at
        at = best_end
    return int(at)


@kernel
def write_gammas(values: npt.NDArray[np.uint64], out: Bytes, place: int) -> int:
    """Write *values* in gamma code at bit *place* of *out*; return the end."""
    at = np.uint64(place)
    for i in range(np.uint64(len(values))):
        at = put_gamma(out, at, values[i], True)
    return int(at)
