"""Corpus folders made by code, for the tests of what is found and removed in them."""

from __future__ import annotations

from datetime import timedelta

from crawler.durable.journal import Journal, next_number
from crawler.durable.layout import journal_folder
from crawler.durable.records import pack_record
from crawler.durable.sealing import append_record
from crawler.items import Page
from pipelines.corpus.manifest import write_manifest
from pipelines.corpus.rows import document_row
from pipelines.corpus.shards import ShardSealer
from pipelines.duplicates.exact import text_digest
from tests.laws_corpus import AT, block


def sentences(rng, n):
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(2, 8))) for _ in range(400)]
    return [" ".join(rng.choices(words, k=12)).capitalize() + "." for _ in range(n)]


def make_corpus(folder, documents, order=None, n_sealed=2, labels=None, language=None):
    """Store *documents*, url -> texts of blocks, of *language*; ids and times follow *order*."""
    names = order or list(documents)
    with_journal = journal_folder(folder)
    with_journal.mkdir(parents=True)
    journal = Journal.open_writer(with_journal)
    for number, url in enumerate(names):
        blocks = [block(text, None) for text in documents[url]]
        text = "\n".join(documents[url])
        page = Page(1, number, url, "a.com", AT + timedelta(seconds=number), 200, blocks=blocks)
        if labels:
            page.method = "justext"
            for each, label in zip(blocks, labels[url], strict=True):
                each.update(label=label, kept=label.endswith("good"))
        page.text, page.n_words, page.depth = text, len(text.split()), 1
        page.digest, page.language = text_digest(text).hex(), language
        record = pack_record([("documents", document_row(page))], 1)
        journal.write(
            lambda txn, record=record: append_record(
                txn, "docs", next_number(txn, "sequence"), record
            )
        )
        if number + 1 in (n_sealed, 2 * n_sealed):
            ShardSealer(folder, rows=1, n_bytes=1)(journal, force=True)
    journal.close()
    write_manifest(folder, settings="", counts={"fetched": len(names)}, shards=[])
