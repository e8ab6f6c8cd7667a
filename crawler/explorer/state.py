"""What the explorer knows of a corpus: a snapshot that is renewed when the corpus changes.

Memory: the compressed tails of the journals, the search index as its engine maps it, the rank vectors
mapped from disk, and the facts of the report, 24 bytes a HostID.
"""

from __future__ import annotations

from concurrent.futures import Future, wait
from itertools import chain
from threading import RLock, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import compute

from crawler.durable.layout import MANIFEST
from crawler.errors import InputError
from crawler.urls import page_key, page_url
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.facets.run import answer_with
from pipelines.jobs.facets.search import FacetSearch
from pipelines.jobs.index.run import TEXT
from pipelines.jobs.report.gather import RANKS_FILE, gather
from pipelines.retrieval.text_index import TextIndex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pipelines.jobs.facets.run import FacetAnswer
    from pipelines.jobs.facets.search import FacetOptions
    from pipelines.jobs.report.facts import CorpusFacts

N_SAMPLES, N_HOSTS = 10, 100
# How long a page waits for the corpus to be counted.
COUNT_SECS = 3.0
# Results of one page of a list.
PAGE_ROWS = 50
_RESULT_COLUMNS = ("host_id", "local_id", "url", "title", "text", "category", "depth")


class Result(NamedTuple):
    """A page that was found: its ids, and what is shown of it; *topics* with its membership in each.

    *category*: what the seeds of its host are listed under, of which it is one itself where *is_seed*.
    """

    host_id: int
    local_id: int
    url: str
    title: str
    text: str
    category: list[str]
    is_seed: bool
    topics: list[tuple[str, float]]


class Answer(NamedTuple):
    """Results of a query, *n_found* in all; *facets*: None when the corpus has no ranks.

    *has_more*: others can be had. A page of the index that has gone from the corpus is no result.
    """

    n_found: int
    results: list[Result]
    has_more: bool
    facets: FacetAnswer | None


class Rows(NamedTuple):
    """Some rows of a list; *has_more*: there are others behind them."""

    rows: list[dict[str, Any]]
    has_more: bool


