"""Commands on a corpus that may not be written: told before they compute, and what they can do then."""

from __future__ import annotations

import gzip
import json
import os

import pytest

from tests.facet_corpus import make_corpus
from tests.graph_commands import run_command
from tests.test_command_pagerank import URLS, store_graph
from tests.warc_records import html, record

PAGE = "<p>" + "<a href=/1>one</a> and <a href=/x>two</a> of the pages. " * 9


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    store_graph(folder)
    (folder / "warc").mkdir()
    records = [record(url, html(PAGE + url), "Content-Type: text/html") for url in URLS]
    (folder / "warc" / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    return folder


@pytest.mark.parametrize(
    ("command", "part", "advice"),
    [
        (["hits"], "ranks", "give another folder for the ranks as --output"),
        (["pagelets"], "ranks", "give another folder for the ranks as --output"),
        (["dedup"], "duplicates", "give a new folder, of a cleaned corpus, as --output"),
        (["dedup", "--unit", "block"], "duplicates", "give a new folder, of a cleaned corpus"),
        (["index"], "index", "give a copy as --corpus, or a new folder with links to all"),
        (["templates", "cluster"], "templates", "give a copy as --corpus, or a new folder with"),
    ],
)
def test_what_cannot_be_written_is_told_at_once(corpus, command, part, advice):
    (corpus / part).write_text("no folder")
    done = run_command(*command, "--corpus", corpus)
    assert (done.code, done.out, done.errors.count("\n")) == (2, "", 1)
    assert f"cannot write into {corpus / part} (Not a directory); {advice}" in done.errors


@pytest.mark.parametrize(
    "command",
    [["hits"], ["pagelets"], ["pagerank"], ["export", "--format", "edges"], ["export", "--format", "parquet"]],
)  # fmt: skip
def test_parquet_goes_into_no_folder_whose_name_is_no_utf8(corpus, tmp_path, command):
    """Parquet's library opens no such name: that was a traceback, behind all that was computed."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    done = run_command(*command, "--corpus", corpus, "--output", folder)
    assert (done.code, done.out, done.errors.count("\n")) == (2, "", 1)
    assert f"cannot write into {folder} (not UTF-8); give another folder" in done.errors
    assert not folder.exists()


def test_ranks_of_pagelets_go_elsewhere(corpus, tmp_path):
    before = sorted(corpus.rglob("*"))
    ranks = tmp_path / "new" / "ranks"

    def files(*command):
        done = run_command(*command, "--corpus", corpus, "--output", ranks, "--json")
        assert done.code == 0, done.errors
        report = json.loads(done.out)
        return report.get("files") or report["file"]

    links, templates = files("pagelets")
    assert files("templates", "detect") == [links, templates]
    assert files("hits") == str(ranks / "hits.parquet")
    files("hits", "--pagelets", links, "--templates", templates)
    names = ("hits", "hits_pagelets", "pagelets", "templates")
    assert sorted(path.stem for path in ranks.iterdir()) == list(names)
    assert sorted(corpus.rglob("*")) == before
    files("hits")
    # Of the hubs of before nothing is left, as in the corpus.
    assert not (ranks / "hits_pagelets.parquet").exists()
    done = run_command("hits", "--pagelets", links, "--related", URLS[0], "--output", ranks)
    assert "--output is not for --related, which writes no file" in done.errors


def test_a_folder_with_links_can_be_written(corpus, tmp_path):
    """What the advice says, and the corpus itself is left as it was."""
    make_corpus(indexed := tmp_path / "indexed")
    before = sorted([*corpus.rglob("*"), *indexed.rglob("*")])
    for folder, command in ((indexed, ["index"]), (corpus, ["templates", "cluster"])):
        copy = tmp_path / f"links to {folder.name}"
        copy.mkdir()
        for path in folder.iterdir():
            (copy / path.name).symlink_to(path)
        done = run_command(*command, "--corpus", copy)
        assert done.code == 0, done.errors
    assert list((copy / "templates").iterdir())
    assert sorted([*corpus.rglob("*"), *indexed.rglob("*")]) == before
