"""Reads the HTTP responses of WARC files (0.18 to 1.1, plain, gzip or Zstandard), one at a time.

Revisits, which say that a page was what an earlier answer says, come between the responses where they are asked for.
Resources, the files that some writers archive without an answer around them, are answers of status 200.
A body longer than *max_bytes* is cut to it, and one that was cut where the next record begins in it. Of a file that
ends in the middle of a record, or is damaged behind its first one, all records are read that are whole, and
``WarcReader.broken`` says so. Of an answer that is stored in segments (WARC 1.1, section 7) no single record has all,
so it is left out.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fastwarc.warc import ArchiveIterator, WarcRecordType

from crawler.page.robots_tag import NO_INDEX, robots_words
from crawler.seeds.warc_chunks import dechunked
from crawler.seeds.warc_heads import head_of
from crawler.seeds.warc_members import (
    behind,
    cut_at,
    has_bare_lines,
    member_of_several,
    next_record,
    opened_at,
    swallowed_at,
)
from crawler.seeds.warc_notes import WarcNotes, notes_of, with_notes
from crawler.seeds.warc_revisits import WarcRevisit, address, date_of, payload_digest, revisit_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import Any

    from crawler.seeds.warc_heads import Head
    from crawler.seeds.warc_members import Stream
    from crawler.seeds.warc_unpacked import UnpackedMember

# Places of one file at which it is looked for the next whole record.
MAX_DAMAGES = 10_000

_NOT_MODIFIED = 304

_TYPES = (
    WarcRecordType.response
    | WarcRecordType.resource
    | WarcRecordType.revisit
    | WarcRecordType.metadata
)


@dataclass(frozen=True, slots=True)
class WarcResponse:
    """One stored answer: *headers* as they came, *source* names file and offset, and its number in a member of several.

    *digest* is what the record says that of its payload is. *fetched_at* is in UTC; of a record without a date that can
    be, the time of the last change of its file. One that *withdraws* its page says that it may not be kept, and not
    what it is. *notes* are those of a crawl of ours, where the record of *record_id* has some.
    """

    url: str
    fetched_at: datetime
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    source: str
    truncated: bool
    digest: str = ""
    withdraws: bool = False
    record_id: str = ""
    notes: WarcNotes | None = None


if TYPE_CHECKING:
    _Read = WarcResponse | WarcRevisit | WarcNotes


class WarcReader:
    """Iterates the responses of the file at *path*, from the record that begins at byte *start* on.

    :meth:`records` iterates revisits, too, and reads notes; it is one record ahead for them.

    ``skipped`` counts those that are no HTTP, or damaged, ``segmented`` those in segments; ``broken`` is what was wrong
    at the first of the ``n_damages`` places where the file cannot be read, None when all of it can.
    """

    def __init__(self, path: Path, *, max_bytes: int = 8 * 2**20, start: int = 0):
        self.path = path
        self.max_bytes = max_bytes
        self.skipped = self.segmented = 0
        self.broken: str | None = None
        self.n_damages = 0
        # Where the last record began, and whether what is behind it is lost to fastwarc.
        self._start = start
        self._is_lost = False
        # What is added to the places that fastwarc tells; and how many records were at the last one.
        self._shift = self._n_here = 0
        # The member of several records that is read, which the places are within.
        self._member: UnpackedMember | None = None
        # The same once more, to look at other places of it.
        self._beside: Any = None
        # fastwarc finds no end of a head in these, unless it is told to.
        self._has_bare_lines = False

    def __iter__(self) -> Iterator[WarcResponse]:
        return (record for record in self._all() if isinstance(record, WarcResponse))

    def records(self) -> Iterator[WarcResponse | WarcRevisit]:
        """Yield responses, with their notes, and revisits."""
        return with_notes(self._all())

    def _all(self) -> Iterator[_Read]:
        self._has_bare_lines = has_bare_lines(self.path)
        start: int | None = self._start
        is_from_begin = start == 0
        while start is not None:
            member = member_of_several(self.path, start) if is_from_begin else None
            if member is None:
                with self.path.open("rb") as stream:
                    yield from self._of(stream, start)
                return
            with member, member.again() as self._beside:
                self._member, self._n_here = member, 0
                yield from self._of(member, 0)
                self._member = None
                if not member.is_whole():
                    self._lose("what is packed ends too early")
            start = behind(member)

    def _of(self, source: Stream, start: int) -> Iterator[_Read]:
        """Yield the records of *source* from the one at *start* on."""
        next_start: int | None = start
        while next_start is not None:
            self._is_lost = False
            self._start = next_start
            if self._member is None:
                self._n_here = 0
            opened, self._shift = opened_at(source, next_start)
            yield from self._whole(opened)
            next_start = None
            if self._is_lost and self.n_damages < MAX_DAMAGES:
                next_start = next_record(source, self._start + 1)

    def _whole(self, stream: Any) -> Iterator[_Read]:
        """Yield the records from where *stream* stands to its end, or to where it is damaged."""
        records = ArchiveIterator(
            stream, record_types=_TYPES, parse_http=False, quirks_mode=self._has_bare_lines
        )
        while (record := self._next(records)) is not None:
            if record.record_type == WarcRecordType.metadata:
                if (notes := notes_of(record)) is not None:
                    yield notes
                continue
            self._go_to(record)
            if sum(name == "WARC-Type" for name, _ in record.headers) > 1:
                self._lose("a header ends in that of another record")
                self.skipped += 1
                return
            if record.headers.get("WARC-Segment-Number") is not None:
                self.segmented += 1
                continue
            try:
                if record.record_type != WarcRecordType.resource:
                    # Some writers say another media type of what came by HTTP, or none.
                    record.is_http = record.is_http or _is_of_web(record)
                response = self._read(record)
            except (OSError, ValueError):
                response = None  # this record alone, or the next one says so
            if response is None:
                self.skipped += 1
            else:
                yield response
            if self._is_lost:
                return
        self._find_cut()

    def _find_cut(self) -> None:
        """Have the next record looked for in the one that was cut, which may be of a kind that is not read.

        Where it asks for more than the rest of the file, fastwarc takes the file for ended.
        """
        place = None
        with suppress(OSError), self._open_again() as stream:  # damage, that whoever reads on meets
            place = cut_at(stream, self._start)
        if place is not None:
            self._lose("a record ends too early")
            self._start = place

    def _go_to(self, record: Any) -> None:
        place = record.stream_pos + self._shift
        is_next = self._member is not None or place == self._start
        self._n_here = self._n_here + 1 if is_next else 1
        self._start = place

    def _open_again(self) -> AbstractContextManager[Stream]:
        # One for all: a new one would unpack again what is before the place that it goes to.
        return self.path.open("rb") if self._member is None else nullcontext(self._beside)

    def _source(self) -> str:
        """Name file and place of the last record, and its number behind the first there, in a member of several."""
        number = self._n_here - 1
        place = self._start if self._member is None else self._member.place
        return f"{self.path.name}:{place}" + (f"+{number}" if number else "")

    def _next(self, records: Any) -> Any:
        try:
            return next(records, None)
        except (OSError, ValueError) as error:
            self._lose(str(error))
            return None

    def _lose(self, why: str) -> None:
        self.n_damages += not self._is_lost
        self._is_lost = True
        self.broken = self.broken or why

    def _read(self, record: Any) -> WarcResponse | WarcRevisit | None:
        head = head_of(record)
        if record.record_type != WarcRecordType.revisit:
            return None if head is None else self._response(record, head)
        self._body(record, record.content_length if head is None else head.n_body_bytes)
        return revisit_of(record, head, self._when(record), self._source())

    def _response(self, record: Any, head: Head) -> WarcResponse | None:
        url, headers = address(record, "WARC-Target-URI"), head.headers
        if url is None or head.status is None:
            return None
        body = self._body(record, head.n_body_bytes)
        truncated = (
            len(body) != head.n_body_bytes or record.headers.get("WARC-Truncated") is not None
        )
        if (end := swallowed_at(self._open_again, self._start, body)) is not None:
            self._lose("a record ends in another one")
            body, truncated = body[:end], True
        if any(n.lower() == b"transfer-encoding" and b"chunked" in v.lower() for n, v in headers):
            body = dechunked(body)
        return WarcResponse(
            url=url,
            fetched_at=self._when(record),
            status=head.status,
            headers=headers,
            body=body[: self.max_bytes],
            source=self._source(),
            truncated=truncated,
            digest=payload_digest(record),
            record_id=address(record, "WARC-Record-ID") or "",
        )

    def _body(self, record: Any, n_bytes: int) -> bytes:
        expected = min(n_bytes, self.max_bytes + 1)
        body: bytes = record.reader.read(self.max_bytes + 1)
        if len(body) < expected:
            # Whether the file ends here or is damaged: the iterator finds no record behind this one.
            self._lose("a record ends too early")
        return body

    def _when(self, record: Any) -> datetime:
        date = date_of(record, "WARC-Date")
        return date or datetime.fromtimestamp(self.path.stat().st_mtime, UTC)


def _is_of_web(record: Any) -> bool:
    return (address(record, "WARC-Target-URI") or "").lower().startswith(("http://", "https://"))


def withdrawal(record: WarcResponse | WarcRevisit, agent: str) -> WarcResponse | None:
    """Return *record* as an answer of its own if it is a revisit by which *agent*, a product token, may not keep the
    page.

    Servers say so in a 304, too. Where the bytes alone were the same, the answer that is named speaks for itself.
    """
    if isinstance(record, WarcResponse) or record.status != _NOT_MODIFIED or not record.wishes:
        return None
    if robots_words(record.wishes, agent, at=record.fetched_at).isdisjoint(NO_INDEX):
        return None
    return WarcResponse(
        url=record.url,
        fetched_at=record.fetched_at,
        status=record.status,
        headers=[],
        body=b"",
        source=record.source,
        truncated=False,
        withdraws=True,
    )
