"""Reads a corpus folder once and counts: the figures of a report.

Memory: 24 bytes a HostID, the page table (15 bytes a page), twice `MAX_VALUES` values of a column, and one batch of
rows.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute
from xxhash import xxh3_64_intdigest

from crawler.durable.journals import open_readers
from crawler.durable.layout import MANIFEST
from crawler.durable.parquet import read_parquet
from crawler.ranking.store import check_ranks
from crawler.webgraph.pages.counts import page_counts
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.manifest import read_manifest
from pipelines.jobs.report.facts import COUNTED, NONE, CorpusFacts, HostTotal, Sample

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.corpus.corpus import Progress
    from pipelines.jobs.report.facts import Counts

    _Array = pa.Array[Any]

# The stubs tell arrays of strings, of lists and of numbers apart, which a column by its name is not.
pc: Any = pyarrow.compute

RANKS_FILE = "ranks/pagerank.parquet"
CLOSED_FILES = "closed-*.tsv"
SAMPLE_CHARS = 600
_GRAPH_COUNTS = ("hosts", "pages", "fetched", "gone", "refused", "queued")
_COLUMNS = (
    *("host_id", "url", "fetched_at", "title", "date", "text", "blocks", "n_words", "raw_bytes"),
    *("category", "signals"),
    *COUNTED,
)
_RANKED = 10


def gather(
    folder: Path, *, n_samples: int, n_hosts: int, progress: Progress | None = None
) -> CorpusFacts:
    """Return the facts of the corpus in *folder*, with that many samples and largest hosts.

    *progress* is told how far the reading is.
    The sample is of the documents whose URLs have the smallest hashes: the same at each run. Raises
    `InputError` when there is no corpus, `FormatError` when it is damaged.
    """
    corpus = Corpus.open(folder)
    facts = CorpusFacts(str(folder))
    facts.shard_bytes = sum(shard.bytes for shard in corpus.shards)
    if (folder / MANIFEST).exists():  # a crawl writes it after a while
        facts.release = read_manifest(folder).winnow
    with open_readers(folder) as journals:  # the manifest may be a minute behind
        counts = page_counts(journals)
    facts.graph = {name: counts[name] for name in _GRAPH_COUNTS}
    sample = _SmallestHashes(n_samples)
    for batch in corpus.told(progress).batches("documents", _COLUMNS):
        _add_documents(facts, batch)
        sample.add(batch)
    facts.samples = sample.found()
    for batch in corpus.batches("rejected", ("host_id", "stage", "reason")):
        _add_rejected(facts, batch)
    for batch in corpus.batches("provisional", ("decided",)):
        facts.provisional += pc.sum(pc.invert(pc.fill_null(batch["decided"], False))).as_py() or 0
    facts.largest_hosts = _largest_hosts(corpus, facts, n_hosts)
    facts.ranked = _ranked(folder / RANKS_FILE)
    for path in sorted(folder.glob(CLOSED_FILES)):
        facts.closed.update(_closed(path))
    return facts


def _add_documents(facts: CorpusFacts, batch: pa.RecordBatch) -> None:
    words = pc.fill_null(batch["n_words"], 0).cast(pa.int64())
    facts.n_documents += batch.num_rows
    facts.n_words += _sum(words)
    facts.text_bytes += _sum(pc.binary_length(batch["text"]))
    facts.raw_bytes += _sum(batch["raw_bytes"])
    _add_times(facts, batch["fetched_at"])
    for name in COUNTED:
        _add(facts.counted[name], batch[name], words)
    _add(facts.years, pc.utf8_slice_codeunits(batch["date"], 0, 4), words)
    _add_listed(facts.categories, batch["category"], words)
    _add_listed(facts.signals, batch["signals"], words)
    _add_blocks(facts, batch["blocks"])
    _add_lengths(facts, words.to_numpy(zero_copy_only=False))
    hosts = batch["host_id"].to_numpy(zero_copy_only=False).astype(np.int64)
    facts.hosts.add(hosts, 0, np.ones(len(hosts), dtype=np.int64))
    facts.hosts.add(hosts, 1, words.to_numpy(zero_copy_only=False))


def _sum(column: _Array) -> int:
    return int(pc.sum(column).as_py() or 0)


def _add_times(facts: CorpusFacts, times: _Array) -> None:
    bounds = pc.min_max(times).as_py()
    found = [each for each in (facts.first, facts.last, *bounds.values()) if each is not None]
    if found:
        facts.first, facts.last = min(found), max(found)


def _add(counts: Counts, values: _Array, words: _Array) -> None:
    table = pa.table({"value": pc.cast(values, pa.string()), "words": words})
    grouped = table.group_by("value").aggregate([("words", "count"), ("words", "sum")])
    columns = (grouped[name].to_pylist() for name in ("value", "words_count", "words_sum"))
    for value, n, n_words in zip(*columns, strict=True):
        counts.add(NONE if value is None else value, n, n_words)


def _add_listed(counts: Counts, lists: _Array, words: _Array) -> None:
    """Count the values of *lists*; a document with none is counted as `NONE`."""
    parents = pc.list_parent_indices(lists)
    _add(counts, pc.list_flatten(lists), words.take(parents))
    empty = pc.equal(pc.fill_null(pc.list_value_length(lists), 0), 0)
    n_empty = _sum(empty)
    if n_empty:
        counts.add(NONE, n_empty, _sum(words.filter(empty)))


def _add_blocks(facts: CorpusFacts, blocks: _Array) -> None:
    flat = pc.list_flatten(blocks)
    words = pc.fill_null(flat.field("words"), 0).cast(pa.int64())
    _add(facts.labels, flat.field("label"), words)
    facts.kept_words += _sum(words.filter(pc.fill_null(flat.field("kept"), False)))


def _add_lengths(facts: CorpusFacts, words: npt.NDArray[np.int64]) -> None:
    powers = np.frexp(np.maximum(words, 1))[1] - 1
    for power, n in zip(*np.unique(powers, return_counts=True), strict=True):
        facts.lengths[int(power)] += int(n)


def _add_rejected(facts: CorpusFacts, batch: pa.RecordBatch) -> None:
    grouped = pa.table(batch).group_by(["stage", "reason"]).aggregate([([], "count_all")])
    for row in grouped.to_pylist():
        facts.rejected[row["stage"] or NONE, row["reason"] or NONE] += row["count_all"]
    hosts = batch["host_id"].to_numpy(zero_copy_only=False).astype(np.int64)
    facts.hosts.add(hosts, 2, np.ones(len(hosts), dtype=np.int64))


class _SmallestHashes:
    """The *n* documents whose URLs have the smallest hashes."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._heap: list[tuple[int, str, Sample]] = []

    def add(self, batch: pa.RecordBatch) -> None:
        urls: list[str] = cast("Any", batch["url"].to_pylist()) if self._n else []
        for row, url in enumerate(urls):
            key = (-xxh3_64_intdigest(url.encode()), url)
            if len(self._heap) < self._n:
                heapq.heappush(self._heap, (*key, _sample(batch, row, url)))
            elif key > self._heap[0][:2]:
                heapq.heapreplace(self._heap, (*key, _sample(batch, row, url)))

    def found(self) -> list[Sample]:
        return [sample for *_, sample in sorted(self._heap, reverse=True)]


