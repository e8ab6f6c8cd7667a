"""Compressed arcs: their bytes on disk, and how fast they become a host graph again.

The synthetic LargeWeb (crawler.webgraph.large_web), sealed as a crawl seals it: one file for each
4 million arcs, pages in the order of their ids. Called by bench_webgraph.py.

Asserted: the graph loaded is, array for array, the one that the generator makes without any file.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.webgraph.arcs.blocks import ArcBatch
from crawler.webgraph.arcs.files import write_arcs
from crawler.webgraph.large_web import LargeWeb, WebShape
from crawler.webgraph.loading import load_host_graph
from tests.benchmarks.report import figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

BENCH = "webgraph"
FILE_ARCS = 1 << 22
GOAL_BYTES, GOAL_ARCS_PER_S = 1.2, 50e6


def figures(*, quick: bool, full: bool) -> dict[str, float]:
    """Print the figures of arcs, and return them by name."""
    n_pages = 62_800_000 if full else 100_000 if quick else 3_000_000
    web = LargeWeb(WebShape.large(n_pages))
    pages = web.packed(np.arange(n_pages, dtype=np.uint32))
    with tempfile.TemporaryDirectory() as folder:
        files = write_web(web, pages, Path(folder))
        n_bytes = sum(path.stat().st_size for path in files)
        if not full:  # fresh memory is slow at its first use
            load_host_graph(pages, files)
        rounds = []
        for _ in range(1 if full else 5):
            started = time.perf_counter()
            graph = load_host_graph(pages, files)
            rounds.append(time.perf_counter() - started)
    if not full:
        expected = web.host_graph()
        assert np.array_equal(graph.indptr, expected.indptr)
        assert np.array_equal(graph.indices, expected.indices)
        assert np.array_equal(graph.out_degree, expected.out_degree)
    data = f"synthetic LargeWeb, {n_pages:,} pages, {graph.n_arcs:,} arcs, {len(files)} files"
    loads = [graph.n_arcs / secs for secs in rounds]
    return {
        "disk_bytes_per_arc": figure(
            BENCH,
            "disk_bytes_per_arc",
            [n_bytes / graph.n_arcs],
            unit="bytes",
            data=data,
            goal=GOAL_BYTES,
        ),
        "load_arcs_per_s": figure(
            BENCH, "load_arcs_per_s", loads, unit="arcs/s", data=data, goal=GOAL_ARCS_PER_S
        ),
    }


def write_web(web: LargeWeb, pages: npt.NDArray[np.uint64], folder: Path) -> list[Path]:
    """Write the arcs of *web* to files in *folder*; return them."""
    files: list[Path] = []
    for batches in _batches(web, pages):
        files.append(folder / f"arcs-{len(files):06}.parquet")
        write_arcs(files[-1], batches)
    return files


def _batches(web: LargeWeb, pages: npt.NDArray[np.uint64]) -> Iterator[list[ArcBatch]]:
    for sources, targets in web.arc_chunks(FILE_ARCS):
        first = np.flatnonzero(np.diff(sources, prepend=np.uint32(0xFFFFFFFF)))
        counts = np.diff(first, append=len(sources)).astype(np.uint32)
        flags = np.zeros(len(targets), dtype=np.uint8)
        yield [ArcBatch(pages[sources[first]], counts, pages[targets], flags)]
