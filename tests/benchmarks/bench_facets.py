"""Topic PageRank beside a single rank, and facets of queries over a million documents.

Topics: a made graph (91.6 % of the arcs within the host, 8.5 % of the pages dangling,
ids by host), 100 topics of 500 pages on 20 hosts each, ranked to the same bound as one unbiased
rank by ``scrapy pagerank``'s default method, in interleaved rounds. Some topics are compared with the
engine's rank for the same preference: the two bounds, and rounding, allow 1e-6 of the mean.

Facets: texts of 60 words of a vocabulary of 50,000 with Zipf frequencies, one for each page of the graph, indexed by
`TextIndexWriter`; memberships precomputed by `build_vectors`. Queries have one to three words of frequency classes 3 to
300, so that most find more pages than there are candidates. What a query gives is checked against the plain product
over its candidates and membership by the formula for some of them.

Figures: ``topics_100_to_1`` (goal 15; 1 thread) and ``topics_100_to_1_2_threads``, both to one rank on 1 thread;
``topics_100_to_1_topic``, to one topic by the same code; ``topics_arc_passes``; ``query_ms`` (median over queries, with
the quartiles as spread) and its parts ``text_ms``, ``facets_ms``, ``results_ms``; ``indexed_documents_per_s``;
``vector_bytes_per_document``.
"""

from __future__ import annotations

import math
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from crawler.errors import ModuleParser
from crawler.ranking.methods import pagerank
from crawler.ranking.options import RankOptions
from crawler.ranking.topics.checkpoints import TopicCheckpoint
from crawler.ranking.topics.membership import memberships
from crawler.ranking.topics.sets import TopicSets
from crawler.ranking.topics.store import TOPICS_FILE, StoredTopic, write_topics
from crawler.ranking.topics.topics import topic_ranks
from crawler.webgraph.csr import HostGraph
from pipelines.jobs.facets.run import answer_with
from pipelines.jobs.facets.search import FacetOptions, FacetSearch
from pipelines.jobs.index.run import TEXT
from pipelines.jobs.index.vectors import VECTORS, build_vectors
from pipelines.retrieval.text_index import IndexedText, TextIndex, TextIndexWriter
from tests.benchmarks.report import figure

BENCH = "facets"
N_TOPICS = 100
HOSTS_OF_TOPIC = 20
PAGES_OF_HOST = 25
WORDS_OF_DOCUMENT = 60
VOCABULARY = 50_000
OPTIONS = RankOptions(tolerance=1e-8)
COMMIT = 200_000


def made_graph(n_pages: int, seed: int = 1) -> HostGraph:
    """Make a graph of about *n_pages* pages, a hundredth as many hosts, and ten arcs a page."""
    rng = np.random.default_rng(seed)
    n_hosts = n_pages // 100
    weights = np.arange(1, n_hosts + 1) ** -0.9
    sizes = np.maximum(1, weights / weights.sum() * n_pages).astype(np.int64)
    rng.shuffle(sizes)
    n = int(sizes.sum())
    start = np.repeat(np.cumsum(sizes) - sizes, sizes)
    size = np.repeat(sizes, sizes)
    linking = np.flatnonzero(rng.random(n) >= 0.085)
    degrees = np.minimum(rng.zipf(1.9, len(linking)), 1000) + 3
    degrees = (degrees * 10.4 / degrees.mean()).astype(np.int64) + 1
    sources = np.repeat(linking, degrees)
    # the front pages of a host are linked to more often
    local = start[sources] + (rng.random(len(sources)) ** 2 * size[sources]).astype(np.int64)
    far = rng.integers(0, n, len(sources))
    far = start[far] + (rng.random(len(sources)) ** 6 * size[far]).astype(np.int64)
    targets = np.where(rng.random(len(sources)) < 0.084, far, local)
    hosts = np.repeat(np.arange(n_hosts, dtype=np.uint64), sizes) << np.uint64(32)
    packed = hosts | (np.arange(n) - start).astype(np.uint64)
    return HostGraph.from_arcs(packed, packed[sources], packed[targets])


