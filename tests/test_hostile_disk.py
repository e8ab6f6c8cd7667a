"""A disk that is full, nearly full, or read-only.

==============================  =============================================================
item                            what comes of it
==============================  =============================================================
full in mid-crawl               one line, exit code 2, no traceback; when there is room, the
                                same command goes on where it was: every page once
nearly full                     the crawl pauses (``DISK_MIN_FREE_BYTES``), says so, and goes
                                on by itself within 2 s of there being room
full where a copy is to be      one line, exit code 2, nothing of it is left
full at the start, read-only    one line, exit code 2, nothing is started
==============================  =============================================================

The disks are small ones in memory, which only root may mount.
"""

from __future__ import annotations

import os
import random
import subprocess

import numpy as np
import pytest

from crawler.durable.warc_writer import WarcWriter
from crawler.errors import InputError
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.ranking.mapped_arrays import room
from pipelines.corpus.corpus import Corpus
from pipelines.retrieval.text_index import IndexedText, TextIndexWriter
from tests import forked_commands
from tests.conftest import ROOT, run_scrapy, scrapy_command, scrapy_environment
from tests.dedup_corpus import make_corpus, sentences
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.made_warcs import WHEN, exchange
from tests.test_warc_writer import file_limit
from tests.toy_store import A

N_PAGES = 80


