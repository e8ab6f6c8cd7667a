"""Arcs of pages that only a lost shard of a crawl had captured.

An arc stands in the shard that owns its target, and the last visit to its source (table ``visited``) in the one
that owns that. Where a shard was given up, others hold arcs of pages that nobody has visited: of hosts that
nobody knows, or of LocalIDs that are other pages today. They are left out.

Memory: 18 bytes an arc, for all arcs at once, and 8 a page that was visited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.keys import u64_of
from crawler.durable.visits import VISITED, unpack_visit
from crawler.webgraph.arcs.blocks import ArcBatch
from crawler.webgraph.arcs.records import pack_batch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction

# Sources of one record.
_RECORD_SOURCES = 4096


def has_lost(txn: Transaction) -> bool:
    """Tell whether the shard of *txn* knows of another that was given up."""
    return txn.get("meta", b"lost") is not None


def visited_pages(txn: Transaction) -> npt.NDArray[np.uint64]:
    """Return the ids of the pages that a shard has visited, ascending; those that were not there have no arcs."""
    found = (u64_of(key) for key, row in txn.scan(VISITED) if not unpack_visit(row).n_missed)
    return np.fromiter(found, dtype=np.uint64)


def without_lost(
    batches: Sequence[ArcBatch], visited: Sequence[npt.NDArray[np.uint64]]
) -> tuple[list[ArcBatch], int]:
    """Return the latest arcs of each shard without those of pages that nobody has *visited*; and their number."""
    captured = np.unique(np.concatenate(visited))
    kept = [_only(batch, np.isin(batch.sources, captured)) for batch in batches]
    n_all, n_kept = (sum(len(batch.targets) for batch in each) for each in (batches, kept))
    return kept, n_all - n_kept


def _only(batch: ArcBatch, mask: npt.NDArray[np.bool_]) -> ArcBatch:
    """Return the arcs of those sources that *mask* names."""
    of_arcs = np.repeat(mask, batch.counts)
    return ArcBatch(
        batch.sources[mask], batch.counts[mask], batch.targets[of_arcs], batch.flags[of_arcs]
    )


def records_of(batch: ArcBatch) -> Iterator[bytes]:
    """Yield records of *batch*, whose sources ascend, as a journal has them."""
    ends = np.append(0, np.cumsum(batch.counts, dtype=np.int64))
    for first in range(0, len(batch.sources), _RECORD_SOURCES):
        last = min(first + _RECORD_SOURCES, len(batch.sources))
        of, arcs = slice(first, last), slice(ends[first], ends[last])
        yield pack_batch(
            ArcBatch(batch.sources[of], batch.counts[of], batch.targets[arcs], batch.flags[arcs])
        )
