"""The pages that a relevance model learnt from, kept so that a crawl that goes on has the same model.

The pages of the seeds are fetched once; after a restart nothing would be left to learn from.

*On disk.* Table ``extra`` of the journal: ``focus:`` and u64 page id → u8, 1 for a page on the topic, and the main text
as far as it is read, UTF-8, compressed by zlib. A row is committed with its page.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from crawler.durable.keys import u64_key
from crawler.focus.relevance import MAX_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.durable.transaction import Transaction

TABLE = "extra"
_PREFIX = b"focus:"


def learnt_row(page_id: int, text: str, *, on_topic: bool) -> tuple[str, bytes, bytes]:
    """Return table, key and value of a page that was learnt from."""
    raw = text[:MAX_CHARACTERS].encode("utf-8", "surrogatepass")
    return TABLE, _PREFIX + u64_key(page_id), bytes([on_topic]) + zlib.compress(raw)


def read_learnt(txn: Transaction) -> Iterator[tuple[str, bool]]:
    """Yield (text, on the topic) of the pages that were learnt from."""
    for key, value in txn.scan(TABLE, _PREFIX):
        if not key.startswith(_PREFIX):
            return
        yield zlib.decompress(value[1:]).decode("utf-8", "surrogatepass"), bool(value[0])
