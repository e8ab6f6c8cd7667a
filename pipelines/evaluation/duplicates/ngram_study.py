"""How n-grams repeat in a corpus: by length, within hosts and across them (Pomikálek 2011, 3.6.2-3).

*Table 3.3* (:func:`host_study`): the types of n-grams that occur twice or more, single-host when all
their documents are of one host, cross-host otherwise; for every n and three choices of tokens.
*Figure 3.6* (:func:`pairs_above`): pairs of documents by resemblance of 10-grams without punctuation,
exact, from an inverted index. N-grams that more than *max_documents* share are left out of it, and
counted. "Domain" is the full host name in the thesis, hence host.

Shapes: ``numbers: int64[g]``, an n-gram each, the same for equal ones; ``places: int64[g]``, the token
that each begins at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.duplicates.fingerprints.broder import clusters
from pipelines.duplicates.ngram_partitions import ngrams_of_documents
from pipelines.evaluation.duplicates.made_corpus import is_punctuation, is_stop_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.evaluation.duplicates.made_corpus import MadeCorpus

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

SURVEY_NGRAM = 10
MAX_DOCUMENTS = 1000
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Tokens(NamedTuple):
    """What is left of a corpus: ``words: uint64[t]``, and where its blocks begin, ``int64[b + 1]``."""

    words: U64
    blocks: I64


class HostRow(NamedTuple):
    """Types that occur twice or more, for *n* and tokens of one kind."""

    n: int
    tokens: str
    cross_host: int
    single_host: int


class PairCounts(NamedTuple):
    """Pairs of documents of a resemblance above each threshold, and n-grams left out."""

    thresholds: Sequence[float]
    n_pairs: list[int]
    n_skipped: int


TOKEN_KINDS = ("all", "no punctuation", "no punctuation, no stop words")


def kept_tokens(corpus: MadeCorpus, *, no_stop_words: bool, no_punctuation: bool) -> Tokens:
    """Return *corpus* without the tokens that are excluded."""
    is_kept = np.ones(len(corpus.tokens), dtype=np.bool_)
    if no_stop_words:
        is_kept &= ~is_stop_word(corpus.tokens)
    if no_punctuation:
        is_kept &= ~is_punctuation(corpus.tokens)
    before = np.append(0, np.cumsum(is_kept))
    words = (corpus.tokens[is_kept].astype(np.uint64) + np.uint64(1)) * _MIX
    return Tokens(words, before[corpus.blocks].astype(np.int64))


def tokens_of_kind(corpus: MadeCorpus, kind: str) -> Tokens:
    """Return the tokens of *corpus* that :data:`TOKEN_KINDS` calls *kind*."""
    return kept_tokens(
        corpus, no_stop_words=kind == TOKEN_KINDS[2], no_punctuation=kind != TOKEN_KINDS[0]
    )


def host_study(corpus: MadeCorpus, lengths: Sequence[int]) -> list[HostRow]:
    """Return the rows of table 3.3 for the n-gram *lengths*; n-grams cross blocks, not documents."""
    rows = []
    for kind in TOKEN_KINDS:
        tokens = tokens_of_kind(corpus, kind)
        starts = tokens.blocks[corpus.documents]
        for n in lengths:
            hashes = ngrams_of_documents(tokens.words, starts, n)
            sizes = np.maximum(np.diff(starts) - n + 1, 0)
            hosts = np.repeat(corpus.hosts, sizes)
            order = np.argsort(hashes, kind="stable")
            hashes, hosts = hashes[order], hosts[order]
            firsts = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1]))
            if not len(hashes):
                firsts = firsts[:0]
            counts = np.diff(np.append(firsts, len(hashes)))
            lowest, highest = (
                (np.minimum.reduceat(hosts, firsts), np.maximum.reduceat(hosts, firsts))
                if len(firsts)
                else (hosts, hosts)
            )
            is_single = lowest == highest
            twice = counts > 1
            rows.append(
                HostRow(n, kind, int((twice & ~is_single).sum()), int((twice & is_single).sum()))
            )
    return rows


def similar_pairs(
    corpus: MadeCorpus, *, max_documents: int = MAX_DOCUMENTS
) -> tuple[I64, F64, int]:
    """Return pairs of documents that share 10-grams, their resemblance, and the n-grams left out."""
    tokens = tokens_of_kind(corpus, TOKEN_KINDS[1])
    starts = tokens.blocks[corpus.documents]
    hashes = ngrams_of_documents(tokens.words, starts, SURVEY_NGRAM)
    sizes = np.maximum(np.diff(starts) - SURVEY_NGRAM + 1, 0)
    documents = np.repeat(np.arange(len(sizes)), sizes)
    distinct = np.unique(np.stack((hashes, documents.astype(np.uint64)), axis=1), axis=0)
    n_distinct = np.bincount(distinct[:, 1].astype(np.int64), minlength=len(sizes))
    firsts = np.flatnonzero(np.append(True, distinct[1:, 0] != distinct[:-1, 0]))
    counts = np.diff(np.append(firsts, len(distinct)))
    shared: list[I64] = [np.empty(0, dtype=np.int64)]
    for size in np.unique(counts[(counts > 1) & (counts <= max_documents)]).tolist():
        groups = distinct[firsts[counts == size][:, None] + np.arange(size), 1].astype(np.int64)
        i, j = np.triu_indices(size, 1)
        shared.append((groups[:, i] * len(sizes) + groups[:, j]).ravel())
    numbers, n_common = np.unique(np.concatenate(shared), return_counts=True)
    pairs = np.stack((numbers // max(len(sizes), 1), numbers % max(len(sizes), 1)), axis=1)
    union = n_distinct[pairs].sum(axis=1) - n_common
    return pairs, n_common / np.maximum(union, 1), int((counts > max_documents).sum())


def pairs_above(corpus: MadeCorpus, thresholds: Sequence[float]) -> PairCounts:
    """Return how many pairs have a resemblance above each of *thresholds*."""
    _, shared, n_skipped = similar_pairs(corpus)
    return PairCounts(
        thresholds, [int((shared > threshold).sum()) for threshold in thresholds], n_skipped
    )


def kept_of_clusters(corpus: MadeCorpus, threshold: float) -> npt.NDArray[np.bool_]:
    """Return the documents that are the first of their cluster of pairs above *threshold*."""
    pairs, shared, _ = similar_pairs(corpus)
    first = clusters(len(corpus.hosts), pairs[shared > threshold])
    kept: npt.NDArray[np.bool_] = first == np.arange(len(first))
    return kept
