"""What later visits replaced is moved, and its signature forgotten, over kills: what is left is what is made anew."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from datetime import timedelta

import numpy as np
import pytest

from crawler.durable.journal import Journal, next_number, no_step
from crawler.durable.layout import journal_folder
from crawler.durable.records import pack_record
from crawler.durable.sealing import append_record
from crawler.durable.visits import STALE, microseconds, stale_key
from crawler.items import Page
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.rows import document_row
from pipelines.corpus.schema import SCHEMAS
from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.near_index.rows import KeptPage, row_chunks
from pipelines.duplicates.near_index.store import Copy, StoredIndex
from pipelines.duplicates.verdicts import NearRule
from pipelines.jobs.replacing import move_stale
from tests.laws_corpus import AT, url

RULE = NearRule()
# Of each page the tables of its captures, in their order: the last stands.
CAPTURES = (
    ["documents"],
    ["documents", "documents"],
    ["documents", "rejected"],
    ["documents", "documents", "documents"],
    ["rejected", "documents"],
    ["documents", "provisional"],
    ["rejected"],
    ["documents", "rejected", "documents"],
)
STEPS = ("rewrite written", "rewrite renamed", "rewrite committed")


class KilledError(Exception):
    """What ends a run at a step."""


def text_of(page_id, visit):
    rng = np.random.default_rng(100 * page_id + visit)
    return " ".join(f"w{number}" for number in rng.integers(0, 10**6, 80).tolist())


def kept_page(page_id, text):
    return KeptPage(page_id, page_id, RULE.signature(text, text_digest(text)))


def store_captures(folder):
    """Write the captures as a crawl commits them, those of one visit to all pages together."""
    make = journal_folder(folder)
    make.mkdir(parents=True)
    with closing(Journal.open_writer(make)) as journal:
        index = StoredIndex(journal, RULE)
        index.remake(())
        for visit in range(max(map(len, CAPTURES))):
            for page_id, tables in enumerate(CAPTURES):
                if visit < len(tables):
                    store_capture(journal, index, page_id, visit)
        index.save()


def store_capture(journal, index, page_id, visit):
    table, text = CAPTURES[page_id][visit], text_of(page_id, visit)
    at = AT + timedelta(days=visit)
    row = document_row(Page(0, page_id, url(page_id), "a.com", at, 200, text=text, n_words=80))
    row |= {"reason": "x", "stage": "x", "duplicate_of": None, "raw_digest": 0, "decided": False}
    record = pack_record([(table, {n: row.get(n) for n in SCHEMAS[table].names})], 1)
    puts = [index.add(kept_page(page_id, text))] if table == "documents" else []
    if visit:
        before = microseconds(at - timedelta(days=1))
        puts.append((STALE, stale_key(page_id, before), b"changed"))

    def write(txn):
        append_record(txn, "docs", next_number(txn, "sequence"), record)
        for put in puts:
            txn.put(*put)

    journal.write(write)
    index.committed(page_id, kept=table == "documents")


def rows_in(journal):
    return Counter(tuple(row) for _, rows in row_chunks(journal, 0) for row in rows.tolist())


@pytest.mark.parametrize("step", [None, *STEPS])
def test_signatures_are_those_of_the_documents_that_stand(tmp_path, step):
    """All were made anew for one page that had changed: half a minute of 130,000 documents."""
    store_captures(tmp_path)
    with closing(Journal.open_writer(journal_folder(tmp_path))) as journal:
        if step is not None:
            journal.on_step = killing_at(step)
            with pytest.raises(KilledError):
                move_stale(tmp_path, [journal])
            journal.on_step = no_step
        moved = move_stale(tmp_path, [journal])
        assert moved == (0 if step == STEPS[-1] else 8)
        index = StoredIndex(journal, RULE)
        assert not index.is_stale
        documents = {row["local_id"]: row["text"] for row in Corpus(tmp_path, journal).documents()}
        assert sorted(documents) == [0, 1, 3, 4, 7]
        for page_id, tables in enumerate(CAPTURES):
            for visit in range(len(tables)):
                text = text_of(page_id, visit)
                copy = index.find(kept_page(99, text)).copy
                stands = documents.get(page_id) == text
                assert copy == (Copy(page_id, "duplicate") if stands else None), (page_id, visit)
        found = rows_in(journal)
        index.remake(kept_page(*document) for document in documents.items())
        assert rows_in(journal) == found


def killing_at(wanted):
    def on_step(step):
        if step == wanted:
            raise KilledError

    return on_step
