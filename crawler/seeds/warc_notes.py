"""What a crawl of ours noted of an answer in a WARC file: the ``metadata`` record behind it
(`crawler.durable.warc_records`), which names it, has a field ``pageId``, the page's ``depth`` and the categories of its
host then.

Metadata of other writers say nothing of these, and are passed over.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from crawler.categories import clean_category
from crawler.seeds.warc_revisits import address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from crawler.seeds.warc import WarcResponse
    from crawler.seeds.warc_revisits import WarcRevisit

# No page has so many categories that they need more.
_MAX_BYTES = 2**20
# What the column of a corpus holds.
_MAX_DEPTH = 2**16 - 1


@dataclass(frozen=True, slots=True)
class WarcNotes:
    """The *depth* and the *categories* of the page whose answer is the record *of_record*."""

    of_record: str
    depth: int
    categories: tuple[str, ...]


def notes_of(record: Any) -> WarcNotes | None:
    """Return the notes in *record*, a ``metadata`` record; None if it has none."""
    of_record = address(record, "WARC-Refers-To")
    media_type = record.headers.get("Content-Type") or ""
    if not of_record or not media_type.startswith("application/warc-fields"):
        return None
    lines: list[str] = []
    with suppress(OSError, ValueError):  # it is damaged: the next record says so
        lines = record.reader.read(_MAX_BYTES).decode("utf-8", "replace").split("\r\n")
    pairs = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    fields = dict(pairs)
    depth = fields.get("depth", "")
    if "pageId" not in fields or not (depth.isascii() and depth.isdecimal()):
        return None
    paths = [clean_category(value) for name, value in pairs if name == "category"]
    return WarcNotes(of_record, min(int(depth[:9]), _MAX_DEPTH), tuple(filter(None, paths)))


def with_notes(
    records: Iterable[WarcResponse | WarcRevisit | WarcNotes],
) -> Iterator[WarcResponse | WarcRevisit]:
    """Yield *records* in their order, answers with the notes that stand between them and the next of these."""
    last: WarcResponse | WarcRevisit | None = None
    for record in records:
        if isinstance(record, WarcNotes):
            if getattr(last, "record_id", "") == record.of_record:
                last = replace(last, notes=record)  # type: ignore[type-var]  # it has an id
            continue
        if last is not None:
            yield last
        last = record
    if last is not None:
        yield last
