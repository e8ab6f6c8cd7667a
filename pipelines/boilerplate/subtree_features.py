"""Features of parts of a page's tree, for the surveyed methods that classify subtrees.

A part is a set of texts: a subtree, or what a segmentation makes of one. With the sums of
:data:`MEASURES` over its texts, its tags and where it begins and ends on the page, it has
:data:`FEATURES`. *Source: Pomikálek 2011, section 2.4.2*, who names link and tag density, words, sentences and
their length, function words, capitals, punctuation, full stops among the structural and textual
ones; visual ones (size, distance to the borders) are replaced by share and place of the words.

Shapes: float64[p, len(FEATURES)] for p parts. Cost: O(n).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.words import alpha_words, density_tokens
from pipelines.boilerplate.justext.density import page_language
from pipelines.linguistics.stop_lists import stop_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.boilerplate.tree_nodes import TreeNodes

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

MEASURES = ("words", "linked", "chars", "sentences", "capitals", "punctuation", "digits", "stops")
FEATURES = (
    *("log_words", "link_density", "log_tags_a_word", "log_words_a_text", "sentences_a_word"),
    *("log_words_a_sentence", "capital_share", "punctuation_share", "digit_share", "stop_share"),
    *("chars_a_word", "share_of_page", "centre", "margin", "long_share"),
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$|[\"'\u201d)])|[\u3002\uff01\uff1f]")
_PUNCTUATION = re.compile(r"[^\w\s]")
_DIGITS = re.compile(r"\d")
# Words of a text that is not short (the least of jusText's medium-size ones).
_LONG_WORDS = 10


class Texts(NamedTuple):
    """What is counted of each text of a tree, float64[m, len(MEASURES)], and the words before it."""

    measures: F64
    read: F64


def text_measures(page: PageModel, nodes: TreeNodes) -> Texts:
    """Return the measures of the texts of *nodes*, the tree of *page*."""
    stops = stop_words(page_language(page))
    linked = (nodes.nearest(nodes.is_link)[nodes.holder] >= 0).tolist()
    rows = np.zeros((len(nodes.holder), len(MEASURES)))
    for number, text in zip(nodes.piece_text.tolist(), _piece_texts(page), strict=True):
        rows[number] += _measures(text, linked[number], stops)
    read = np.cumsum(rows[:, 0])
    return Texts(rows, read - rows[:, 0])


def _piece_texts(page: PageModel) -> list[str]:
    if not len(page.found_runs):
        return page.blocks.text.strings
    pieces = page.tree.pieces
    texts = [node.text for node in page.tree.nodes]
    places = zip(pieces.node.tolist(), pieces.start.tolist(), pieces.end.tolist(), strict=True)
    return [texts[node][start:end] for node, start, end in places]


def _measures(text: str, is_linked: bool, stops: frozenset[str]) -> tuple[int, ...]:
    words = alpha_words(text)
    n_words = len(density_tokens(text))
    return (
        *(n_words, n_words if is_linked else 0, sum(map(len, text.split()))),
        len(_SENTENCE_END.findall(text)),
        sum(word[0].isupper() for word in words),
        len(_PUNCTUATION.findall(text)),
        len(_DIGITS.findall(text)),
        sum(word.lower() in stops for word in words),
    )


def group_features(texts: Texts, group: I64, n_groups: int, n_tags: I64) -> F64:
    """Return the features of *n_groups* parts; *group*: that of each text, *n_tags* of each part."""
    summed = [np.bincount(group, column, n_groups) for column in _summed(texts).T]
    start = np.full(n_groups, np.inf)
    end = np.zeros(n_groups)
    np.minimum.at(start, group, texts.read)
    np.maximum.at(end, group, texts.read + texts.measures[:, 0])
    return _features(np.stack(summed), start, end, n_tags)


def subtree_features(texts: Texts, nodes: TreeNodes, among: Bools | None = None) -> F64:
    """Return the features of the subtree of each element, or of those *among* them; the root is one of these."""
    summed = _summed(texts)
    sums = np.concatenate((np.zeros((1, summed.shape[1])), np.cumsum(summed, axis=0)))
    numbers = np.arange(len(nodes.tag)) if among is None else np.flatnonzero(among)
    # The texts of a subtree follow each other.
    start = np.searchsorted(np.maximum.accumulate(nodes.after), numbers)
    end = start + nodes.within(nodes.own(np.ones(len(nodes.holder), np.int64)))[numbers]
    read = np.append(texts.read, sums[-1, 0])
    return _features(
        (sums[end] - sums[start]).T, read[start], read[end], nodes.end[numbers] - numbers
    )


def _summed(texts: Texts) -> F64:
    n_words = texts.measures[:, :1]
    return np.hstack((texts.measures, np.ones_like(n_words), n_words * (n_words >= _LONG_WORDS)))


def _features(sums: F64, start: F64, end: F64, n_tags: I64) -> F64:
    words, linked, chars, sentences, capitals, punctuation, digits, stops, n_texts, long = sums
    n_words, n_chars = np.maximum(words, 1), np.maximum(chars, 1)
    page_words = max(float(end.max(initial=0.0)), 1.0)
    centre = np.where(words > 0, (start + end) / 2 / page_words, 0.0)
    columns = (
        *(np.log1p(words), linked / n_words, np.log1p(n_tags / n_words)),
        *(np.log1p(words / np.maximum(n_texts, 1)), sentences / n_words),
        *(np.log1p(words / np.maximum(sentences, 1)), capitals / n_words),
        *(punctuation / n_chars, digits / n_chars, stops / n_words, np.log(n_chars / n_words)),
        *(words / page_words, centre, np.minimum(centre, 1 - centre), long / n_words),
    )
    return np.stack(columns, axis=1)
