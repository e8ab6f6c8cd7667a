"""The Spark engines on two executors of one processor each, beside the local engines.

PageRank: `LargeWeb` of 10^5 to 10^7 links, 8 partitions, to 1e-8; ranks within 1e-9 of the local
engine's where both are computed to 1e-12. Seconds are of whole calls: cutting, sending and fetching
too, the cluster being up. What a job costs however small it is (about a third of a second an
iteration on two processors) is most of the time of small graphs, so growth is told by the exponent
between the two largest.

Duplicates: texts of 40 words, three in ten a copy of another with up to three words changed, one in
twenty to the letter; near-duplicate pairs, and then the removal of blocks, must be those of the local
engine. Nothing is asserted about speed: on one machine the cluster can only be slower.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from crawler.errors import ModuleParser
from crawler.ranking.methods import pagerank
from crawler.ranking.options import RankOptions
from crawler.webgraph.large_web import LARGE_LINKS, LARGE_PAGES, LargeWeb, WebShape
from pipelines.duplicates.exact import text_digest
from pipelines.jobs.dedup import blocks, candidates
from pipelines.jobs.dedup.options import DedupOptions
from tests.benchmarks.report import figure
from tests.spark_session import linked_home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

BENCH = "spark"
MASTER = "local-cluster[2,1,3072]"
SETTINGS = (("spark.executor.memory", "2g"), ("spark.driver.memory", "2g"))
N_PARTITIONS = 8
N_WORDS = 40
VOCABULARY = 30_000
CHUNK = 10_000


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def bench_pagerank(sizes: tuple[int, ...]) -> None:
    """Rank graphs of *sizes* links; the smallest also closely, to compare the ranks."""
    from crawler.ranking.cluster.spark import spark_pagerank

    seconds = []
    for n_links in sizes:
        graph = LargeWeb(WebShape.large(n_links * LARGE_PAGES // LARGE_LINKS)).host_graph()
        close = RankOptions(tolerance=1e-12)
        if n_links == sizes[0]:
            spark = spark_pagerank(graph, close, n_partitions=N_PARTITIONS)
            assert np.abs(spark.rank - pagerank(graph, close).rank).max() < 1e-9
        secs, result = timed(partial(spark_pagerank, graph, n_partitions=N_PARTITIONS))
        # both are within the tolerance, in L1 on sum-1 scale, of the same ranks
        local = pagerank(graph)
        assert result.converged
        assert np.abs(result.rank - local.rank).sum() / graph.n_pages < 2e-8
        seconds.append(secs)
        data = f"LargeWeb, {graph.n_arcs:,} links, {N_PARTITIONS} partitions, to 1e-8"
        figure(BENCH, "pagerank_secs", [secs], unit="s", data=data)
        figure(BENCH, "pagerank_iterations", [result.iterations], unit="iterations", data=data)
        each = secs / graph.n_arcs * 1e9
        figure(BENCH, "pagerank_cost_a_link", [each], unit="ns", data=data)
        share = result.n_votes / graph.n_arcs
        figure(BENCH, "pagerank_votes_a_link", [share], unit="ratio", data=data)
    exponent = math.log(seconds[-1] / seconds[-2]) / math.log(sizes[-1] / sizes[-2])
    data = f"{sizes[-2]:,} to {sizes[-1]:,} links"
    figure(BENCH, "pagerank_growth_exponent", [exponent], unit="exponent", data=data)


class MadeTexts(NamedTuple):
    """Texts by the numbers of their words; :meth:`texts` makes them again at each call."""

    words: npt.NDArray[np.uint16]

    def texts(self) -> Iterator[str]:
        names = [f"w{number:x}" for number in range(VOCABULARY)]
        for start in range(0, len(self.words), CHUNK):
            for row in self.words[start : start + CHUNK].tolist():
                yield " ".join([names[word] for word in row])

    def wanted_texts(self, wanted: npt.NDArray[np.bool_]) -> Iterator[str]:
        """As a corpus does: each text that is *wanted*, bool[n], of others nothing."""
        for text, is_wanted in zip(self.texts(), wanted.tolist(), strict=True):
            yield text if is_wanted else ""

    def blocks(self) -> Iterator[tuple[list[str], list[str]]]:
        """Each text as a document of two blocks."""
        for text in self.texts():
            half = text.find(" ", len(text) // 2)
            yield [text[:half], text[half + 1 :]], ["good", "good"]


def made_texts(n: int, seed: int = 9) -> MadeTexts:
    """Return *n* texts: seven in ten new, the others copies of those."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, VOCABULARY, (n, N_WORDS), dtype=np.uint16)
    n_new = n * 7 // 10
    words[n_new:] = words[rng.integers(0, n_new, n - n_new)]
    for _ in range(3):
        changed = n_new + np.flatnonzero(rng.random(n - n_new) < 0.5)
        places = rng.integers(0, N_WORDS, len(changed))
        words[changed, places] = rng.integers(0, VOCABULARY, len(changed), dtype=np.uint16)
    exact = n_new + np.flatnonzero(rng.random(n - n_new) < 1 / 6)
    words[exact] = words[rng.integers(0, n_new, len(exact))]
    return MadeTexts(words[rng.permutation(n)])


