"""A crawl of the sample web without a network: the real frontier, the page model, and a plain cleaner.

Blocks of ten words and more that are no links are the main text; a page is short below 25 words, a
duplicate when its text was seen, a near-duplicate when three quarters of its blocks were seen on a page, or
by the index of a crawl.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime
from urllib.parse import urlsplit

import numpy as np

from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.page import build_page
from crawler.page.links import redirect_link
from crawler.urls import page_key
from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.near_index.index import NearIndex
from pipelines.duplicates.near_index.store import likeness
from pipelines.duplicates.verdicts import NearRule


class Duplicates:
    """Tells what the text of a page repeats."""

    def __init__(self):
        self.texts = {}
        self.pages_with = defaultdict(list)
        self.n_blocks = {}

    def find(self, capture, blocks):
        """Return why the page of *capture* is a copy, and of which URL; or None and None."""
        url, text = capture.url, "\n".join(blocks)
        if text in self.texts:
            return "duplicate", self.texts[text]
        shared = Counter(other for block in set(blocks) for other in self.pages_with[block][:50])
        for other, n in shared.most_common(1):
            if n >= 0.75 * max(len(set(blocks)), self.n_blocks[other]):
                return "near_duplicate", other
        self.texts[text] = url
        self.n_blocks[url] = len(set(blocks))
        for block in set(blocks):
            self.pages_with[block].append(url)
        return None, None


class IndexedDuplicates:
    """Tells it as the stage of a crawl does, and how like others of its host a page is."""

    def __init__(self):
        self.rule = NearRule()
        self.index = NearIndex(self.rule.n_keys)
        self.texts = {}
        self.urls = []

    def find(self, capture, blocks):
        text = "\n".join(blocks)
        if text in self.texts:
            return "duplicate", self.texts[text]
        _, keys, code = self.rule.signature(text, text_digest(text))
        found = self.index.find(keys, code, self.rule.least_equal(), capture.page_id)
        if found.number is not None:
            return "near_duplicate", self.urls[found.number]
        capture.likeness = likeness(found.n_alike, found.n_equal)
        number, page_id, codes = np.array([[len(self.urls)], [capture.page_id], [code]], np.uint64)
        self.index.add(number, page_id, codes, keys[None])
        self.texts[text] = capture.url
        self.urls.append(capture.url)
        return None, None


def local(url):
    parts = urlsplit(url)
    return parts.netloc, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def fill(capture, answer, duplicates):
    """Write into *capture* what came of its fetch."""
    capture.fetched_at, capture.status = datetime.now(UTC), answer.status
    capture.n_bytes = len(answer.body)
    if answer.location:
        capture.links = redirect_link(capture.url, answer.location)
        return capture.reject(stage="fetch", reason="redirect")
    if answer.status != 200:
        capture.state = "gone"
        return capture.reject(stage="fetch", reason=f"status_{answer.status}")
    if "html" not in answer.content_type:
        return capture.reject(stage="admit", reason="content_type")
    model = build_page(answer.body, url=capture.url, content_type=answer.content_type)
    capture.links = model.links
    main = [
        (text, n_words)
        for text, n_words, density in zip(
            model.blocks.text, model.blocks.n_words, model.blocks.link_density, strict=True
        )
        if n_words >= 10 and density < 0.3
    ]
    blocks, n_words = [text for text, _ in main], int(sum(n for _, n in main))
    if n_words < 25:
        return capture.reject(stage="quality", reason="short_text")
    reason, original = duplicates.find(capture, blocks)
    capture.row = {"text": "\n".join(blocks), "raw_bytes": len(answer.body), "n_words": n_words}
    if reason is not None:
        capture.table = "provisional"
        capture.row |= {"reason": reason, "duplicate_of": original}
    return None


def is_refused(capture):
    """Tell whether the page of a capture is refused, and why is known."""
    return bool(capture.row) and capture.state == "refused"


def reason_of(capture):
    """Return why the page of a capture is refused."""
    return capture.row["reason"]


def crawl(web, folder, steering, *, max_pages, seeds=None, duplicates=None):
    """Crawl *web* from its seeds; return the URLs that were fetched, in order, and the refusals."""
    store = CrawlStore(
        folder,
        policy=FrontierPolicy(host_delay_secs=0),
        commit=CommitPolicy(sync_secs=3600, group_pages=50),
    )
    store.sealers.clear()
    store.frontier.steering = steering
    store.on_commit.append(steering.learn)
    keys = map(page_key, seeds or {url for _, url in web.seeds()})
    store.add_seeds([(key, ()) for key in keys if key is not None])
    fetched: list[str] = []
    refused: Counter[str] = Counter()
    duplicates = duplicates or Duplicates()
    store.on_commit.append(
        lambda captures: refused.update(map(reason_of, filter(is_refused, captures)))
    )
    now = 0.0
    while len(fetched) < max_pages:
        now += 1
        lease = store.next_page(now)
        if lease is None:
            store.flush()
            lease = store.next_page(now)
        if lease is None and not store.has_pending():
            break
        if lease is None:
            continue
        capture = store.open_capture(lease)
        answer = web.page(*local(lease.url))
        if answer is None:
            capture.state = "gone"
            capture.reject(stage="fetch", reason="dns")
        else:
            fetched.append(lease.url)
            fill(capture, answer, duplicates)
        store.finish(capture, now)
    store.flush()
    store.journal.close()
    return fetched, refused
