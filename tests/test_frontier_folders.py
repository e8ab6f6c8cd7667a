from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from crawler.errors import FormatError, InputError
from crawler.frontier.store.crawl_store import CrawlStore, check_corpus
from crawler.urls import page_key
from tests.toy_crawl import SEEDS, crawl, open_store
from tests.toy_store import StoreMaker


@pytest.fixture
def new_store(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


# --- folders ------------------------------------------------------------------------------------


def test_a_corpus_that_is_being_written(new_store, tmp_path):
    new_store()
    with pytest.raises(InputError, match="another process is crawling"):
        check_corpus(tmp_path / "corpus")
    with pytest.raises(InputError, match="another process is crawling"):
        CrawlStore(tmp_path / "corpus")


def test_the_check_of_a_new_folder_writes_nothing(tmp_path):
    check_corpus(tmp_path / "new" / "corpus")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="is a file, not a folder"):
        check_corpus(tmp_path / "file")
    with pytest.raises(InputError, match="cannot make the folder"):
        CrawlStore(tmp_path / "file")


def open_files():
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the one that lists the folder
            yield descriptor.name, str(descriptor.readlink())


def test_many_hosts_open_no_more_files_than_few(new_store, tmp_path):
    """Scrapy's folder of a job has a file a host open, and dies at the 1,020th."""
    open_before = set(open_files())  # others' may be closed meanwhile, and are not counted

    def files_of(n_hosts):
        store = new_store()
        store.add_seeds((page_key(f"http://h{n}.example{n}.com/"), []) for n in range(n_hosts))
        leases = [store.next_page(0.0) for _ in range(n_hosts)]
        assert None not in leases  # each host has a page out
        n_open = len(set(open_files()) - open_before)
        return n_open, sum(path.is_file() for path in tmp_path.rglob("*"))

    (few_open, n_few), (many_open, n_many) = files_of(10), files_of(2000)
    assert few_open == many_open <= 16
    assert n_few <= n_many <= 12


def sealed(folder):
    store = open_store(folder)
    store.add_seeds(SEEDS)
    crawl(store)
    store.close()
    return sorted((folder / "documents").iterdir())


def opened_and_checked(folder):
    yield lambda: check_corpus(folder)
    yield lambda: CrawlStore(folder)


def test_a_missing_shard_is_refused(tmp_path):
    sealed(tmp_path)[1].unlink()
    for opener in opened_and_checked(tmp_path):
        with pytest.raises(FormatError, match=r"000002.parquet is missing; restore it"):
            opener()


def test_a_short_shard_is_refused(tmp_path):
    file = sealed(tmp_path)[0]
    file.write_bytes(file.read_bytes()[:100])
    for opener in opened_and_checked(tmp_path):
        with pytest.raises(FormatError, match="has 100 bytes instead of"):
            opener()


def test_shards_of_another_journal_are_refused_not_removed(tmp_path):
    files = sealed(tmp_path)
    journal = tmp_path / "frontier" / "0000"
    for file in journal.iterdir():
        file.unlink()
    for _ in range(2):
        for opener in opened_and_checked(tmp_path):
            with pytest.raises(FormatError, match="not named by the journal"):
                opener()
    assert all(file.exists() for file in files)


def test_newer_shards_than_the_journal_are_refused_not_removed(tmp_path):
    files = sealed(tmp_path)
    newer = files[0].with_name("0000-000099.parquet")
    newer.write_bytes(b"")
    with pytest.raises(FormatError, match=r"000099.parquet is not named by the journal"):
        CrawlStore(tmp_path)
    assert newer.exists()


def test_other_files_are_left_alone(tmp_path):
    files = sealed(tmp_path)
    mine = files[0].with_name("mine.parquet")
    mine.write_bytes(b"")
    left = files[0].with_name("0000-000099.parquet.tmp")
    left.write_bytes(b"")
    CrawlStore(tmp_path).close()
    assert mine.exists()
    assert not left.exists()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no /proc here")
def test_what_is_on_no_disk_is_not_called_full():
    with pytest.raises(InputError, match=r"/proc is on no disk, .*; give another CORPUS_DIR"):
        check_corpus("/proc/none")
