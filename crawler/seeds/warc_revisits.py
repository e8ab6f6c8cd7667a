"""Revisits of WARC files: records that say that a page was what an earlier answer says (WARC 1.1, section 6.7)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from crawler.urls import page_key

if TYPE_CHECKING:
    from typing import Any

    from crawler.seeds.warc_heads import Head

# Years in which a page may have been fetched, by whatever clock.
YEARS = range(1971, 9999)

_WITHOUT_DAY = re.compile(r"\d{4}(?:-\d\d)?", re.ASCII)

# The end of the name of a profile, in all versions of it.
_NOT_MODIFIED = "/revisit/server-not-modified"


@dataclass(frozen=True, slots=True)
class WarcRevisit:
    """A record that says that *url* was at *fetched_at* what its answer of *refers_to* says, both in UTC.

    *refers_to* is None where the record gives no date, or means an answer of another page; *digest*, of the payload, is
    "" then. *is_not_modified* where the server said so, and not the bytes. *status* is None where the record has no
    head of an answer. *wishes* are the values of its ``X-Robots-Tag``.
    """

    url: str
    fetched_at: datetime
    refers_to: datetime | None
    digest: str
    status: int | None
    source: str
    is_not_modified: bool
    wishes: tuple[bytes, ...] = ()


def revisit_of(
    record: Any, head: Head | None, fetched_at: datetime, source: str
) -> WarcRevisit | None:
    """Return what *record*, a revisit, says, with the *head* of an answer or without one; None if it names no page."""
    url = address(record, "WARC-Target-URI")
    if url is None:
        return None
    referred = address(record, "WARC-Refers-To-Target-URI") or url
    is_own = referred == url or page_key(referred) == page_key(url)
    return WarcRevisit(
        url=url,
        fetched_at=fetched_at,
        refers_to=date_of(record, "WARC-Refers-To-Date") if is_own else None,
        digest=payload_digest(record) if is_own else "",
        status=None if head is None else head.status,
        source=source,
        is_not_modified=(record.headers.get("WARC-Profile") or "").endswith(_NOT_MODIFIED),
        wishes=() if head is None else _wishes(head.headers),
    )


def _wishes(headers: list[tuple[bytes, bytes]]) -> tuple[bytes, ...]:
    return tuple(value for name, value in headers if name.lower() == b"x-robots-tag")


def payload_digest(record: Any) -> str:
    """Return the digest of the payload that *record* tells, "" for none."""
    return (record.headers.get("WARC-Payload-Digest") or "").strip()


def address(record: Any, name: str) -> str | None:
    """Return the address in the header *name*: 1.0 files of old writers put it between angle brackets."""
    value: str | None = record.headers.get(name)
    return value and value.strip().removeprefix("<").removesuffix(">")


def date_of(record: Any, name: str) -> datetime | None:
    """Return the date in the header *name* in UTC, None for none that can be: fastwarc passes over a date without a
    time.

    The first moment of the day, the month or the year that it may be (W3C, Date and Time Formats, which WARC 1.1
    names).
    """
    value = (record.headers.get(name) or "").strip()
    if _WITHOUT_DAY.fullmatch(value):
        value += "-01-01"[len(value) - len("2020") :]
    try:
        date = datetime.fromisoformat(value)
    except ValueError:
        return None
    return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC) if date.year in YEARS else None
