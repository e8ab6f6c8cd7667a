"""Clusters of pages by their templates: what `scrapy templates cluster` does, but for reading and writing.

With a threshold and a distance of sets no distance is worked out that is not needed
(`pipelines.templates.threshold_graph`); with a number of clusters, a gap, or another distance, all are, a row at a
time; k-median keeps them all. Clusters are numbered from 0, the largest first, then by their first page.

Memory: the features of all pages, for ``cp`` some 0.6 KB a page, ``ctss`` 4 KB (pages of 100 KB), and six times as much
while they are indexed: 420 MB for ``ctss`` of 24,000 pages of the sample web, in all; 8 n² bytes for k-median.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.errors import InputError
from pipelines.templates.distances import DISTANCES, distance_matrix
from pipelines.templates.k_median import k_median
from pipelines.templates.medoids import medoid_distances
from pipelines.templates.set_rows import SetRows
from pipelines.templates.single_linkage import (
    cut_at_clusters,
    cut_at_threshold,
    gap_threshold,
    spanning_tree,
)
from pipelines.templates.threshold_graph import components

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.jobs.templates.options import ClusterOptions
    from pipelines.templates.distances import Rows

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

# The matrix of so many pages has 800 MB.
MAX_MATRIX_PAGES = 10_000


class Clusters(NamedTuple):
    """The cluster of each page, int64[n]; the medoid of each cluster, int64[k]; the distance of each page to its
    medoid, float64[n]; the threshold that made them, if one did.
    """

    cluster: I64
    medoid: I64
    distance: F64
    threshold: float | None


def cluster_pages(features: Sequence[Any], options: ClusterOptions) -> Clusters:
    """Return the clusters of pages with *features*, of the distance that *options* name.

    Raises :exc:`InputError` for k-median of more than `MAX_MATRIX_PAGES`, and where all distances of more than its
    `Distance.most_pages` would be needed.
    """
    distance = DISTANCES[options.distance]
    if not features:
        none = np.zeros(0, np.int64)
        return Clusters(none, none, np.zeros(0), options.linked_below)
    rows = distance.rows(features)
    unordered, threshold = _clusters(rows, options)
    cluster = _by_size(unordered)
    n_clusters = int(cluster.max()) + 1
    medoid, to_medoid = np.empty(n_clusters, np.int64), np.empty(len(features))
    by_cluster = np.argsort(cluster, kind="stable")
    parts = np.split(by_cluster, np.cumsum(np.bincount(cluster))[:-1])
    for number, members in enumerate(parts):
        place, found = medoid_distances(
            [features[each] for each in members.tolist()], partial(distance.part, rows)
        )
        medoid[number], to_medoid[members] = members[place], found
    return Clusters(cluster, medoid, to_medoid, threshold)


def _clusters(rows: Rows, options: ClusterOptions) -> tuple[I64, float | None]:
    """Return the cluster of each page, and the threshold."""
    threshold = options.linked_below
    if options.method == "k-median":
        assert options.n_clusters is not None
        if len(rows) > MAX_MATRIX_PAGES:
            raise InputError(
                f"k-median of {len(rows):,} pages, and {MAX_MATRIX_PAGES:,} are the most; leave --method out"
            )
        k = min(options.n_clusters, len(rows))
        return k_median(distance_matrix(rows), k, seed=options.seed).clusters, None
    if threshold is not None and isinstance(rows, SetRows):
        return components(rows, threshold), threshold
    if len(rows) > (most := DISTANCES[options.distance].most_pages):
        raise InputError(
            f"all {options.distance} distances of {len(rows):,} pages, and of {most:,} are the most; "
            "give cp, cps or ctss by a --threshold, or files of fewer pages by --warc"
        )
    tree = spanning_tree(rows)
    if options.is_gap:
        threshold = gap_threshold(tree)
    if threshold is not None:
        return cut_at_threshold(tree, threshold), threshold
    # Pages all of one distance have no gap.
    return cut_at_clusters(tree, options.n_clusters or 1), None


def _by_size(cluster: I64) -> I64:
    """Return *cluster* numbered anew."""
    _, first, number, size = np.unique(
        cluster, return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty(len(size), np.int64)
    rank[np.lexsort((first, -size))] = np.arange(len(size))
    return rank[number]
