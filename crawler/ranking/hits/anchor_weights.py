"""What links count by their anchors: little, where all pages of a host have the words of them, as in menus.

For the words F of the anchors of a host's pages, w_ij being the share of word i's occurrences in anchors
that is on page j of n, and for an anchor A of the k distinct words F_i::

    H(F_i) = - sum_j w_ij log_n w_ij        H(A) = sum_i H(F_i) / k        weight = 1 - H(A)

With them HITS is LAMIS, whose hubs are pages of contents, and whose authorities are the articles. *Source: Gottron
2008, section 3.3.7, of Kao, Lin, Ho and Chen 2004.* H is 0 where n is 1. Of several anchors of a link the largest
weight counts; one without words has 0, as has a link without anchors, or of a page that was not read. Those are
our readings, the survey does not tell. Words are `search_words`, in Greek without their marks: neither are stop words
dropped (their entropy is high as it is) nor others stemmed, for the language is not known.

Memory: 12 bytes a word of an anchor, 8 bytes an anchor and some 500 a page; then 8 bytes a link.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page import LinkKind
from crawler.page.greek_letters import without_tonos
from crawler.page.pagelet_prints import word_hashes
from crawler.page.words import nfc, search_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.ranking.hits.hits import HubLinks
    from crawler.webgraph.csr import HostGraph
    from crawler.webgraph.graph import Graph

    Ids = npt.NDArray[np.uint64]
    Weights = npt.NDArray[np.float64]

_HYPERLINKS = (LinkKind.A, LinkKind.AREA)
# Of an entropy; beyond it is what rounding leaves of sums that are 1.
_DECIMALS = 12


class Anchors(NamedTuple):
    """Of a page: the hash of each word, the number of its anchor, and where each anchor leads to."""

    word: Ids
    anchor: npt.NDArray[np.uint32]
    target: Ids


class WeighedAnchors(NamedTuple):
    """The *weight* of anchor i on page *source[i]* to page *target[i]*, packed PageIds."""

    source: Ids
    target: Ids
    weight: Weights

    def of_links(self, links: HubLinks, graph: HostGraph) -> Weights:
        """Return the weight of each of *links*, those of `page_links` of *graph*."""
        in_graph = np.isin(self.source, graph.packed) & np.isin(self.target, graph.packed)
        sources, targets = (
            graph.numbers(self.source[in_graph]),
            graph.numbers(self.target[in_graph]),
        )
        rows = np.repeat(np.arange(graph.n_pages, dtype=np.uint64), np.diff(links.indptr))
        keys = rows << np.uint64(32) | links.indices
        wanted = targets.astype(np.uint64) << np.uint64(32) | sources.astype(np.uint64)
        place = np.searchsorted(keys, wanted)
        place[place == len(keys)] = 0
        is_link = keys[place] == wanted if len(keys) else np.zeros(len(wanted), dtype=np.bool_)
        weights = np.zeros(len(keys))
        np.maximum.at(weights, place[is_link], self.weight[in_graph][is_link])
        return weights


def page_anchors(graph: Graph, model: PageModel) -> Anchors:
    """Return the anchors of the page *model* that lead to pages of *graph*."""
    targets, known = graph.find(model.links.key)
    chosen = known & np.isin(model.links.kind, _HYPERLINKS)
    texts = [text for text, is_chosen in zip(model.links.anchor, chosen, strict=True) if is_chosen]
    return anchors_of(texts, targets[chosen])


def anchors_of(texts: Sequence[str], target: Ids) -> Anchors:
    """Return the anchors of *texts* that lead to *target*."""
    words = [search_words(without_tonos(nfc(text))) for text in texts]
    of_word = np.repeat(np.arange(len(words), dtype=np.uint32), [len(each) for each in words])
    return Anchors(word_hashes(word for each in words for word in each), of_word, target)


def weigh_anchors(read: Mapping[int, Anchors]) -> WeighedAnchors:
    """Return the weights of the anchors of the pages *read*, by PageId."""
    weights = [np.zeros(0)]
    pages = sorted(read)
    for _, of_host in groupby(pages, key=lambda number: number >> 32):
        weights.append(_weights([read[number] for number in of_host]))
    targets = [read[number].target for number in pages]
    return WeighedAnchors(
        np.repeat(np.array(pages, dtype=np.uint64), [len(target) for target in targets]),
        np.concatenate([np.zeros(0, dtype=np.uint64), *targets]),
        np.concatenate(weights),
    )


def _weights(pages: Sequence[Anchors]) -> Weights:
    """Return the weights of the anchors of *pages*, all those of a host, one behind the other."""
    n_anchors = [len(page.target) for page in pages]
    first = np.cumsum([0, *n_anchors])
    words = np.concatenate([page.word for page in pages])
    page_of = np.repeat(np.arange(len(pages)), [len(page.word) for page in pages])
    anchor_of = np.concatenate(
        [start + page.anchor for start, page in zip(first.tolist(), pages, strict=False)]
    ).astype(np.int64)
    distinct, feature = np.unique(words, return_inverse=True)
    entropy = _entropies(feature, page_of, len(pages))
    # each word of an anchor once
    pairs = np.unique(anchor_of * len(distinct) + feature)
    anchor, of_anchor = np.divmod(pairs, max(len(distinct), 1))
    n = int(first[-1])
    n_words = np.bincount(anchor, minlength=n)
    sums = np.bincount(anchor, weights=entropy[of_anchor], minlength=n)
    means: Weights = np.divide(sums, n_words, out=np.ones(n), where=n_words > 0)
    weights: Weights = 1 - np.round(means, _DECIMALS)
    return weights


def _entropies(
    feature: npt.NDArray[np.intp], page_of: npt.NDArray[np.intp], n_pages: int
) -> Weights:
    """Return the entropy of each feature, *feature[i]* being that of an occurrence on page *page_of[i]*."""
    occurring, count = np.unique(feature * n_pages + page_of, return_counts=True)
    of_pair = occurring // n_pages
    total = np.bincount(of_pair, weights=count)
    if n_pages < 2:
        return np.zeros(len(total))
    logs = np.bincount(of_pair, weights=count * np.log(count))
    entropy: Weights = (np.log(total) - logs / total) / np.log(n_pages)
    return entropy.clip(0, 1)