def made_topics(graph: HostGraph, seed: int = 1) -> TopicSets:
    """Make the topics: the front pages of hosts drawn by lot."""
    rng = np.random.default_rng(seed)
    sets = {}
    for topic in range(N_TOPICS):
        hosts = rng.choice(graph.n_hosts, HOSTS_OF_TOPIC, replace=False)
        bounds = ((int(graph.host_ptr[h]), int(graph.host_ptr[h + 1])) for h in hosts)
        pages = [np.arange(a, min(b, a + PAGES_OF_HOST)) for a, b in bounds]
        name = f"Top/{topic // 10}" + (f"/{topic % 10}" if topic % 10 else "")
        sets[name] = np.concatenate(pages)
    return TopicSets.from_sets(sets)


def bench_topics(graph: HostGraph, topics: TopicSets, rounds: int, data: str) -> None:
    """Time 100 topics beside one rank; check some of them against the engine."""
    alone = TopicSets.from_sets({"a": topics.pages_of(0)})
    # touched: a machine may take long to find so much memory
    into = np.full((topics.n_topics, graph.n_pages), np.nan, dtype=np.float32)
    for threads in (1, 2):
        # one thread alone: its time on the processor, which other processes disturb less
        clock = time.process_time if threads == 1 else time.perf_counter
        ratios, to_topic, passes = [], [], 0.0
        for _ in range(rounds):
            started = clock()
            pagerank(graph, OPTIONS)
            one = clock() - started
            started = clock()
            blocks = []
            for block in topic_ranks(graph, topics, OPTIONS, threads=threads, into=into):
                assert block.converged
                blocks.append((block.first, block.rank[0].copy()))
                passes += block.arc_passes
            hundred = clock() - started
            started = clock()
            next(topic_ranks(graph, alone, OPTIONS, into=into[:1]))
            ratios.append(hundred / one)
            to_topic.append(hundred / (clock() - started))
        suffix = "" if threads == 1 else "_2_threads"
        figure(BENCH, f"topics_100_to_1{suffix}", ratios, unit="ratio", data=data, goal=15)
        figure(BENCH, f"topics_100_to_1_topic{suffix}", to_topic, unit="ratio", data=data)
        figure(BENCH, f"topics_arc_passes{suffix}", [passes / rounds], unit="passes", data=data)
        for first, rank in blocks:
            preference = np.zeros(graph.n_pages)
            preference[topics.pages_of(first)] = 1
            expected = pagerank(graph, OPTIONS, preference=preference).rank
            assert abs(rank - expected).mean() < 1e-6


def make_index(folder: Path, graph: HostGraph, seed: int = 1) -> float:
    """Index a text for each page of *graph*; return the seconds."""
    rng = np.random.default_rng(seed)
    started = time.perf_counter()
    writer = TextIndexWriter(folder / TEXT)
    packed = graph.packed.tolist()
    for start in range(0, len(packed), COMMIT):
        ids = packed[start : start + COMMIT]
        numbers = np.minimum(rng.zipf(1.1, (len(ids), WORDS_OF_DOCUMENT)), VOCABULARY)
        for page_id, words in zip(ids, numbers.tolist(), strict=True):
            text = " ".join(map(word, words))
            writer.add(IndexedText(page_id, 0, f"http://a.sample/{page_id}", "", text))
        writer.commit()
    writer.close()
    return time.perf_counter() - started


def word(number: int) -> str:
    """Return the word of frequency class *number*."""
    return f"w{number}"


def make_vectors(folder: Path, graph: HostGraph, topics: TopicSets) -> None:
    """Rank the topics and map their ranks to the documents."""
    path = folder / TOPICS_FILE
    kept = TopicCheckpoint(folder / "ranks" / "kept", graph, topics, OPTIONS, every_secs=math.inf)
    with kept:
        for block in topic_ranks(graph, topics, OPTIONS, threads=2, into=kept.spool):
            assert block.converged
        write_topics(
            path,
            graph,
            (pagerank(graph, OPTIONS).rank, kept.spool),
            topics=[StoredTopic(name, 1, 1.0) for name in topics.names],
            urls=lambda ids: [f"http://a.sample/{i}" for i in ids.tolist()],
            computed={"alpha": OPTIONS.alpha},
        )
    assert build_vectors(folder, TextIndex(folder / TEXT).pages()[0]) is not None


