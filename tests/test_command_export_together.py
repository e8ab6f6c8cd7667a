"""The files of an export of a graph take their places together, also where it is stopped or killed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pipelines.jobs.graph_export.options import GraphExportOptions
from pipelines.jobs.graph_export.run import export_graph
from tests.conftest import ROOT
from tests.test_command_export import EDGES, NODES
from tests.test_command_locality import tables


@pytest.fixture
def folder(tmp_path):
    return tables(tmp_path / "graph", NODES, EDGES)


class _StopError(Exception):
    pass


def texts_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def stop_at(moment):
    """Return what is told, and stops an export at the *moment*-th that it is told."""
    left = iter(range(moment))

    def tell(_):
        if next(left, None) is None:
            raise _StopError

    return tell


@pytest.mark.parametrize("format_", ["edges", "webgraph"])
def test_files_of_a_format_take_their_places_together(folder, tmp_path, format_):
    """Of an export that ended meanwhile, some were new beside others that were old."""
    output, options = tmp_path / "out", GraphExportOptions(format_)
    export_graph(folder, options, output=output)
    old = texts_of(output)
    other = tables(tmp_path / "other", NODES, "0\t1\n")
    for moment in range(1, 5):
        with pytest.raises(_StopError):
            export_graph(other, options, output=output, tell=stop_at(moment))
        assert texts_of(output) == old
    report = export_graph(other, options, output=output)
    assert sorted(report.files) == sorted(map(str, output.iterdir()))
    new = texts_of(output)
    assert all(new[name] != old[name] for name in old if "vertices" not in name)


KILLED_IN_MOVING = """
import os, sys
from pathlib import Path
from pipelines.jobs.graph_export.options import GraphExportOptions
from pipelines.jobs.graph_export.run import export_graph

folder, output, left = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

def kill_at_the_last(event, args):
    global left
    if event == "os.rename" and Path(args[1]).parent == output:
        left -= 1
        if not left:
            os.kill(os.getpid(), 9)

sys.addaudithook(kill_at_the_last)
export_graph(folder, GraphExportOptions("webgraph"), output=output)
"""


@pytest.mark.slow
def test_an_export_that_is_killed_while_its_files_take_their_places_is_ended_by_the_next(
    folder, tmp_path
):
    other, options = tables(tmp_path / "other", NODES, "0\t1\n"), GraphExportOptions("webgraph")
    new, found = tmp_path / "new", []
    export_graph(other, options, output=new)
    for moment in (1, 2, 4, 7):
        output = tmp_path / str(moment)
        export_graph(folder, options, output=output)
        command = [sys.executable, "-c", KILLED_IN_MOVING, *map(str, (other, output, moment))]
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == -9
        with pytest.raises(_StopError):
            export_graph(other, options, output=output, tell=stop_at(1))
        found.append(texts_of(output) == texts_of(new))
        assert not [path for path in output.iterdir() if path.is_dir()]
    assert found == [False, True, True, True]
