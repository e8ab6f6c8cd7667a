"""``scrapy index``: a run that is killed goes on; who may write the index, and who read it."""

from __future__ import annotations

import os
import re
import signal

import pytest

from crawler.errors import FormatError, InputError
from pipelines.jobs.index.run import TEXT, IndexReport, index_corpus
from pipelines.retrieval.text_index import IndexedText, TextIndex, TextIndexWriter
from tests.facet_corpus import make_corpus
from tests.forked_commands import complete_python

_KILLED = """
import sys, os, signal
from pathlib import Path
from pipelines.jobs.index import run
run.COMMIT_DOCUMENTS = 7
folder = Path(sys.argv[1]) / run.TEXT
commit = run.TextIndexWriter.commit
def stop(writer):
    commit(writer)
    if run.TextIndex(folder).n_documents >= 21:
        os.kill(os.getpid(), signal.SIGKILL)
run.TextIndexWriter.commit = stop
run.index_corpus(Path(sys.argv[1]))
"""


def test_killed_run_goes_on(tmp_path):
    corpus = tmp_path / "corpus"
    ids = make_corpus(corpus)
    done = complete_python("-c", _KILLED, str(corpus))
    assert done.returncode == -signal.SIGKILL
    assert TextIndex(corpus / TEXT).n_documents == 21
    report = index_corpus(corpus)
    assert (report.added, report.removed, report.documents) == (39, 0, 60)
    assert TextIndex(corpus / TEXT).pages()[0].tolist() == sorted(ids.tolist())


def test_who_may_read_the_corpus_may_read_its_index(tmp_path):
    corpus = tmp_path / "corpus"
    make_corpus(corpus)
    (corpus / TEXT).mkdir(parents=True, mode=0o750)
    index_corpus(corpus)
    files = [path for path in (corpus / TEXT).iterdir() if path.name != ".tantivy-writer.lock"]
    modes = {path.name: path.stat().st_mode & 0o440 for path in files}
    assert {".managed.json", "meta.json"} < modes.keys()
    assert set(modes.values()) == {0o440}


def test_one_writer_and_readers_meanwhile(tmp_path):
    corpus = tmp_path / "corpus"
    make_corpus(corpus)
    index_corpus(corpus)
    writer = TextIndexWriter(corpus / TEXT)
    with pytest.raises(InputError, match="another process is writing the index"):
        index_corpus(corpus)
    writer.remove(TextIndex(corpus / TEXT).pages()[0].tolist())
    assert TextIndex(corpus / TEXT).n_documents == 60
    writer.commit()
    assert TextIndex(corpus / TEXT).n_documents == 0
    writer.close()


def test_an_index_of_another_format_is_made_anew(tmp_path):
    make_corpus(tmp_path)
    n_documents = index_corpus(tmp_path).documents
    before = {path.name for path in (tmp_path / TEXT).glob("*.idx")}
    meta = tmp_path / TEXT / "meta.json"
    meta.write_bytes(re.sub(rb"words-\d+", b"words-3", meta.read_bytes()))
    with pytest.raises(FormatError, match="is of another format; run `scrapy index`"):
        TextIndex(tmp_path / TEXT)
    report = index_corpus(tmp_path)
    assert (report.documents, report.added, report.removed) == (n_documents, n_documents, 0)
    assert before.isdisjoint(path.name for path in (tmp_path / TEXT).glob("*.idx"))


def test_words_are_not_cut_at_vowel_signs(tmp_path):
    """Hindi was searched by its consonants: "की", "का" and "के" were one word."""
    writer = TextIndexWriter(tmp_path / "index")
    for number, text in enumerate(("पानी की चक्की", "पुणे का चाक", "بُنيت الطاحونة")):
        writer.add(IndexedText(number, 0, f"http://a.sample/{number}", "", text))
    writer.commit()
    writer.close()
    index = TextIndex(tmp_path / "index")
    for query, found in (("पानी", [0]), ("का", [1]), ('"की चक्की"', [0]), ("بُنيت", [2]), ("प", [])):
        assert index.search(query, 9).page_ids.tolist() == found


@pytest.mark.parametrize(
    ("facets", "expected"),
    [
        (0, "facets      no ranks: run `scrapy pagerank`\n"),
        (1, "facets      1 rank vector\n"),
        (36, "facets      36 rank vectors\n"),
    ],
)
def test_vectors_are_counted(facets, expected):
    assert expected in IndexReport(7, 7, 0, facets, 0.1, "index").screen()


def test_an_index_in_a_folder_whose_name_is_not_utf8(tmp_path):
    writer = TextIndexWriter(tmp_path / "index")
    writer.add(IndexedText(7, 0, "http://a.sample/", "", "a word"))
    writer.commit()
    writer.close()
    moved = (tmp_path / "index").rename(tmp_path / os.fsdecode(b"\xff"))
    assert TextIndex(moved).search("word", 2).page_ids.tolist() == [7]
