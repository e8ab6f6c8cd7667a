"""``scrapy pagerank --topics``: of a list, of top-level domains, and where there are none."""

from __future__ import annotations

import gzip

import networkx as nx
import pyarrow.parquet as pq
import pytest

from crawler.errors import InputError
from crawler.ranking.corpus.topics import TopicOptions, rank_topics
from crawler.ranking.options import RankOptions
from crawler.ranking.topics.store import TopicFile
from crawler.urls import canonical_url
from tests.conftest import run_scrapy
from tests.test_command_pagerank import report_of, store_graph

# Pages of several top-level domains, and these; those that are only linked to count for none.
TLDS = {
    "http://www.a.de/": ["http://www.a.de/1", "http://b.com:8080/"],
    "http://www.a.de/1": ["http://www.a.de/", "http://only.linked.fr/"],
    "https://c.de/": ["http://www.a.de/", "http://1.2.3.4/"],
    "http://b.com:8080/": ["http://пример.рф/", "http://www.a.de/1"],
    "http://пример.рф/": ["http://b.com:8080/", "http://localhost/"],
    "http://1.2.3.4/": ["http://www.a.de/"],
    "http://[2001:db8::1]/": ["http://1.2.3.4/"],
    "http://localhost/": ["https://c.de/"],
}
OF_TLDS = ("de", "de", "de", "com", "xn--p1ai", None, None, None)


def test_topics_of_a_list(tmp_path):
    corpus, topics = tmp_path / "corpus", tmp_path / "topics.tsv"
    store_graph(corpus)
    topics.write_text(
        "Top/A\thttp://www.a.sample/\n\nTop/B\thttp://www.b.sample/\nTop/C\thttp://gone.sample/\n"
    )
    report = report_of(corpus, "--topics", topics, "--topic-depth", "2")
    assert (report["topics"], report["not_found"]) == (2, 1)
    assert [path.name for path in (corpus / "ranks").iterdir()] == ["topics.parquet"]


def test_weights_of_a_list_are_a_personalisation_vector(tmp_path):
    """The page that is listed again has the larger of its weights, the one of weight 0 none."""
    store_graph(tmp_path, TLDS)
    weights = {"http://www.a.de/": 0.25, "http://b.com:8080/": 1.0, "https://c.de/": 4.5}
    topics = tmp_path / "topics.tsv"
    weighed = "".join(f"A\t{url}\t{weight!r}\n" for url, weight in weights.items())
    topics.write_text(
        weighed.replace("\t1.0", "") + "A\thttp://1.2.3.4/\t0\nA\thttp://www.a.de/\t1e-3\n"
        "B\thttp://www.a.de/\t3\nB\thttp://b.com:8080/\t1\n"
    )
    report = report_of(tmp_path, "--topics", topics, "--tolerance", "1e-12")
    assert report["largest"] == [["A", 3], ["B", 2]]
    table = pq.read_table(tmp_path / "ranks" / "topics.parquet").to_pylist()
    graph = nx.DiGraph([(url, link) for url, links in TLDS.items() for link in links])
    for name, wanted in (
        ("A", weights),
        ("B", {"http://www.a.de/": 0.75, "http://b.com:8080/": 0.25}),
    ):
        expected = nx.pagerank(graph, personalization=wanted, tol=1e-15, max_iter=1000)
        by_url = {row["url"]: row[f"topic:{name}"] / len(table) for row in table}
        found = [by_url[canonical_url(url)] for url in expected]
        assert found == pytest.approx([*expected.values()], abs=1e-7)


def test_a_list_names_the_nodes_of_tables_as_these_do(tmp_path):
    """Names of hosts alone were found nowhere."""
    names = ("a.example", "b.example/x", "a blog")
    nodes = "".join(f"{number}\t{name}\n" for number, name in enumerate(names))
    for name, lines in (("nodes", nodes), ("edges", "0\t1\n1\t2\n2\t0\n")):
        (tmp_path / f"{name}.tsv.gz").write_bytes(gzip.compress(lines.encode()))
    topics = tmp_path / "topics.tsv"
    topics.write_text("".join(f"A\t{name}\n" for name in (*names, "gone.example")))
    report = report_of(tmp_path, "--topics", topics)
    assert (report["largest"], report["not_found"]) == ([["A", 3]], 1)


