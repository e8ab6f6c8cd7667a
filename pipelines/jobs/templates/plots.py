"""The pictures of a clustering: the matrix of distances, their histogram, and the pages as points.

*Source: Gottron 2008, figures 7.7, 7.8 and 7.9.* Pages stand in the order of their clusters; of more than `MAX_DRAWN`
pages so many are drawn, evenly spread. Cost: all distances of those, and their scaling, some seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.jobs.sheets.drawing import DATA, FIT, SECOND, SHADE, THIRD, figure, label
from pipelines.templates.cluster_measures import dunn_index
from pipelines.templates.distances import distance_matrix
from pipelines.templates.mds import nonmetric_mds
from pipelines.templates.single_linkage import gap_threshold, spanning_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt
    from matplotlib.figure import Figure

    from pipelines.templates.distances import Rows

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

NAMES = ("distances", "histogram", "points")
# As many as the published pictures show.
MAX_DRAWN = 500
_BINS = 100
# The largest clusters by colour; the others are grey.
_COLOURS = (SECOND, FIT, THIRD, SHADE, "#e69f00", "#56b4e9", "#000000")


class Drawn(NamedTuple):
    """The pages that are drawn: their distances float64[n, n], clusters int64[n], and the threshold that made these."""

    distances: F64
    clusters: I64
    threshold: float | None

    @property
    def dunn(self) -> float:
        """The Dunn index of the clusters."""
        return dunn_index(self.distances, self.clusters)

    @property
    def gap(self) -> float | None:
        """The middle of the widest gap in the merges of single linkage."""
        return gap_threshold(spanning_tree(_MatrixRows(self.distances)))


class _MatrixRows:
    """Distances as rows."""

    def __init__(self, distances: F64) -> None:
        self.distances = distances

    def __len__(self) -> int:
        return len(self.distances)

    def row(self, place: int, others: I64 | None = None) -> F64:
        found: F64 = self.distances[place]
        return found if others is None else found[others]


def drawn_places(clusters: I64) -> I64:
    """Return the pages that are drawn, by cluster, int64[m]."""
    order = np.argsort(clusters, kind="stable")
    chosen = np.linspace(0, len(order) - 1, min(len(order), MAX_DRAWN)).round().astype(np.int64)
    return order[chosen]


def plots_of(drawn: Drawn) -> Iterator[tuple[str, Figure]]:
    """Yield the plots of *drawn*, of 2 pages or more, with the names of their files."""
    yield "distances", plot_matrix(drawn)
    yield "histogram", plot_histogram(drawn)
    yield "points", plot_points(drawn)


def plot_matrix(drawn: Drawn) -> Figure:
    """Draw the distances, white for 0 and black for the largest; the largest clusters are apart by lines."""
    made, (panel,) = figure("Distances of pages, by cluster")
    panel.grid(visible=False)
    image = panel.imshow(drawn.distances, cmap="Greys", vmin=0, interpolation="none")
    made.colorbar(image, ax=panel, label="distance")
    # Clusters ascend: the largest come first.
    for edge in np.flatnonzero(np.diff(drawn.clusters))[: len(_COLOURS)]:
        panel.axhline(edge + 0.5, color=SECOND, lw=0.5)
        panel.axvline(edge + 0.5, color=SECOND, lw=0.5)
    label(panel, "page", "page")
    return made


def plot_histogram(drawn: Drawn) -> Figure:
    """Draw how often each distance is there, on a logarithmic axis, with the threshold and the widest gap."""
    made, (panel,) = figure("Distances of pages")
    values = drawn.distances[np.triu_indices(len(drawn.distances), 1)]
    panel.hist(values, bins=_BINS, color=DATA)
    panel.set_yscale("log")
    if drawn.threshold is not None:
        panel.axvline(drawn.threshold, color=FIT, label=f"threshold {drawn.threshold:g}")
    gap = drawn.gap
    if gap is not None:
        panel.axvline(gap, color=SECOND, ls="--", label=f"widest gap of merges {gap:.3g}")
    label(panel, "distance", "pairs of pages")
    return made


def plot_points(drawn: Drawn) -> Figure:
    """Draw the pages as points whose distances are in the order of theirs, as far as a plane has room."""
    found = nonmetric_mds(drawn.distances)
    state = "" if found.is_settled else ", still falling"
    made, (panel,) = figure(f"Pages by distance (non-metric MDS, stress {found.stress:.3f}{state})")
    for number in np.unique(drawn.clusters)[::-1].tolist():
        points = found.points[drawn.clusters == number]
        is_named = number < len(_COLOURS)
        panel.plot(
            *points.T,
            ".",
            ms=5,
            color=_COLOURS[number] if is_named else DATA,
            label=f"cluster {number}" if is_named else None,
        )
    panel.set_aspect("equal", adjustable="datalim")
    # The order of distances is all that counts.
    panel.set(xticks=[], yticks=[])
    label(panel, "", "")
    return made


def drawn_pages(rows: Rows, clusters: I64, threshold: float | None) -> Drawn:
    """Return what is drawn of the pages of *rows*, which are those of `drawn_places`, with their *clusters*."""
    return Drawn(distance_matrix(rows), clusters, threshold)
