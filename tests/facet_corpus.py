"""A small corpus folder with a graph, texts and categories, made by code from a seed."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import numpy as np

from crawler.durable.files import make_folder
from crawler.durable.journal import Journal, next_number
from crawler.durable.layout import journal_folder
from crawler.durable.records import pack_record
from crawler.durable.sealing import append_record
from crawler.items import Page
from crawler.urls import page_key
from crawler.webgraph.arcs.records import pack_arcs, page_arcs
from crawler.webgraph.hosts.rows import HostBatch
from crawler.webgraph.pages.table import PageTable
from pipelines.corpus.rows import document_row

AT = datetime(2026, 1, 2, tzinfo=UTC)
WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
# Each topic is a host's; the pages of a host link to each other most.
TOPICS = {
    "arts.sample": "Top/Arts",
    "film.sample": "Top/Arts/Film",
    "music.sample": "Top/Arts/Music",
    "sports.sample": "Top/Sports",
}
HOSTS = (*TOPICS, "other.sample")
PAGES_OF_HOST = 12


def url(host: str, number: int) -> str:
    return f"http://{host}/{number}"


URLS = [url(host, number) for host in HOSTS for number in range(PAGES_OF_HOST)]


def listed_topics() -> list[tuple[str, str, float]]:
    """Return (category, URL, weight) of the first three pages of each host that has a topic."""
    return [(TOPICS[host], url(host, i), 1.0) for host in TOPICS for i in range(3)]


def document(number: int, page_id: int, text: str, *, later: int = 0) -> dict[str, object]:
    """Return the row of document *number*, fetched *later* seconds after the others."""
    page = Page(
        page_id >> 32,
        page_id & 0xFFFFFFFF,
        URLS[number],
        "sample",
        AT + timedelta(seconds=number + later),
        200,
        title=f"Page {number}" if number % 3 else None,
        text=text,
    )
    return document_row(page)


def texts(seed: int = 1) -> list[str]:
    """Return a text for each page: some words, some of them often."""
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randint(3, 40))) for _ in URLS]


def append_documents(corpus, rows) -> None:
    """Commit *rows* of documents to the journal of *corpus*."""
    journal = Journal.open_writer(journal_folder(corpus))

    def commit(txn) -> None:
        packed = pack_record([("documents", row) for row in rows], len(rows))
        append_record(txn, "docs", next_number(txn, "sequence"), packed)

    journal.write(commit)
    journal.close()


def make_corpus(corpus, *, seed: int = 1) -> np.ndarray:
    """Make the corpus folder *corpus*; return the packed PageIds of `URLS`."""
    rng = random.Random(seed)
    make_folder(journal_folder(corpus))
    journal = Journal.open_writer(journal_folder(corpus))
    found = []

    def commit(txn) -> None:
        hosts = HostBatch(txn)
        table = PageTable(txn, hosts)
        ids, _ = table.ids([page_key(each) for each in URLS])
        found.append(ids)
        pages = []
        for number, page_id in enumerate(ids.tolist()):
            first = number - number % PAGES_OF_HOST
            near = [first + rng.randrange(PAGES_OF_HOST) for _ in range(3)]
            targets = np.array([ids[i] for i in [*near, rng.randrange(len(ids))]], dtype=np.uint64)
            # every fifth page links to nothing
            if number % 5:
                pages.append(page_arcs(page_id, targets, np.zeros(len(targets), dtype=np.uint8)))
        append_record(txn, "arcs", next_number(txn, "sequence"), pack_arcs(pages))
        for host, category in TOPICS.items():
            host_id = hosts.find(page_key(url(host, 0)).host)
            hosts.add_categories(host_id, {category})
        table.write_log(next_number(txn, "sequence"))
        hosts.write()

    journal.write(commit)
    journal.close()
    ids = found[0]
    rows = [
        document(i, page_id, text)
        for i, (page_id, text) in enumerate(zip(ids.tolist(), texts(seed), strict=True))
    ]
    append_documents(corpus, rows[:40])
    append_documents(corpus, rows[40:])
    return ids
