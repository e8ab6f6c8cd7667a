"""``--output`` of ``scrapy dedup`` and ``templates remove`` on a corpus of which nothing may be written."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.before_commands import obey_modes
from tests.conftest import crawl_arguments, run_scrapy, served_web


def read_only(folder, *, is_on):
    for path in (folder, *folder.rglob("*")):
        path.chmod((0o444 if is_on else 0o644) | (0o111 if path.is_dir() else 0))


@pytest.fixture(scope="module")
def archived(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archived")
    with served_web(folder / "web", "--hosts", "4", "--pages", "60") as web:
        arguments = crawl_arguments(web, folder / "corpus")
        done = run_scrapy(*arguments, "-s", "WARC_ENABLED=1", "-s", "HOST_DELAY_SECS=0")
    assert done.returncode == 0, done.stderr
    return folder / "corpus"


@pytest.fixture
def of_another(archived, tmp_path):
    """A corpus with WARC files of which nothing may be written."""
    folder = tmp_path / "corpus"
    shutil.copytree(archived, folder)
    read_only(folder, is_on=True)
    yield folder
    read_only(folder, is_on=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "found"),
    [
        (("dedup",), "duplicates/clusters.parquet"),
        (("dedup", "--unit", "block"), "duplicates/blocks.parquet"),
        (("templates", "remove"), "templates/removed.tsv"),
    ],
)
def test_a_corpus_that_may_only_be_read_has_one_without_copies(of_another, command, found):
    output = of_another.with_name("cleaned")
    call = (*command, "--corpus", of_another, "--output", output, "--json")
    done = run_scrapy(*call, before=obey_modes)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["findings"] == str(output / found)
    assert (output / found).exists()
    assert not (of_another / found).exists()
    # The new one is the user's own: it can be changed.
    closed = run_scrapy("dedup", "--corpus", output, "--close", before=obey_modes)
    assert (closed.returncode, closed.stderr) == (0, "")


def test_a_part_of_the_corpus_that_dedup_may_not_read_is_named(of_another):
    (packed,) = (of_another / "warc").glob("*.warc.gz")
    packed.chmod(0)
    output = of_another.with_name("cleaned")
    done = run_scrapy("dedup", "--corpus", of_another, "--output", output, before=obey_modes)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert f"cannot read {packed} (Permission denied)" in done.stderr
    assert not output.exists()
