"""Bootstrapped template detection: a page is cleaned by the pages around it that share its template.

The training pages are those that a page, the seed, links to, or others of its site. Of the pages that say the same one
counts; those that are in the seed's cluster by single linkage are of its template; and text nodes of the seed that more
than *df* of the cluster have, the seed included, go (:mod:`~pipelines.templates.detectors.document_frequency`).

*Source: Gottron 2008, sections 7.2.1 and 7.2.2*, thresholds by 7.1.3 (:mod:`pipelines.templates.set_distances`). A
cluster of one or two pages would lose all of its text: of fewer than *min_train* the page is left to *fallback*, a
method for single documents, as 7.2.4 proposes; without one all stays. Duplicates are pages of the same text nodes in
the same order: not in 7.2, but 3.3.6 tells what they do to document frequencies.

Cost of a page: as many distances as the cluster and the training pages give pairs, at most n²/2, each linear in the
sets. Memory: 8 bytes a path (or shingle) and text of the training pages. Invariant: the order of the training pages
changes nothing, nor does it whether the seed is one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
import xxhash

from pipelines.templates.detectors.document_frequency import checked_count, checked_share
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.training import Learner
from pipelines.templates.documents import document
from pipelines.templates.set_distances import SET_FEATURES, component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept

    U64 = npt.NDArray[np.uint64]
    # Of a page, which blocks stay, bool[n].
    Fallback = Callable[[PageModel], npt.NDArray[np.bool_]]


class Trained(NamedTuple):
    """What is kept of a training page: its structure, and its texts, ascending, each once."""

    structure: U64
    texts: U64


class BootstrappedTemplateDetection(Learner):
    """Drops text nodes that more than *df* of a page's cluster have.

    *distance* is ``cp``, ``cps`` or ``ctss``, *threshold* where clusters end, by default the published one.
    ``n_fallbacks`` counts the pages that had fewer than *min_train* pages in their cluster.
    """

    def __init__(
        self,
        *,
        distance: str = "cp",
        threshold: float | None = None,
        df: float = 1 / 3,
        min_train: int = 3,
        fallback: Fallback | None = None,
        max_pages: int = 50,
    ):
        if distance not in SET_FEATURES:
            raise ValueError(f"distance must be one of {', '.join(SET_FEATURES)}, got {distance!r}")
        self._feature = SET_FEATURES[distance]
        published = self._feature.threshold if threshold is None else threshold
        self.threshold = checked_share("threshold", published)
        self.df = checked_share("df", df)
        self.min_train = checked_count("min_train", min_train)
        self.max_pages = checked_count("max_pages", max_pages)
        self._fallback = fallback
        self._trained: dict[int, Trained] = {}
        self.n_fallbacks = 0

    def read(self, page: PageModel) -> tuple[int, Trained]:
        """Return what duplicates of *page* have in common, and what is kept of it."""
        found = document(page, has_events=False)
        digest = xxhash.xxh3_64_intdigest(found.texts.hash.tobytes())
        return digest, Trained(self._feature.of(found), np.unique(found.texts.hash))

    def learn(self, readings: Iterable[tuple[int, Trained]]) -> Self:
        """Take pages as those around each page that is extracted."""
        # Of pages that say the same the first counts.
        self._trained = dict(reversed(list(readings)))
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        digest, seed = self.read(page)
        others = [each for key, each in self._trained.items() if key != digest]
        trained = [seed, *others]
        members = component([each.structure for each in trained], 0, self.threshold)
        if len(members) < self.min_train:
            self.n_fallbacks += 1
            if self._fallback is not None:
                return nodes.kept_by_blocks(self._fallback(page))
            return nodes.kept(np.zeros(len(nodes.texts), np.bool_))
        hashes = np.array(nodes.hashes, np.uint64)
        texts = np.sort(np.concatenate([trained[member].texts for member in members]))
        n_pages = np.searchsorted(texts, hashes, "right") - np.searchsorted(texts, hashes, "left")
        return nodes.kept(n_pages / len(members) > self.df)
