"""Files of a corpus that the system does not let the user read: told as that, not as damage."""

from __future__ import annotations

import shutil

import pytest

from tests.before_commands import obey_modes
from tests.conftest import run_scrapy

PAGERANK = ("pagerank",)
TOPICS = ("pagerank", "--topics", "seeds")
INDEX = ("index",)
FACETS = ("facets", "the")
DOCUMENTS = (("export", "--format", "text", "--output", "-"), ("dedup",), ("laws",), INDEX)
GRAPH = (PAGERANK, ("hits",), ("locality",), ("export", "--format", "edges"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, small_crawl):
    folder = tmp_path_factory.mktemp("unreadable") / "corpus"
    shutil.copytree(small_crawl[1], folder)
    for command in (PAGERANK, TOPICS, INDEX):
        assert run_scrapy(*command, "--corpus", folder).returncode == 0
    return folder


@pytest.mark.parametrize(
    ("pattern", "commands"),
    [
        ("frontier", (*DOCUMENTS, *GRAPH)),
        ("frontier/0000/data.mdb", (*DOCUMENTS, *GRAPH)),
        ("manifest.json", DOCUMENTS),
        ("documents/*.parquet", DOCUMENTS),
        ("graph/0000/*", GRAPH),
        ("ranks/pagerank.parquet", (PAGERANK,)),
        ("index/text", (FACETS, INDEX)),
        ("index/text/.managed.json", (FACETS, INDEX)),
        ("index/vectors/*.json", (FACETS,)),
    ],
)
def test_each_command_names_what_it_may_not_read(corpus, pattern, commands):
    path = min(corpus.glob(pattern))
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        for command in commands:
            done = run_scrapy(*command, "--corpus", corpus, before=obey_modes)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1), (command, done.stderr)
            assert str(path) in done.stderr, command
            assert "Permission denied" in done.stderr, command
            assert "damaged" not in done.stderr, command
    finally:
        path.chmod(mode)


def test_an_index_that_may_not_be_written_is_told_and_read(corpus):
    folder = corpus / "index" / "text"
    done = run_scrapy("index", "--corpus", corpus)
    assert done.returncode == 0
    locks = list(folder.glob("*.lock"))
    for path in (folder, *locks):
        path.chmod(0o555)
    try:
        done = run_scrapy("index", "--corpus", corpus, before=obey_modes)
        found = run_scrapy(*FACETS, "--corpus", corpus, before=obey_modes)
    finally:
        for path in (folder, *locks):
            path.chmod(0o755)
    assert (found.returncode, found.stderr) == (0, "")  # to read it is allowed
    assert found.stdout.startswith("found ")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert f"cannot write the index in {folder} (" in done.stderr
    assert "Permission denied" in done.stderr
