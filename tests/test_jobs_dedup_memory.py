"""The memory that deciding over all pages takes: bytes a page, and what the caller states."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from crawler.durable.journal import Journal, next_number
from crawler.durable.layout import journal_folder
from crawler.durable.records import pack_record
from crawler.durable.sealing import append_record
from crawler.items import Page
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.manifest import write_manifest
from pipelines.corpus.rows import document_row
from pipelines.corpus.shards import ShardSealer
from pipelines.duplicates.exact import text_digest
from pipelines.jobs.dedup.clusters import decided
from pipelines.jobs.dedup.options import DedupOptions
from tests.conftest import ROOT
from tests.laws_corpus import AT, block
from tests.traced_memory import least_traced


def fill_corpus(folder, n):
    """Make a corpus of *n* short documents, a tenth of them near-duplicates, a thousand at a time."""
    rng = random.Random(n)
    with_journal = journal_folder(folder)
    with_journal.mkdir(parents=True)
    journal = Journal.open_writer(with_journal)
    for start in range(0, n, 1000):
        rows = []
        for number in range(start, start + 1000):
            if number % 10 != 1:
                text = " ".join(f"w{rng.randrange(50_000)}" for _ in range(30))
            url = f"http://a.com/{number}"
            page = Page(1, number, url, "a.com", AT, 200, blocks=[block(text + " more", None)])
            page.text, page.n_words, page.digest = text, 30, text_digest(text).hex()
            text += " more"
            rows.append(("documents", document_row(page)))
        record = pack_record(rows, len(rows))
        journal.write(
            lambda txn, record=record: append_record(
                txn, "docs", next_number(txn, "sequence"), record
            )
        )
        ShardSealer(folder, rows=1, n_bytes=1)(journal)
    journal.close()
    write_manifest(folder, settings="", counts={}, shards=[])


def traced_peak(folder, n):
    fill_corpus(folder, n)
    corpus = Corpus.open(folder)

    def decide():
        with decided(corpus, DedupOptions(memory=2**26), folder) as found:
            assert len(found.near.pairs) >= n // 10

    return least_traced(decide)[-1]


@pytest.mark.slow
def test_memory_of_a_page(tmp_path):
    """Beside a row group, numpy's and Python's together: the 100 bytes that are stated, and pairs."""
    small, large = (traced_peak(tmp_path / str(n), n) for n in (1000, 3000))
    assert (large - small) / 2000 < 150


# Runs the command in FOLDER, and prints the most bytes that it held beside mapped files.
MEASURED = """
import sys, threading
from pathlib import Path
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.run import dedup_corpus
most, done = 0, threading.Event()
def watch():
    global most
    while not done.wait(0.01):
        status = Path("/proc/self/status").read_text()
        most = max(most, int(status.split("RssAnon:")[1].split()[0]) * 1024)
thread = threading.Thread(target=watch)
thread.start()
dedup_corpus(Path(sys.argv[1]), DedupOptions(unit=sys.argv[2], memory=2**26))
done.set()
thread.join()
print(most)
"""


@pytest.mark.long
@pytest.mark.parametrize("unit", ["document", "block"])
def test_memory_as_the_system_counts_it(tmp_path, unit):
    held = []
    for n in (1000, 30_000, 90_000):
        fill_corpus(tmp_path / str(n), n)
        command = [sys.executable, "-c", MEASURED, tmp_path / str(n), unit]
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        held.append(int(done.stdout))
    # 200 bytes a document, and what is held whatever their number: numba, Arrow and --memory, which
    # these n-grams of blocks do not fill yet.
    if unit == "document":
        assert (held[2] - held[1]) / 60_000 < 250, held
    assert held[2] < held[0] + 2**26 + 250 * 90_000
