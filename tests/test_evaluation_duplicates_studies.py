"""The studies of the thesis on a small made corpus, and their counts against slow ones."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import combinations, pairwise

import numpy as np
import pytest

from pipelines.duplicates.spex import Iteration
from pipelines.evaluation.duplicates import studies
from pipelines.evaluation.duplicates.made_corpus import (
    MadeCorpus,
    is_punctuation,
    is_stop_word,
    make_corpus,
)
from pipelines.evaluation.duplicates.ngram_study import (
    TOKEN_KINDS,
    HostRow,
    host_study,
    kept_of_clusters,
    pairs_above,
    similar_pairs,
)
from pipelines.evaluation.duplicates.removal_study import (
    Configuration,
    configurations,
    kept_blocks,
    n_duplicate_occurrences,
    removed_by,
    removed_by_clusters,
)
from pipelines.evaluation.duplicates.shapes import negligible_from, spex_shapes


@pytest.fixture(scope="module")
def corpus():
    return make_corpus(110, n_words=3000)


def test_a_corpus_follows_from_its_seed(corpus):
    again = make_corpus(110, n_words=3000)
    for one, other in zip(corpus, again, strict=True):
        assert (one == other).all()
    assert not np.array_equal(make_corpus(110, seed=2, n_words=3000).tokens, corpus.tokens)
    assert corpus.blocks[-1] == len(corpus.tokens)
    assert corpus.documents[-1] == len(corpus.blocks) - 1 == len(corpus.classes())
    assert is_stop_word(corpus.tokens).mean() == pytest.approx(0.42, abs=0.04)
    assert is_punctuation(corpus.tokens).mean() == pytest.approx(0.14, abs=0.03)
    with pytest.raises(ValueError, match="n_documents"):
        make_corpus(1)


def documents_of(corpus, kind="all"):
    starts = corpus.document_starts().tolist()
    for start, end in pairwise(starts):
        words = corpus.tokens[start:end]
        if kind != TOKEN_KINDS[0]:
            words = words[~is_punctuation(words)]
        if kind == TOKEN_KINDS[2]:
            words = words[~is_stop_word(words)]
        yield words.tolist()


def ngrams(words, n):
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


@pytest.mark.parametrize("kind", TOKEN_KINDS)
def test_host_study_counts_types_as_sets_do(corpus, kind):
    rows = {(row.n, row.tokens): row for row in host_study(corpus, (3, 6))}
    for n in (3, 6):
        counts, hosts = Counter(), defaultdict(set)
        for host, words in zip(corpus.hosts.tolist(), documents_of(corpus, kind), strict=True):
            for ngram in ngrams(words, n):
                counts[ngram] += 1
                hosts[ngram].add(host)
        twice = [ngram for ngram, count in counts.items() if count > 1]
        cross = sum(len(hosts[ngram]) > 1 for ngram in twice)
        assert rows[n, kind] == HostRow(n, kind, cross, len(twice) - cross)


def test_similar_pairs_have_the_resemblance_of_their_sets(corpus):
    sets = [set(ngrams(words, 10)) for words in documents_of(corpus, TOKEN_KINDS[1])]
    expected = {
        (i, j): len(sets[i] & sets[j]) / len(sets[i] | sets[j])
        for i, j in combinations(range(len(sets)), 2)
        if sets[i] & sets[j]
    }
    pairs, shared, n_skipped = similar_pairs(corpus)
    assert dict(zip(map(tuple, pairs.tolist()), shared.tolist(), strict=True)) == expected
    assert n_skipped == 0
    counts = pairs_above(corpus, (0.0, 0.5))
    assert counts.n_pairs == [len(expected), sum(value > 0.5 for value in expected.values())]
    assert similar_pairs(corpus, max_documents=1)[2] > 0
    kept = kept_of_clusters(corpus, 0.5)
    near = [pair for pair, value in expected.items() if value > 0.5]
    assert all(not kept[j] for _, j in near)


def test_residue_is_what_a_counter_counts(corpus):
    everything = np.ones(len(corpus.blocks) - 1, dtype=np.bool_)
    counts = Counter(ngram for words in documents_of(corpus) for ngram in ngrams(words, 10))
    expected = sum(count for count in counts.values() if count > 1)
    assert n_duplicate_occurrences(corpus, everything) == expected
    assert n_duplicate_occurrences(corpus, ~everything) == 0


def test_removal_keeps_one_of_two_equal_blocks_and_headings_beside_it():
    heading, block, other = np.arange(5), np.arange(200, 240), np.arange(300, 350)
    blocks = [heading, block, heading, block, other]
    corpus = MadeCorpus(
        np.concatenate(blocks).astype(np.uint32),
        np.cumsum([0, *map(len, blocks)]),
        np.array([0, 2, 5]),
        np.array([0, 1]),
    )
    # the second page has the lower share of duplicates, and so comes first
    kept, n_ngrams = kept_blocks(corpus, Configuration())
    assert kept.tolist() == [False, False, True, True, True]
    assert n_ngrams == len(block) - 9
    kept, _ = kept_blocks(corpus, Configuration(is_ordered=False))
    assert kept.tolist() == [True, True, False, False, True]
    removed = removed_by(corpus, Configuration())
    assert removed.n_tokens == len(corpus.tokens) - len(heading) - len(block)
    assert removed.duplicates_left == 0


def test_all_configurations():
    assert len(set(configurations())) == 48


def test_the_relations_hold_on_a_small_corpus(corpus):
    # of few documents three of the 48 configurations, and no table 3.3
    base = Configuration()
    left = [removed_by(corpus, base._replace(n=n)) for n in (10, 5, 3)]
    assert left[0].n_ngrams < left[1].n_ngrams
    assert left[0].tokens_left >= left[1].tokens_left > left[2].tokens_left
    assert removed_by(corpus, base._replace(t=0.1)).n_tokens <= left[0].n_tokens
    by_clusters = removed_by_clusters(corpus)
    assert by_clusters.duplicates_left > 0.7
    assert left[0].duplicates_left < 0.1


def test_shapes_tell_what_does_not_hold():
    rows = [Iteration(m, 10 - m, 0, 1, 10 + m, 30 - m) for m in (1, 2, 3)]
    held = [shape.holds for shape in spex_shapes(rows, 1)]
    assert held == [False, True, False, False, False]
    falling = [HostRow(n, "all", count, 0) for n, count in ((3, 100), (4, 50), (5, 48), (6, 47))]
    assert negligible_from(falling) == 4


@pytest.mark.long
def test_all_relations_of_the_thesis_hold():
    found = studies.studies_of(make_corpus(studies.N_DOCUMENTS))
    told = json.loads(json.dumps(studies.as_object(found)))
    assert len(told["removals"]) == 48
    assert [shape for shape in told["shapes"] if not shape["holds"]] == []
    lines = studies.screen(found).splitlines()
    assert sum(line.endswith("yes") for line in lines) == len(told["shapes"])


def test_wrong_size(capsys):
    assert studies.main(["--documents", "1"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
