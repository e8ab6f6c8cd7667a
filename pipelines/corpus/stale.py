"""Rows of captures that a later visit replaced, as long as they stand where they were written.

The journal names them (table ``stale``, crawler.durable.visits). A reader of the corpus passes them over
among documents and rejections, and finds them among what was replaced.

Memory: 17 bytes a stale row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from pipelines.corpus.schema import DOCUMENTS, REPLACED

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

TABLES = ("documents", "rejected", "provisional")
"""Where stale rows are."""

KEY = ("host_id", "local_id", "fetched_at")
"""The columns that name a capture."""

_KEY_TYPE = np.dtype([("page", ">u8"), ("us", ">i8")])
_BYTES = f"S{_KEY_TYPE.itemsize}"


class Stale:
    """The stale captures of journals: *keys* bytes[n][16], ascending, and the *reason* of each."""

    def __init__(self, rows: Sequence[tuple[bytes, bytes]]) -> None:
        self.keys = np.array([key for key, _ in rows], dtype=_BYTES)
        names = sorted({reason for _, reason in rows})
        self._names = [name.decode() for name in names]
        self._reasons = np.array([names.index(reason) for _, reason in rows], dtype=np.uint8)

    def __len__(self) -> int:
        return len(self.keys)

    def places(self, batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
        """Return for each row of *batch*, which has the columns `KEY`, its number here, -1 for none."""
        wanted = np.empty(batch.num_rows, dtype=_KEY_TYPE)
        host, local = (
            batch[name].to_numpy(zero_copy_only=False).astype(np.uint64) for name in KEY[:2]
        )
        wanted["page"] = host << np.uint64(32) | local
        times = batch["fetched_at"].cast(pa.int64()).fill_null(0)
        wanted["us"] = times.to_numpy(zero_copy_only=False)
        keys = wanted.view(_BYTES)
        found = np.minimum(np.searchsorted(self.keys, keys), len(self) - 1).astype(np.int64)
        return np.where(self.keys[found] == keys, found, -1)

    def reasons(self, places: npt.NDArray[np.int64]) -> list[str]:
        """Return the reasons of the captures at *places*."""
        return [self._names[number] for number in self._reasons[places].tolist()]


def as_replaced(batch: pa.RecordBatch, reasons: Sequence[str]) -> pa.RecordBatch:
    """Return a batch of one of `TABLES`, all stale, as one of ``replaced``."""
    rows = [_replaced(row, reason) for row, reason in zip(batch.to_pylist(), reasons, strict=True)]
    return pa.RecordBatch.from_pylist(rows, schema=REPLACED)


def _replaced(row: dict[str, Any], reason: str) -> dict[str, Any]:
    found = {name: row.get(name) for name in DOCUMENTS.names}
    if "reason" in row:
        stage = row.get("stage", "deduplicate")
        found["rejected_as"] = f"{stage}/{row['reason']}"
    source = None if row.get("warc_file") is None else f"{row['warc_file']}:{row['warc_offset']}"
    return found | {"reason": reason, "source": source}
