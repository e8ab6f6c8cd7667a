"""The columns of ``documents``, ``rejected``, ``provisional``, ``replaced`` and ``visits``.

*On disk.* Parquet, zstd; the metadata key ``winnow.format`` of each file's schema is the format
version. A column is null until something fills it. Adding a column is a compatible change, renaming
one is not. ``rejected`` names, in ``duplicate_of``, the URL of the page that was kept instead, and has
the digest of a duplicate's main text.

``provisional`` are the duplicates that a crawl found so far: whole documents, each with the reason, the
page that it is a copy of, and the digest of its bytes. They are rejected as long as nothing else is
decided; the closing pass makes documents or rows of ``rejected`` of them. Those out of WARC files stay,
*decided* and rejected: a file that is added may replace what they are copies of, and the next pass needs their texts.

``replaced`` are captures that another one of the same page replaced, with the *reason*: ``same_url`` (a WARC
file has a later one; *source* names it if it was not stored), or ``changed``, ``redirect``, ``gone`` of a page that was
fetched again, ``found`` of one that could not be had before. These are whole rows of ``documents``, or of ``rejected``:
*rejected_as* is then stage and reason, joined by ``/``.

``visits`` are later visits that left a page as it was: when, the *status*, and the *outcome*: ``not_modified``
(304), ``same_answer``, or why there was none. *fetched_at* is that of the capture that stands; of a revisit in a WARC
file, that of the answer that it names, which may be in no file, or null where it names that by its digest alone.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

FORMAT = 1

BLOCK = pa.struct(
    [
        pa.field("text", pa.string()),
        pa.field("kind", pa.string()),
        pa.field("segment", pa.uint32()),
        pa.field("label", pa.string()),
        pa.field("kept", pa.bool_()),
        pa.field("words", pa.uint32()),
        pa.field("link_density", pa.float32()),
        pa.field("text_density", pa.float32()),
        pa.field("path", pa.string()),
    ]
)

_IDS: list[pa.Field[Any]] = [
    pa.field("host_id", pa.uint32(), nullable=False),
    pa.field("local_id", pa.uint32(), nullable=False),
    pa.field("url", pa.string(), nullable=False),
]

_IDENTIFYING = frozenset({*(field.name for field in _IDS), "fetched_at"})

_TIME = pa.timestamp("us", tz="UTC")


def _schema(fields: list[pa.Field[Any]]) -> pa.Schema:
    return pa.schema(fields, metadata={"winnow.format": str(FORMAT)})


DOCUMENTS = _schema(
    [
        *_IDS,
        pa.field("host", pa.string()),
        pa.field("fetched_at", _TIME),
        pa.field("status", pa.uint16()),
        pa.field("content_type", pa.string()),
        pa.field("charset", pa.string()),
        pa.field("charset_source", pa.string()),
        pa.field("language", pa.string()),
        pa.field("language_score", pa.float32()),
        pa.field("title", pa.string()),
        pa.field("title_source", pa.string()),
        pa.field("author", pa.string()),
        pa.field("author_source", pa.string()),
        pa.field("date", pa.string()),
        pa.field("date_source", pa.string()),
        pa.field("description", pa.string()),
        pa.field("description_source", pa.string()),
        pa.field("signals", pa.list_(pa.string())),
        pa.field("category", pa.list_(pa.string())),
        pa.field("depth", pa.uint16()),
        pa.field("method", pa.string()),
        pa.field("text", pa.string()),
        pa.field("blocks", pa.list_(BLOCK)),
        pa.field("n_words", pa.uint32()),
        pa.field("digest", pa.binary(16)),
        pa.field("simhash", pa.uint64()),
        pa.field("raw_bytes", pa.uint32()),
        pa.field("warc_file", pa.string()),
        pa.field("warc_offset", pa.uint64()),
    ],
)

REJECTED = _schema(
    [
        *_IDS,
        pa.field("host", pa.string()),
        pa.field("fetched_at", _TIME),
        pa.field("status", pa.uint16()),
        pa.field("depth", pa.uint16()),
        pa.field("stage", pa.string()),
        pa.field("reason", pa.string()),
        pa.field("duplicate_of", pa.string()),
        pa.field("digest", pa.binary(16)),
        pa.field("warc_file", pa.string()),
        pa.field("warc_offset", pa.uint64()),
    ],
)

PROVISIONAL = _schema(
    [
        *DOCUMENTS,
        pa.field("reason", pa.string()),
        pa.field("duplicate_of", pa.string()),
        pa.field("raw_digest", pa.uint64()),
        pa.field("decided", pa.bool_()),
    ],
)

REPLACED = _schema(
    [
        *_IDS,
        pa.field("fetched_at", _TIME),
        pa.field("reason", pa.string()),
        pa.field("source", pa.string()),
        pa.field("rejected_as", pa.string()),
        *(field for field in DOCUMENTS if field.name not in _IDENTIFYING),
    ],
)

VISITS = _schema(
    [
        *_IDS,
        pa.field("fetched_at", _TIME),
        pa.field("visited_at", _TIME),
        pa.field("status", pa.uint16()),
        pa.field("outcome", pa.string()),
        pa.field("warc_file", pa.string()),
        pa.field("warc_offset", pa.uint64()),
    ],
)

SCHEMAS: dict[str, pa.Schema] = {
    "documents": DOCUMENTS,
    "rejected": REJECTED,
    "provisional": PROVISIONAL,
    "replaced": REPLACED,
    "visits": VISITS,
}

DISTINCT = frozenset({"url", "title", "description", "text", "blocks.list.element.text", "digest"})
"""Columns whose values seldom come again, by their path in a file."""