class Explorer:
    """The corpus in *folder*. Raises `InputError` when there is none, `FormatError` when it is damaged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = RLock()
        self._corpus = Corpus.open(folder)
        self._stamp = self._stamped()
        self._facts: CorpusFacts | None = None
        self._counted: Corpus | None = None
        self._counting: Future[CorpusFacts] | None = None
        self._search: tuple[object, TextIndex | FacetSearch] | None = None

    def _stamped(self) -> tuple[int, ...]:
        """Return when the corpus, its index and its ranks were last written."""
        files = (self.folder / name for name in (MANIFEST, f"{TEXT}/meta.json", RANKS_FILE))
        return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in files)

    @property
    def corpus(self) -> Corpus:
        """The corpus as it is now."""
        with self._lock:
            if (stamp := self._stamped()) != self._stamp:
                self._corpus, self._stamp = Corpus.open(self.folder), stamp
            return self._corpus

    def renew(self) -> None:
        """Open the corpus again when it is next asked for: its files are not those of the snapshot."""
        self._stamp = ()

    def facts(self) -> CorpusFacts | None:
        """Return the facts of the report; of an earlier state, or None, while they are counted."""
        with self._lock:
            corpus = self.corpus
            if self._counted is not corpus and self._counting is None:
                self._counted, self._counting = corpus, Future()
                # One that the end of the process does not wait for.
                count = Thread(target=_count, args=(self.folder, self._counting), daemon=True)
                count.start()
            counting = self._counting
        if counting is not None:
            wait([counting], timeout=COUNT_SECS)
        with self._lock:
            if counting is not None and counting.done() and counting is self._counting:
                self._counting = None
                self._facts = counting.result()
            return self._facts

    def _opened(self) -> TextIndex | FacetSearch:
        """Return the index, with the rank vectors if there are any."""
        with self._lock:
            corpus = self.corpus
            if self._search is None or self._search[0] is not corpus:
                try:
                    found: TextIndex | FacetSearch = FacetSearch(self.folder)
                except InputError:
                    found = TextIndex(self.folder / TEXT)
                self._search = (corpus, found)
            return self._search[1]

    def search(
        self,
        query: str,
        n: int,
        *,
        facets: Sequence[str] = (),
        options: FacetOptions | None = None,
    ) -> Answer:
        """Return the best *n* pages of *query*, ranked by *facets* where the corpus has ranks.

        *options* say how the facets are identified.

        Raises `InputError` when there is no index, or no such facet.
        """
        opened = self._opened()
        topics: dict[int, list[tuple[str, float]]] = {}
        if isinstance(opened, TextIndex):
            hits = opened.search(query, n)
            pages, n_found, answer = hits.page_ids, hits.n_found, None
        else:
            answer = answer_with(opened, query, options, chosen=facets, n_results=n)
            n_found = answer.found
            topics = {each.host_id << 32 | each.local_id: each.topics() for each in answer.results}
            pages = np.array(list(topics), dtype=np.uint64)
        rows = {
            row["host_id"] << 32 | row["local_id"]: row
            for row in self.corpus.find("documents", pages, _RESULT_COLUMNS)
        }
        results = [
            _result(rows[page], topics.get(page, [])) for page in pages.tolist() if page in rows
        ]
        return Answer(n_found, results, len(pages) == n < n_found, answer)

    def page(self, host_id: int, local_id: int) -> tuple[str, dict[str, Any]] | None:
        """Return the table that has the row of a page, and the row; None for unknown ones."""
        pages = np.array([host_id << 32 | local_id], dtype=np.uint64)
        for table in ("documents", "rejected", "provisional"):
            for row in self.corpus.find(table, pages):
                return table, row
        return None

    def page_of_url(self, url: str) -> tuple[int, int] | None:
        """Return HostID and LocalID of the page of *url*, None for one that the corpus has not."""
        key = page_key(url)
        canonical = url if key is None else page_url(key)
        for table in ("documents", "rejected"):
            for page in self.corpus.pages_of_url(table, canonical).tolist():
                return page >> 32, page & 0xFFFFFFFF
        return None

    def rejected(self, reason: str, start: int) -> Rows:
        """Return `PAGE_ROWS` rejections from the *start*-th on, of *reason* ``stage/reason`` or of all."""
        columns = ("host_id", "local_id", "url", "stage", "reason", "duplicate_of")
        stage, _, why = reason.partition("/")
        wanted = {"stage": stage, "reason": why} if reason else {}
        return _some(self.corpus.batches("rejected", columns), wanted, start)

    def host(self, host_id: int, start: int) -> Rows:
        """Return `PAGE_ROWS` pages of a host from the *start*-th on, its documents before what was rejected."""
        page = ("host_id", "local_id", "url", "host")
        documents = self.corpus.batches("documents", (*page, "title", "language", "n_words"))
        rejected = self.corpus.batches("rejected", (*page, "stage", "reason"))
        return _some(chain(documents, rejected), {"host_id": host_id}, start)


def _result(row: dict[str, Any], topics: list[tuple[str, float]]) -> Result:
    shown = {name: row[name] for name in ("host_id", "local_id", "url", "text")}
    category = row["category"] or []
    # A crawl begins with its seeds, and what they redirect to is as near.
    is_seed = bool(category) and row["depth"] == 0
    return Result(
        **shown, title=row["title"] or "", category=category, is_seed=is_seed, topics=topics
    )


def _count(folder: Path, counting: Future[CorpusFacts]) -> None:
    try:
        counting.set_result(gather(folder, n_samples=N_SAMPLES, n_hosts=N_HOSTS))
    except Exception as error:  # noqa: BLE001 - it is raised where the facts are asked for
        counting.set_exception(error)


def _some(batches: Iterator[pa.RecordBatch], wanted: dict[str, Any], start: int) -> Rows:
    """Return the rows of *batches* whose columns have the values *wanted*, from the *start*-th on."""
    rows: list[dict[str, Any]] = []
    n_passed = 0
    for batch in batches:
        found = batch
        for name, value in wanted.items():
            found = found.filter(compute.equal(found[name], pa.scalar(value, found[name].type)))
        first = max(0, start - n_passed)
        n_passed += found.num_rows
        rows += found.slice(first, PAGE_ROWS + 1 - len(rows)).to_pylist()
        if len(rows) > PAGE_ROWS:
            return Rows(rows[:PAGE_ROWS], has_more=True)
    return Rows(rows, has_more=False)
