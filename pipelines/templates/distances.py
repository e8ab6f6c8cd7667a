"""The distances of pages by their published names, and the matrix of all pairs.

``rtdm``, ``cp``, ``cps``, ``tv``, ``lcts`` and ``ctss`` are those that Gottron 2008, section 7.1.1, compares; ``bop``,
``tfda``, ``parametric``, ``dft`` and ``xas`` are of his survey (section 3.5). Thresholds are published for ``cp``,
``cps`` and ``ctss`` alone.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from pipelines.templates.bag_of_paths import BagOfPathsRows, path_counts
from pipelines.templates.fourier import FourierRows
from pipelines.templates.lcts import MAX_TAGS, LctsRows, compared_tags
from pipelines.templates.parametric_functions import ParametricRows, list_values
from pipelines.templates.rtdm import MAX_ELEMENTS, RtdmRows, compared_tree
from pipelines.templates.set_distances import SET_FEATURES
from pipelines.templates.set_rows import SetRows
from pipelines.templates.tag_vector import TagFrequencyRows, TagVectorRows, tag_counts
from pipelines.templates.xas import MAX_EVENTS, XasRows, compared_events

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from pipelines.templates.documents import Document

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]


class Rows(Protocol):
    """Pages, prepared for one distance."""

    def __len__(self) -> int: ...

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, float64[m], by default to all; 0 to itself."""


class Compared(NamedTuple):
    """The part of a page that a distance sees where time and memory grow faster than pages do: the *first* of its
    *parts*.
    """

    parts: str
    first: int
    number: Callable[[Document], int]


class Distance(NamedTuple):
    """What a distance takes of a page, how pages are prepared for it, its published threshold, and the *largest*
    distance.

    *is_of_events*: it sees the events of a document, which are made for it alone; *is_of_tree*: its tree, or paths in
    it, which may be shrunk (:mod:`pipelines.templates.shrinking`). *most_pages*: of so many all distances take half an
    hour to a few hours on one core.
    """

    feature: Callable[[Document], Any]
    rows: Callable[[Sequence[Any]], Rows]
    threshold: float | None = None
    largest: float = 1.0
    compared: Compared | None = None
    most_pages: int = 50_000
    is_of_events: bool = False
    is_of_tree: bool = False

    def part(self, rows: Rows, features: Sequence[Any]) -> Rows:
        """Return some of the pages of *rows*, those with *features*, prepared so that their distances are the same."""
        if isinstance(rows, TagFrequencyRows | FourierRows):
            return rows.part(features)
        return self.rows(features)

    def similarity(self, distances: F64) -> F64:
        """Return *distances* as similarities, 1 for a page with itself (Gottron 2008, section 2.2.2).

        They are 1 - d / d_max where there is a largest distance d_max, else 1 / (1 + d), which is never 0; exp(-d),
        which is as good there, would be 0 of all costs of RTDM above 745.

        >>> distance("cp").similarity(np.array([0, 0.25, 1])).tolist()
        [1.0, 0.75, 0.0]
        >>> distance("rtdm").similarity(np.array([0.0, 3.0])).tolist()
        [1.0, 0.25]
        """
        if self.largest < inf:
            # Sums of shares may be above it by the last digit.
            return 1 - np.minimum(distances / self.largest, 1)
        return 1 / (1 + distances)

    def is_cut(self, document: Document) -> bool:
        """Tell whether a part of *document* alone is compared."""
        return self.compared is not None and self.compared.number(document) > self.compared.first


_TAGS = Compared("tags", MAX_TAGS, lambda found: len(found.tags))
DISTANCES: dict[str, Distance] = {
    "rtdm": Distance(
        compared_tree,
        RtdmRows,
        largest=inf,
        compared=Compared("elements", MAX_ELEMENTS, lambda found: len(found.tree.label)),
        most_pages=2_000,
        is_of_tree=True,
    ),
    **{
        name: Distance(feature.of, SetRows, feature.threshold, is_of_tree=name != "ctss")
        for name, feature in SET_FEATURES.items()
    },
    "tv": Distance(tag_counts, TagVectorRows, largest=inf),
    "lcts": Distance(compared_tags, LctsRows, compared=_TAGS, most_pages=10_000),
    "bop": Distance(path_counts, BagOfPathsRows, is_of_tree=True),
    "tfda": Distance(tag_counts, TagFrequencyRows, largest=10_000.0),
    "parametric": Distance(list_values, ParametricRows),
    "dft": Distance(compared_tags, FourierRows, largest=inf, compared=_TAGS, most_pages=20_000),
    "xas": Distance(
        compared_events,
        XasRows,
        compared=Compared("events", MAX_EVENTS, lambda found: len(found.events)),
        most_pages=3_000,
        is_of_events=True,
    ),
}


def distance(name: str) -> Distance:
    """Return the distance called *name*; raise ValueError for another one, naming all."""
    if name not in DISTANCES:
        raise ValueError(f"unknown distance {name!r}; give one of {', '.join(DISTANCES)}")
    return DISTANCES[name]


def distance_matrix(rows: Rows) -> F64:
    """Return the distances of all pairs, float64[n, n], symmetric; 8 n² bytes."""
    n = len(rows)
    matrix = np.zeros((n, n))
    places = np.arange(n)
    for place in range(n - 1):
        found = rows.row(place, places[place + 1 :])
        matrix[place, place + 1 :] = matrix[place + 1 :, place] = found
    return matrix
