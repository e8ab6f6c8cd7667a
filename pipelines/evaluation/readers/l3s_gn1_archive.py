"""The records of L3S-GN1's archive: pages as they were served, and as they were annotated.

*On disk*: a WARC file, packed or not. A record of type ``resource`` has a page as it was served, one of type
``conversion`` the same with its annotation. ``WARC-Refers-To`` of the second names the record of the first; where it is
missing the addresses of the two are compared. The id of a page is that of its first record, without ``urn:uuid:``.
*Source: the data set's own description (January 2010); ISO 28500, section 6.7.*

All annotated pages, or all served ones, are in memory at once.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecordType

from crawler.errors import InputError, cause

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

ENDINGS = (".warc", ".warc.gz")


class StoredPage(NamedTuple):
    """The bytes of a page, served or annotated, with its id and address."""

    page_id: str
    url: str
    body: bytes


def annotated_pages(file: Path) -> list[StoredPage]:
    """Return the annotated pages in *file*, by their ids; InputError when it has none, or cannot be read."""
    served = _pages(file, WarcRecordType.resource, bodies=False)
    ids = {page.url: page.page_id for page in served}
    annotated = _pages(file, WarcRecordType.conversion)
    pages = [page._replace(page_id=page.page_id or ids.get(page.url, "")) for page in annotated]
    if not pages:
        raise InputError(f"{file} holds no conversion record; give the WARC file of the set")
    if not all(page.page_id for page in pages):
        raise InputError(f"{file} holds a conversion record of no other; restore it")
    return sorted(pages)


def served_bodies(file: Path) -> dict[str, bytes]:
    """Return the bytes of the served pages in *file* by their ids."""
    return {page.page_id: page.body for page in _pages(file, WarcRecordType.resource)}


def _pages(file: Path, kind: Any, *, bodies: bool = True) -> Iterator[StoredPage]:
    """Give the records of *kind*; the id is that of the served page, "" where the record does not say."""
    named_by = "WARC-Record-ID" if kind == WarcRecordType.resource else "WARC-Refers-To"
    with _readable(file), file.open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=kind, parse_http=False):
            page_id = _plain(record.headers.get(named_by)).removeprefix("urn:uuid:")
            body = record.reader.read() if bodies else b""
            if bodies and len(body) < record.content_length:
                raise InputError(f"{file} ends within a record; restore it")
            yield StoredPage(page_id, _plain(record.headers.get("WARC-Target-URI")), body)


def _plain(value: str | None) -> str:
    """Return an identifier without the angle brackets that WARC 1.0 sets around it."""
    return (value or "").strip().removeprefix("<").removesuffix(">")


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read as WARC ({cause(error)}); restore it") from error
