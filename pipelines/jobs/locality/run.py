"""Measures how links stay on their host: what ``scrapy locality`` does.

*On disk.* ``locality/*.png``, ``locality/locality.json`` and ``locality/locality.html`` in the corpus
folder, or the folder asked for. They are made anew by each run.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.files import write_atomic
from crawler.webgraph.named_graph import corpus_graph, open_graph
from pipelines.jobs.locality.links import PARTITIONS, n_inter_host, partitioned
from pipelines.jobs.locality.power_law import fit_power_law, histogram
from pipelines.jobs.locality.rasters import rasters
from pipelines.jobs.locality.report import Distribution, LocalityReport

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from crawler.webgraph.named_graph import NamedGraph

FOLDER, PAGE, DATA = "locality", "locality.html", "locality.json"


def measure_folder(folder: Path, *, nofollow: bool = False, seed: int = 0) -> LocalityReport:
    """Return the report of the graph in *folder*: a corpus, or tables of nodes and edges.

    *seed*: of the random order of hosts. Raises `InputError` when there is no graph.
    """
    with open_graph(folder) as stored:
        return measure_locality(str(folder), corpus_graph(stored, nofollow=nofollow), seed=seed)


def measure_locality(source: str, named: NamedGraph, *, seed: int = 0) -> LocalityReport:
    """Return the report of *named*, which is called *source*."""
    graph = named.graph
    sizes = np.diff(graph.host_ptr)
    return LocalityReport(
        source=source,
        pages=graph.n_pages,
        links=graph.n_arcs,
        hosts=graph.n_hosts,
        dangling=int(np.count_nonzero(graph.out_degree == 0)),
        inter_host=n_inter_host(graph),
        largest_host=int(sizes.max(initial=0)),
        partitionings=[partitioned(graph, n) for n in PARTITIONS],
        distributions=[
            _distribution("in-degrees", np.diff(graph.indptr)),
            _distribution("out-degrees", graph.out_degree),
            _distribution("pages of hosts", sizes),
        ],
        rasters=rasters(named, seed=seed) if graph.n_pages else [],
    )


def _distribution(name: str, values: npt.NDArray[np.integer]) -> Distribution:
    values_of = histogram(values)
    return Distribution(name, values_of, fit_power_law(*values_of))


def write_report(report: LocalityReport, folder: Path) -> list[str]:
    """Draw *report* into *folder*, which is made; return the files that were written.

    Raises `InputError` when that is not possible.
    """
    # Here, for it takes a second to import.
    from pipelines.jobs.locality.plots import ALL_PLOTS, plots_of
    from pipelines.jobs.sheets.folder import write_folder, writing_into

    title = f"Link locality of {report.source}"
    files = write_folder(
        folder, PAGE, title, report.tables(), plots_of(report), all_figures=ALL_PLOTS
    )
    report.files.extend(str(path) for path in [*files[:-1], folder / DATA, files[-1]])
    with writing_into(folder):
        write_atomic(folder / DATA, json.dumps(report.as_json(), indent=1).encode())
    return report.files
