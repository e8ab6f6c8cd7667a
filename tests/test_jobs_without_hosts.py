"""``python -m pipelines.jobs.without_hosts``: what is left of a corpus, and what is told of the rest."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from itertools import product

import pyarrow.parquet as pq
import pytest

from crawler.durable.journal import Journal, next_number
from crawler.durable.journals import open_writers
from crawler.durable.keys import u64_key
from crawler.durable.layout import SHARD, journal_folder
from crawler.durable.records import pack_record
from crawler.durable.sealing import append_record
from crawler.durable.warc_files import TABLE as WARCS
from crawler.durable.warc_files import warc_name
from crawler.items import Page
from crawler.seeds.search_record import Search, SearchRecord
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.manifest import write_manifest
from pipelines.corpus.rows import document_row
from pipelines.corpus.shards import ShardSealer
from pipelines.jobs.dedup.closing import close_duplicates
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.without_hosts import main
from tests.laws_corpus import AT, block

HOSTS = ("a.si", "www.a.si:8080", "ba.si", "b.org", "xn--bcher-kva.de")
TABLES = {
    "documents": {},
    "provisional": {"reason": "duplicate", "duplicate_of": "http://a.si/", "decided": True},
    "replaced": {"reason": "changed", "source": None, "rejected_as": None},
}


def text_of(host, table):
    return f"Words of {host} in {table}."


def make_corpus(folder, *, n_sealed):
    """Store a row of each host in each table; the first *n_sealed* are in files, the others wait."""
    make = journal_folder(folder)
    make.mkdir(parents=True)
    with closing(Journal.open_writer(make)) as journal:
        for number, (host, table) in enumerate(product(HOSTS, TABLES)):
            text = text_of(host, table)
            page = Page(1, number, f"http://{host}/{table}", host, AT, 200, text=text, n_words=5)
            page.blocks = [block(text, None)]
            row = document_row(page) | TABLES[table]
            if table == "provisional":
                row["raw_digest"] = number
            record = pack_record([(table, row)], 1)
            journal.write(
                lambda txn, record=record: append_record(
                    txn, "docs", next_number(txn, "sequence"), record
                )
            )
            if number + 1 == n_sealed:
                ShardSealer(folder, rows=1, n_bytes=1)(journal, force=True)
    write_manifest(folder, settings="", counts={"fetched": 15}, shards=[])


def texts_in(folder):
    """Return the texts of all rows of all files."""
    return {
        row["text"]
        for table in TABLES
        for path in (folder / table).glob("*.parquet")
        for row in pq.read_table(path).to_pylist()
    }


@pytest.mark.parametrize("n_sealed", [0, 7, 15])
@pytest.mark.parametrize(
    ("asked", "gone"),
    [("A.si", HOSTS[:2]), ("b.org,bücher.de", HOSTS[3:]), ("org,de,si", HOSTS)],
)
def test_what_is_left(tmp_path, capsys, n_sealed, asked, gone):
    make_corpus(tmp_path / "old", n_sealed=n_sealed)
    before = list(Corpus.open(tmp_path / "old").documents())
    assert main([*map(str, (tmp_path / "old", asked)), "--output", str(tmp_path / "new")]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].split()[:3] == ["removed", str(len(gone)), "documents,"]
    assert told[1].split()[:2] == ["besides", str(2 * len(gone))]
    corpus = Corpus.open(tmp_path / "new")
    stays = [host for host in HOSTS if host not in gone]
    assert {row["host"] for row in corpus.documents()} == set(stays)
    assert texts_in(tmp_path / "new") == {text_of(*each) for each in product(stays, TABLES)}
    reasons = Counter((row["host"], row["stage"], row["reason"]) for row in corpus.rejected())
    duplicates = {(host, "deduplicate", "duplicate"): 1 for host in stays}
    assert reasons == {(host, "removed", "host"): 2 for host in gone} | duplicates
    assert list(Corpus.open(tmp_path / "old").documents()) == before
    # It is a corpus as any other: its duplicates can be decided.
    with open_writers(tmp_path / "new") as journals:
        close_duplicates(tmp_path / "new", journals, DedupOptions())
    after = list(Corpus.open(tmp_path / "new").documents())
    assert {row["host"] for row in after} == set(stays)
    # What was a duplicate of a page that is gone, and of no other, is none any more.
    told = {text_of(host, table) for host in stays for table in ("documents", "provisional")}
    assert {row["text"] for row in after} == told


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("www.a.si", {"a.si": 1}),
        ("www.a.si:8080,www.b.org", {"b.org": 1}),
        ("www.a.si,a.si", {}),
        ("b.org", {}),
    ],
)
def test_a_host_that_is_left_without_its_www_is_told(tmp_path, capsys, asked, left):
    """Its owner may mean it; nothing was said."""
    make_corpus(tmp_path / "old", n_sealed=15)
    arguments = [str(tmp_path / "old"), asked, "--output"]
    assert main([*arguments, str(tmp_path / "new")]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("left")]
    assert told == [
        f"left      {n} document of {host}, which is another host; name it, too, to remove them"
        for host, n in left.items()
    ]
    assert main([*arguments, str(tmp_path / "json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["without_www"] == left


def test_searches_that_were_answered_are_known_to_the_new_corpus(tmp_path):
    make_corpus(tmp_path / "old", n_sealed=15)
    search = Search("brave", "sea bass")
    SearchRecord(tmp_path / "old").add(search, 1, ["http://a.si/"])
    assert main([str(tmp_path / "old"), "a.si", "--output", str(tmp_path / "new")]) == 0
    record = SearchRecord(tmp_path / "new")
    assert record.urls(search, 1) == ["http://a.si/"]
    # The two are files of their own.
    record.add(Search("brave", "mill"), 1, [])
    assert SearchRecord(tmp_path / "old").urls(Search("brave", "mill"), 1) is None


def test_answers_that_are_left_are_told(tmp_path, capsys):
    make_corpus(tmp_path / "old", n_sealed=15)
    arguments = [str(tmp_path / "old"), "a.si", "--json", "--output"]
    for name, has_answers in (("1", False), ("2", True)):
        assert main([*arguments, str(tmp_path / name)]) == 0
        assert json.loads(capsys.readouterr().out)["has_answers"] is has_answers
        path = tmp_path / "old" / warc_name(SHARD, 1)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"answers")
        with closing(Journal.open_writer(journal_folder(tmp_path / "old"))) as journal:
            journal.write(lambda txn: txn.put(WARCS, warc_name(SHARD, 1).encode(), u64_key(7)))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["old", "c.si"], "no document of {}/old is of c.si, or a host below; `scrapy explore` "),
        (
            ["old", "www.ba.si"],
            "is of www.ba.si, or a host below; some are of ba.si: give that",
        ),
        (["old", "a.si/x"], "HOSTS has 'a.si/x', which is no host; give names such as "),
        (["none", "a.si"], "no corpus in {}/none"),
    ],
)
def test_wrong_calls(tmp_path, capsys, arguments, told):
    make_corpus(tmp_path / "old", n_sealed=15)
    folder, hosts = arguments
    assert main([str(tmp_path / folder), hosts, "--output", str(tmp_path / "new")]) == 2
    out, errors = capsys.readouterr()
    assert (out, errors.count("\n")) == ("", 1)
    assert told.format(tmp_path) in errors
    assert not (tmp_path / "new").exists()
