"""The compiled loops over the arcs; `pipelines.jobs.locality.links` tells what they count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import kernel, lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

_ONE = np.uint64(1)


@lean_kernel
def fill_raster(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.uint32],
    cell_of_page: npt.NDArray[np.uint16],
    raster: npt.NDArray[np.int64],
) -> None:
    """Count each arc in ``raster[cell of its source, cell of its target]``."""
    for t in range(np.uint64(len(indptr) - 1)):
        column = np.uint64(cell_of_page[t])
        for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + _ONE])):
            raster[np.uint64(cell_of_page[indices[j]]), column] += 1


@kernel
def count_links(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.uint32],
    group_of_page: npt.NDArray[np.uint32],
    n_groups: int,
) -> tuple[int, int]:
    """Return the arcs between groups, and the different pairs of a source's group and a target."""
    n_between = 0
    n_pairs = 0
    seen = np.full(n_groups, np.int64(-1))
    for t in range(np.uint64(len(indptr) - 1)):
        own = group_of_page[t]
        for j in range(np.uint64(indptr[t]), np.uint64(indptr[t + _ONE])):
            group = group_of_page[indices[j]]
            if group != own:
                n_between += 1
                if seen[group] != np.int64(t):
                    seen[group] = np.int64(t)
                    n_pairs += 1
    return n_between, n_pairs
