"""Biasing sets: which pages stand for which topic.

A topic is a category path such as ``Top/Computers/Software``. Its own pages are those that bear that
very path; with *descendants* those of all categories below it count as well. Kohlschütter 2011,
section 3.3.1, takes "the pages residing in each of these categories" and does not say which of the
two that means: own pages are the default.

The surfer jumps to each page of a topic alike, or by given weights: those of a personalisation vector, or of scores that
say how well a page stands for its topic. Equation 3.3 has any preference. A page that comes to a topic by several ways, as
by two of its descendants, is there once, with the largest of its weights.

A topic without any page of the graph has no biasing set, and is left out (equation 3.4 would divide
by 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class TopicSets:
    """Topics and their pages, as page numbers of one graph.

    ``names``: k category paths, ascending. The pages of topic i are ``pages[ptr[i]:ptr[i+1]]``:
    ``ptr: int64[k+1]``, ``pages: uint32``, ascending within a topic, each once. ``weights: float64``, those of the
    pages, of mean 1 within a topic; None where all pages of each weigh alike. Raises :exc:`ValueError` when a topic has
    no page.
    """

    names: tuple[str, ...]
    ptr: npt.NDArray[np.int64]
    pages: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        if len(self.ptr) != len(self.names) + 1 or int(self.ptr[-1]) != len(self.pages):
            raise ValueError("ptr must bound the pages of each name")
        empty = np.flatnonzero(np.diff(self.ptr) < 1)
        if len(empty):
            raise ValueError(f"topic {self.names[int(empty[0])]!r} has no page")

    @property
    def n_topics(self) -> int:
        return len(self.names)

    def pages_of(self, topic: int) -> npt.NDArray[np.uint32]:
        """Return the pages of topic number *topic*."""
        return self.pages[self.ptr[topic] : self.ptr[topic + 1]]

    def weights_of(self, topic: int) -> npt.NDArray[np.float64] | float:
        """Return the weights of the pages of topic number *topic*, of mean 1."""
        return 1.0 if self.weights is None else self.weights[self.ptr[topic] : self.ptr[topic + 1]]

    @classmethod
    def from_sets(
        cls, sets: Mapping[str, npt.ArrayLike], weights: Mapping[str, npt.ArrayLike] | None = None
    ) -> TopicSets:
        """Return the topics of *sets*, name → page numbers; those without pages are left out.

        *weights*: of these pages, above 0, by name; of topics that are not named there all weigh alike.
        """
        given = weights or {}
        found = {name: _weighed(pages, given.get(name)) for name, pages in sets.items()}
        names = tuple(sorted(name for name, (pages, _) in found.items() if len(pages)))
        sizes = [len(found[name][0]) for name in names]
        shares = np.concatenate([np.zeros(0), *(found[name][1] for name in names)])
        return cls(
            names,
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.concatenate([np.zeros(0, np.uint32), *(found[name][0] for name in names)]),
            None if (shares == 1).all() else shares,
        )


def topic_sets(
    pages_of: Mapping[str, npt.ArrayLike],
    weights_of: Mapping[str, npt.ArrayLike] | None = None,
    *,
    max_depth: int | None = None,
    descendants: bool = False,
    min_pages: int = 1,
) -> TopicSets:
    """Return the topics of *pages_of*: category path → numbers of the pages that bear it; *weights_of*: their weights.

    *max_depth*: components of the longest path that is a topic, the root ``Top`` not counted (1: top
    categories alone); pages of deeper ones count for their ancestor of that depth. *descendants*:
    pages count for all ancestors. *min_pages*: topics with fewer pages are left out. Raises
    :exc:`ValueError` where a number is below 1.

    >>> sets = topic_sets({"Top/Arts/Film": [0], "Top/Arts": [1]}, descendants=True)
    >>> [(name, sets.pages_of(i).tolist()) for i, name in enumerate(sets.names)]
    [('Top/Arts', [0, 1]), ('Top/Arts/Film', [0])]
    """
    if max_depth is not None and max_depth < 1:
        raise ValueError(f"max_depth must be at least 1, got {max_depth}")
    if min_pages < 1:
        raise ValueError(f"min_pages must be at least 1, got {min_pages}")
    paths_of: dict[str, list[str]] = {}
    for path in pages_of:
        for name in _topics_of(path, max_depth, descendants=descendants):
            paths_of.setdefault(name, []).append(path)
    sets, weights = {}, {}
    given = weights_of or {}
    for name, paths in paths_of.items():
        pages = np.concatenate([np.asarray(pages_of[path], np.uint32) for path in paths])
        if len(np.unique(pages)) < min_pages:
            continue
        sets[name] = pages
        if not given.keys().isdisjoint(paths):
            weights[name] = np.concatenate(
                [given.get(path, np.ones(np.size(pages_of[path]))) for path in paths]
            )
    return TopicSets.from_sets(sets, weights)


def _weighed(
    numbers: npt.ArrayLike, weights: npt.ArrayLike | None
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
    """Return the pages of *numbers*, ascending, each once, and the largest weight of each, scaled to mean 1."""
    given = np.asarray(numbers, np.uint32)
    pages, which = np.unique(given, return_inverse=True)
    if weights is None or not len(pages):
        return pages, np.ones(len(pages))
    largest = np.zeros(len(pages))
    np.maximum.at(largest, which, np.asarray(weights, np.float64))
    # By the largest first: a sum of weights may be above any number.
    largest /= largest.max()
    return pages, largest / largest.mean()


def ancestors(path: str) -> list[str]:
    """Return the category paths above *path*, nearest first; the root ``Top`` is none.

    >>> ancestors("Top/Arts/Film/Comedy")
    ['Top/Arts/Film', 'Top/Arts']
    """
    return [*_all_prefixes(path)][-2::-1]


def _all_prefixes(path: str) -> Iterable[str]:
    parts = path.split("/")
    first = 2 if parts[0] == "Top" and len(parts) > 1 else 1
    return ("/".join(parts[:end]) for end in range(first, len(parts) + 1))


def _topics_of(path: str, max_depth: int | None, *, descendants: bool) -> list[str]:
    """Return the topics for which a page of category *path* counts."""
    prefixes = [*_all_prefixes(path)][:max_depth]
    return prefixes if descendants else prefixes[-1:]
