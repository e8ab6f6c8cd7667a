"""Pages that end the process: the second time they are rejected, and nobody else is.

=============================================  ==============================================
item                                           what comes of it
=============================================  ==============================================
fault in compiled code, ``os._exit``, SIGKILL  the crawl dies twice at the page; the third
                                               rejects it, stage and reason ``crash``, asks
                                               for it no more, and keeps every other page
``kill -9`` from outside, no page at work      nobody is suspected
``kill -9`` from outside, a page at work       one death; the page is tried again when nothing
                                               else is due, or after 1,000 others; then kept
=============================================  ==============================================
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from crawler.durable.at_work import PageAtWork
from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder
from crawler.frontier.leases import crashes
from crawler.urls import page_key
from pipelines.corpus.corpus import Corpus
from tests.conftest import ROOT, run_scrapy
from tests.forked_commands import complete_python
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.toy_crawl import SEEDS, crawl, open_store


def test_the_cell_outlives_its_process(tmp_path):
    code = """
import os, signal, sys
from pathlib import Path
from crawler.durable.at_work import PageAtWork
cell = PageAtWork(Path(sys.argv[1]))
cell.begin(7)
cell.begin(2**40 + 5)
cell.end(7)
os.kill(os.getpid(), signal.SIGKILL)
"""
    path = tmp_path / "at_work"
    done = complete_python("-c", code, str(path))
    assert done.returncode == -signal.SIGKILL
    cell = PageAtWork(path)
    assert cell.page_id == 2**40 + 5
    cell.end(2**40 + 5)
    assert cell.page_id is None
    cell.begin(0)
    assert cell.page_id == 0
    cell.close()
    cell.close()
    assert PageAtWork(path).page_id is None


def die_at(folder, key):
    """Open the store in *folder*, and let its process die at the page of *key*."""
    store = open_store(folder)
    rejected = store.reject_crashers(0.0)
    store.add_seeds(SEEDS)
    store.at_work.begin(int(store.lookup([key]).ids[0]))
    cell = (store.journal.folder / "at_work").read_bytes()
    store.close()
    (journal_folder(folder) / "at_work").write_bytes(cell)
    return rejected


def n_rows(folder, table):
    journal = Journal.open_reader(journal_folder(folder))
    with journal.read() as txn:
        n = txn.n_rows(table)
    journal.close()
    return n


def test_a_page_is_rejected_at_the_second_death(tmp_path):
    key = SEEDS[3][0]
    assert die_at(tmp_path, key) == []
    assert die_at(tmp_path, key) == []
    assert n_rows(tmp_path, "crashes") == 1
    store = open_store(tmp_path)
    [url] = store.reject_crashers(0.0)
    assert page_key(url) == key
    leased = crawl(store)
    store.close()
    assert url not in leased
    [row] = [row for row in Corpus.open(tmp_path).rejected() if row["url"] == url]
    assert (row["stage"], row["reason"], row["status"]) == ("crash", "crash", None)
    assert open_store(tmp_path).reject_crashers(0.0) == []
    assert n_rows(tmp_path, "crashes") == 0


def test_deaths_at_two_pages_are_one_each(tmp_path):
    for seed in range(4):
        assert die_at(tmp_path, SEEDS[seed][0]) == []
    store = open_store(tmp_path)
    assert store.reject_crashers(0.0) == []
    assert len(set(crawl(store))) > len(SEEDS)
    store.close()


def test_a_suspect_waits_until_nothing_else_is_to_be_done(tmp_path):
    die_at(tmp_path, SEEDS[3][0])
    store = open_store(tmp_path)
    store.reject_crashers(0.0)
    leases = [store.next_page(0.0) for _ in SEEDS]
    assert leases.pop() is None
    assert SEEDS[3][0] not in {page_key(lease.url) for lease in leases}
    for lease in leases:
        assert store.next_page(100.0) is None
        capture = store.open_capture(lease)
        capture.reject(stage="fetch", reason="gone")
        capture.state = "gone"
        store.finish(capture, 100.0)
    assert store.next_page(100.0) is None  # what is not committed may hold links
    store.flush()
    assert page_key(store.next_page(100.0).url) == SEEDS[3][0]
    store.close()


def test_a_suspect_waits_for_so_many_pages(tmp_path, monkeypatch):
    monkeypatch.setattr(crashes, "HELD_FOR_PAGES", 5)
    die_at(tmp_path, SEEDS[4][0])
    store = open_store(tmp_path)
    store.reject_crashers(0.0)
    leased = [store.next_page(0.0) for _ in range(6)]
    assert page_key(leased[-1].url) == SEEDS[4][0]
    store.close()


def test_a_cell_of_another_journal_suspects_nobody(tmp_path):
    open_store(tmp_path).close()
    (journal_folder(tmp_path) / "at_work").write_bytes((2**50).to_bytes(8, sys.byteorder))
    store = open_store(tmp_path)
    assert store.reject_crashers(0.0) == []
    store.close()


def crawl_with(folder, pipelines, *more):
    return run_scrapy(
        "crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "-L", "INFO",
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        *("-s", f"ITEM_PIPELINES={json.dumps(pipelines)}", "-s", "DEDUP_THRESHOLD=0", *more),
    )  # fmt: skip


def check_deadly(folder, way, number):
    """Crawl past a page that ends the process in *way*, in a pipeline of *number*."""
    answers = {
        f"{host}/": reply(page(host.encode() * 9), HTML)
        for host in (f"{way}page", *(f"host{n}" for n in range(20)))
    }
    hostile = Hostile(answers)
    with served_bytes(folder, hostile):
        pipelines = {"tests.deadly.Deadly": number}
        deaths = [crawl_with(folder, pipelines).returncode for _ in range(2)]
        done = crawl_with(folder, pipelines)
    assert all(deaths)
    assert done.returncode == 0, done.stderr
    assert "crash/crash" in done.stdout
    assert f"died twice at http://{way}page.sample/" in done.stderr
    assert hostile.asked.count(f"{way}page/") == 2
    corpus = Corpus.open(folder / "corpus")
    assert corpus.n_rows("documents") == 20
    rejected = [(row["url"], row["stage"], row["reason"]) for row in corpus.rejected()]
    assert rejected == [(f"http://{way}page.sample/", "crash", "crash")]


def test_a_page_that_ends_the_process_twice_is_rejected_as_crash(tmp_path):
    check_deadly(tmp_path, "segfault", 845)


@pytest.mark.long
@pytest.mark.parametrize("way", ["segfault", "exit", "kill"])
@pytest.mark.parametrize("number", [1, 822, 895])
def test_a_page_that_ends_the_process_in_any_way_and_place(tmp_path, way, number):
    check_deadly(tmp_path, way, number)


@pytest.mark.long
def test_kill_9_of_a_crawl_that_waits_for_answers_suspects_nobody(tmp_path):
    silent = frozenset(f"host{n}/" for n in range(30))
    hostile = Hostile({name: reply(page(), HTML) for name in silent}, silent=silent)
    with served_bytes(tmp_path, hostile):
        for _ in range(2):
            del hostile.asked[:]
            crawl = subprocess.Popen(
                [sys.executable, "-m", "scrapy", "crawl", "odp",
                 "-a", f"seeds={tmp_path / 'seeds.txt'}", "-s", f"CORPUS_DIR={tmp_path / 'corpus'}",
                 "-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}", "--nolog"],
                cwd=ROOT, env={**os.environ, "SCRAPY_PROJECT": "local"},
            )  # fmt: skip
            hostile.wait_for(30)
            crawl.kill()
            crawl.wait()
            cell = PageAtWork(journal_folder(tmp_path / "corpus") / "at_work")
            assert cell.page_id is None
            cell.close()
