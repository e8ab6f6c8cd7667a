"""All pages that duplicates are sought among: the documents of a corpus, then its provisional duplicates.

A page is its number in this order. Decisions do not depend on it.

Memory: 40 bytes a page, and while the ranks of hosts are read 24 more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from crawler.durable.parquet import read_parquet
from crawler.errors import InputError
from crawler.ranking.store import check_ranks
from pipelines.duplicates.exact import text_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.corpus.corpus import Corpus
    from pipelines.jobs.dedup.options import Keep

    F64 = npt.NDArray[np.float64]
    U64 = npt.NDArray[np.uint64]

RANKS = "ranks/pagerank.parquet"
TABLES = ("documents", "provisional")


class Pages(NamedTuple):
    """One entry a page: PageId, digest of its text in two halves, and the higher, the rather kept.

    The first *n_documents* are documents.
    """

    page_ids: U64
    digests: U64
    goodness: F64
    n_documents: int


def batches(corpus: Corpus, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Yield *columns* of all pages."""
    for table in TABLES:
        yield from corpus.batches(table, columns)


def texts(corpus: Corpus, wanted: npt.NDArray[np.bool_]) -> Iterator[str]:
    """Yield the text of each page that is *wanted*, bool[pages], of others nothing: ""."""
    first = 0
    for batch in batches(corpus, ["text"]):
        column = batch["text"]
        is_wanted = wanted[first : first + len(column)]
        found = pc.if_else(pa.array(is_wanted), column, "").to_pylist()
        for text in found:
            yield text or ""
        first += len(column)


def read_pages(corpus: Corpus, keep: Keep) -> Pages:
    """Return what is decided by; InputError when *keep* is ``rank`` and nothing is ranked."""
    ids, digests, goodness = [np.empty(0, np.uint64)], [np.empty((0, 2), np.uint64)], [np.empty(0)]
    has_all = True
    for batch in batches(corpus, ["host_id", "local_id", "digest", *COLUMNS[keep]]):
        ids.append(page_ids(batch))
        has_all &= not batch["digest"].null_count
        digests.append(_digests(batch["digest"].to_pylist()))
        goodness.append(_goodness(batch, keep))
    if not has_all:
        digests = list(map(_made_digests, batches(corpus, ["digest", "text"])))
    joined = np.concatenate(ids)
    good = _host_ranks(corpus.corpus_dir / RANKS, joined) if keep == "rank" else None
    return Pages(
        joined,
        np.concatenate(digests),
        np.concatenate(goodness) if good is None else good,
        corpus.n_rows("documents"),
    )


def page_ids(batch: pa.RecordBatch) -> U64:
    """Return the PageIds of *batch*."""
    host, local = (
        batch[name].to_numpy(zero_copy_only=False).astype(np.uint64)
        for name in ("host_id", "local_id")
    )
    ids: U64 = host << np.uint64(32) | local
    return ids


def _digests(found: Sequence[bytes | None]) -> U64:
    """Return the halves of the digests *found*, zeros for none."""
    joined = b"".join(digest or bytes(16) for digest in found)
    return np.frombuffer(joined, dtype="<u8").reshape(-1, 2).astype(np.uint64)


def _made_digests(batch: pa.RecordBatch) -> U64:
    """Return the digests of *batch*, those that it lacks made of its texts."""
    found = zip(batch["digest"].to_pylist(), batch["text"].to_pylist(), strict=True)
    return _digests([digest or text_digest(text or "") for digest, text in found])


COLUMNS: dict[Keep, list[str]] = {
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


def _host_ranks(path: Path, ids: U64) -> F64:
    """Return for each page the rank of its host, the sum of those of its pages; 0 for unranked ones."""
    if not path.exists():
        raise InputError(f"no {path}; run scrapy pagerank first or keep by another rule")
    check_ranks(path)
    hosts: U64 = np.empty(0, dtype=np.uint64)
    ranks: F64 = np.empty(0)
    for batch in read_parquet(path, ["host_id", "rank"]):
        found = batch["host_id"].to_numpy(zero_copy_only=False).astype(np.uint64)
        both = np.concatenate((hosts, found))
        weights = np.concatenate((ranks, batch["rank"].to_numpy(zero_copy_only=False)))
        hosts, inverse = np.unique(both, return_inverse=True)
        ranks = np.zeros(len(hosts))
        np.add.at(ranks, inverse, weights)
    if not len(hosts):
        return np.zeros(len(ids))
    wanted = ids >> np.uint64(32)
    nearest = np.minimum(np.searchsorted(hosts, wanted), len(hosts) - 1)
    return np.where(hosts[nearest] == wanted, ranks[nearest], 0.0)
