"""The studies of topic PageRank: rankings along a category tree, and held-out labels."""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest

from crawler.errors import InputError
from crawler.ranking.corpus.topics import rank_topics
from crawler.ranking.kendall import overlap, top_k_tau
from crawler.ranking.topics.store import TOPICS_FILE, TopicFile
from pipelines.jobs.facets.search import FacetSearch
from pipelines.jobs.index.run import index_corpus
from pipelines.jobs.topic_study.__main__ import main
from pipelines.jobs.topic_study.labels import METHODS, read_labelled, study_labels
from pipelines.jobs.topic_study.tree import read_category_queries, related, study_tree
from tests.facet_corpus import listed_topics, make_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study") / "corpus"
    make_corpus(folder)
    rank_topics(folder, listed=listed_topics())
    return folder


def test_relations_of_categories():
    names = ["Top/A", "Top/A/B", "Top/A/C", "Top/A/C/D/E", "F"]
    found = list(related(names, seed=1))
    assert [pair[1:] for pair in found if pair[0] == "parent"] == [
        ("Top/A/B", "Top/A"),
        ("Top/A/C", "Top/A"),
        ("Top/A/C/D/E", "Top/A/C"),
    ]
    assert [pair[1:] for pair in found if pair[0] == "sibling"] == [
        ("F", "Top/A"),
        ("Top/A/B", "Top/A/C"),
    ]
    assert [pair[1] for pair in found if pair[0] == "unbiased"] == sorted(names)
    # Those of Top/X are siblings, though it is no topic; those of others are none of theirs.
    apart = ["Top/X/A", "Top/X/B", "Top/Y/A", "Top/X/A/C"]
    assert [pair for pair in related(apart, seed=1) if pair[0] != "unbiased"] == [
        ("parent", "Top/X/A/C", "Top/X/A"),
        ("sibling", "Top/X/A", "Top/X/B"),
    ]
    # A country is no sibling of a topic.
    assert [pair[0] for pair in related(["Top/A", "country:de"], seed=1)] == ["unbiased"] * 2
    # Top-level domains are no categories.
    assert [pair[1] for pair in related(["tld:de", "tld:fr", "Top/A"], seed=1)] == ["Top/A"]
    many = [f"Top/{i}" for i in range(60)]
    sampled = [pair for pair in related(many, seed=1) if pair[0] == "sibling"]
    assert len(sampled) == len(set(sampled)) == 500


def test_study_of_rank_lists(corpus):
    study = study_tree(corpus, best=10)
    assert (study.topics, study.queries, len(study.pairs)) == (4, 0, 2 + 2 + 4)
    file = TopicFile(corpus / TOPICS_FILE)
    lists = {
        name: np.argsort(-file.column(name), kind="stable")[:10]
        for name in ("Top/Arts", "Top/Arts/Film")
    }
    pair = next(p for p in study.pairs if (p.relation, p.first) == ("parent", "Top/Arts/Film"))
    assert (pair.second, pair.level, pair.pages, pair.queries) == ("Top/Arts", 2, 3, 0)
    assert pair.tau == top_k_tau(lists["Top/Arts/Film"], lists["Top/Arts"])
    assert pair.overlap == overlap(lists["Top/Arts/Film"], lists["Top/Arts"])
    relations = {relation.relation: relation for relation in study.relations}
    taus = [p.tau for p in study.pairs if p.relation == "unbiased"]
    assert relations["unbiased"].mean_tau == pytest.approx(np.mean(taus))
    assert relations["unbiased"].low_share == np.mean([tau < 0.2 for tau in taus])
    assert relations["sibling"].pairs == 2


