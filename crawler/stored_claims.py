"""What the records of a WARC file claim of pages, for the frontier to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.frontier.revisits import NOT_MODIFIED, SAME_ANSWER
from crawler.frontier.store.claims import Claim, StoredRevisit, is_answer

if TYPE_CHECKING:
    from crawler.seeds.warc import WarcResponse
    from crawler.seeds.warc_revisits import WarcRevisit
    from crawler.urls import PageKey


def stored_claim(key: PageKey, record: WarcResponse) -> Claim:
    """Return the claim of *record* to the page of *key*."""
    has_target = any(name.lower() == b"location" for name, _ in record.headers)
    says_page = record.withdraws or is_answer(record.status, has_target=has_target)
    where = (record.fetched_at, record.source)
    categories = () if record.notes is None else record.notes.categories
    return Claim(key, *where, is_answer=says_page, digest=record.digest, categories=categories)


def stored_revisit(key: PageKey, record: WarcRevisit) -> StoredRevisit | None:
    """Return what *record* says of the page of *key*, None if it names no answer of it."""
    if record.refers_to is None and not record.digest:
        return None
    outcome = NOT_MODIFIED if record.is_not_modified else SAME_ANSWER
    dates = (record.fetched_at, record.refers_to)
    return StoredRevisit(key, *dates, record.source, record.status, outcome, record.digest)
