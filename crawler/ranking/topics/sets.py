"""Biasing sets: which pages stand for which topic.

A topic is a category path such as ``Top/Computers/Software``. Its own pages are those that bear that
very path; with *descendants* those of all categories below it count as well. Kohlschütter 2011,
section 3.3.1, takes "the pages residing in each of these categories" and does not say which of the
two that means: own pages are the default.

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
    ``ptr: int64[k+1]``, ``pages: uint32``, ascending within a topic, each once. Raises
    :exc:`ValueError` when a topic has no page.
    """

    names: tuple[str, ...]
    ptr: npt.NDArray[np.int64]
    pages: npt.NDArray[np.uint32]

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

    @classmethod
    def from_sets(cls, sets: Mapping[str, npt.ArrayLike]) -> TopicSets:
        """Return the topics of *sets*, name → page numbers; those without pages are left out."""
        found = {name: np.unique(np.asarray(pages, np.uint32)) for name, pages in sets.items()}
        names = tuple(sorted(name for name, pages in found.items() if len(pages)))
        sizes = [len(found[name]) for name in names]
        return cls(
            names,
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.concatenate([np.zeros(0, np.uint32), *(found[name] for name in names)]),
        )


def topic_sets(
    pages_of: Mapping[str, npt.ArrayLike],
    *,
    max_depth: int | None = None,
    descendants: bool = False,
    min_pages: int = 1,
) -> TopicSets:
    """Return the topics of *pages_of*: category path → numbers of the pages that bear it.

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
    parts: dict[str, list[npt.NDArray[np.uint32]]] = {}
    for path, pages in pages_of.items():
        for name in _topics_of(path, max_depth, descendants=descendants):
            parts.setdefault(name, []).append(np.asarray(pages, dtype=np.uint32))
    sets = {name: np.unique(np.concatenate(found)) for name, found in parts.items()}
    return TopicSets.from_sets({n: pages for n, pages in sets.items() if len(pages) >= min_pages})


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
