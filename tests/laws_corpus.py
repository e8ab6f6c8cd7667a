"""Small corpus folders for the tests of the laws, made by code from a seed."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from crawler.durable.files import make_folder
from crawler.durable.journal import Journal, next_number
from crawler.durable.layout import journal_folder
from crawler.durable.records import pack_record
from crawler.durable.sealing import append_record
from crawler.items import Page
from pipelines.corpus.rows import document_row
from pipelines.corpus.schema import SCHEMAS

AT = datetime(2026, 1, 2, tzinfo=UTC)
MENU = ("Home", "About us", "Contact", "Site map", "News 3", "Posted Monday", "Terms of use")
LETTERS = "abcdefghijklmnoprstuvw"


def url(i: int) -> str:
    return f"http://a.com/{i}"


def block(text: str, segment: int | None) -> dict[str, object]:
    return {
        "text": text,
        "kind": "paragraph",
        "segment": segment,
        "label": "main",
        "kept": True,
        "words": len(text.split()),
        "link_density": 0.0,
        "text_density": 0.0,
        "path": "body/p",
    }


def _sentence(rng: random.Random) -> str:
    words = [
        "".join(rng.choices(LETTERS, k=rng.choice((2, 3, 4, 5, 6, 7, 9))))
        for _ in range(rng.randint(3, 24))
    ]
    return f"{' '.join(words).capitalize()}{rng.choice('...!?')}"


def _paragraph(rng: random.Random) -> str:
    return " ".join(["Although", *(_sentence(rng) for _ in range(rng.randint(1, 8)))])


def made_documents(n_documents: int, seed: int = 1) -> list[list[dict[str, object]]]:
    """Return the blocks of documents: menus in one segment or many, then paragraphs. Two are empty."""
    rng = random.Random(seed)
    documents: list[list[dict[str, object]]] = []
    for i in range(n_documents):
        blocks = []
        segment = 0
        for _ in range(rng.randint(2, 12)):
            text = rng.choice(MENU) if rng.random() < 0.6 else _paragraph(rng)
            blocks.append(block(text, segment))
            segment += rng.random() < 0.8
        documents.append([] if i in {3, n_documents - 1} else blocks)
    return documents


def make_corpus(corpus_dir, documents) -> None:
    """Make a corpus folder of *documents*, the blocks of each (None: a null column)."""
    write_pages(
        corpus_dir,
        [Page(1, i, url(i), "a.com", AT, 200, blocks=blocks) for i, blocks in enumerate(documents)],
    )


def write_pages(corpus_dir, pages, rejected=()) -> None:
    """Make a corpus folder whose documents are *pages*; *rejected* are rows of the table of that name."""
    folder = journal_folder(corpus_dir)
    make_folder(folder)
    journal = Journal.open_writer(folder)
    rows = [("documents", document_row(page)) for page in pages]
    rows += [("rejected", dict.fromkeys(SCHEMAS["rejected"].names) | row) for row in rejected]

    def work(txn) -> None:
        append_record(txn, "docs", next_number(txn, "sequence"), pack_record(rows, len(rows)))

    if rows:
        journal.write(work)
    journal.close()
