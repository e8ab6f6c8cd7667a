"""What is left after duplicates are removed, and of what: Pomikálek 2011, 3.6.4, tables 3.4 to 3.6.

For each n, with and without stop words and punctuation, and each threshold t: the duplicate n-grams
that are stored, the tokens that are left, and the duplicate 10-gram *occurrences* on all tokens that
are left in it. 10-grams run across blocks, not across documents, before and after; n-grams of the
removal stay within blocks. Beside them two rows: clusters of resemblance above .9, one document
kept of each; and the order of documents, by share of duplicates or as they come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.duplicates.block_removal import BlockRemoval, DocumentBlocks
from pipelines.duplicates.ngram_partitions import ngrams_of_documents
from pipelines.duplicates.removal import DuplicateNgrams, by_duplicate_share, duplicate_share
from pipelines.evaluation.duplicates.ngram_study import kept_of_clusters, kept_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from pipelines.duplicates.block_removal import Commit
    from pipelines.evaluation.duplicates.made_corpus import MadeCorpus

    Bools = npt.NDArray[np.bool_]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

LENGTHS = (10, 7, 5, 3)
THRESHOLDS = (0.5, 0.25, 0.1)
RESIDUE_NGRAM = 10
CLUSTER_RESEMBLANCE = 0.9


class Configuration(NamedTuple):
    """What a removal is done by."""

    no_stop_words: bool = False
    no_punctuation: bool = False
    n: int = 10
    t: float = 0.5
    is_ordered: bool = True
    commit: Commit = "safe"


class Removed(NamedTuple):
    """What a removal leaves: shares are of the tokens, and of the duplicate 10-grams, before it."""

    n_ngrams: int
    n_tokens: int
    n_duplicates: int
    tokens_left: float
    duplicates_left: float


def configurations() -> Iterator[Configuration]:
    """Yield the 48 configurations of the tables, in their order."""
    for no_stop_words in (True, False):
        for no_punctuation in (True, False):
            for n in LENGTHS:
                for t in THRESHOLDS:
                    yield Configuration(no_stop_words, no_punctuation, n, t)


def n_duplicate_occurrences(corpus: MadeCorpus, kept: Bools) -> int:
    """Return the duplicate 10-gram occurrences on all tokens of the *kept* blocks."""
    is_kept = np.repeat(kept, np.diff(corpus.blocks))
    words = corpus.tokens[is_kept].astype(np.uint64) + np.uint64(1)
    starts = np.append(0, np.cumsum(is_kept))[corpus.document_starts()].astype(np.int64)
    hashes = ngrams_of_documents(words * np.uint64(0x9E3779B97F4A7C15), starts, RESIDUE_NGRAM)
    _, counts = np.unique(hashes, return_counts=True)
    return int(counts[counts > 1].sum())


def removed_by(corpus: MadeCorpus, configuration: Configuration) -> Removed:
    """Return what the removal of duplicate blocks by *configuration* leaves."""
    kept, n_ngrams = kept_blocks(corpus, configuration)
    return _removed(corpus, kept, n_ngrams)


def removed_by_clusters(corpus: MadeCorpus) -> Removed:
    """Return what is left when one document of each cluster is kept."""
    is_kept = kept_of_clusters(corpus, CLUSTER_RESEMBLANCE)
    return _removed(corpus, np.repeat(is_kept, np.diff(corpus.documents)), 0)


def kept_blocks(corpus: MadeCorpus, configuration: Configuration) -> tuple[Bools, int]:
    """Return which blocks are kept, and how many duplicate n-grams were stored."""
    tokens = kept_tokens(
        corpus,
        no_stop_words=configuration.no_stop_words,
        no_punctuation=configuration.no_punctuation,
    )
    n = configuration.n
    hashes = ngrams_of_documents(tokens.words, tokens.blocks, n)
    bounds = np.append(0, np.cumsum(np.maximum(np.diff(tokens.blocks) - n + 1, 0)))
    classes = corpus.classes()
    is_unit = np.repeat(np.array(classes) != "short", np.diff(bounds))
    found, counts = np.unique(hashes[is_unit], return_counts=True)
    ngrams = DuplicateNgrams(found[counts > 1])

    def document(number: int) -> DocumentBlocks:
        blocks = range(*corpus.documents[number : number + 2].tolist())
        return DocumentBlocks(
            [classes[block] for block in blocks],
            [hashes[bounds[block] : bounds[block + 1]] for block in blocks],
        )

    n_documents = len(corpus.hosts)
    order: I64 = np.arange(n_documents)
    if configuration.is_ordered:
        ends = bounds[corpus.documents]
        shares = [
            duplicate_share(hashes[ends[place] : ends[place + 1]], ngrams)
            for place in range(n_documents)
        ]
        order = by_duplicate_share(shares)
    removal = BlockRemoval(
        ngrams, n=n, t=configuration.t, commit=configuration.commit, classify=_with_context
    )
    kept = np.zeros(len(classes), dtype=np.bool_)
    decided = removal.decide(document(number) for number in order.tolist())
    for number, each in zip(order.tolist(), decided, strict=True):
        kept[corpus.documents[number] : corpus.documents[number + 1]] = each.kept
    return kept, len(ngrams.duplicates)


def _with_context(classes: Iterable[str]) -> list[bool]:
    """Return whether blocks stay: a short one beside a good one, as headings do."""
    names = list(classes)
    beside = ["bad", *names, "bad"]
    return [
        name != "bad" and (name != "short" or "good" in (beside[place], beside[place + 2]))
        for place, name in enumerate(names)
    ]


def _removed(corpus: MadeCorpus, kept: Bools, n_ngrams: int) -> Removed:
    n_tokens = int(np.diff(corpus.blocks)[kept].sum())
    n_duplicates = n_duplicate_occurrences(corpus, kept)
    before = n_duplicate_occurrences(corpus, np.ones_like(kept))
    return Removed(
        n_ngrams,
        n_tokens,
        n_duplicates,
        n_tokens / len(corpus.tokens),
        n_duplicates / before if before else 0.0,
    )
