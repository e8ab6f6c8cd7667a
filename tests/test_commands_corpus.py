"""Commands on a folder that is no corpus of theirs: one line with what to do, and nothing is written."""

from __future__ import annotations

import argparse
from importlib.metadata import entry_points

import pytest
from scrapy.settings import Settings

from tests.graph_commands import run_command
from tests.test_command_pagerank import store_graph

# How the commands that open a corpus are called.
CALLS = {
    "dedup": [(), ("--close",)],
    "explore": [()],
    "export": [("--format", "text"), ("--format", "graphml")],
    "facets": [("word",)],
    "hits": [()],
    "index": [()],
    "keywords": [("--counts",)],
    "laws": [()],
    "locality": [()],
    "pagelets": [()],
    "pagerank": [(), ("--topics", "seeds")],
    "passages": [("http://a.sample/", "http://b.sample/")],
    "report": [()],
    "templates": [("cluster",), ("detect",), ("remove",)],
}


def test_every_command_with_a_corpus_is_here():
    named = set()
    for entry in entry_points(group="scrapy.commands"):
        if entry.value.startswith("crawler."):
            command, parser = entry.load()(), argparse.ArgumentParser(conflict_handler="resolve")
            command.settings = Settings()
            command.add_options(parser)
            if "--corpus" in parser._option_string_actions:
                named.add(entry.name)
    assert named | {"templates"} == set(CALLS)


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ("{", "manifest.json is damaged ("),
        ('{"format": 7}', "has format 7, this program reads 1; use the release that wrote it"),
    ],
)
@pytest.mark.parametrize("name", CALLS)
def test_a_manifest_that_cannot_be_read_is_refused(tmp_path, name, manifest, said):
    store_graph(tmp_path)
    (tmp_path / "manifest.json").write_text(manifest)
    before = sorted(tmp_path.rglob("*"))
    for arguments in CALLS[name]:
        done = run_command(name, *arguments, "--corpus", tmp_path)
        assert (done.code, done.errors.count("\n"), done.out) == (2, 1, ""), arguments
        assert said in done.errors, arguments
        assert done.errors.startswith("winnow: "), arguments
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("kind", ["empty", "missing", "file"])
@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_corpus_is_told_with_the_mend(tmp_path, name, kind):
    folder = tmp_path / "corpus"
    if kind == "empty":
        folder.mkdir()
    elif kind == "file":
        folder.write_bytes(b"\xff\x00")
    for arguments in CALLS[name]:
        done = run_command(name, *arguments, "--corpus", folder)
        assert (done.code, done.errors.count("\n"), done.out) == (2, 1, ""), arguments
        assert str(folder) in done.errors, arguments
        assert "; " in done.errors, arguments
        assert "damaged" not in done.errors, arguments


@pytest.mark.parametrize(
    "call", ["dedup", "laws", "locality", "pagerank", "templates remove", "report"]
)
def test_standard_output_takes_no_files(tmp_path, monkeypatch, call):
    store_graph(tmp_path)
    monkeypatch.chdir(tmp_path)
    done = run_command(*call.split(), "--corpus", tmp_path, "--output", "-")
    assert (done.code, done.errors.count("\n"), done.out) == (2, 1, "")
    assert "--output is '-', but " in done.errors
    assert not (tmp_path / "-").exists()
