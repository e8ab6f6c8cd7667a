"""What the Spark engines do between two exchanges, the exchanges made here, against the local engines."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

import numpy as np
import pytest

from crawler.ranking.cluster.row_pieces import batches, joined, pieces
from crawler.ranking.cluster.vote_tables import (
    advanced,
    pages_of_hosts,
    partition_rows,
    started,
    vote_messages,
)
from crawler.ranking.jacobi import jacobi_pagerank
from crawler.ranking.options import RankOptions
from crawler.ranking.partitioned import partitioned_pagerank
from crawler.ranking.partitions import cut
from crawler.ranking.problem import Problem
from crawler.webgraph.large_web import LargeWeb, WebShape
from pipelines.duplicates.block_removal import BlockRemoval
from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.packed_pairs import unpacked
from pipelines.jobs.dedup.blocks import remove_blocks
from pipelines.jobs.dedup.candidates import near_pairs
from pipelines.jobs.dedup.ngram_tables import (
    PlacedNgrams,
    block_chunks,
    ngram_messages,
    ngram_table,
    numbered,
    ordered_documents,
    positions,
    shares,
    with_places,
)
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.page_tables import (
    asked_messages,
    band_messages,
    candidate_messages,
    near_of,
    near_simhashes,
    page_chunks,
    shingle_table,
    simhash_messages,
)
from tests.ranking_graphs import dense_pagerank, graph_of, random_graph


def exchanged(pairs, n_parts):
    """The second parts of *pairs*, a list a part."""
    found = defaultdict(list)
    for number, value in pairs:
        found[number % n_parts].append(value)
    return [found[part] for part in range(n_parts)]


def rank_by_rows(graph, options, n_partitions, preference=None):
    """(ranks, iterations, rows): the iteration of `crawler.ranking.cluster.spark`, in this process."""
    problem = Problem(graph, options, preference)
    partitions = cut(problem.graph, n_partitions)
    rows = dict(partition_rows(problem, partitions))
    states = {number: started(row) for number, row in rows.items()}
    state = problem.start()

    def step():
        received = defaultdict(dict)
        for number, each in states.items():
            for other, (sender, votes) in vote_messages(number, [each]):
                received[other][sender] = votes
        for number, row in rows.items():
            states[number] = advanced(row, states[number], received[number])
            pages = pages_of_hosts(problem.graph, partitions.hosts[number])
            state.rank[pages] = states[number].rank
        return tuple(sum(getattr(s, name) for s in states.values()) for name in ("change", "total"))

    return problem.iterate(state, step), rows


@pytest.mark.parametrize("dangling", ["redistribute", "drop", "self"])
@pytest.mark.parametrize("n_partitions", [1, 2, 5, 24])
@pytest.mark.parametrize("seed", [1, 2])
def test_ranks_by_rows_are_the_solution(seed, n_partitions, dangling):
    graph = random_graph(seed)
    options = RankOptions(tolerance=1e-12, dangling=dangling)
    preference = np.random.default_rng(seed).random(graph.n_pages) if seed == 2 else None
    result, _ = rank_by_rows(graph, options, n_partitions, preference)
    expected = dense_pagerank(graph, 0.85, dangling, preference)
    assert result.converged
    assert result.rank == pytest.approx(expected, abs=1e-9)
    assert result.residual < 1e-12


def test_the_rows_hold_each_arc_once():
    graph = random_graph(3)
    rows = dict(partition_rows(problem := Problem(graph, RankOptions(), None), cut(graph, 6)))
    n_sent = sum(len(out.sources) for row in rows.values() for out in row.outgoing.values())
    assert sum(len(row.indices) for row in rows.values()) + n_sent == graph.n_arcs
    assert sum(len(row.out_degree) for row in rows.values()) == graph.n_pages
    assert sum(len(row.own_pages) for row in rows.values()) == (problem.system.own > 0).sum()
    for number, row in rows.items():
        for other, out in row.outgoing.items():
            assert len(out.ptr) - 1 == len(rows[other].incoming[number])


def test_the_bound_is_above_the_error():
    graph = random_graph(4, n_hosts=30, n_arcs=600)
    exact = dense_pagerank(graph, 0.85, "drop")
    for n_iterations in (1, 2, 3, 5, 8):
        options = RankOptions(tolerance=1e-14, dangling="drop", max_iterations=n_iterations)
        result, _ = rank_by_rows(graph, options, 4)
        assert np.abs(result.rank - exact).sum() / graph.n_pages <= result.error_bound


def test_large_web_needs_few_exchanges():
    graph = LargeWeb(WebShape.large(20_000, dangling=0.1)).host_graph()
    options = RankOptions(tolerance=1e-13)
    result, _ = rank_by_rows(graph, options, 8)
    assert result.rank == pytest.approx(jacobi_pagerank(graph, options).rank, abs=1e-9)
    # once swept a partition at a time, each iteration is an exchange
    once = partitioned_pagerank(graph, options, n_partitions=8)
    assert result.iterations < once.iterations / 2


def test_one_page_and_partitions_without_votes():
    graph = graph_of([1, 1], [(0, 0)])
    result, rows = rank_by_rows(graph, RankOptions(tolerance=1e-13), 2)
    assert result.rank == pytest.approx(dense_pagerank(graph, 0.85, "redistribute"), abs=1e-12)
    assert all(not row.outgoing for row in rows.values())


def test_rows_survive_being_cut_and_mixed():
    rows = [(number % 3, (number, b"x" * (number * 37))) for number in range(20)]
    parts = list(chain.from_iterable(batches(pieces(rows, 100), 500)))
    assert max(len(piece[2]) for _, piece in parts) <= 100
    for partition in range(3):
        found = joined(piece for number, piece in reversed(parts) if number == partition)
        assert found == [row for number, row in rows if number == partition]
    assert joined([]) == []
    assert [len(batch) for batch in batches([(0, (0, 0, b"ab"))] * 5, 4)] == [2, 2, 1]


WORDS = [f"word{number}" for number in range(400)]


def made_texts(seed, n=300):
    """Texts of which many are others with a few words changed; some of one template, some short."""
    rng = np.random.default_rng(seed)
    texts = ["", "one", "two words", "Ein kürzerer Text"]
    template = rng.choice(WORDS, 40).tolist()
    while len(texts) < n:
        words = rng.choice(WORDS, int(rng.integers(10, 80))).tolist()
        kind = rng.random()
        if kind < 0.5 and len(texts) > 20:
            words = texts[int(rng.integers(4, len(texts)))].split()
            for _ in range(int(rng.integers(0, 4))):
                words[int(rng.integers(len(words)))] = str(rng.choice(WORDS))
        elif kind < 0.8:
            words = [*template, str(rng.choice(WORDS))]
        texts.append(" ".join(words))
    return texts


def first_of(texts):
    """(digests, whether a text is the first of its digest), as the clusters of a corpus have them."""
    digests = np.array([int.from_bytes(text_digest(text)[:8], "little") for text in texts])
    is_first = np.zeros(len(texts), dtype=np.bool_)
    is_first[np.unique(digests, return_index=True)[1]] = True
    return digests.astype(np.uint64), is_first


@pytest.mark.parametrize(
    ("method", "threshold"),
    [("mutual-containment", 0.75), ("resemblance", 0.75), ("mutual-containment", 0.5)],
)
@pytest.mark.parametrize("n_parts", [1, 3])
def test_pairs_by_tables_are_those_of_the_local_engine(n_parts, method, threshold, monkeypatch):
    monkeypatch.setattr("pipelines.jobs.dedup.page_tables.CHUNK_PAGES", 7)
    texts = made_texts(1)
    digests, wanted = first_of(texts)
    options = DedupOptions(method=method, threshold=threshold)
    expected = near_pairs(lambda _: iter(texts), wanted, digests, options, None)
    rule = options.rule
    chunks = exchanged(page_chunks(iter(texts), wanted, digests), n_parts)
    tables = [shingle_table(part, rule) for part in chunks]
    keys = exchanged(chain.from_iterable(band_messages(t, rule, n_parts) for t in tables), n_parts)
    pairs = exchanged(chain.from_iterable(candidate_messages(k, n_parts) for k in keys), n_parts)
    both = zip(tables, pairs, strict=True)
    asked = exchanged(chain.from_iterable(asked_messages(*each, n_parts) for each in both), n_parts)
    found = [near_of(table, each, rule) for table, each in zip(tables, asked, strict=True)]
    joined_pairs = np.concatenate([each.pairs for each in found])
    order = np.argsort(joined_pairs)
    assert len(expected.pairs) > 100
    assert (unpacked(joined_pairs[order]) == expected.pairs).all()
    likeness = np.concatenate([each.likeness for each in found])
    assert (likeness[order] == expected.likeness).all()


@pytest.mark.parametrize("distance", [1, 3, 8])
def test_simhash_pairs_by_tables_are_those_of_the_local_engine(distance):
    many = [bin(n).translate({48: "one ", 49: "One "}) for n in range(128, 228)]
    texts = [*made_texts(2), *many]
    digests, wanted = first_of(texts)
    options = DedupOptions(method="simhash", distance=distance)
    expected = near_pairs(lambda _: iter(texts), wanted, digests, options, None)
    chunks = exchanged(page_chunks(iter(texts), wanted, digests), 2)
    messages = (simhash_messages(part, distance, 2) for part in chunks)
    blocks = exchanged(chain.from_iterable(messages), 2)
    found = [near_simhashes(part, distance) for part in blocks]
    pairs, first = np.unique(np.concatenate([each.pairs for each in found]), return_index=True)
    assert (unpacked(pairs) == expected.pairs).all()
    likeness = np.concatenate([each.likeness for each in found])[first]
    assert (likeness == expected.likeness).all()


def made_documents(seed, n=120):
    """Documents of a few blocks, of which many stand in others too."""
    rng = np.random.default_rng(seed)
    known = [" ".join(rng.choice(WORDS, int(rng.integers(3, 30)))) for _ in range(60)]
    documents = []
    for _ in range(n):
        size = int(rng.integers(0, 6))
        new = [" ".join(rng.choice(WORDS, 20)) for _ in range(size)]
        texts = [str(rng.choice(known)) if rng.random() < 0.5 else text for text in new]
        classes = rng.choice(["good", "neargood", "short", "bad"], size, p=[0.6, 0.2, 0.1, 0.1])
        documents.append((texts, classes.tolist()))
    return documents


def placed_tables(tables, n_parts):
    """Return *tables* with the places of their duplicate n-grams, and where those of each part begin."""
    asked = exchanged(
        (
            (part, (asker, hashes))
            for asker, table in enumerate(tables)
            for part, hashes in ngram_messages(table, n_parts)
        ),
        n_parts,
    )
    numbers = [numbered(each) for each in asked]
    offsets = np.cumsum([0, *(each.n_duplicates for each in numbers)]).tolist()
    placed = [
        with_places(
            table,
            {k: n.places[part] for k, n in enumerate(numbers) if part in n.places},
            offsets[:-1],
        )
        for part, table in enumerate(tables)
    ]
    return placed, offsets


@pytest.mark.parametrize("n_parts", [1, 4])
@pytest.mark.parametrize("commit", ["safe", "thesis"])
def test_blocks_by_tables_are_those_of_the_local_engine(commit, n_parts, monkeypatch):
    monkeypatch.setattr("pipelines.jobs.dedup.ngram_tables.CHUNK_DOCUMENTS", 5)
    documents = made_documents(1)
    options = DedupOptions(unit="block", commit=commit)

    def urls(numbers):
        return [f"http://h{number % 7}.example/{number}" for number in numbers.tolist()]

    expected = remove_blocks(iter(documents), urls, options)
    tables = [ngram_table(part, 7) for part in exchanged(block_chunks(iter(documents)), n_parts)]
    placed, offsets = placed_tables(tables, n_parts)
    shares_of = np.zeros(len(documents))
    for table in placed:
        which, found = shares(table)
        shares_of[which] = found
    order = positions(shares_of, urls)
    removal = BlockRemoval(PlacedNgrams(offsets[-1]), n=7, t=options.coverage, commit=commit)
    ordered = sorted(
        chain.from_iterable(ordered_documents(table, order) for table in placed),
        key=lambda document: document.position,
    )
    decided = {
        document.number: each
        for document, each in zip(ordered, removal.decide(d.blocks for d in ordered), strict=True)
        if any(each.is_duplicate)
    }
    assert offsets[-1] == expected.n_duplicate_ngrams > 50
    assert sum(table.n_words for table in tables) == expected.n_words
    assert sum(len(table.ngrams) for table in tables) == expected.n_ngrams
    assert len(decided) > 20
    for number in range(len(documents)):
        assert (number in decided) == (number in expected.decided)
        if number in decided:
            assert decided[number].kept == expected.decided[number].kept.tolist()
            assert decided[number].is_duplicate == expected.decided[number].is_duplicate.tolist()
