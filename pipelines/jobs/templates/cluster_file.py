"""The file of the clusters of pages.

*On disk.* ``templates/clusters.parquet``, one row a page, by cluster and URL: ``url`` and ``host`` (strings),
``host_id`` and ``local_id`` (uint32, null where the corpus has no graph that knows the page), ``cluster`` (uint32, from
0, the largest first), ``medoid_distance`` (float64) to the page of its cluster that is nearest to all of it, which has
``is_medoid`` (bool), and ``medoid_similarity`` (float64), the same as a similarity, 0 to 1 by any distance. The
metadata says ``format_version``, ``distance``, ``method``, ``threshold`` or ``clusters``, and ``shrunk`` where trees
were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import atomic_path, make_folder
from crawler.durable.layout import shards_of
from crawler.urls import host_name, page_key
from crawler.webgraph.graph import Graph
from pipelines.templates.distances import DISTANCES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from crawler.urls import PageKey
    from pipelines.jobs.templates.clusters import Clusters
    from pipelines.jobs.templates.options import ClusterOptions

FILE = "templates/clusters.parquet"
FORMAT_VERSION = "1"


def write_clusters(
    folder: Path, urls: Sequence[str], clusters: Clusters, options: ClusterOptions
) -> Path:
    """Write the *clusters* of the pages *urls* into the corpus in *folder*; return the file's path."""
    order = np.lexsort((np.arange(len(urls)), clusters.cluster))
    ordered = [urls[place] for place in order.tolist()]
    keys = [page_key(url) for url in ordered]
    host_id, local_id = _ids(folder, keys)
    is_medoid = np.zeros(len(urls), np.bool_)
    is_medoid[clusters.medoid] = True
    similarity = DISTANCES[options.distance].similarity(clusters.distance)
    columns = {
        "url": pa.array(ordered, pa.string()),
        "host": pa.array([host_name(key.host) if key else None for key in keys], pa.string()),
        "host_id": host_id,
        "local_id": local_id,
        "cluster": pa.array(clusters.cluster[order], pa.uint32()),
        "medoid_distance": pa.array(clusters.distance[order], pa.float64()),
        "medoid_similarity": pa.array(similarity[order], pa.float64()),
        "is_medoid": pa.array(is_medoid[order], pa.bool_()),
    }
    path = folder / FILE
    make_folder(path.parent)
    with atomic_path(path) as unfinished:
        table = pa.table(columns).replace_schema_metadata(_metadata(clusters, options))
        pq.write_table(table, unfinished, compression="zstd", write_page_checksum=True)
    return path


def _metadata(clusters: Clusters, options: ClusterOptions) -> dict[str, str]:
    cut = (
        {"clusters": str(len(clusters.medoid))}
        if clusters.threshold is None
        else {"threshold": str(clusters.threshold)}
    )
    return {
        "format_version": FORMAT_VERSION,
        "distance": options.distance,
        "method": options.method,
        **cut,
        **({"shrunk": "true"} if options.is_shrunk else {}),
    }


def _ids(folder: Path, keys: Sequence[PageKey | None]) -> tuple[pa.Array[Any], pa.Array[Any]]:
    """Return the host ids and local ids of *keys*, null where the graph in *folder* does not know them."""
    ids, known = np.zeros(len(keys), np.uint64), np.zeros(len(keys), np.bool_)
    if shards_of(folder) and keys:
        has_key = np.array([key is not None for key in keys])
        with Graph.open(folder) as graph:
            ids[has_key], known[has_key] = graph.find([key for key in keys if key is not None])
    halves = (ids >> np.uint64(32)).astype(np.uint32), ids.astype(np.uint32)
    host_id, local_id = (pa.array(half, mask=~known) for half in halves)
    return host_id, local_id
