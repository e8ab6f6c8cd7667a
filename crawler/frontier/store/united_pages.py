"""Pages of a corpus of WARC files, taken into another one as if the files had been read there.

Of one page in several corpora the capture counts that would if one crawl had read the files of all
(crawler.frontier.store.claims), the answers that revisits name being known before
(crawler.frontier.store.named_answers). Its arcs and its row come with it. Where a revisit of one corpus names an answer
that another has only listed in ``replaced``, or names it by its digest alone, another capture keeps the page until the
files are read again: the texts of such answers are in no corpus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.durable.capture import Capture
from crawler.durable.keys import u64_key
from crawler.durable.visits import CLAIMS, VISITED, unpack_visit
from crawler.frontier.revisits import note_visit
from crawler.frontier.store.claims import claim_of_row
from crawler.urls import PageKey, page_url
from crawler.webgraph.arcs.records import page_arcs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawler.durable.transaction import Transaction
    from crawler.durable.united_page import UnitedPage
    from crawler.frontier.store.changes import Changes
    from crawler.frontier.store.claims import Claim


def claim_of(page: UnitedPage) -> Claim:
    """Return the capture that *page* is of."""
    return claim_of_row(PageKey(*page.key), page.claim, page.row["fetched_at"])


def note_captures(txn: Transaction, rows: Sequence[tuple[int, bytes, bytes]]) -> None:
    """Note of pages what another journal has in ``claims`` beside who has them: (id, the rest of the key, value).

    Of two revisits that name one answer the later counts.
    """
    for page_id, rest, value in rows:
        key = u64_key(page_id) + rest
        known = txn.get(CLAIMS, key)
        if known is None or known < value:
            txn.put(CLAIMS, key, value)


def end_united(changes: Changes, pages: Sequence[UnitedPage]) -> None:
    """Write *pages*, which were judged to count."""
    changes.end([_capture(changes.txn, page) for page in pages])
    # The last arcs of a page count: these come after those that a capture without any takes away.
    changes.arcs += [
        page_arcs(page.page_id, page.targets, page.flags)
        for page in pages
        if page.targets is not None and page.flags is not None
    ]


def _capture(txn: Transaction, page: UnitedPage) -> Capture:
    before = txn.get(VISITED, u64_key(page.page_id))
    capture = Capture(
        page.page_id,
        page_url(PageKey(*page.key)),
        page.row["host"],
        fetched_at=page.row["fetched_at"],
        status=page.row["status"],
        state=page.state,
        table=page.table,
        puts=page.puts,
        earlier=None if before is None else unpack_visit(before),
        is_stored=True,
    )
    if page.visited is not None:
        capture.validators = unpack_visit(page.visited).validators
    capture.row = page.row | {"host_id": capture.host_id, "local_id": capture.local_id}
    note_visit(capture)
    return capture