def test_topics_of_top_level_domains(tmp_path):
    """They are a dimension of facets: alone, or beside topics; and the ranks those of a list that says the same."""
    corpus, listed, topics = (tmp_path / name for name in ("corpus", "listed.tsv", "topics.tsv"))
    store_graph(corpus, TLDS)
    report = report_of(corpus, "--topics", "tld")
    assert report["largest"] == [["tld:de", 3], ["tld:com", 1], ["tld:xn--p1ai", 1]]
    path = corpus / "ranks" / "topics.parquet"
    of_tlds = {topic.name: TopicFile(path).column(topic.name) for topic in TopicFile(path).topics}
    pages = {url: f"tld:{tld}" for url, tld in zip(TLDS, OF_TLDS, strict=True) if tld}
    listed.write_text("".join(f"{name}\t{url}\n" for url, name in pages.items()))
    report_of(corpus, "--topics", listed)
    for name, rank in of_tlds.items():
        assert rank == pytest.approx(TopicFile(path).column(name), abs=1e-6)
    topics.write_text("Top/A\thttp://www.a.de/\ntld:com\thttp://1.2.3.4/\n")
    report = report_of(corpus, "--topics", f"{topics},tld", "--topic-depth", "1")
    found = {topic.name: (topic.dimension, topic.pages) for topic in TopicFile(path).topics}
    assert found == {
        "Top/A": ("topic", 1),
        "tld:com": ("tld", 1),  # the list's own, of another page
        "tld:de": ("tld", 3),
        "tld:xn--p1ai": ("tld", 1),
    }
    assert TopicFile(path).column("tld:com") != pytest.approx(of_tlds["tld:com"], abs=0.1)


def test_topics_by_a_share_of_internal_links(tmp_path):
    """The ranks without topics beside them are of the same share."""
    store_graph(tmp_path, TLDS)
    stratified = report_of(tmp_path, "--topics", "tld", "--internal-share", "0.9")
    assert stratified["internal_share"] == 0.9
    path = tmp_path / "ranks" / "topics.parquet"
    found = {topic.name: TopicFile(path).column(topic.name) for topic in TopicFile(path).topics}
    unbiased = TopicFile(path).column(None)
    report_of(tmp_path, "--internal-share", "0.9")
    pages = pq.read_table(tmp_path / "ranks" / "pagerank.parquet")["rank"].to_numpy()
    assert unbiased == pytest.approx(pages, abs=1e-6)
    assert report_of(tmp_path, "--topics", "tld")["internal_share"] is None
    for name, rank in found.items():
        assert rank != pytest.approx(TopicFile(path).column(name), abs=1e-3)
    report = rank_topics(tmp_path, RankOptions(internal_share=0.9), TopicOptions(tlds=2), listed=())
    assert (
        "\ninternal    0.9 of its rank a page gives to links within its host\n" in report.screen()
    )


def test_the_largest_top_level_domains_are_topics(tmp_path):
    store_graph(tmp_path, TLDS)
    report = rank_topics(tmp_path, topic_options=TopicOptions(tlds=2), listed=())
    assert [name for name, _ in report.largest] == ["tld:de", "tld:com"]
    assert report.left_out == 1
    assert "\nleft out    1 smaller top-level domain\n" in report.screen()
    addresses = tmp_path / "addresses"
    store_graph(addresses, {"http://1.2.3.4/": ["http://a.com/"], "http://[::1]/": []})
    with pytest.raises(
        InputError, match=r"no fetched page of .* has a top-level domain, or a topic"
    ):
        rank_topics(addresses, topic_options=TopicOptions(tlds=2), listed=())


def test_no_topic_is_told_by_its_cause(tmp_path):
    store_graph(tmp_path)
    gone, known = ([("A", f"http://{name}.sample/", 1.0)] for name in ("gone", "www.a"))
    for listed, least, message in (
        (None, 1, r"no page of .* has a category; give a list to --topics"),
        (gone, 1, r"no URL of the list is in the graph of"),
        (known, 2, r"no topic has 2 pages in .*; give less --topic-min-pages"),
    ):
        with pytest.raises(InputError, match=message):
            rank_topics(tmp_path, topic_options=TopicOptions(min_pages=least), listed=listed)


def test_no_category_beside_top_level_domains_is_told(tmp_path):
    store_graph(tmp_path, TLDS)
    told = "\ncategories  none; all topics are top-level domains\n"
    a_list = [("A", "http://www.a.de/", 1.0)]
    for listed, has_categories in ((None, False), ((), True), (a_list, True)):
        report = rank_topics(tmp_path, topic_options=TopicOptions(tlds=2), listed=listed)
        assert report.has_categories == has_categories
        assert (told in report.screen()) != has_categories
    assert report_of(tmp_path, "--topics", "seeds,tld")["has_categories"] is False


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        ("", "--topics is empty; give it a value, or leave it out; see --help"),
        (",", "--topics is ','; give a file, or `seeds`, `tld` or `seeds,tld`; see --help"),
        ("tdl", "give a file in UTF-8, or `seeds`, `tld` or `seeds,tld`"),
    ],
)
def test_topics_that_are_none(tmp_path, topics, message):
    """Without a word nothing was ranked by topic, and nothing said so."""
    store_graph(tmp_path)
    done = run_scrapy("pagerank", "--corpus", tmp_path, "--topics", topics)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.rstrip().endswith(message)
