"""Groups the pages of an archive by their templates, into a corpus folder: `scrapy templates cluster`.

*On disk.* ``templates/clusters.parquet`` (`pipelines.jobs.templates.cluster_file`); if asked for,
``templates/clusters.html`` and its plots as PNG beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.urls import host_name, page_key
from pipelines.jobs.templates.cluster_file import write_clusters
from pipelines.jobs.templates.clusters import cluster_pages
from pipelines.jobs.templates.report import ClusterReport, ClusterRow
from pipelines.jobs.templates.stored_documents import read_documents
from pipelines.jobs.templates.truth import agreement, templates_of
from pipelines.templates.distances import DISTANCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from crawler.page import PageLimits
    from crawler.ranking.corpus.answers import StoredPage
    from pipelines.jobs.templates.clusters import Clusters
    from pipelines.jobs.templates.options import ClusterOptions
    from pipelines.jobs.templates.truth import Truth
    from pipelines.templates.distances import Distance

FOLDER, PAGE = "templates", "clusters.html"


def write_corpus_clusters(
    folder: Path,
    pages: Iterable[StoredPage],
    options: ClusterOptions,
    *,
    limits: PageLimits,
    is_drawn: bool = False,
    truth: Truth | None = None,
) -> ClusterReport:
    """Cluster *pages* as *options* say and write them into the corpus in *folder*, with plots if *is_drawn*.

    They are compared with the *truth*, if there is one. Memory: see `pipelines.jobs.templates.clusters`. Raises
    :exc:`InputError` where the folder cannot be written, and for a truth of none of the pages.
    """
    distance = DISTANCES[options.distance]
    read = read_documents(pages, limits, distance, is_shrunk=options.is_shrunk)
    names = None if truth is None else templates_of(read.urls, truth)
    clusters = cluster_pages(read.features, options)
    path = write_clusters(folder, read.urls, clusters, options)
    report = ClusterReport(
        distance=options.distance,
        method=options.method,
        threshold=clusters.threshold,
        pages=len(read.urls),
        left_out=dict(sorted(read.left_out.items())),
        compared_in_part=_in_part(distance, read.n_cut),
        clusters=_rows(read.urls, clusters),
        files=[str(path)],
    )
    if names is not None:
        report.agreement = agreement(names, clusters.cluster, distance, read.features)
    if is_drawn and len(read.urls) > 1:
        _draw(folder, read.features, clusters, options, report)
    return report


def _in_part(distance: Distance, n_cut: int) -> dict[str, int]:
    """Return how many pages are compared by a part of them, by its name."""
    if distance.compared is None or not n_cut:
        return {}
    return {f"first {distance.compared.first} {distance.compared.parts}": n_cut}


def _draw(
    folder: Path,
    features: Sequence[Any],
    clusters: Clusters,
    options: ClusterOptions,
    report: ClusterReport,
) -> None:
    """Draw the *clusters* into *folder*; note in *report* what the drawn distances say."""
    # Here, for it takes a second to import.
    from pipelines.jobs.sheets.folder import write_folder
    from pipelines.jobs.templates.plots import NAMES, drawn_pages, drawn_places, plots_of

    places = drawn_places(clusters.cluster)
    distance = DISTANCES[options.distance]
    rows = distance.part(distance.rows(features), [features[place] for place in places.tolist()])
    drawn = drawn_pages(rows, clusters.cluster[places], clusters.threshold)
    report.drawn, report.gap = len(places), drawn.gap
    report.dunn = dunn if np.isfinite(dunn := drawn.dunn) else None
    written = write_folder(
        folder / FOLDER,
        PAGE,
        "Templates of pages",
        report.tables(),
        plots_of(drawn),
        all_figures=NAMES,
    )
    report.files.extend(map(str, written))


def _rows(urls: Sequence[str], clusters: Clusters) -> list[ClusterRow]:
    """Return what is told of each cluster."""
    by_cluster = np.argsort(clusters.cluster, kind="stable")
    parts = np.split(by_cluster, np.cumsum(np.bincount(clusters.cluster))[:-1])
    rows = []
    for members, medoid in zip(parts, clusters.medoid.tolist(), strict=False):
        keys = [page_key(urls[place]) for place in members.tolist()]
        distance = clusters.distance[members]
        rows.append(
            ClusterRow(
                pages=len(members),
                hosts=len({host_name(key.host) for key in keys if key}),
                mean_distance=float(distance.mean()),
                max_distance=float(distance.max()),
                medoid=urls[medoid],
            )
        )
    return rows
