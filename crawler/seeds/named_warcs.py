"""Which WARC files a user names, and whether they are any.

What is wrong with one, and the mend, is told before a record of it is read.
"""

from __future__ import annotations

import glob
import os
import zlib
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from fastwarc.warc import ArchiveIterator

from crawler.errors import InputError
from crawler.seeds.warc_members import has_bare_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, BinaryIO

# Records of a file without answers that are looked at to tell what it holds.
_KINDS_RECORDS = 1000

# Files that are named beside the first of several which are none.
MAX_NAMES = 10

# What is looked at of a file that is none, to tell the format before WARC.
_ARC_BYTES = 512

# Names that fastwarc knows in this spelling alone, though the standard lets any letters be small; without them it
# finds no record behind the first, and no answer.
_SPELT = {name.lower(): name for name in ("WARC-Type", "Content-Length", "Content-Type")}


def find_warcs(pattern: str, *, given_as: str = "paths=") -> list[Path]:
    """Return the files that *pattern* (a path, or a glob) names, sorted; raise :exc:`InputError` for none.

    *given_as* is what stood before it where it was given.
    """
    if os.path.exists(pattern):  # whatever brackets are in its name
        return [Path(pattern)]
    paths = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]
    if not paths:
        raise InputError(f"no file matches {given_as}{pattern}; give a WARC file or a glob")
    return paths


def check_warcs(paths: Sequence[Path]) -> None:
    """Raise :exc:`InputError` unless all files of *paths* are WARC files: it says what is wrong with the first, and
    names the others.
    """
    wrong, unfit = "", []
    for path in paths:
        try:
            check_warc(path)
        except InputError as error:
            wrong = wrong or str(error)
            unfit.append(path.name)
    if len(unfit) > 1:
        names, n_more = ", ".join(unfit[1 : 1 + MAX_NAMES]), len(unfit) - 1 - MAX_NAMES
        wrong += f"; nor can be read: {names}" + (f" and {n_more:,} more" if n_more > 0 else "")
    if wrong:
        raise InputError(wrong)


def check_warc(path: Path) -> None:
    """Raise :exc:`InputError` unless *path* can be read and begins with a WARC record."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is a folder or a pipe; give a WARC file")
    try:
        with path.open("rb") as stream:
            first = next(_records(stream, path), None)
    except (OSError, ValueError) as error:
        mend = _mend(path)
        raise InputError(
            f"{path} cannot be read as WARC: {str(error).rstrip('.')}; {mend}"
        ) from error
    # Where only some lines end in LF alone, all of the file may be one header.
    if first is None or "\n" in (first.headers.get("WARC-Type") or "\n"):
        raise InputError(f"{path} holds no WARC record; give a WARC file")
    for name, _ in first.headers:
        spelt = _SPELT.get(name.lower(), name)
        if name != spelt:
            raise InputError(
                f"{path} has the header {name}, which is read as {spelt} alone; have its writer spell names as the standard does"
            )


def _records(stream: BinaryIO, path: Path) -> Any:
    """Return what iterates the records of *stream*, the file at *path*."""
    return ArchiveIterator(stream, parse_http=False, quirks_mode=has_bare_lines(path))


def _mend(path: Path) -> str:
    """Return what to do about the file at *path*, which is no WARC file."""
    with suppress(OSError), path.open("rb") as stream:
        head = stream.read(_ARC_BYTES)
        if head.startswith(b"PK\x03\x04"):
            return "it is a ZIP file: unpack it, a WACZ has WARC files in its folder archive"
        with suppress(zlib.error):
            if head.startswith(b"\x1f\x8b"):
                head = zlib.decompressobj(31).decompress(head, _ARC_BYTES)
        if head.startswith(b"filedesc://"):
            return "it is an ARC file: make it WARC, as `warcio recompress` does"
    if path.suffix == ".wacz":
        return "a WACZ is a ZIP file, and this one is none: fetch it again, it may be cut, or another page"
    return "give a WARC file"


def record_kinds(path: Path) -> list[str]:
    """Return the types of the first records of the file at *path*, each once, by name."""
    found = set()
    with path.open("rb") as stream:
        try:
            for record in islice(_records(stream, path), _KINDS_RECORDS):
                found.add(record.headers.get("WARC-Type") or "none")
        except (OSError, ValueError):
            pass  # of a file that is damaged, those before
    return sorted(found)
