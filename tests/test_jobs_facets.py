"""``scrapy index`` and ``scrapy facets``: against the exhaustive product, as a corpus changes, calls."""

from __future__ import annotations

import math
import shutil

import numpy as np
import pytest

from crawler.errors import FormatError, InputError
from crawler.ranking.corpus.topics import TopicOptions, rank_topics
from crawler.ranking.store import write_ranks
from crawler.ranking.topics.store import TOPICS_FILE, TopicFile
from crawler.webgraph.csr import HostGraph
from crawler.webgraph.graph import Graph
from pipelines.jobs.facets.run import answer
from pipelines.jobs.facets.search import FacetOptions, FacetSearch
from pipelines.jobs.index.run import TEXT, index_corpus
from pipelines.jobs.index.vectors import UNBIASED, VECTORS, open_vectors
from pipelines.retrieval.text_index import TextIndex
from tests.facet_corpus import (
    AT,
    TOPICS,
    URLS,
    append_documents,
    document,
    listed_topics,
    make_corpus,
    texts,
)

NAMES = (UNBIASED, *sorted(TOPICS.values()))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(corpus folder, packed PageIds of its pages), ranked by topic and indexed."""
    corpus = tmp_path_factory.mktemp("facets") / "corpus"
    ids = make_corpus(corpus)
    report = rank_topics(
        corpus, listed=[*listed_topics(), ("Top/Arts", "http://gone.sample/", 1.0)]
    )
    assert (report.topics, report.not_found, report.pages) == (4, 1, len(URLS))
    assert report.residual <= report.error_bound <= 1e-8
    indexed = index_corpus(corpus)
    assert (indexed.documents, indexed.added, indexed.facets) == (len(URLS), len(URLS), 5)
    return corpus, ids


def ranks_by_page(corpus) -> dict[int, np.ndarray]:
    """Page → unbiased rank and topic ranks, from the file."""
    return {
        int(page): np.array([rank, *topics])
        for packed, unbiased, columns in TopicFile(corpus / TOPICS_FILE).batches()
        for page, rank, topics in zip(packed, unbiased, columns.T, strict=True)
    }


def slow_members(rank: np.ndarray, theta: float) -> list[bool]:
    """Whether a page of these ranks is of each facet, by equations 3.13 to 3.16."""
    alpha = int((rank[1:] >= 1).sum())
    divisors = [1 if rank[0] >= 1 else math.inf, *[alpha or math.inf] * (len(rank) - 1)]
    return [r > 0 and math.log(r) / d >= theta for r, d in zip(rank, divisors, strict=True)]


@pytest.mark.parametrize("query", ["alpha", "beta zeta", '"gamma delta"', "epsilon nothing"])
@pytest.mark.parametrize("k", [5, 100])
def test_equal_to_the_exhaustive_product(made, query, k):
    corpus, _ = made
    search = FacetSearch(corpus)
    ranks = ranks_by_page(corpus)
    hits = search.index.search(query, 1000)
    order = np.arange(len(hits.page_ids))
    members, n_sampled = np.zeros(len(NAMES)), 0
    for facet, name in enumerate(NAMES):
        products = [
            score * np.float32(ranks[page][facet])
            for page, score in zip(hits.page_ids.tolist(), hits.scores, strict=True)
        ]
        best = sorted(order, key=lambda i: (-products[i], i))[:k]
        found = search.candidates(query)
        assert found.n_found == len(order)
        assert search.best(found, [facet], k).tolist() == best
        # the samples are those of the unbiased rank and of top categories
        if name in {UNBIASED, "Top/Arts", "Top/Sports"}:
            n_sampled += len(best)
            for i in best:
                members += slow_members(ranks[int(hits.page_ids[i])], 0.1)
    given = answer(corpus, query, FacetOptions(sample=k))
    shares = {facet.name: facet.share for facet in given.facets}
    expected = dict(zip(NAMES, members / max(1, n_sampled), strict=True))
    assert shares == pytest.approx({name: share for name, share in expected.items() if share})
    assert given.sampled == [UNBIASED, "Top/Arts", "Top/Sports"]
    assert all(facet.highlighted == (facet.share >= 0.25) for facet in given.facets)
    assert [f.share for f in given.facets] == sorted(shares.values(), reverse=True)


def test_candidates_are_the_best_by_text(made):
    search = FacetSearch(made[0])
    few, all_ = search.candidates("alpha", 7), search.candidates("alpha")
    assert few.page_ids.tolist() == all_.page_ids[:7].tolist()
    assert few.n_found == all_.n_found == sum("alpha" in text.split() for text in texts())


def test_facets_are_no_filters(made):
    corpus, _ = made
    unbiased, biased = (
        answer(corpus, "alpha", chosen=chosen, n_results=100) for chosen in ((), ("Sports",))
    )
    assert unbiased.found == biased.found == len(biased.results)  # trap 28
    assert {r.url for r in unbiased.results} == {r.url for r in biased.results}
    assert [r.url for r in unbiased.results] != [r.url for r in biased.results]
    assert biased.results[0].url.startswith("http://sports.sample/")
    assert biased.results[0].memberships["Top/Sports"] > 0.1
    assert biased.ranked_by == ["Top/Sports"]


def test_chosen_facets_are_sampled_by_their_children_and_mixed(made):
    corpus, _ = made
    chosen = answer(corpus, "alpha", chosen=["Top/Arts"])
    assert chosen.sampled == [UNBIASED, "Top/Arts/Film", "Top/Arts/Music"]
    mixed = answer(corpus, "alpha", chosen=["Top/Arts/Film", "Sports"], n_results=100)
    assert mixed.sampled == [UNBIASED, "Top/Arts/Film", "Top/Sports"]
    ranks = ranks_by_page(corpus)
    ids = dict(zip(URLS, made[1].tolist(), strict=True))
    for result in mixed.results:
        rank = ranks[ids[result.url]]
        mean = (rank[NAMES.index("Top/Arts/Film")] + rank[NAMES.index("Top/Sports")]) / 2
        assert result.score == pytest.approx(result.text_score * mean, rel=1e-6)


def test_queries_that_find_nothing(made):
    for query in ("nothing", "...", '""'):
        given = answer(made[0], query)
        assert (given.found, given.facets, given.results) == (0, [], [])
        assert "found       0 pages" in given.screen()


def test_phrases(made):
    index = TextIndex(made[0] / TEXT)
    for phrase in ("alpha beta", "zeta zeta"):
        expected = [i for i, text in enumerate(texts()) if f" {phrase} " in f" {text} "]
        found = index.search(f'"{phrase}"', 1000).page_ids.tolist()
        assert sorted(found) == sorted(made[1][expected].tolist())
        with_more = index.search(f'"{phrase}" gamma', 1000)
        assert sorted(with_more.page_ids.tolist()) == sorted(found)


def test_host_categories_and_descendants(tmp_path):
    corpus = tmp_path / "corpus"
    make_corpus(corpus)
    report = rank_topics(corpus, topic_options=TopicOptions(descendants=True))
    # fetched pages, those that link: 3 of 5
    sizes = dict(report.largest)
    assert sizes["Top/Arts"] == sizes["Top/Arts/Film"] + sizes["Top/Arts/Music"] + 9
    file = TopicFile(corpus / TOPICS_FILE)
    assert [topic.name for topic in file.topics] == sorted(TOPICS.values())
    assert [topic.pages for topic in file.topics] == [sizes[topic.name] for topic in file.topics]
    with pytest.raises(InputError, match=r"no URL of the list is in the graph of"):
        rank_topics(corpus, listed=[("Top/Arts", "http://gone.sample/", 1.0)])


def test_index_is_brought_up_to_date(tmp_path):
    corpus = tmp_path / "corpus"
    ids = make_corpus(corpus).tolist()
    first = index_corpus(corpus)
    assert (first.added, first.removed, first.facets) == (60, 0, 0)
    with pytest.raises(InputError, match="no rank vectors"):
        FacetSearch(corpus)
    again = index_corpus(corpus)
    assert (again.added, again.removed, again.documents) == (0, 0, 60)
    # a page is fetched again, with another text
    append_documents(corpus, [document(5, ids[5], "omega omega", later=1)])
    third = index_corpus(corpus)
    assert (third.added, third.removed, third.documents) == (1, 1, 60)
    index = TextIndex(corpus / TEXT)
    assert index.search("omega", 9).page_ids.tolist() == [ids[5]]
    assert index.shown(ids[5]) == (URLS[5], "Page 5")
    assert index.shown(ids[6]) == (URLS[6], "")
    page_ids, times = index.pages()
    assert page_ids.tolist() == sorted(ids)
    assert times[ids.index(page_ids[0])] == int((AT.timestamp() + ids.index(page_ids[0])) * 10**6)
    with pytest.raises(KeyError):
        index.shown(98 << 32)
    # ranks come: the vectors are made; other ranks come: they are made anew
    assert rank_topics(corpus, listed=listed_topics()).topics == 4
    assert index_corpus(corpus).facets == 5
    old = open_vectors(corpus)
    assert not FacetSearch(corpus).is_stale
    assert not FacetSearch(
        shutil.copytree(corpus, tmp_path / "copy", copy_function=shutil.copy)
    ).is_stale
    assert rank_topics(corpus, listed=listed_topics()[:3]).topics == 1
    stale = answer(corpus, "omega")
    assert stale.is_stale
    assert "\n            not the ranks that are there now; run `scrapy index`\n" in stale.screen()
    assert index_corpus(corpus).facets == 2
    assert not answer(corpus, "omega").is_stale
    assert old.names == NAMES
    assert open_vectors(corpus).names == (UNBIASED, "Top/Arts")


def test_documents_that_the_ranks_do_not_know(tmp_path):
    corpus = tmp_path / "corpus"
    make_corpus(corpus)
    rank_topics(corpus, listed=listed_topics())
    unknown = 99 << 32
    append_documents(corpus, [document(0, unknown, "omega")])
    index_corpus(corpus)
    given = answer(corpus, "omega")
    assert [r.score / r.text_score for r in given.results] == pytest.approx([0.15])
    assert given.results[0].memberships == {}


def test_unbiased_ranks_alone(tmp_path):
    corpus = tmp_path / "corpus"
    ids = make_corpus(corpus)
    with Graph.open(corpus) as stored:
        graph = HostGraph.from_arcs(stored.pages(), *stored.arcs()[:2])
        rank = np.arange(1.0, 61) / 1830
        about = {"alpha": 0.5, "scale": "sum"}
        path = corpus / "ranks" / "pagerank.parquet"
        write_ranks(path, graph, rank, urls=stored.urls, computed=about)
    assert index_corpus(corpus).facets == 1
    vectors = open_vectors(corpus)
    assert vectors.pages.tolist() == sorted(ids.tolist())
    assert vectors.ranks[0] == pytest.approx([*rank * 60, 0.5])
    given = answer(corpus, "alpha")
    assert [facet.name for facet in given.facets] == given.sampled == [UNBIASED]


def test_damaged_files_are_said(tmp_path):
    corpus = tmp_path / "corpus"
    make_corpus(corpus)
    rank_topics(corpus, listed=listed_topics())
    index_corpus(corpus)
    about = corpus / VECTORS / "vectors.json"
    about.write_text(about.read_text().replace('"format": 1', '"format": 9'))
    with pytest.raises(FormatError, match="has format 9, not 1"):
        FacetSearch(corpus)
    assert index_corpus(corpus).facets == 5
    (corpus / VECTORS / "ranks.npy").write_bytes(b"x")
    with pytest.raises(FormatError, match="is damaged"):
        FacetSearch(corpus)
    (corpus / TEXT / "meta.json").write_text("{}")
    with pytest.raises(FormatError, match="remove the folder"):
        index_corpus(corpus)


def test_wrong_options():
    for name in ("sample", "rounds", "candidates"):
        with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
            FacetOptions(**{name: 0})
    with pytest.raises(ValueError, match="theta must be above 0"):
        FacetOptions(theta=0)
    with pytest.raises(ValueError, match="new_share must be above 0"):
        FacetOptions(new_share=2)
