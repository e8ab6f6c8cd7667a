"""The medoid of a cluster: the page with the least sum of distances to all others of it.

*Source: Gottron 2008, section 7.1.2, where it is the median of k-median clustering.* Of more than `SAMPLE` pages so
many, evenly spread in their order, are those among which it is looked for and to which distances count.

Cost: `SAMPLE` rows of distances within a cluster. Invariant: of two medoids the first is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from pipelines.templates.distances import Rows

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

SAMPLE = 256


def medoid_distances(
    features: Sequence[Any], rows_of: Callable[[Sequence[Any]], Rows]
) -> tuple[int, F64]:
    """Return the place of the medoid of the pages with *features*, and the distances of all to it, float64[n].

    *rows_of* prepares features, as those of :class:`pipelines.templates.distances.Distance`.
    """
    n = len(features)
    if n == 1:
        return 0, np.zeros(1)
    chosen = np.unique(np.linspace(0, n - 1, min(n, SAMPLE)).round().astype(np.int64))
    sample = rows_of([features[place] for place in chosen.tolist()])
    sums = [float(sample.row(place).sum()) for place in range(len(chosen))]
    medoid = int(chosen[int(np.argmin(sums))])
    return medoid, rows_of(features).row(medoid)
