"""Which of several stored captures of one page is taken: the first that was offered.

A WARC may hold a page many times. The first source (file and offset) that claims a page has it, over
restarts too; every other one leaves one row in ``replaced``, once.

*On disk.* Table ``claims``: u64 big-endian page id → the source that has the page; and the same key
followed by the 16-byte xxh3 digest of a source → nothing, for a source that was replaced.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from xxhash import xxh3_128_digest

from crawler.durable.keys import u64_key
from crawler.durable.page_state import split_id
from crawler.urls import page_url

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from crawler.frontier.changes import Changes
    from crawler.urls import PageKey


@dataclass(frozen=True, slots=True)
class Claim:
    """A stored capture of the page of *key*: when it was fetched, and where it lies."""

    key: PageKey
    fetched_at: datetime | None
    source: str


class Verdict(Enum):
    """*take* the capture; it was *done* before; another one has the page, so it is *replaced*."""

    TAKE = "take"
    DONE = "done"
    REPLACED = "replaced"


def judge_claims(changes: Changes, claims: Sequence[Claim]) -> list[Verdict]:
    """Judge *claims* in order and write what follows from it into *changes*."""
    ids = changes.seed([claim.key for claim in claims], follow=False).tolist()
    rows: list[tuple[str, dict[str, Any]]] = []
    verdicts = []
    for claim, page_id in zip(claims, ids, strict=True):
        verdict = _judge(changes, page_id, claim.source)
        if verdict is Verdict.REPLACED and _is_first(changes, page_id, claim.source):
            rows.append(("replaced", _row(page_id, claim)))
        verdicts.append(verdict)
    changes.write_rows(rows)
    return verdicts


def _judge(changes: Changes, page_id: int, source: str) -> Verdict:
    packed, raw = u64_key(page_id), source.encode("utf-8", "surrogateescape")
    seen = changes.frontier.is_seen(page_id)
    taken = changes.txn.get("claims", packed)
    if taken is None and not seen:
        changes.txn.put("claims", packed, raw)
        return Verdict.TAKE
    if taken == raw:
        return Verdict.DONE if seen else Verdict.TAKE
    return Verdict.REPLACED


def _is_first(changes: Changes, page_id: int, source: str) -> bool:
    digest = xxh3_128_digest(source.encode("utf-8", "surrogateescape"))
    return changes.txn.put_new("claims", u64_key(page_id) + digest, b"")


def _row(page_id: int, claim: Claim) -> dict[str, Any]:
    host_id, local_id = split_id(page_id)
    return {
        "host_id": host_id,
        "local_id": local_id,
        "url": page_url(claim.key),
        "fetched_at": claim.fetched_at,
        "reason": "same_url",
        "source": claim.source,
    }
