"""``scrapy locality``: its figures, what it writes, wrong calls, real graphs."""

from __future__ import annotations

import gzip
import json
import re
from itertools import pairwise

import numpy as np
import pytest

from crawler.errors import InputError
from crawler.webgraph.named_graph import read_tables
from pipelines.jobs.locality.plots import ALL_PLOTS, plot_distributions, plot_raster
from pipelines.jobs.locality.rasters import Raster
from pipelines.jobs.locality.report import Distribution, LocalityReport
from pipelines.jobs.locality.run import measure_folder, write_report
from tests.graph_commands import run_command

NODES = (
    "0\thttp://www.a.sample/\n1\thttp://www.a.sample/x\n2\tb.sample\tlabel\n3\thttp://b.sample/\n"
)
EDGES = "0\t1\t7\n1\t0\n0\t2\n0\t3\n"


def tables(folder, nodes=NODES, edges=EDGES):
    folder.mkdir(exist_ok=True)
    (folder / "nodes.tsv.gz").write_bytes(gzip.compress(nodes.encode()))
    (folder / "edges.tsv.gz").write_bytes(gzip.compress(edges.encode()))
    return folder


def test_tables_as_a_graph(tmp_path):
    named = read_tables(tables(tmp_path))
    assert named.host_keys == ["sample.a.www", "sample.b"]
    assert named.graph.n_pages == 3  # 2 and 3 are one page
    assert named.graph.n_arcs == 3
    assert [key.local for key in named.keys(named.graph.packed)] == ["0/", "0/x", "0/"]


def test_tables_with_a_byte_order_mark(tmp_path):
    named = read_tables(tables(tmp_path, f"\ufeff{NODES}", f"\ufeff{EDGES}"))
    assert named.graph.n_arcs == 3


@pytest.mark.parametrize(
    ("nodes", "edges", "error"),
    [
        ("0\n", EDGES, "nodes.tsv.gz, line 1 has no tab, as in 7<tab>http://a.example/; mend"),
        (f"{NODES}0\ta.sample", EDGES, "nodes.tsv.gz, line 5 has the number '0' of another node;"),
        (NODES, "0\t1\n0\t9\n", "edges.tsv.gz, line 2 names '9', which is not in nodes.tsv.gz;"),
        (NODES, "0 1\n", "edges.tsv.gz, line 1 has no tab, as in 7<tab>9; mend the line"),
    ],
)
def test_wrong_tables(tmp_path, nodes, edges, error):
    with pytest.raises(InputError, match=error):
        read_tables(tables(tmp_path, nodes, edges))


@pytest.mark.parametrize("missing", ["nodes.tsv.gz", "edges.tsv.gz"])
def test_half_of_the_tables(tmp_path, missing):
    folder = tables(tmp_path / "graph")
    (folder / missing).unlink()
    done = run_command("locality", "--corpus", folder, "--no-plots")
    assert (done.code, f"but no {missing}; add it" in done.errors) == (2, True)


def test_damaged_tables(tmp_path):
    folder = tables(tmp_path)
    (folder / "edges.tsv.gz").write_bytes(b"\x1f\x8b no gzip")
    with pytest.raises(InputError, match=r"cannot read .*edges.tsv.gz"):
        read_tables(folder)


@pytest.mark.slow
def test_figures_and_files(tmp_path):
    folder = tables(tmp_path / "graph")
    report = measure_folder(folder)
    files = write_report(report, tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(
        [*(f"{name}.png" for name in ALL_PLOTS), "locality.html", "locality.json"]
    )
    written = json.loads((tmp_path / "out" / "locality.json").read_text())
    assert written["files"] == files
    assert (written["links"], written["intra_host"], written["inter_host_share"]) == (3, 2, 1 / 3)
    two = written["partitions"][1]
    assert (two["partitions"], two["inter_partition"], two["votes"]) == (2, 1, 1)
    assert all(each["power_law"] is None for each in written["distributions"])
    page = (tmp_path / "out" / "locality.html").read_text()
    assert page.count("<img") == len(ALL_PLOTS)
    assert re.search(r"^within a host +2 +66.67 %$", report.screen(), re.MULTILINE)


def test_what_would_be_all_black_is_grey():
    full, diagonal = np.ones((8, 8), dtype=np.int64), np.eye(8, dtype=np.int64)
    scales = [
        len(plot_raster(Raster(name, "title", cells, [("host", 0.0, 0.5)])).axes) - 1
        for name, cells in (("sorted", diagonal), ("sorted", full), ("normalised", diagonal))
    ]
    assert scales == [0, 1, 1]


@pytest.mark.slow
def test_a_graph_without_links(tmp_path):
    report = measure_folder(tables(tmp_path / "graph", edges=""))
    write_report(report, tmp_path / "out")
    assert report.as_json()["intra_host_share"] is None


def test_the_command(tmp_path):
    folder = tables(tmp_path / "graph")
    done = run_command("locality", "--corpus", folder, "--no-plots", "--json")
    assert (done.code, json.loads(done.out)["hosts"]) == (0, 2)
    assert not (folder / "locality").exists()
    done = run_command("locality", "--corpus", folder, "--no-plots")
    assert (done.code, "between hosts" in done.out) == (0, True)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--nofollow", "maybe"], "--nofollow is 'maybe'; give drop or keep"),
        (["--seed", "-1"], "--seed is '-1'; give a whole number of 0 or more"),
        (["--corpus", "nowhere"], "no graph in nowhere; run a crawl first"),
        (["--no-plots", "--output", "x"], "--no-plots writes nothing; leave it or --output out"),
        (["extra"], "unexpected argument 'extra'; see --help"),
    ],
)
def test_wrong_calls(options, error):
    done = run_command("locality", *options)
    assert done.code == 2
    assert done.errors.startswith("winnow: ")
    assert done.errors.count("\n") == 1
    assert error in done.errors


def test_links_of_real_webs(shared):
    """Pages of sites link within their host; the hosts of the UK archive are one page each."""
    graphs = {
        name: measure_folder(shared / "data/graph" / name) for name in ("hollins", "webkb-pages")
    }
    shares = {name: report.share(report.inter_host) for name, report in graphs.items()}
    assert shares == {
        "hollins": pytest.approx(0.0385, abs=1e-4),
        "webkb-pages": pytest.approx(0.1801, abs=1e-4),
    }
    assert graphs["webkb-pages"].distributions[0].fit.alpha == pytest.approx(2.374, abs=0.01)


def test_the_labels_of_small_graphs_are_whole_and_apart():
    # 10^-1 and 9 * 10^-2 stand beside the scale.
    cells = np.zeros((640, 640), dtype=np.int64)
    cells.flat[:1000], cells[0, 0] = 1, 2
    drawn = plot_raster(Raster("normalised", "", cells, []))
    drawn.draw_without_rendering()
    beside = drawn.axes[1].yaxis
    assert beside.label.get_window_extent().x1 < drawn.bbox.x1
    # Numbers of less than two decades: those between are named, too.
    sizes = np.array([2, 5, 20, 61])
    distribution = Distribution("pages of hosts", (sizes, np.ones(4, dtype=np.int64)), None)
    report = LocalityReport("", 0, 0, 0, 0, 0, 0, [], [distribution] * 3, [])
    drawn = plot_distributions(report)
    drawn.draw_without_rendering()
    axis = drawn.axes[0].xaxis
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    boxes = sorted(
        tick.label1.get_window_extent().intervalx.tolist()
        for tick in ticks
        if tick.label1.get_text()
    )
    assert len(boxes) > 3
    assert all(left[1] < right[0] for left, right in pairwise(boxes))
