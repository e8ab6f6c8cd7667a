"""Clusters of duplicates among all pages, and which page of each is kept.

1. Pages of one digest are exact copies: each is paired with one of them.
2. That one is compared with the others for near-duplicates (:mod:`pipelines.jobs.dedup.candidates`).
3. Clusters are the connected components of the pairs. Of each the keep rule keeps one: ``longest``,
   that of the most words (the default: it loses the least text); ``first``, the one fetched
   first; ``rank``, that of the host of the highest PageRank, of ``ranks/``; ``complete``, that of the
   most kept blocks. Ties go to the shortest URL.

But for ``first``, which is of the clock, nothing depends on the order in which pages came.

Memory: 150 bytes a page beside what candidates take. In temporary files: the URLs of pages in clusters.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pipelines.duplicates.fingerprints.broder import clusters
from pipelines.duplicates.kept import kept_pages
from pipelines.jobs.dedup.candidates import NearPairs, near_pairs
from pipelines.jobs.dedup.pages import Pages, batches, read_pages, texts
from pipelines.jobs.dedup.spool import ArraySpool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.corpus.corpus import Corpus
    from pipelines.jobs.dedup.options import DedupOptions

    Bools = npt.NDArray[np.bool_]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Decided:
    """*kept* is, for each page, the one that is kept of its cluster; *near* are all pairs."""

    pages: Pages
    near: NearPairs
    kept: I64
    urls: ArraySpool[np.uint8]

    def url(self, number: int) -> str:
        """Return the URL of a page of a cluster."""
        return _url(self.urls, number)

    def members(self) -> I64:
        """Return the pages of clusters, ascending."""
        return np.unique(self.near.pairs)

    def is_exact(self, a: int, b: int) -> bool:
        """Tell whether the pages *a* and *b* have the same text."""
        return bool((self.pages.digests[a] == self.pages.digests[b]).all())


@contextmanager
def decided(corpus: Corpus, options: DedupOptions, folder: Path | None = None) -> Iterator[Decided]:
    """Yield what becomes of the pages of *corpus*; temporary files are in *folder*, by default those of all
    programs.
    """
    pages = read_pages(corpus, options.keep)
    exact, first_of = _exact_pairs(pages.digests)
    find = near_pairs
    if options.engine == "spark":
        from pipelines.jobs.dedup import spark

        find = spark.near_pairs
    near = find(partial(texts, corpus), first_of, pages.digests[:, 0], options, folder)
    members = np.unique(np.concatenate((near.pairs, exact)))
    with ArraySpool(np.uint8, folder) as urls:
        _spool_urls(corpus, members, urls, len(pages.page_ids))
        near = _joined(near, exact, urls)
        component = clusters(len(pages.page_ids), near.pairs)
        kept = kept_pages(component, pages.goodness, members, lambda n: _url(urls, n))
        yield Decided(pages, near, kept, urls)


def _url(urls: ArraySpool[np.uint8], number: int) -> str:
    return urls[number].tobytes().decode("utf-8", "surrogatepass")


def _exact_pairs(digests: U64) -> tuple[I64, Bools]:
    """Return (first, other) of the pages with one digest, and which are the first of theirs, bool[n]."""
    order = np.lexsort((digests[:, 1], digests[:, 0]))
    ordered = digests[order]
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    firsts = order[np.maximum.accumulate(np.where(is_first, np.arange(len(order)), 0))]
    is_copy = ~is_first
    pairs = np.stack((firsts[is_copy], order[is_copy]), axis=1)
    first_of = np.zeros(len(order), dtype=np.bool_)
    first_of[order[is_first]] = True
    return pairs.astype(np.int64), first_of


def _joined(near: NearPairs, exact: I64, urls: ArraySpool[np.uint8]) -> NearPairs:
    """Return all pairs; of exact copies that of the smallest URL stands for all."""
    best: dict[int, int] = {}
    for first, copy in exact.tolist():
        best[first] = min(best.get(first, first), copy, key=lambda number: _url(urls, number))
    of = np.arange(len(urls), dtype=np.int64)
    of[list(best)] = list(best.values())
    copies = np.where(exact[:, 1] == of[exact[:, 0]], exact[:, 0], exact[:, 1])
    pairs = np.concatenate((of[near.pairs], np.stack((of[exact[:, 0]], copies), axis=1)))
    likeness = np.concatenate((near.likeness, np.ones(len(exact))))
    return NearPairs(np.sort(pairs, axis=1), likeness)


def _spool_urls(corpus: Corpus, members: I64, urls: ArraySpool[np.uint8], n: int) -> None:
    is_member = np.zeros(n, dtype=np.bool_)
    is_member[members] = True
    number = 0
    for batch in batches(corpus, ["url"]):
        for url in batch["url"].to_pylist():
            raw = str(url).encode("utf-8", "surrogatepass") if is_member[number] else b""
            urls.append(np.frombuffer(raw, dtype=np.uint8))
            number += 1
