"""How well topic ranks tell the label of a page, by links alone.

A share of the labelled pages of each class is shown (the biasing sets), the labels of the others are
held out and told by each method; over several draws of what is shown. Methods:

``membership``
    the facet with the largest membership (Kohlschütter 2011, equation 3.15), all classes being facets
    of one dimension. All of a page's memberships have the same divisor, so this is the class of the
    largest rank, also where the memberships are all 0 because no rank is above the mean
``membership, both ways``
    the same on the graph in which links go both ways
``rank times class size``, and both ways
    the class of the largest n_f r_f, n_f the shown pages of the class: large classes are more likely
``votes of neighbours``
    what most shown pages say that it links to or that link to it
``votes, iterated``
    every page has the mean of its neighbours' votes, shown ones their own; 100 rounds
``largest class``
    the same label for all

A page for which a method knows nothing (no way leads to it, no neighbour is shown, a tie) is
undecided, and gets the largest class. Figures: accuracy over all held-out pages; the area under the ROC
curve of each class against the rest by the class's share of the page's ranks or votes, mean over
classes; the share of decided pages, and accuracy over those. Mean and standard deviation over draws.

What links can tell: `LabelStudy.alike` of them join pages of one class, by chance it would be
`LabelStudy.alike_by_chance`. Of WebKB, whose classes are kinds of pages (a student's page links to
courses and to what is of no kind), .23 do, less than the .24 by chance, so that all methods that take
a page to be what its neighbours are come near to the largest class or below it; of polblogs, whose
classes are camps, .91 do.

*On disk*, read only: a folder with ``nodes.tsv.gz`` (id, name, label) and ``edges.tsv.gz`` (source,
target).

Measured with a tenth of each class shown: the camp of .84 of the other polblogs is told, of .90 along links in both
directions. WebKB's page kinds are not (.30 and .38; the largest class .45): links do not follow them.
"""

from __future__ import annotations

import gzip
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from crawler.errors import InputError
from crawler.ranking.topics.sets import TopicSets
from crawler.ranking.topics.topics import topic_ranks
from crawler.webgraph.csr import HostGraph
from pipelines.evaluation.measures.classification import curves, roc_area

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy.typing as npt

    Scores = npt.NDArray[np.float64]

_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Method:
    """(mean, standard deviation) of each figure over the draws."""

    name: str
    accuracy: tuple[float, float]
    auc: tuple[float, float]
    decided: tuple[float, float]
    decided_accuracy: tuple[float, float]


@dataclass(frozen=True, slots=True)
class LabelStudy:
    """The study of one graph. *classes*: pages of each label. *alike*: see the module."""

    graph: str
    pages: int
    arcs: int
    classes: dict[str, int]
    alike: float
    alike_by_chance: float
    shown_share: float
    draws: int
    methods: list[Method]


class Labelled(NamedTuple):
    """A graph and the class of each page, as a number; *names* of the classes."""

    graph: HostGraph
    label: npt.NDArray[np.int64]
    names: list[str]


class _Shown(NamedTuple):
    """What a method may know: the graph, and the pages of each class that are shown."""

    labelled: Labelled
    pages: list[npt.NDArray[np.int64]]


def read_labelled(folder: Path, *, label_depth: int = 1) -> Labelled:
    """Return the graph in *folder*; a label is the first *label_depth* parts of its path.

    Raises :exc:`InputError` when there is none.
    """
    try:
        rows = _rows(folder / "nodes.tsv.gz")
        numbers = {row[0]: number for number, row in enumerate(rows)}
        labels = ["/".join(row[2].split("/")[:label_depth]) for row in rows]
        ends = _rows(folder / "edges.tsv.gz")
        arcs = np.array([[numbers[a], numbers[b]] for a, b, *_ in ends], dtype=np.uint64)
    except (OSError, EOFError, ValueError, LookupError) as error:
        raise InputError(
            f"{folder} has no labelled graph ({error}); give nodes.tsv.gz and edges.tsv.gz"
        ) from error
    arcs = arcs.reshape(-1, 2)
    graph = HostGraph.from_arcs(np.arange(len(rows), dtype=np.uint64), arcs[:, 0], arcs[:, 1])
    names, label = np.unique(labels, return_inverse=True)
    return Labelled(graph, label, names.tolist())


def _rows(path: Path) -> list[list[str]]:
    # Not splitlines(), which parts names at U+0085 and U+2028, too.
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def study_labels(
    labelled: Labelled, *, name: str, share: float = 0.1, draws: int = 10, seed: int = 1
) -> LabelStudy:
    """Tell held-out labels by each method, *share* of each class being shown (at least one page).

    Raises :exc:`ValueError` for a share not above 0 and below 1, or no draw.
    """
    if not 0 < share < 1:
        raise ValueError(f"share must be above 0 and below 1, got {share}")
    if draws < 1:
        raise ValueError(f"draws must be at least 1, got {draws}")
    rng = np.random.default_rng(seed)
    figures: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in METHODS}
    for _ in range(draws):
        shown = _draw(labelled, share, rng)
        held_out = np.ones(len(labelled.label), dtype=np.bool_)
        held_out[np.concatenate(shown.pages)] = False
        for method, scores in METHODS.items():
            values = scores(shown)
            figures[method].append(_figures(shown, values, held_out))
    counts = np.bincount(labelled.label).tolist()
    return LabelStudy(
        graph=name,
        pages=labelled.graph.n_pages,
        arcs=labelled.graph.n_arcs,
        classes=dict(zip(labelled.names, counts, strict=True)),
        **_alike(labelled),
        shown_share=share,
        draws=draws,
        methods=[
            Method(method, *(_spread(column) for column in zip(*rows, strict=True)))
            for method, rows in figures.items()
        ],
    )


