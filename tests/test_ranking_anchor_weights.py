"""LAMIS: weights of links by the entropy of their anchors, against slow ones; and HITS with them on a made site."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.ranking.hits.anchor_weights import Anchors, anchors_of, weigh_anchors
from crawler.ranking.hits.hits import page_links
from tests.graph_commands import run_command
from tests.ranking_graphs import graph_of
from tests.test_command_pagerank import store_graph
from tests.warc_records import record


def slow_weights(anchors, n_pages):
    """The weight of each (page, words, target) of a host of *n_pages*."""
    counts = {}
    for page, words, _ in anchors:
        for word in words:
            counts.setdefault(word, Counter())[page] += 1

    def entropy(word):
        total = sum(counts[word].values())
        shares = [count / total for count in counts[word].values()]
        return -sum(w * math.log(w, n_pages) for w in shares) if n_pages > 1 else 0.0

    return [
        1 - sum(map(entropy, set(words))) / len(set(words)) if words else 0.0
        for _, words, _ in anchors
    ]


def test_words_of_greek_are_those_of_its_capitals():
    words, _, _ = anchors_of(["οδός", "ΟΔΟΣ"], np.zeros(2, np.uint64))
    assert words[0] == words[1]


@given(
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    anchors=st.lists(
        st.tuples(
            st.integers(0, 11),
            st.lists(st.sampled_from(["home", "news", "a", "b", "c"]), max_size=4),
            st.integers(0, 11),
        ),
        max_size=30,
    ),
)
def test_weights_are_those_of_the_slow_way(sizes, anchors):
    n = sum(sizes)
    anchors = [(source % n, words, target % n) for source, words, target in anchors]
    graph = graph_of(sizes, [(source, target) for source, _, target in anchors])
    host = graph.host_of_page.tolist()
    read = {}
    for page, number in enumerate(graph.packed.tolist()):
        own = [each for each in anchors if each[0] == page]
        targets = graph.packed[[target for *_, target in own]] if own else np.zeros(0, np.uint64)
        read[number] = anchors_of([" ".join(words) for _, words, _ in own], targets)
    expected = {(s, t): 0.0 for s, _, t in anchors}
    for number in range(len(sizes)):
        own = [each for each in anchors if host[each[0]] == number]
        for (s, _, t), weight in zip(own, slow_weights(own, sizes[number]), strict=True):
            expected[s, t] = max(expected[s, t], weight)
    weighed = weigh_anchors(read)
    for nepotistic in (True, False):
        links = page_links(graph, nepotistic=nepotistic)
        weights = weighed.of_links(links, graph)
        targets = np.repeat(np.arange(n), np.diff(links.indptr)).tolist()
        arcs = list(zip(links.indices.tolist(), targets, strict=True))
        assert weights == pytest.approx([expected[arc] for arc in arcs], abs=1e-9)
        assert len(arcs) == len(
            [arc for arc in expected if nepotistic or host[arc[0]] != host[arc[1]]]
        )


def test_pages_that_are_not_in_the_graph():
    graph = graph_of([2], [(0, 1)])
    unknown = np.array([1, 7 << 32], dtype=np.uint64)
    read = {0: anchors_of(["one", "two"], unknown), 9 << 32: anchors_of(["three"], unknown[:1])}
    assert weigh_anchors(read).of_links(page_links(graph), graph).tolist() == [1.0]
    none = weigh_anchors(
        {0: Anchors(*(np.zeros(0, kind) for kind in (np.uint64, np.uint32, np.uint64)))}
    )
    assert none.of_links(page_links(graph), graph).tolist() == [0.0]
    assert (
        weigh_anchors({}).of_links(page_links(graph_of([1], [])), graph_of([1], [])).tolist() == []
    )


SITE = "http://news.sample"
MENU = "".join(
    f"<a href={SITE}/{name}>{name.title()}</a> " for name in ("imprint", "contact", "about")
)
ARTICLES = [f"{SITE}/article{n}" for n in range(8)]
TITLES = [f"Headline {'abcdefgh'[n]}{n} of day{n}" for n in range(8)]
CONTENTS = {
    f"{SITE}/{name}": "".join(
        f"<p><a href={url}>{title}</a>"
        for url, title in list(zip(ARTICLES, TITLES, strict=True))[part]
    )
    for name, part in (("index", slice(8)), ("today", slice(5)))
}
PAGES = {
    url: f"<p>{MENU}</p>{body}"
    for url, body in {
        **CONTENTS,
        **dict.fromkeys(ARTICLES, "<p>It was said that it is so."),
        **{f"{SITE}/{name}": "<p>We are we." for name in ("imprint", "contact", "about")},
    }.items()
}


def store(folder, pages):
    """Put the graph of *pages*, HTML by URL, and their WARC file into the corpus *folder*."""
    store_graph(folder, {url: re.findall(r"href=(\S+?)>", body) for url, body in pages.items()})
    records = [
        record(url, f"<html><body>{body}".encode(), "Content-Type: text/html")
        for url, body in pages.items()
    ]
    (folder / "warc").mkdir()
    (folder / "warc" / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    store(folder, PAGES)
    return folder


def found(corpus, *options):
    """The report, and (authorities, hubs) by URL."""
    done = run_command("hits", "--corpus", corpus, *options, "--json")
    assert done.code == 0, done.errors
    rows = pq.read_table(corpus / "ranks" / "hits.parquet").to_pylist()
    return json.loads(done.out), *(
        {row["url"]: row[kind] for row in rows} for kind in ("authority", "hub")
    )


def test_pages_of_contents_are_hubs_and_articles_authorities(corpus):
    _, authority, _ = found(corpus)
    assert set(sorted(authority, key=authority.get)[-3:]) == {
        f"{SITE}/{name}" for name in ("imprint", "contact", "about")
    }
    report, authority, hub = found(corpus, "--weights", "anchor-entropy")
    assert (report["links"], report["weighed"]) == (3 * len(PAGES) + 13, 13)
    assert set(sorted(authority, key=authority.get)[-5:]) == set(ARTICLES[:5])
    assert sorted(hub, key=hub.get)[-2:] == [f"{SITE}/today", f"{SITE}/index"]
    anchors = [
        (source, re.findall(r"\w+", text.lower()), target)
        for source, body in PAGES.items()
        for target, text in re.findall(r"<a href=(\S+?)>(.*?)</a>", body)
    ]
    names = sorted(PAGES)
    links = np.zeros((len(names), len(names)))
    for (source, _, target), weight in zip(anchors, slow_weights(anchors, len(PAGES)), strict=True):
        links[names.index(source), names.index(target)] = weight
    expected = np.ones(len(names))
    for _ in range(300):
        expected = links.T @ links @ expected
        expected /= np.linalg.norm(expected)
    assert authority == pytest.approx(dict(zip(names, expected, strict=True)), abs=1e-6)
    metadata = pq.read_schema(corpus / "ranks" / "hits.parquet").metadata
    assert json.loads(metadata[b"winnow_hits"])["weights"] == "anchor-entropy"


def test_among_the_pages_of_a_query(corpus):
    report, authority, _ = found(corpus, "--weights", "anchor-entropy", "--query", "so")
    assert (report["pages"], report["links"], report["weighed"]) == (len(ARTICLES), 0, 0)
    assert authority == dict.fromkeys(ARTICLES, 0.0)
    report, *_ = found(corpus, "--weights", "anchor-entropy", "--query", "imprint")
    assert (report["pages"], report["weighed"]) == (len(PAGES), 13)
    lines = run_command("hits", "--corpus", corpus, "--weights", "anchor-entropy").out.splitlines()
    assert f"links       {3 * len(PAGES) + 13}, 13 of them weighed by their anchors" in lines
    assert found(corpus)[0]["weighed"] is None


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--weights", "tfidf"], "--weights is 'tfidf'; give equal or anchor-entropy"),
        (
            ["--weights", "anchor-entropy", "--pagelets", "x"],
            "--weights is not for --pagelets; leave it out",
        ),
        (["--weights", "anchor-entropy", "--warc", "none*"], "none*"),
        (["--warc", "x"], "--warc without --query or --weights; give one, or leave it out"),
    ],
)
def test_wrong_calls(corpus, options, error):
    done = run_command("hits", "--corpus", corpus, *options)
    assert (done.code, done.errors.count("\n")) == (2, 1)
    assert error in done.errors


def test_a_site_of_menus_alone(tmp_path):
    store(tmp_path, {f"{SITE}/{name}": MENU for name in ("imprint", "contact", "about")})
    done = run_command("hits", "--corpus", tmp_path, "--weights", "anchor-entropy")
    assert (done.code, done.out) == (2, "")
    assert "no link has an anchor of words that not all pages of its host have" in done.errors
    assert not (tmp_path / "ranks").exists()