def bench_queries(folder: Path, n_queries: int, data: str, seed: int = 1) -> None:
    """Time queries and their parts; check the first ones."""
    rng = np.random.default_rng(seed)
    search = FacetSearch(folder)
    options = FacetOptions()
    times: dict[str, list[float]] = {"query": [], "text": [], "facets": [], "results": []}
    n_found = []
    for number in range(n_queries + 5):
        words = rng.integers(3, 300, rng.integers(1, 4)).tolist()
        query = " ".join(map(word, words))
        started = time.perf_counter()
        found = search.candidates(query)
        after_text = time.perf_counter()
        shares = search.facets(found, [0], options)
        after_facets = time.perf_counter()
        given = answer_with(search, query)
        if number < 5:
            # also to read the files once
            check_query(search, query)
            continue
        n_found.append(given.found)
        times["text"].append(after_text - started)
        times["facets"].append(after_facets - after_text)
        times["query"].append(given.seconds)
        times["results"].append(max(0.0, given.seconds - (after_facets - started)))
        assert len(given.facets) == int((shares.share > 0).sum())
    for name, seconds in times.items():
        ms = [1000 * s for s in seconds]
        figure(BENCH, f"{name}_ms", statistics.quantiles(ms, n=4), unit="ms", data=data)
    figure(BENCH, "pages_found", statistics.quantiles(n_found, n=4), unit="pages", data=data)


def check_query(search: FacetSearch, query: str) -> None:
    """Assert that *query* gives what the plain product and the formula of membership give."""
    found = search.candidates(query)
    ranks = np.array(search.vectors.ranks[:, found.rows], dtype=np.float64)
    dimensions = np.unique(search.vectors.dimensions, return_inverse=True)[1]
    members = memberships(ranks, dimensions) >= 0.1
    sampled = []
    for facet in search.seed([0]):
        products = found.scores * ranks[facet]
        sampled += sorted(range(len(products)), key=lambda i: (-products[i], i))[:100]
    expected = members[:, sampled].sum(axis=1) / max(1, len(sampled))
    shares = search.facets(found, [0], FacetOptions()).share
    assert np.allclose(shares, expected, atol=2 / max(1, len(sampled)))
    assert math.isclose(shares.sum(), expected.sum(), rel_tol=1e-2, abs_tol=1e-9)


def main(arguments: list[str] | None = None) -> None:
    """Run the benchmark."""
    parser = ModuleParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="50,000 pages")
    parser.add_argument("--full", action="store_true", help="9.2 million, as the thesis had")
    parser.add_argument("--pages", type=int, help="another number")
    options = parser.parse_args(arguments)
    n_pages = options.pages or (50_000 if options.quick else 9_200_000 if options.full else 10**6)
    rounds, n_queries = (2, 20) if options.quick else (3, 100)
    graph = made_graph(n_pages)
    topics = made_topics(graph)
    data = f"{graph.n_pages} pages, {graph.n_arcs} arcs, {topics.n_topics} topics"
    sys.stdout.write(f"{data}\n")
    # compiles
    room = np.zeros((1, graph.n_pages), np.float32)
    next(topic_ranks(graph, TopicSets.from_sets({"a": [0]}), OPTIONS, into=room))
    pagerank(graph, OPTIONS)
    bench_topics(graph, topics, rounds, data)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds = make_index(folder, graph)
        per_second = [graph.n_pages / seconds]
        figure(BENCH, "indexed_documents_per_s", per_second, unit="documents/s", data=data)
        make_vectors(folder, graph, topics)
        n_bytes = sum(file.stat().st_size for file in (folder / VECTORS).iterdir())
        per_document = [n_bytes / graph.n_pages]
        figure(BENCH, "vector_bytes_per_document", per_document, unit="bytes", data=data)
        bench_queries(folder, n_queries, data)


if __name__ == "__main__":
    main()
