from __future__ import annotations

import numpy as np
import pytest

from crawler.durable.layout import graph_folder
from crawler.errors import FormatError, InputError
from crawler.page.links import LinkKind
from crawler.urls import PageKey
from crawler.webgraph.arcs.records import NOFOLLOW
from crawler.webgraph.graph import Graph
from tests.conftest import start_python
from tests.toy_crawl import SEEDS, Answer, Arrays, answer, crawl, open_store, toy_key

SITE = [PageKey("com.site", f"0/{number}") for number in range(4)]


def capture_page(store, key, links, now=0.0):
    """Fetch the page of *key* again, whatever its state, with *links*."""
    store.add_seeds([(key, [])])
    lease = store.next_page(now)
    capture = store.open_capture(lease)
    capture.links = links
    store.finish(capture, now)
    store.flush()


def named(graph, **options):
    names = dict(zip(graph.pages().tolist(), graph.urls(graph.pages()), strict=True))
    sources, targets, flags = graph.arcs(**options)
    assert (sources.dtype, targets.dtype, flags.dtype) == (np.uint64, np.uint64, np.uint8)
    rows = zip(sources.tolist(), targets.tolist(), flags.tolist(), strict=True)
    return sorted(
        (names[source].rpartition("/")[2], names[target].rpartition("/")[2], flag)
        for source, target, flag in rows
    )


@pytest.mark.parametrize("sealed", [False, True])
def test_pages_and_arcs(tmp_path, sealed):
    store = open_store(tmp_path, host_delay_secs=0)
    links = Arrays(
        [SITE[1], SITE[2], SITE[1], SITE[0], SITE[1]], nofollow=[False, True, False, False, True]
    )
    capture_page(store, SITE[0], links)
    if sealed:
        store.close()
    with Graph.open(tmp_path) as graph:
        assert graph.pages().tolist() == [0, 1, 2]
        assert graph.hosts() == {0: "com.site"}
        assert graph.keys(graph.pages()) == [SITE[0], SITE[1], SITE[2]]
        assert graph.captured().tolist() == [0]
        assert named(graph) == [("0", "0", 0), ("0", "1", 0), ("0", "1", NOFOLLOW), ("0", "2", 1)]
        assert named(graph, nofollow=False) == [("0", "0", 0), ("0", "1", 0)]
        with pytest.raises(KeyError):
            graph.urls([99])
    store.close()
    if sealed:
        assert sorted(file.name for file in (tmp_path / graph_folder()).iterdir()) == [
            "arcs-0000-000001.parquet",
        ]


def test_pages_without_links(tmp_path):
    store = open_store(tmp_path, host_delay_secs=0)
    capture_page(store, SITE[0], Arrays([]))
    capture_page(store, SITE[1], None)
    for _ in range(2):  # from the tail, then sealed
        with Graph.open(tmp_path) as graph:
            assert graph.captured().tolist() == [0]
            assert [len(column) for column in graph.arcs()] == [0, 0, 0]
            assert len(graph.pages()) == 2
        store.close()


def test_the_kind_of_a_link_is_kept(tmp_path):
    store = open_store(tmp_path, host_delay_secs=0)
    capture_page(store, SITE[0], Arrays([SITE[1]], kind=LinkKind.REDIRECT))
    with Graph.open(tmp_path) as graph:
        assert named(graph) == [("0", "1", LinkKind.REDIRECT << 1)]
    store.close()


READER = """
import sys
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
n_pages = n_arcs = n_rows = 0
for line in sys.stdin:
    with Graph.open(sys.argv[1]) as graph:
        pages, (sources, targets, flags) = graph.pages(), graph.arcs()
        known = set(pages.tolist())
        assert len(known) == len(pages) >= n_pages
        assert len(sources) >= n_arcs
        assert known >= set(sources.tolist()) | set(targets.tolist())
        graph.urls(pages)
    corpus = Corpus.open(sys.argv[1])
    urls = [row["url"] for row in corpus.documents(["url"])]
    assert len(set(urls)) == len(urls) >= n_rows
    n_pages, n_arcs, n_rows = len(pages), len(sources), len(urls)
    print(n_pages, n_arcs, n_rows, flush=True)
"""


@pytest.mark.slow
def test_a_reader_in_another_process_during_the_crawl(tmp_path):
    store = open_store(tmp_path)
    store.add_seeds(SEEDS)
    seen = []
    with start_python("-c", READER, tmp_path) as reader:

        def look(captures):
            reader.stdin.write("\n")
            reader.stdin.flush()
            seen.append(tuple(map(int, reader.stdout.readline().split())))

        store.on_commit.append(look)
        crawl(store)
        reader.stdin.close()
        assert reader.wait() == 0
    assert len(seen) > 20
    assert seen == sorted(seen)
    with Graph.open(tmp_path) as graph:
        assert seen[-1][:2] == (len(graph.pages()), len(graph.arcs()[0]))
    store.close()


def test_the_arcs_are_those_of_the_web(tmp_path):
    store = open_store(tmp_path)
    store.add_seeds(SEEDS)
    crawl(store)
    with Graph.open(tmp_path) as graph:
        ids = graph.pages()
        keys = dict(zip(ids.tolist(), graph.keys(ids), strict=True))
        found = {
            (keys[s], keys[t], f & 1) for s, t, f in zip(*map(list, graph.arcs()), strict=True)
        }
        fetched = [keys[page_id] for page_id in graph.captured().tolist()]
    expected = set()
    for key in fetched:
        links = answer(key).links
        nofollow = links.nofollow.tolist()
        expected |= {(key, target, n) for target, n in zip(links.key, nofollow, strict=True)}
    assert found == expected
    store.close()


def test_no_graph(tmp_path):
    with pytest.raises(InputError, match=r"no graph in .*; run a crawl first"):
        Graph.open(tmp_path / "none")
    assert not (tmp_path / "none").exists()
    open_store(tmp_path).close()
    with pytest.raises(InputError, match="is empty; run a crawl first"):
        Graph.open(tmp_path)


def sealed_corpus(folder):
    store = open_store(folder)
    store.add_seeds([(toy_key(0, 0), [])])
    crawl(store, web=lambda key: Answer("fetched", Arrays([toy_key(0, 1)])))
    store.close()
    return folder / graph_folder() / "arcs-0000-000001.parquet"


def test_a_missing_segment_is_refused(tmp_path):
    sealed_corpus(tmp_path).unlink()
    with pytest.raises(FormatError, match=r"arcs-0000-000001.parquet is missing; restore it"):
        Graph.open(tmp_path)


def test_a_short_segment_is_refused(tmp_path):
    file = sealed_corpus(tmp_path)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(FormatError, match="bytes instead of"):
        Graph.open(tmp_path)


@pytest.mark.parametrize("where", [20, -6])
def test_a_damaged_segment_is_named(tmp_path, where):
    file = sealed_corpus(tmp_path)
    content = bytearray(file.read_bytes())
    content[where] ^= 0xFF
    file.write_bytes(content)
    with Graph.open(tmp_path) as graph, pytest.raises(FormatError, match="is damaged"):
        graph.arcs()
