"""The ids that documents have in other programs: what tells a capture, that is a page as it was at one time.

An id is the same in each export, in copies of a corpus and in one that is merged of several, and in a corpus that is
made anew of its WARC files, while PageIds follow the order in which a crawl found its pages. A page that changed has
another one than it had before; where a later visit found it as it was, it keeps its own.

*Formula*: XXH3 of 128 bits, as 32 hexadecimal digits, of time and URL as ``fetched_at`` and ``url`` of ``jsonl`` have
them, with a space between.
"""

from __future__ import annotations

import pyarrow as pa
from xxhash import xxh3_128_hexdigest

ID = pa.field("id", pa.string())


def with_ids(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return *batch*, which has ``fetched_at`` and ``url``, with a first column `ID`.

    >>> from datetime import UTC, datetime
    >>> row = {"url": "http://a.com/", "fetched_at": datetime(2026, 1, 2, tzinfo=UTC)}
    >>> with_ids(pa.RecordBatch.from_pylist([row]))["id"].to_pylist()
    ['3c3f906c90d1855e01fcd096ef669942']
    """
    captures = batch.select(["fetched_at", "url"]).to_pylist()
    ids = [
        xxh3_128_hexdigest(f"{each['fetched_at'].isoformat()} {each['url']}".encode())
        for each in captures
    ]
    return pa.RecordBatch.from_arrays(
        [pa.array(ids, ID.type), *batch.columns], names=[ID.name, *batch.schema.names]
    )
