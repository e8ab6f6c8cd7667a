"""Reads successor lists in the BV format, which `crawler.webgraph.bv.graph` tells.

Whatever the bits are, nothing is read or written beyond an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import kernel, part
from crawler.webgraph.bv.codes import NOTHING, get_gamma, get_unary, get_zeta, unfolded

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.arcs.streams import Bytes
    from crawler.webgraph.bv.codes import Parameters

    Indptr = npt.NDArray[np.int64]
    Indices = npt.NDArray[np.uint32]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@part
def _copy_blocks(
    stream: Bytes, place: np.uint64, other: Indices, own: npt.NDArray[np.uint32]
) -> Any:
    """Fill *own* by the copy blocks at *place*; return how many, `NOTHING` if damaged, and the end."""
    n_blocks, place = get_gamma(stream, place)
    n_other, n_own = np.uint64(len(other)), np.uint64(len(own))
    if n_blocks > n_other:
        return NOTHING, place
    done, n_copied = _ZERO, _ZERO
    for i in range(n_blocks + _ONE):
        run = n_other - done
        if i < n_blocks:
            run, place = get_gamma(stream, place)
            run += _ZERO if i == _ZERO else _ONE
        if run > n_other - done:
            return NOTHING, place
        if i & _ONE == _ZERO:
            if run > n_own - n_copied:
                return NOTHING, place
            for k in range(run):
                own[n_copied] = other[done + np.uint64(k)]
                n_copied += _ONE
        done += run
    return n_copied, place


@part
def _get_intervals(
    stream: Bytes, place: np.uint64, x: np.uint64, shortest: np.uint64, n_nodes: np.uint64, own: Indices
) -> Any:  # fmt: skip
    """Fill *own* by the intervals at *place*; return how many numbers, `NOTHING` if damaged, and the end."""
    n_intervals, place = get_gamma(stream, place)
    n_own, filled, end = np.uint64(len(own)), _ZERO, _ZERO
    if n_intervals > n_own:
        return NOTHING, place
    for i in range(n_intervals):
        gap, place = get_gamma(stream, place)
        left = unfolded(gap, x) if i == _ZERO else gap + end + _ONE
        length, place = get_gamma(stream, place)
        length += shortest
        if left >= n_nodes or length > n_nodes - left or length > n_own - filled:
            return NOTHING, place
        for k in range(length):
            own[filled] = np.uint32(left + np.uint64(k))
            filled += _ONE
        end = left + length
    return filled, place


@part
def _get_residuals(
    stream: Bytes, place: np.uint64, x: np.uint64, zeta_k: np.uint64, n_nodes: np.uint64, own: Indices
) -> Any:  # fmt: skip
    """Fill *own* by residuals at *place*; return whether they are right, and the end."""
    before = _ZERO
    for i in range(np.uint64(len(own))):
        gap, place = get_zeta(stream, place, zeta_k)
        number = unfolded(gap, x) if i == _ZERO else gap + before + _ONE
        if number >= n_nodes:
            return False, place
        own[i] = np.uint32(number)
        before = number
    return True, place


@part
def _get_list(
    x: np.uint64, stream: Bytes, place: np.uint64, parameters: Parameters, indptr: Indptr, indices: Indices
) -> Any:  # fmt: skip
    """Read the list of node *x* at *place* behind the others; return the end, `NOTHING` if damaged."""
    n_nodes = np.uint64(len(indptr) - 1)
    start = np.uint64(indptr[x])
    degree, place = get_gamma(stream, place)
    if degree > np.uint64(len(indices)) - start:
        return NOTHING
    indptr[x + _ONE] = start + degree
    if degree == _ZERO:
        return place
    own = indices[start : start + degree]
    filled, ref = _ZERO, _ZERO
    if parameters.window > _ZERO:
        ref, place = get_unary(stream, place)
    if ref > min(parameters.window, x):
        return NOTHING
    if ref > _ZERO:
        other = indices[indptr[x - ref] : indptr[x - ref + _ONE]]
        filled, place = _copy_blocks(stream, place, other, own)
    if filled < degree and parameters.min_interval > _ZERO:
        more, place = _get_intervals(
            stream, place, x, parameters.min_interval, n_nodes, own[filled:]
        )
        filled = NOTHING if more == NOTHING else filled + more
    if filled > degree:
        return NOTHING
    is_right, place = _get_residuals(stream, place, x, parameters.zeta_k, n_nodes, own[filled:])
    return place if is_right else NOTHING


@kernel
def read_lists(
    stream: Bytes, parameters: Parameters, indptr: Indptr, indices: Indices, sizes: npt.NDArray[np.uint64]
) -> bool:  # fmt: skip
    """Fill *indptr* and *indices* from *stream*; False when it is damaged or lists differ from *sizes*."""
    place = _ZERO
    for i in range(len(indptr) - 1):
        x = np.uint64(i)
        end = _get_list(x, stream, place, parameters, indptr, indices)
        if end == NOTHING or end - place != sizes[x]:
            return False
        place = end
        # What was copied, intervals and residuals: each in order.
        own = indices[indptr[x] : indptr[x + _ONE]]
        own.sort()
        for j in range(_ONE, np.uint64(len(own))):
            if own[j] == own[j - _ONE]:
                return False
    return bool(np.uint64(indptr[-1]) == np.uint64(len(indices)))


@kernel
def read_gammas(stream: Bytes, values: npt.NDArray[np.uint64]) -> bool:
    """Fill *values* from *stream*; False when it ends before."""
    place = _ZERO
    for i in range(np.uint64(len(values))):
        values[i], place = get_gamma(stream, place)
        if values[i] >= NOTHING or place > np.uint64(8) * np.uint64(len(stream)):
            return False
    return True
