"""The compiled loops of HITS; what they compute is told by `crawler.ranking.hits.hits`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import kernel, lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    Indptr = npt.NDArray[np.int64]
    Indices = npt.NDArray[np.uint32]
    Vector = npt.NDArray[np.float64]

_ONE = np.uint64(1)


@lean_kernel
def gather_hubs(
    indptr: Indptr, indices: Indices, weights: Vector, hub: Vector, authority: Vector
) -> None:
    """Set the authority of each target to the sum of its hubs; without *weights* each counts 1."""
    for t in range(np.uint64(len(indptr) - 1)):
        total = 0.0
        for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + _ONE])):
            weight = weights[j] if len(weights) else 1.0
            total += weight * hub[indices[j]]
        authority[t] = total


@lean_kernel
def scatter_authorities(
    indptr: Indptr, indices: Indices, weights: Vector, hub: Vector, authority: Vector
) -> None:
    """Add to each hub, which is 0, the authorities of its targets."""
    for t in range(np.uint64(len(indptr) - 1)):
        value = authority[t]
        for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + _ONE])):
            weight = weights[j] if len(weights) else 1.0
            hub[indices[j]] += weight * value


@kernel
def chosen_arcs(
    indptr: Indptr,
    indices: Indices,
    host: npt.NDArray[np.uint32],
    base: npt.NDArray[np.bool_],
    nepotistic: bool,
) -> tuple[Indptr, Indices]:
    """Return the arcs between pages of *base*; those within a host only if *nepotistic*."""
    kept_ptr = np.zeros(len(indptr), dtype=np.int64)
    kept = np.empty(len(indices), dtype=np.uint32)
    end = 0
    for t in range(len(indptr) - 1):
        if base[t]:
            for j in range(indptr[t], indptr[t + 1]):
                source = indices[j]
                if base[source] and (nepotistic or host[source] != host[t]):
                    kept[end] = source
                    end += 1
        kept_ptr[t + 1] = end
    return kept_ptr, kept[:end].copy()