def test_study_of_query_results_and_files(corpus, tmp_path, capsys):
    index_corpus(corpus)
    queries = tmp_path / "queries.tsv"
    queries.write_text("Top/Arts\talpha\nTop/Arts/\tbeta gamma\nTop/Sports\tdelta\nTop/None\tx\n")
    study = study_tree(corpus, best=10, queries=queries)
    asked = {(p.relation, p.first): p.queries for p in study.pairs}
    # A query is searched by the category, its parent and each of its children.
    assert asked == {
        ("parent", "Top/Arts/Film"): 2,
        ("parent", "Top/Arts/Music"): 2,
        ("sibling", "Top/Arts"): 3,
        ("unbiased", "Top/Arts"): 2,
        ("unbiased", "Top/Sports"): 1,
    }
    assert all(-1 <= p.tau <= 1 and 0 <= p.overlap <= 1 for p in study.pairs)
    search = FacetSearch(corpus)
    taus = []
    for query in ("alpha", "beta gamma"):
        found = search.candidates(query)
        lists = [search.best(found, [search.number(f"Arts{end}")], 10) for end in ("/Film", "")]
        taus.append(top_k_tau(*lists))
    assert study.pairs[0].tau == pytest.approx(np.mean(taus))
    assert main(["tree", str(corpus), "--best", "10", "--queries", str(queries)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("relation  pairs")
    stored = json.loads((corpus / "topics" / "study.json").read_text())
    assert stored["queries"] == 3
    assert [relation["relation"] for relation in stored["relations"]] == [
        "parent",
        "sibling",
        "unbiased",
    ]
    page = (corpus / "topics" / "study.html").read_text()
    assert page.count("<table>") == 2
    assert "<td>Top/Sports</td>" in page
    assert main(["tree", str(corpus), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["pairs"]) == 8


def test_wrong_calls_of_the_tree(corpus, tmp_path, capsys):
    assert main(["tree", str(tmp_path)]) == 2
    assert "run `scrapy pagerank --topics` first" in capsys.readouterr().err
    (tmp_path / "queries").write_text("Top/None\tx\n")
    with pytest.raises(InputError, match="has no query of a topic"):
        study_tree(corpus, queries=tmp_path / "queries")
    with pytest.raises(InputError, match="cannot be read as UTF-8"):
        study_tree(corpus, queries=tmp_path / "missing")
    with pytest.raises(ValueError, match="best must be at least 2"):
        study_tree(corpus, best=1)


# What str.splitlines() takes for the end of a line besides those of files.
@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\x1c"])
def test_signs_within_columns_end_no_line(tmp_path, sign):
    queries = tmp_path / "queries.tsv"
    queries.write_text(f"Top/Arts\tal{sign}pha\r\nTop/Arts\tbeta", encoding="utf-8")
    assert read_category_queries(queries, ["Top/Arts"]) == {"Top/Arts": [f"al{sign}pha", "beta"]}
    nodes = f"0\ta{sign}b\tx/1\n1\tc\ty{sign}z/2"
    (tmp_path / "nodes.tsv.gz").write_bytes(gzip.compress(nodes.encode()))
    (tmp_path / "edges.tsv.gz").write_bytes(gzip.compress(b"0\t1\r\n"))
    labelled = read_labelled(tmp_path)
    assert (labelled.names, labelled.graph.n_arcs) == (["x", f"y{sign}z"], 1)


def two_camps(folder, *, n: int = 60, seed: int = 1) -> None:
    """Write a graph of two camps whose pages link to their own camp nine times of ten."""
    rng = np.random.default_rng(seed)
    rows = [f"{i}\thttp://a/{i}\t{'left' if i < n // 2 else 'right'}/x" for i in range(n)]
    edges = []
    for i in range(n):
        for _ in range(5):
            own = rng.random() < 0.9
            camp = (i < n // 2) == own
            target = rng.integers(0, n // 2) + (0 if camp else n // 2)
            edges.append(f"{i}\t{target}\t1")
    for name, lines in (("nodes", rows), ("edges", edges)):
        (folder / f"{name}.tsv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))


def test_held_out_labels(tmp_path, capsys):
    two_camps(tmp_path)
    study = study_labels(read_labelled(tmp_path), name="camps", share=0.2, draws=4)
    assert study.classes == {"left": 30, "right": 30}
    figures = {method.name: method for method in study.methods}
    assert list(figures) == list(METHODS)
    assert figures["membership"].accuracy[0] > 0.85
    assert figures["membership"].auc[0] > 0.9
    assert figures["membership, both ways"].decided[0] == 1
    assert figures["largest class"].accuracy == (0.5, 0.0)
    assert figures["largest class"].auc == (0.5, 0.0)
    assert math.isnan(figures["largest class"].decided_accuracy[0])
    again = study_labels(read_labelled(tmp_path), name="camps", share=0.2, draws=4)
    assert again.methods[0] == study.methods[0]
    assert main(["labels", str(tmp_path), "--draws", "1"]) == 0
    assert "10% of each class shown, 1 draws" in capsys.readouterr().out
    assert main(["labels", str(tmp_path), "--draws", "1", "--json", "--label-depth", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["classes"] == {"left/x": 30, "right/x": 30}
    assert main(["labels", str(tmp_path), "--share", "1"]) == 2
    assert main(["labels", str(tmp_path / "none")]) == 2
    assert "has no labelled graph" in capsys.readouterr().err


def test_votes_of_neighbours_by_hand(tmp_path):
    # 0 and 1 are shown; 2 is linked to by 0, 3 links to both, 4 to nobody
    nodes = "0\ta\tx\n1\tb\ty\n2\tc\tx\n3\td\ty\n4\te\ty"
    (tmp_path / "nodes.tsv.gz").write_bytes(gzip.compress(nodes.encode()))
    (tmp_path / "edges.tsv.gz").write_bytes(gzip.compress(b"0\t2\n3\t0\n3\t1\n3\t3"))
    labelled = read_labelled(tmp_path)
    shown = type("Shown", (), {"labelled": labelled, "pages": [np.array([0]), np.array([1])]})
    votes = METHODS["votes of neighbours"](shown)
    assert votes.tolist() == [[0, 0, 1, 1, 0], [0, 0, 0, 1, 0]]
    iterated = METHODS["votes, iterated"](shown)
    study = study_labels(labelled, name="by hand", draws=1)
    # of 0>2, 3>0, 3>1, 3>3; sources x, y, y, y and targets x, x, y, y
    assert (study.alike, study.alike_by_chance) == (0.75, 8 / 16)
    assert iterated.T.tolist() == [[1, 0], [0, 1], [1, 0], [0.5, 0.5], [0, 0]]


@pytest.mark.parametrize(
    ("name", "least_auc", "alike"), [("polblogs", 0.85, 0.41), ("webkb-pages", 0.55, -0.02)]
)
def test_real_labels(shared, name, least_auc, alike):
    labelled = read_labelled(shared / "data" / "graph" / name)
    study = study_labels(labelled, name=name, draws=2)
    figures = {method.name: method for method in study.methods}
    assert figures["membership"].auc[0] > least_auc
    assert figures["membership"].auc[0] > figures["votes of neighbours"].auc[0]
    # the classes of WebKB are not what links follow: no method can tell them as camps are told
    assert study.alike - study.alike_by_chance == pytest.approx(alike, abs=0.01)
    is_told = figures["membership"].accuracy[0] > figures["largest class"].accuracy[0]
    assert is_told == (alike > 0)
    both = figures["rank times class size, both ways"].accuracy[0]
    assert both > figures["largest class"].accuracy[0]
