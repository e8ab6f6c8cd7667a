"""The files of gold standards, and the site of a page; what is missing or cannot be read is an InputError of one
line.
"""

from __future__ import annotations

import gzip
import json
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError, cause
from crawler.urls.domains import registrable_domain
from crawler.urls.hosts import host_name
from crawler.urls.keys import page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

# What files that are not UTF-8 are in most cases, Latin-1 included.
_FALLBACK = "cp1252"
_GZIP_MAGIC = b"\x1f\x8b"


def shown_files(folder: Path, *patterns: str) -> list[Path]:
    """Return what in *folder* has a name of one of *patterns*, sorted, without hidden files.

    Those are other programs': macOS sets a ``._ID.html`` beside each file that it copies.
    """
    found = (file for pattern in patterns for file in folder.glob(pattern))
    return sorted(file for file in found if not is_hidden(str(file.relative_to(folder))))


def is_hidden(name: str) -> bool:
    """Tell whether a file of this relative *name*, or a folder that it is in, is hidden."""
    return any(part.startswith(".") for part in name.split("/"))


def page_bytes(file: Path) -> bytes:
    """Return the bytes of *file*, unpacked when it ends in ``.gz`` or begins as gzip does: as a server sent it."""
    try:
        body = file.read_bytes()
        is_packed = file.suffix == ".gz" or body.startswith(_GZIP_MAGIC)
        return gzip.decompress(body) if is_packed else body
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{file} cannot be read ({cause(error)}); restore it") from error


def text(file: Path) -> str:
    """Return the text of *file*, which must be UTF-8, without a byte order mark."""
    try:
        return page_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 ({error.reason}); convert it") from error


def optional_text(file: Path) -> str | None:
    """Return the text of *file*, None when there is none."""
    return text(file) if file.exists() else None


def old_text(body: bytes) -> str:
    """Return *body*, a text from the time before UTF-8 was usual: UTF-8 or marked UTF-16, else Windows-1252."""
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode(_FALLBACK, "replace")


def json_object(line: str, where: str) -> dict[str, Any]:
    """Return the JSON object that *line* is; *where* it stands is for the message."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise InputError(f"{where} is no JSON object; mend or remove it")
    return row


def json_lines(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each object of *file*, one a line, with the place it stands at."""
    for number, line in enumerate(text(file).split("\n"), 1):
        if line.strip():
            where = f"{file}, line {number}"
            yield where, json_object(line, where)


def text_field(row: Mapping[str, Any], field: str, where: str) -> str | None:
    """Return the text that *row* has as *field*, None when it has none; *where* it stands is for the message."""
    value = row.get(field)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{where}: {field} is no text; mend it")
    return value


def site_of(url: str) -> str:
    """Return the registrable domain of *url*, "" when it is no address of a page."""
    key = page_key(url)
    return registrable_domain(host_name(key.host)) if key else ""
