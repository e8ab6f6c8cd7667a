"""A crawl of given pages through the stages ``deduplicate`` and ``store``, on the real store."""

from __future__ import annotations

import os
import random
import signal
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import numpy as np
from scrapy.exceptions import DropItem
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from crawler.durable.journal import Journal, no_step
from crawler.errors import StoppedError
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.items import Page
from crawler.page import build_page
from crawler.urls import page_key
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.run import close_corpus, dedup_corpus
from pipelines.stages.deduplicate import DeduplicateStage
from pipelines.stages.store import StoreStage
from settings import project

DEFAULTS = {name: value for name, value in vars(project).items() if name.isupper()}
START = datetime(2026, 1, 2, tzinfo=UTC)


class ToyCrawl:
    """Opens the stages on the store in *folder*; ``with`` closes them, as at an end when *is_end*."""

    def __init__(self, folder, *, on_step=no_step, **settings):
        self.folder = folder
        given = {**DEFAULTS, "SEAL_ROWS": 9, "CORPUS_DIR": str(folder), **settings}
        self.crawler = get_crawler(settings_dict=given)
        self.crawler.stats = self.stats = MemoryStatsCollector(self.crawler)
        policy, commit = FrontierPolicy(host_delay_secs=0.0), CommitPolicy(group_pages=4)
        self.store = CrawlStore(folder, policy=policy, commit=commit, on_step=on_step)
        scheduler = SimpleNamespace(store=self.store, is_ended_by_parent=False)
        self.crawler.engine = SimpleNamespace(scheduler=scheduler)
        self.deduplicate = DeduplicateStage.from_crawler(self.crawler)
        self.last = StoreStage.from_crawler(self.crawler)
        try:
            self.deduplicate.open_spider()
        except StoppedError:
            self.store.close()
            raise
        self.last.open_spider()
        self.n_fetched = 0

    def fetch(self, url, blocks):
        """Take *url*, whose main text is *blocks*, through the stages; return whether it was kept."""
        key = page_key(url)
        self.store.add_seeds([(key, ())])
        lease = self.store.lease_key(key, 0.0, polite=False)
        capture = self.store.open_capture(lease)
        self.n_fetched += 1
        source = "".join(f"<p>{block}</p>" for block in blocks).encode()
        model = build_page(source, url=url, content_type="text/html")
        model.capture = capture
        model.kept = np.ones(len(model.blocks), dtype=np.bool_)
        model.labels = ["good"] * len(model.blocks)
        capture.fetched_at = START + timedelta(seconds=self.n_fetched)
        ids = (capture.host_id, capture.local_id)
        page = Page(*ids, capture.url, capture.host, capture.fetched_at, 200, method="toy")
        page.text = "\n".join(model.blocks.text)
        page.n_words = int(model.blocks.n_words.sum())
        page.attach(model)
        try:
            self.deduplicate.work(page, model)
            self.last.work(page, model)
            self.stats.inc_value("store/pages")
        except DropItem:
            return False
        finally:
            self.store.finish(capture, 0.0)
        return True

    def close(self, *, is_end=True):
        """Close the store; at the *end* of the crawl the closing pass runs."""
        if is_end:
            self.deduplicate.spider_idle()
        self.store.close()


def crawl(folder, pages, **settings):
    """Crawl *pages*, url -> blocks, in their order to the end; return the stats."""
    toy = ToyCrawl(folder, **settings)
    for url, blocks in pages.items():
        toy.fetch(url, blocks)
    toy.close()
    return toy.stats.get_stats()


def shuffled(pages, seed):
    """*pages* in another order."""
    names = list(pages)
    random.Random(seed).shuffle(names)
    return {name: pages[name] for name in names}


def made_text(rng, n_words=120):
    words = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(3, 9))) for _ in range(n_words)]
    return [" ".join(words[i : i + 30]) for i in range(0, n_words, 30)]


def edited(blocks, rng, n_words):
    """*blocks* with *n_words* of their words changed."""
    words = [block.split() for block in blocks]
    for number in range(n_words):
        words[rng.randrange(len(words))][rng.randrange(30)] = f"other{number}"
    return [" ".join(each) for each in words]


def made_pages():
    """Pages of all kinds: unique, copies of text, copies to the byte, near ones, and a chain of these."""
    rng = random.Random(5)
    pages = {}
    for number in range(12):
        text = made_text(rng)
        pages[f"http://a.com/{number}"] = text
        if number % 3 == 1:
            pages[f"http://b.com/copy/{number}"] = text
            pages[f"http://a.com/again/{number}"] = [text[0], *text[1:]]
            pages[f"http://c.com/spaced/{number}"] = [block.replace(" ", "  ") for block in text]
        if number % 3 == 2:
            pages[f"http://b.com/near/{number}"] = edited(text, rng, 4)
            pages[f"http://c.com/longer/{number}"] = [*text, "and a few words more than that"]
    link = made_text(rng)
    for number in range(6):
        pages[f"http://d.com/chain/{number}"] = link
        link = edited(link, rng, 5)
    return pages


def picture(folder):
    """What the corpus in *folder* came to, by URL, checked for one row a page and kept copies."""
    corpus = Corpus.open(folder)
    documents = {row["url"]: row["text"] for row in corpus.documents(["url", "text"])}
    rows = list(corpus.rejected(["url", "reason", "duplicate_of"]))
    rejected = {row["url"]: (row["reason"], row["duplicate_of"]) for row in rows}
    assert len(documents) == corpus.n_rows("documents")
    assert len(rows) == len(rejected)
    assert not documents.keys() & rejected.keys()
    return documents, rejected


def crawl_killed_at(step, folder, seed):
    """Crawl :func:`made_pages` in an order drawn from *seed* in a process that kills itself at *step*."""

    def on_step(name):
        if name == step:
            os.kill(os.getpid(), signal.SIGKILL)

    crawl(folder, shuffled(made_pages(), seed), on_step=on_step)


def dedup_killed_at(step, folder, output):
    """Deduplicate the corpus in *folder* in a process that kills itself at *step* of a journal."""

    def on_step(name):
        if name == step:
            os.kill(os.getpid(), signal.SIGKILL)

    init = Journal.__init__
    Journal.__init__ = lambda self, path, **others: init(
        self, path, **{**others, "on_step": on_step}
    )
    if output == folder:
        close_corpus(folder, DedupOptions())
    dedup_corpus(folder, DedupOptions(), output=output)
