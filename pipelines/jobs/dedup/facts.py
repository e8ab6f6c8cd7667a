"""What the keep rules and the findings need to know of the documents of a corpus, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from crawler.durable.parquet import read_parquet
from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.corpus.corpus import Corpus
    from pipelines.jobs.dedup.options import Keep

    F64 = npt.NDArray[np.float64]
    U64 = npt.NDArray[np.uint64]

RANKS = "ranks/pagerank.parquet"


class Facts(NamedTuple):
    """One entry a document, in corpus order: its PageId, and the higher, the rather it is kept."""

    page_ids: U64
    goodness: F64


def read_facts(corpus: Corpus, keep: Keep) -> Facts:
    """Return the facts of all documents; InputError when *keep* is ``rank`` and nothing is ranked."""
    ids, values = [], []
    columns = ["host_id", "local_id", *_COLUMNS[keep]]
    for batch in corpus.batches("documents", columns):
        host = batch["host_id"].to_numpy(zero_copy_only=False).astype(np.uint64)
        ids.append(host << np.uint64(32) | batch["local_id"].to_numpy(zero_copy_only=False))
        values.append(_goodness(batch, keep))
    page_ids = np.concatenate([np.empty(0, dtype=np.uint64), *ids])
    goodness = np.concatenate([np.empty(0), *values])
    if keep == "rank":
        goodness = _ranks(corpus.corpus_dir / RANKS, page_ids)
    return Facts(page_ids, goodness)


_COLUMNS: dict[Keep, list[str]] = {
    "first": ["fetched_at"],
    "rank": [],
    "longest": ["n_words"],
    "complete": ["blocks"],
}


def _goodness(batch: pa.RecordBatch, keep: Keep) -> F64:
    if keep == "first":
        fetched = batch["fetched_at"].cast(pa.int64()).fill_null(0)
        return -fetched.to_numpy(zero_copy_only=False).astype(np.float64)
    if keep == "longest":
        return batch["n_words"].fill_null(0).to_numpy(zero_copy_only=False).astype(np.float64)
    if keep == "complete":
        kept = pc.struct_field(pc.list_flatten(batch["blocks"]), "kept")
        weights = kept.to_numpy(zero_copy_only=False)
        owners = pc.list_parent_indices(batch["blocks"]).to_numpy(zero_copy_only=False)
        return np.bincount(owners, weights=weights, minlength=batch.num_rows).astype(np.float64)
    return np.zeros(batch.num_rows)


def _ranks(path: Path, page_ids: U64) -> F64:
    """Return the rank of each page; pages that were not ranked have 0."""
    if not path.exists():
        raise InputError(f"no {path}; run scrapy pagerank first or take another --keep")
    order = np.argsort(page_ids, kind="stable")
    sorted_ids = page_ids[order]
    ranks = np.zeros(len(page_ids))
    for batch in read_parquet(path, ["host_id", "local_id", "rank"]):
        host = batch["host_id"].to_numpy(zero_copy_only=False).astype(np.uint64)
        ids = host << np.uint64(32) | batch["local_id"].to_numpy(zero_copy_only=False)
        places = np.minimum(np.searchsorted(sorted_ids, ids), max(len(order) - 1, 0))
        found = sorted_ids[places] == ids if len(order) else np.zeros(len(ids), dtype=np.bool_)
        ranks[order[places[found]]] = batch["rank"].to_numpy(zero_copy_only=False)[found]
    return ranks


def urls_of(corpus: Corpus, numbers: set[int]) -> dict[int, str]:
    """Return the URLs of the documents of those *numbers*."""
    found: dict[int, str] = {}
    first = 0
    for batch in corpus.batches("documents", ["url"]):
        wanted = [n for n in range(first, first + batch.num_rows) if n in numbers]
        if wanted:
            urls = batch["url"].take(pa.array([n - first for n in wanted]))
            found.update(zip(wanted, map(str, urls.to_pylist()), strict=True))
        first += batch.num_rows
    return found


def texts(corpus: Corpus) -> Iterator[str]:
    """Yield the text of each document, in corpus order."""
    for batch in corpus.batches("documents", ["text"]):
        for text in batch["text"].to_pylist():
            yield text or ""