def _sample(batch: pa.RecordBatch, row: int, url: str) -> Sample:
    text = pc.utf8_slice_codeunits(batch["text"][row : row + 1], 0, SAMPLE_CHARS)
    title, language, words = (batch[name][row].as_py() for name in ("title", "language", "n_words"))
    return Sample(url, title or "", language or "", words or 0, text[0].as_py() or "")


def _largest_hosts(corpus: Corpus, facts: CorpusFacts, n: int) -> list[HostTotal]:
    """Return the *n* hosts with most words; their names are read now, as no others are wanted."""
    chosen = facts.hosts.largest(n)
    names: dict[int, str] = {}
    wanted = pa.array(chosen, pa.uint32())
    for batch in corpus.batches("documents", ("host_id", "host")):
        if len(names) == len(chosen):
            break
        found = batch.filter(pc.is_in(batch["host_id"], wanted))
        columns = (found[name].to_pylist() for name in ("host_id", "host"))
        names.update({host_id: host or "" for host_id, host in zip(*columns, strict=True)})
    return [HostTotal(host, names[host], *map(int, facts.hosts.totals[:, host])) for host in chosen]


def _ranked(path: Path) -> list[tuple[float, str]]:
    """Return rank and URL of the pages that rank highest, none without ranks."""
    if not path.exists():
        return []
    check_ranks(path)
    return heapq.nlargest(_RANKED, _highest(read_parquet(path, ("rank", "url"))))


def _highest(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[float, str]]:
    for batch in batches:
        order = pc.select_k_unstable(batch, _RANKED, [("rank", "descending")])
        best = batch.take(order)
        yield from zip(best["rank"].to_pylist(), best["url"].to_pylist(), strict=True)


def _closed(path: Path) -> Iterator[str]:
    """Yield the reason of each pattern that is closed."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        next(lines, None)
        for line in lines:
            yield line.partition("\t")[0].rstrip()
