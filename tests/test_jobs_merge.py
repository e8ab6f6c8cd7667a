"""``scrapy export --merge``: corpus folders of one crawl become one."""

from __future__ import annotations

import os

import msgpack
import pytest

from crawler.durable.journals import unwritten
from crawler.errors import InputError
from crawler.fleet.cluster_folder import lock_folder
from pipelines.corpus.manifest import write_manifest
from pipelines.jobs.merge.run import merge_corpora
from tests.conftest import run_scrapy
from tests.toy_crawl import SEEDS, crawl, open_store, picture


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "one"
    store = open_store(folder)
    store.add_seeds(SEEDS)
    crawl(store)
    store.flush()
    shards = store.shards()
    store.close()
    write_manifest(folder, settings="0" * 32, counts={"pages": 5}, shards=shards)
    return folder


def test_a_merged_corpus_holds_what_its_parts_held(corpus, tmp_path):
    before = picture(corpus)
    files = sorted(path for path in corpus.rglob("*.parquet"))
    report = merge_corpora([corpus], tmp_path / "all")
    assert (report.shards, report.missing) == (["0000"], [])
    assert report.files == len(files)
    assert picture(tmp_path / "all") == before == picture(corpus)
    for path in files:
        assert os.path.samefile(path, tmp_path / "all" / path.relative_to(corpus))


def test_a_shard_that_is_left_out_is_told(corpus, tmp_path):
    store = open_store(corpus)
    store.journal.write(lambda txn: txn.put("meta", b"shards", msgpack.packb([0, 2])))
    store.close()
    report = merge_corpora([corpus], tmp_path / "all")
    assert report.missing == ["0002"]
    assert "left out is shard 0002 of the crawl" in report.screen()


def test_what_cannot_be_merged(corpus, tmp_path):
    other = tmp_path / "other"
    open_store(other).close()
    with pytest.raises(InputError, match="both have shard 0000"):
        merge_corpora([corpus, other], tmp_path / "all")
    with pytest.raises(InputError, match="no corpus in"):
        merge_corpora([corpus, tmp_path / "none"], tmp_path / "all")
    with pytest.raises(InputError, match="is there already"):
        merge_corpora([corpus], other)
    assert not (tmp_path / "all").exists()


@pytest.mark.parametrize("writes", [open_store, lock_folder])
def test_a_folder_that_a_process_writes_is_refused_until_that_has_ended(corpus, tmp_path, writes):
    """A shard on several machines that waits for others has the folder, too."""
    other, output = tmp_path / "other", tmp_path / "all"
    open_store(other).close()
    writer = writes(corpus)
    done = run_scrapy("export", "--merge", "--output", output, other, corpus)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"winnow: another process is crawling into {corpus}; stop it, or wait until it ends\n"
    )
    assert not output.exists()
    getattr(writer, "close", getattr(writer, "release", None))()
    assert run_scrapy("export", "--merge", "--output", output, corpus).returncode == 0


def test_a_folder_without_locks_can_be_merged_though_nothing_can_be_written_there(corpus, tmp_path):
    locks = list(corpus.rglob("writer.lock"))
    assert locks
    with unwritten([corpus]), pytest.raises(InputError, match="another process"):
        open_store(corpus)
    for lock in locks:
        lock.unlink()
    with unwritten([corpus, tmp_path / "none"]):
        assert not list(corpus.rglob("writer.lock"))


def test_the_command_needs_folders_and_an_output_and_takes_no_more(tmp_path):
    for output in ((), ("--output", "-")):
        done = run_scrapy("export", "--merge", *output, tmp_path, cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "--merge needs --output DIR" in done.stderr
    for option in ("--format=text", "--corpus=x", "--min-words=3", "--nofollow=keep"):
        done = run_scrapy("export", "--merge", "--output", tmp_path / "all", option, tmp_path)
        assert done.returncode == 2
        assert f"{option.partition('=')[0]} is nothing for --merge" in done.stderr