def _alike(labelled: Labelled) -> dict[str, float]:
    """Return the share of links within a class, and what it would be if links were drawn anew."""
    n_classes = len(labelled.names)
    source, target = (labelled.label[ends] for ends in labelled.graph.arcs())
    of_source, of_target = (np.bincount(ends, minlength=n_classes) for ends in (source, target))
    n_links = max(1, len(source))
    alike = int((source == target).sum()) / n_links
    by_chance = int(of_source @ of_target) / n_links**2
    return {"alike": alike, "alike_by_chance": by_chance}


def _draw(labelled: Labelled, share: float, rng: np.random.Generator) -> _Shown:
    """Draw what is shown, of each class alike."""
    pages = []
    for number in range(len(labelled.names)):
        members = np.flatnonzero(labelled.label == number)
        pages.append(rng.choice(members, max(1, round(share * len(members))), replace=False))
    return _Shown(labelled, pages)


def _figures(
    shown: _Shown, scores: Scores, held_out: npt.NDArray[np.bool_]
) -> tuple[float, float, float, float]:
    """Return accuracy, AUC, share decided and accuracy of decided of *scores* [classes, pages]."""
    label = shown.labelled.label[held_out]
    scores = scores[:, held_out]
    best = scores.max(axis=0)
    decided = (best > 0) & ((scores == best).sum(axis=0) == 1)
    largest = int(np.argmax([len(pages) for pages in shown.pages]))
    right = np.where(decided, scores.argmax(axis=0), largest) == label
    total = scores.sum(axis=0)
    # no score at all says as much as equal ones
    shares = np.where(total > 0, scores / np.where(total > 0, total, 1), 1 / len(scores))
    areas = [
        roc_area(curves(shares[number], label == number))
        for number in range(len(scores))
        if 0 < (label == number).sum() < len(label)
    ]
    of_decided = float(right[decided].mean()) if decided.any() else float("nan")
    return float(right.mean()), statistics.fmean(areas), float(decided.mean()), of_decided


def _ranks(graph: HostGraph, pages: list[npt.NDArray[np.int64]]) -> Scores:
    """Return the topic rank of each class."""
    topics = TopicSets.from_sets({f"{number:05}": each for number, each in enumerate(pages)})
    return np.concatenate([block.rank for block in topic_ranks(graph, topics)])


def _membership(shown: _Shown) -> Scores:
    return _ranks(shown.labelled.graph, shown.pages)


def _both_ways(shown: _Shown) -> Scores:
    graph = shown.labelled.graph
    sources, targets = (ends.astype(np.uint64) for ends in graph.arcs())
    both = HostGraph.from_arcs(
        graph.packed, np.concatenate([sources, targets]), np.concatenate([targets, sources])
    )
    return _ranks(both, shown.pages)


def _sizes(shown: _Shown) -> Scores:
    return np.array([[len(pages)] for pages in shown.pages], dtype=np.float64)


def _times_size(shown: _Shown) -> Scores:
    return _membership(shown) * _sizes(shown)


def _times_size_both_ways(shown: _Shown) -> Scores:
    return _both_ways(shown) * _sizes(shown)


def _adjacency(graph: HostGraph) -> sparse.csr_array:
    """Return the links in both directions, each once, without self links."""
    sources, targets = graph.arcs()
    kept = sources != targets
    ends = (np.r_[sources[kept], targets[kept]], np.r_[targets[kept], sources[kept]])
    links = sparse.csr_array((np.ones(len(ends[0])), ends), shape=(graph.n_pages,) * 2)
    links.data[:] = 1
    return links


def _votes_of(shown: _Shown) -> Scores:
    votes = np.zeros((len(shown.pages), shown.labelled.graph.n_pages))
    for number, pages in enumerate(shown.pages):
        votes[number, pages] = 1
    return votes


def _neighbours(shown: _Shown) -> Scores:
    counted: Scores = (_adjacency(shown.labelled.graph) @ _votes_of(shown).T).T
    return counted


def _iterated(shown: _Shown) -> Scores:
    links = _adjacency(shown.labelled.graph)
    own = _votes_of(shown)
    is_shown = own.any(axis=0)
    degree = np.maximum(links.sum(axis=1), 1)
    votes = own
    for _ in range(_ROUNDS):
        votes = np.where(is_shown, own, (links @ votes.T).T / degree)
    return votes


def _largest_class(shown: _Shown) -> Scores:
    return np.zeros((len(shown.pages), shown.labelled.graph.n_pages))


METHODS: dict[str, Callable[[_Shown], Scores]] = {
    "membership": _membership,
    "membership, both ways": _both_ways,
    "rank times class size": _times_size,
    "rank times class size, both ways": _times_size_both_ways,
    "votes of neighbours": _neighbours,
    "votes, iterated": _iterated,
    "largest class": _largest_class,
}


def _spread(values: tuple[float, ...]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
