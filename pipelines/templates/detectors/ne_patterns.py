"""Node extraction patterns as a template detector, and the news that is in them.

The training pages are clustered by single linkage where the similarity of their trees by RTDM, 1 - cost / elements of
both, is above *similarity*. The trees of a cluster, equal ones once, are combined into one pattern
(:mod:`pipelines.templates.ne_patterns`). A page is mapped to the patterns that accept it, of several to the one with
the fewest vertices in wildcards: texts in wildcards stay, the others are the template and go. With *news* only the news
stays: of the texts of one wildcard each, the body is the longest of more than 100 words, the title that of 1 to 20
words that has the most words in common with the body.

*Source: Reis, Golgher, da Silva and Laender 2004, after Gottron 2008, section 3.3.5:* similarity of 80 %, 100 words, 1
to 20 words. Of 35 sites they found 88 % of the news right, 9 % wrong, and 3 % not; their pages are not published. Ours,
beside the patterns: of pages that no pattern accepts, and of news without a body, nothing goes; clusters of fewer than
two pages that differ make no pattern, for it would be the page itself.

Cost: RTDM for each pair of training pages, milliseconds, and a combination for each page. Memory: some 500 bytes a text
of the training pages. Of a page the first `MAX_TEXTS` texts are looked at; the others stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from crawler.page.words import search_words
from pipelines.templates.detectors.document_frequency import checked_count, checked_share
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.training import Learner
from pipelines.templates.documents import document
from pipelines.templates.ne_patterns import captured, combine
from pipelines.templates.pattern_vertices import page_vertex
from pipelines.templates.rtdm import RtdmRows, compared_tree
from pipelines.templates.single_linkage import cut_at_threshold, spanning_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept
    from pipelines.templates.documents import Tree
    from pipelines.templates.pattern_vertices import Vertex

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

MAX_TEXTS = 10_000
_BODY_WORDS = 100
_TITLE_WORDS = 20


class Trained(NamedTuple):
    """What is kept of a training page: its elements, for RTDM, and the tree of its texts."""

    tree: Tree
    texts: Vertex | None


class NePatterns(Learner):
    """Drops texts that the pattern of a page's template holds; with *news* all but title and body."""

    def __init__(self, *, similarity: float = 0.8, news: bool = False, max_pages: int = 50):
        self.similarity = checked_share("similarity", similarity)
        self.news = news
        self.max_pages = checked_count("max_pages", max_pages)
        self.patterns: list[Vertex] = []

    def read(self, page: PageModel) -> Trained:
        """Return the trees of *page*."""
        found = document(page, has_events=False)
        return Trained(compared_tree(found), page_vertex(PageNodes(page), MAX_TEXTS))

    def learn(self, readings: Iterable[Trained]) -> Self:
        """Make the patterns of the clusters of pages."""
        # Equal pages say nothing of what may differ.
        trained = {each.texts.subtree: each for each in readings if each.texts is not None}
        self.patterns = []
        for trees in self._clusters(list(trained.values())):
            pattern = trees[0]
            for tree in trees[1:]:
                pattern = combine(pattern, tree)
            if len(trees) > 1:
                self.patterns.append(pattern)
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        tree = page_vertex(nodes, MAX_TEXTS)
        matches = [] if tree is None else [captured(each, tree) for each in self.patterns]
        accepted = [each for each in matches if each is not None]
        removed = np.zeros(len(nodes.texts), np.bool_)
        if accepted:
            groups = min(accepted, key=lambda each: each.cost).groups
            passages = [[place for each in group for place in each.texts()] for group in groups]
            if self.news:
                passages = _news(passages, nodes.texts) or passages
            removed[:MAX_TEXTS] = True
            removed[[place for passage in passages for place in passage]] = False
        return nodes.kept(removed)

    def _clusters(self, trained: Sequence[Trained]) -> Iterator[list[Vertex]]:
        """Yield the trees of each cluster."""
        if not trained:
            return
        clusters = cut_at_threshold(
            spanning_tree(_Dissimilarities([each.tree for each in trained])), 1 - self.similarity
        )
        for number in range(int(clusters.max()) + 1):
            members = (
                trained[place].texts for place in np.flatnonzero(clusters == number).tolist()
            )
            yield [each for each in members if each is not None]


class _Dissimilarities:
    """The costs of RTDM as shares of the elements of both pages; 0 of pages without."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        self._rows = RtdmRows(trees)
        self._sizes = np.array([len(tree.label) for tree in trees], np.int64)

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, place: int, others: I64 | None = None) -> F64:
        sizes = self._sizes if others is None else self._sizes[others]
        shares: F64 = self._rows.row(place, others) / np.maximum(sizes + self._sizes[place], 1)
        return shares


def _news(passages: Sequence[list[int]], texts: Sequence[str]) -> list[list[int]]:
    """Return title and body among *passages*, each the places of its *texts*; nothing without a body."""
    words = [[word for place in each for word in search_words(texts[place])] for each in passages]
    n_words = list(map(len, words))
    body = max(range(len(passages)), key=n_words.__getitem__, default=-1)
    if body < 0 or n_words[body] <= _BODY_WORDS:
        return []
    said = set(words[body])
    titles = [place for place, n in enumerate(n_words) if 1 <= n <= _TITLE_WORDS]
    title = max(titles, key=lambda place: len(said.intersection(words[place])), default=None)
    return [passages[body]] if title is None else [passages[title], passages[body]]