def bench_documents(n: int) -> None:
    """Find the near-duplicate pairs of *n* texts."""
    from pipelines.jobs.dedup import spark

    made = made_texts(n)
    digests = np.empty(n, dtype=np.uint64)
    for number, text in enumerate(made.texts()):
        digests[number] = int.from_bytes(text_digest(text)[:8], "little")
    first_of = np.zeros(n, dtype=np.bool_)
    first_of[np.unique(digests, return_index=True)[1]] = True
    options = DedupOptions()
    arguments = (made.wanted_texts, first_of, digests, options, None)
    local_secs, local = timed(lambda: candidates.near_pairs(*arguments))
    secs, found = timed(lambda: spark.near_pairs(*arguments))
    # A fourth of all texts are copies with words changed, most of them near enough.
    assert len(found.pairs) > n / 10
    assert (found.pairs == local.pairs).all()
    assert (found.likeness == local.likeness).all()
    data = f"{n:,} texts of {N_WORDS} words, {len(found.pairs):,} near pairs"
    report(("documents_per_s", n / secs), ("documents_local_per_s", n / local_secs), data)


def bench_blocks(n: int) -> None:
    """Remove the duplicate blocks of *n* documents of two blocks."""
    from pipelines.jobs.dedup import spark

    made = made_texts(n)
    options = DedupOptions(unit="block")

    def ties(numbers: npt.NDArray[np.int64]) -> list[str]:
        return [f"{number:09}" for number in numbers.tolist()]

    local_secs, local = timed(lambda: blocks.remove_blocks(made.blocks(), ties, options))
    secs, found = timed(lambda: spark.remove_blocks(made.blocks(), ties, options))
    assert found[1:] == local[1:]
    n_decided = 0
    for number in range(n):
        assert (number in found.decided) == (number in local.decided)
        if number in found.decided:
            n_decided += 1
            assert (found.decided[number].kept == local.decided[number].kept).all()
    assert n_decided > n / 10
    data = f"{n:,} documents of 2 blocks, {n_decided:,} with duplicates"
    report(
        ("block_documents_per_s", n / secs), ("block_documents_local_per_s", n / local_secs), data
    )


def report(ours: tuple[str, float], local: tuple[str, float], data: str) -> None:
    for name, value in (ours, local):
        figure(BENCH, name, [value], unit="documents/s", data=data)


def main() -> None:
    """Run all; --quick for small sizes, --full for the published number of documents."""
    parser = ModuleParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", choices=("pagerank", "documents", "blocks"))
    options = parser.parse_args()
    if which("java") is None or find_spec("pyspark") is None:
        sys.stdout.write("no Java or no pyspark here: nothing to measure\n")
        return
    from crawler.ranking.cluster.spark import spark_context, spark_pagerank

    sizes = (30_000, 100_000) if options.quick else (100_000, 1_000_000, 10_000_000)
    n = 5_000_000 if options.full else 10_000 if options.quick else 200_000
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(linked_home(Path(folder))))
        with spark_context(MASTER, SETTINGS):
            # the first job starts the executors' Pythons
            warm = LargeWeb(WebShape.large(5_000)).host_graph()
            spark_pagerank(warm, RankOptions(max_iterations=2), n_partitions=2)
            if options.only in {None, "pagerank"}:
                bench_pagerank(sizes)
            if options.only in {None, "documents"}:
                bench_documents(n)
            if options.only in {None, "blocks"}:
                bench_blocks(n)


if __name__ == "__main__":
    main()