@pytest.fixture
def disk(tmp_path):
    """A small disk, and a function that sets its size and options."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("needs mount(8)")
    if done.returncode:
        pytest.skip("needs the right to mount a disk in memory")

    def remount(options):
        command = ["mount", "-o", f"remount,{options}", str(folder)]
        subprocess.run(command, capture_output=True, check=True)

    yield folder, remount
    subprocess.run(["umount", "-l", str(folder)], check=False)


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """Pages of words that no compression makes small."""
    rng = random.Random(1)
    pages = {}
    for n in range(N_PAGES):
        words = " ".join("".join(rng.choices("abcdefghij", k=7)) for _ in range(1500))
        pages[f"h{n}/"] = reply(page(words.encode()), HTML)
    with served_bytes(tmp_path_factory.mktemp("web"), Hostile(pages)) as folder:
        yield folder


def arguments(web, corpus, *more):
    return [
        *("crawl", "odp", "-a", f"seeds={web / 'seeds.txt'}", "-s", f"CORPUS_DIR={corpus}"),
        *("-s", f"HOSTS_FILE={web / 'hosts.tsv'}", "-s", "COMMIT_GROUP_PAGES=5", "-L", "WARNING"),
        *more,
    ]


@pytest.mark.long
def test_a_full_disk_ends_the_crawl_in_one_line_and_it_goes_on(web, disk):
    folder, remount = disk
    corpus = folder / "corpus"
    ended = run_scrapy(*arguments(web, corpus, "-s", "DISK_MIN_FREE_BYTES=0"))
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    [line] = [line for line in ended.stderr.splitlines() if line.startswith("winnow: ")]
    assert "make room on the disk and start again" in line
    again = run_scrapy(*arguments(web, corpus))
    assert again.returncode == 2, again.stderr
    assert again.stderr.startswith("winnow: ")
    remount("size=100m")
    done = run_scrapy(*arguments(web, corpus, "-s", "DISK_MIN_FREE_BYTES=0"))
    assert done.returncode == 0, done.stderr
    urls = [row["url"] for row in Corpus.open(corpus).documents(["url"])]
    assert len(urls) == len(set(urls)) == N_PAGES


@pytest.mark.long
@pytest.mark.parametrize("log", [(), ("--nolog", "-s", "PROGRESS_SECS=0")])
def test_a_nearly_full_disk_pauses_the_crawl(web, disk, log):
    folder, remount = disk
    remount("size=6m")
    corpus = folder / "corpus"
    crawl = subprocess.Popen(
        scrapy_command(*arguments(web, corpus, "-s", "DISK_MIN_FREE_BYTES=8000000", *log)),
        cwd=ROOT, env=scrapy_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    said = ""
    while "the crawl pauses until there are 7" not in said:
        said = crawl.stderr.readline()
        assert said, "the crawl ended"
    remount("size=100m")
    out, err = crawl.communicate(timeout=120)
    assert crawl.returncode == 0, err
    assert "There is room on the disk: the crawl goes on" in err
    assert out.startswith("Crawl finished")
    assert Corpus.open(corpus).n_rows("documents") == N_PAGES


@pytest.mark.slow
def test_a_paused_crawl_ends_when_its_hours_are_over(web, tmp_path):
    corpus = tmp_path / "corpus"
    hours = ("-a", "max_hours=0.001", "-s", "DISK_MIN_FREE_BYTES=1000000000000000")
    ended = run_scrapy(*arguments(web, corpus, *hours), timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert "The paused crawl has had its hours: it ends" in ended.stderr
    assert "max_hours" in ended.stdout
    done = run_scrapy(*arguments(web, corpus))
    assert done.returncode == 0, done.stderr
    assert Corpus.open(corpus).n_rows("documents") == N_PAGES


@pytest.mark.parametrize("command", [("dedup",), ("export", "--merge")])
def test_a_copy_of_a_corpus_on_a_full_disk_is_told_in_one_line(small_crawl, disk, command):
    folder, remount = disk
    remount("size=64k")
    source = (small_crawl[1],) if "--merge" in command else ("--corpus", small_crawl[1])
    done = run_scrapy(*command, *map(str, source), "--output", str(folder / "copy"))
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith(f"winnow: cannot write {folder}")
    assert done.stderr.count("\n") == 1
    assert not list(folder.iterdir())


def run_there(folder, *arguments):
    """Run a scrapy command whose temporary files are in *folder*."""
    environment = {**scrapy_environment(), "TMPDIR": str(folder)}
    return forked_commands.complete([*map(str, arguments)], ROOT, environment, timeout=240)


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--unit", "block")])
def test_temporary_files_on_a_full_disk_are_told_by_their_folder(tmp_path, disk, options):
    """They were told as the output, or as the new folder."""
    folder, remount = disk
    remount("size=64k")
    rng = random.Random(1)
    texts = {f"http://a.com/{number}": sentences(rng, 100) for number in range(300)}
    make_corpus(tmp_path / "corpus", texts)
    output = tmp_path / "cleaned"
    done = run_there(folder, "dedup", "--corpus", tmp_path / "corpus", "--output", output, *options)
    why, mend = "No space left on device", "make room there, or name another folder in TMPDIR"
    assert done.stderr == f"winnow: cannot write temporary files in {folder} ({why}); {mend}\n"
    assert (done.returncode, output.exists()) == (2, False)


@pytest.mark.slow
def test_a_full_folder_of_temporary_files_costs_a_crawl_no_page(tmp_path, disk):
    """Each page that the classifier of languages was wanted for was rejected: it is unpacked there."""
    folder, remount = disk
    remount("size=64k")
    unsure = "Ez egy rövid szöveg, amelyet senki sem ismer fel. Nagyon szép nap volt.".encode()
    with served_bytes(tmp_path, Hostile({"h/": reply(unsure, HTML)})) as web:
        settings = ("-s", "QUALITY_MIN_WORDS=0", "-s", "PROGRESS_SECS=0")
        crawl = arguments(web, tmp_path / "corpus", *settings, "--nolog")
        for _ in range(2):  # that is no crash of a page
            ended = subprocess.run(  # anew: a fork has the classifier
                scrapy_command(*crawl),
                cwd=ROOT, env={**scrapy_environment(), "TMPDIR": str(folder)}, capture_output=True, text=True, check=False,
            )  # fmt: skip
            why = "cannot load the classifier of languages (No space left on device)"
            mend = f"make room in {folder}, or name another folder in TMPDIR"
            assert ended.stderr == f"winnow: {why}; {mend}\n"
            assert ended.returncode == 2
        done = run_scrapy(*crawl)
    assert done.returncode == 0, done.stderr
    assert Corpus.open(tmp_path / "corpus").n_rows("documents") == 1


def test_a_mapped_array_for_which_there_is_no_room_is_an_error_and_no_signal(disk):
    folder, _ = disk
    room(1000, np.float64, folder)[:] = 1
    with pytest.raises(OSError, match=f"No space left on device: '{folder}'"):
        room(1_000_000, np.float64, folder)


def test_an_index_on_a_full_disk_is_told_in_one_line(disk):
    """The engine writes while it takes documents, in a thread that ends then: the next call hears of it, and the
    last.
    """
    folder, _ = disk
    writer = TextIndexWriter(folder / "index")
    rng = random.Random(1)

    def add_all():
        for number in range(20_000):
            title = rng.randbytes(100).hex()
            writer.add(IndexedText(number, number, f"http://a.com/{number}", title, title))
        writer.commit()

    for work in (add_all, writer.close):
        with pytest.raises(InputError, match=f"^cannot write the index in {folder}/index "):
            work()


def test_a_read_only_disk_is_refused_in_one_line(web, disk):
    folder, remount = disk
    remount("ro")
    done = run_scrapy(*arguments(web, folder / "corpus"))
    assert done.returncode == 2
    assert done.stderr == f"winnow: {folder} may not be written; give another CORPUS_DIR\n"


@pytest.mark.parametrize("command", ["crawl", "fleet"])
@pytest.mark.parametrize(
    ("name", "why"),
    [("y" * 300, "File name too long"), (os.fsdecode(b"b\xff"), "not UTF-8")],
    ids=["long", "bytes"],
)
def test_a_folder_that_no_corpus_can_be_in_is_told_before_anything_starts(
    tmp_path, command, name, why
):
    folder = f"CORPUS_DIR={tmp_path / name}"
    done = run_scrapy(command, "site", "-a", "url=http://127.0.0.1:9/", "-s", folder, "--nolog")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert f"({why}); give another" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_disk_that_takes_no_answer_ends_the_crawl(tmp_path):
    """It went on without a commit, and without a word."""
    store = CrawlStore(tmp_path)
    store.archive = WarcWriter(tmp_path, store.journal, max_bytes=1, info=[])
    store.journal.on_failure = (told := []).append
    store.add_seeds([(A, [])])
    capture = store.open_capture(store.next_page(0.0))
    capture.fetched_at, capture.exchange = WHEN, exchange(b"x")
    store.finish(capture, 0.0)
    with file_limit(5), pytest.raises(InputError, match="make room on the disk and start again"):
        store.flush()
    assert len(told) == 1
    store.close()
