"""What commands that read all documents show on a terminal meanwhile, and leave nothing of."""

from __future__ import annotations

import pytest

from crawler.items import Page
from tests.conftest import run_scrapy
from tests.laws_corpus import AT, block, url, write_pages
from tests.terminal import shown_on_terminal
from tests.test_command_export import EDGES, NODES
from tests.test_command_locality import tables

TEXT = "Some words of the main text of a page, which are enough. " * 9


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "--format", "text"),
        ("keywords", "--ranks", "1-5"),
        ("dedup",),
        pytest.param(("dedup", "--unit", "block"), marks=pytest.mark.slow),
        ("index",),
        ("passages", "--all", url(0)),
        pytest.param(("report",), marks=pytest.mark.slow),
        pytest.param(("laws",), marks=pytest.mark.slow),
    ],
)
def test_how_many_documents_are_read_is_told_on_a_terminal_alone(tmp_path, arguments):
    pages = [
        Page(1, n, url(n), "a.com", AT, 200, text=TEXT, n_words=99, blocks=[block(TEXT, 0)])
        for n in range(3)
    ]
    write_pages(tmp_path / "corpus", pages)
    command = (*arguments, "--corpus", str(tmp_path / "corpus"))
    done = run_scrapy(*command)
    assert (done.returncode, done.stderr) == (0, "")
    assert b"\r\x1b[K3 of 3 documents; computing \r\x1b[K" in shown_on_terminal(*command)


@pytest.mark.parametrize("form", ["edges", "webgraph"])
def test_which_file_of_a_graph_is_written_is_told_on_a_terminal_alone(tmp_path, form):
    command = ("export", "--corpus", str(tables(tmp_path, NODES, EDGES)), "--format", form)
    done = run_scrapy(*command)
    assert (done.returncode, done.stderr) == (0, "")
    shown = shown_on_terminal(*command)
    assert shown.count(b"\r\x1b[K") == 6  # the graph, four files, and the empty line at the end
    assert b"reading the graph \r\x1b[Kwriting " in shown
    assert b"writing " + {"edges": b"edges.tsv.gz ", "webgraph": b"graph.arcs "}[form] in shown
