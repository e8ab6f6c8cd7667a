"""Page keys for benchmarks: made ones like those of the web, and the real ones of the shared pages.

Made pages: host sizes by a power law, local keys of 43 bytes on average, 120 links a page, of which
93 in a hundred stay on the host and about 19 name a page for the first time; each page is one of a
random host, which is the worst locality that a crawl can have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.urls import PageKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

LINKS = 120
NEW_SHARE = 19 / 120
FOREIGN_SHARE = 0.07
WORDS = [
    "archive",
    "article",
    "category",
    "comment",
    "content",
    "detail",
    "download",
    "entry",
    "event",
    "feature",
    "forum",
    "gallery",
    "index",
    "item",
    "journal",
    "library",
    "member",
    "message",
    "news",
    "note",
    "page",
    "photo",
    "post",
    "product",
    "profile",
    "project",
    "question",
    "reference",
    "report",
    "research",
    "review",
    "section",
    "service",
    "session",
    "story",
    "subject",
    "support",
    "topic",
    "thread",
    "update",
    "user",
    "version",
    "video",
    "view",
    "volume",
    "wiki",
    "year",
]


def host_name(host: int) -> str:
    """Return the key of made host number *host*."""
    return f"com.{WORDS[host % len(WORDS)]}{host}.www"


def local_key(host: int, page: int) -> str:
    """Return the local key of page number *page* of made host *host*."""
    mixed = (host * 0x9E3779B1 + page * 0x85EBCA77) & 0xFFFFFFFF
    first, second = WORDS[mixed % 47], WORDS[(mixed >> 8) % 47]
    name = f"{WORDS[(mixed >> 16) % 47]}-{mixed:08x}"
    return f"0/{first}/{second}-{page % 97}/{page}/{name}.html"


def made_key(host: int, page: int) -> PageKey:
    """Return the key of page number *page* of made host *host*."""
    return PageKey(host_name(host), local_key(host, page))


class MadeWeb:
    """Pages of *n_hosts* hosts, found in the order of a crawl that takes every page of a random host."""

    def __init__(self, n_hosts: int, seed: int = 1) -> None:
        self.rng = np.random.default_rng(seed)
        weights = np.arange(1, n_hosts + 1) ** -0.8
        self._edges = np.cumsum(weights / weights.sum())
        self.n_known = np.zeros(n_hosts, dtype=np.int64)

    def hosts(self, n: int) -> Sequence[int]:
        """Return *n* random hosts."""
        places = np.searchsorted(self._edges, self.rng.random(n))
        hosts: list[int] = np.minimum(places, len(self._edges) - 1).tolist()
        return hosts

    def new_keys(self, n: int) -> list[PageKey]:
        """Return the keys of *n* pages found now, about 19 of a host together."""
        keys: list[PageKey] = []
        for host in self.hosts(-(-n // 19)):
            first = int(self.n_known[host])
            self.n_known[host] += 19
            keys += [made_key(host, page) for page in range(first, first + 19)]
        return keys[:n]

    def links(self) -> list[PageKey]:
        """Return the links of the next page."""
        here, *others = self.hosts(1 + int(LINKS * FOREIGN_SHARE))
        n_new = int(self.rng.poisson(LINKS * NEW_SHARE))
        first = int(self.n_known[here])
        self.n_known[here] += n_new
        old = self.rng.integers(0, max(1, first), LINKS - n_new - len(others)).tolist()
        keys = [made_key(here, page) for page in (*range(first, first + n_new), *old)]
        known = [int(self.rng.integers(0, max(1, int(self.n_known[host])))) for host in others]
        return keys + [made_key(host, page) for host, page in zip(others, known, strict=True)]


def real_keys(shared: Path, n: int) -> Iterator[list[PageKey]]:
    """Yield the links of the shared pages, page by page, with made hosts, until they are *n*."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    from crawler.page import build_page

    pages: list[list[PageKey]] = []
    for file in sorted((shared / "warc").glob("*.warc.gz")):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
                url = record.headers["WARC-Target-URI"]
                kind = record.http_content_type
                page = build_page(record.reader.read(), url=url, content_type=kind)
                pages.append(list(page.links.key))
    done, round_ = 0, 0
    while done < n:
        for keys in pages:
            yield [PageKey(f"{key.host}.r{round_}", key.local) for key in keys]
            done += len(keys)
            if done >= n:
                return
        round_ += 1
