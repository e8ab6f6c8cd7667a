"""Facets of several dimensions: memberships that do not suffer from each other, and mixtures by weights."""

from __future__ import annotations

import math

import numpy as np
import pytest

from crawler.errors import InputError
from crawler.ranking.corpus.topics import rank_topics
from crawler.ranking.topics.store import TOPICS_FILE, TopicFile, dimension_of
from pipelines.jobs.facets.run import answer
from pipelines.jobs.facets.search import FacetOptions
from pipelines.jobs.index.run import index_corpus
from pipelines.jobs.index.vectors import UNBIASED, open_vectors
from tests.facet_corpus import HOSTS, listed_topics, make_corpus, url

COUNTRIES = {HOSTS[0]: "country:de", HOSTS[1]: "country:de/by", HOSTS[3]: "country:fr"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(corpus folder, packed PageIds of its pages), with topics and countries."""
    corpus = tmp_path_factory.mktemp("facets") / "corpus"
    ids = make_corpus(corpus)
    listed = [(country, url(host, i), 1.0) for host, country in COUNTRIES.items() for i in range(6)]
    rank_topics(corpus, listed=[*listed_topics(), *listed])
    index_corpus(corpus)
    return corpus, ids


@pytest.mark.parametrize(
    ("category", "dimension"),
    [
        ("country:de", "country"),
        ("kind:press/weekly", "kind"),
        *((name, "topic") for name in ("Top/Arts", "Arts: Film", "arts: film", "Q:A", "http:/a")),
    ],
)
def test_a_category_names_its_dimension(category, dimension):
    assert dimension_of(category) == dimension


def test_membership_counts_facets_of_its_own_dimension(made):
    corpus, ids = made
    vectors = open_vectors(corpus)
    file = TopicFile(corpus / TOPICS_FILE)
    ranks = np.array([file.column(topic.name) for topic in file.topics])
    is_country = [topic.name.startswith("country:") for topic in file.topics]
    for page in range(len(ids)):
        members = {}
        for number, topic in enumerate(file.topics):
            kin = [
                r
                for r, same in zip(ranks[:, page], is_country, strict=True)
                if same == is_country[number]
            ]
            uncertainty = sum(rank >= 1 for rank in kin)
            if ranks[number, page] > 1:
                members[topic.name] = math.log(ranks[number, page]) / uncertainty
        found = vectors.table.of_page(page)
        named = {vectors.names[facet]: value for facet, value in found.items()}
        named.pop(UNBIASED, None)
        assert named == pytest.approx(members, rel=1e-4)


def test_dimensions_have_weights(made):
    corpus, _ = made
    chosen = ["Top/Arts/Film", "Sports", "country:fr"]
    ranks = {
        name: TopicFile(corpus / TOPICS_FILE).column(name)
        for name in ("Top/Arts/Film", "Top/Sports", "country:fr")
    }
    rows = {page: row for row, page in enumerate(open_vectors(corpus).pages.tolist())}
    for weights, shares in (
        ({}, (1, 1, 2)),
        ({"country": 3.0}, (1, 1, 6)),
        ({"topic": 4.0}, (4, 4, 2)),
    ):
        found = answer(corpus, "alpha", FacetOptions(weights=weights), chosen=chosen, n_results=100)
        for result in found.results:
            row = rows[result.host_id << 32 | result.local_id]
            rank = sum(s * ranks[name][row] for s, name in zip(shares, ranks, strict=True)) / sum(
                shares
            )
            assert result.score == pytest.approx(result.text_score * rank, rel=1e-5)
        scores = [result.score for result in found.results]
        assert scores == sorted(scores, reverse=True)


def test_wrong_weights(made):
    corpus, _ = made
    with pytest.raises(
        InputError, match=r"--weight has 'country', a dimension of no facet .* of topic"
    ):
        answer(corpus, "alpha", FacetOptions(weights={"country": 2}), chosen=["Sports"])
    for weight in (0, -1, math.inf, math.nan):
        with pytest.raises(ValueError, match="weight must be above 0 and finite"):
            FacetOptions(weights={"topic": weight})
