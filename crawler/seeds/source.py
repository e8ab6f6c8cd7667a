"""Opens a seeds file, compressed or not, and tells from its beginning what it is."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections import Counter
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, cast

from crawler.errors import InputError
from crawler.seeds.lists import parse_lines, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedIOBase
    from pathlib import Path

WANTED = "give ODP content.rdf, category<TAB>url lines, CSV, or one URL a line, in UTF-8"

# What is looked at to tell the format: ODP's first records come well before.
_HEAD_BYTES = 64 * 1024
# Lines of the head that are tried: half of them must hold a seed.
_HEAD_LINES = 100

_GZIP_MAGIC = b"\x1f\x8b"
_BZIP2_MAGIC = b"BZh"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Elements that only structure.rdf has (the ODP's own list of tags, rdf.dmoz.org/rdf/tags.html).
_STRUCTURE_MARKS = (b"<narrow", b"<symbolic", b"<related", b"<Alias", b"<letterbar", b"<lastUpdate")
# What a damaged or truncated gzip or bzip2 stream raises.
DAMAGED = (EOFError, zlib.error, OSError)


def refuse_pipe(path: Path, what: str) -> None:
    """Raise :exc:`InputError` for a pipe: a crawl reads its files more than once, and again when it goes on."""
    if path.is_fifo():
        raise InputError(f"{what} file {path} is a pipe; write what comes out of it to a file")


@contextmanager
def open_seeds(path: Path) -> Iterator[BufferedIOBase]:
    """Open *path* for reading bytes, through gzip or bzip2 as its first bytes say."""
    with path.open("rb") as plain:
        magic = plain.read(3)
    if magic.startswith(_GZIP_MAGIC):
        with gzip.open(path) as packed:
            yield cast("BufferedIOBase", packed)
    elif magic == _BZIP2_MAGIC:
        with bz2.open(path) as packed:
            yield cast("BufferedIOBase", packed)
    else:
        with path.open("rb") as plain:
            yield plain


def sniff(path: Path) -> str:
    """Return the format of *path*: ``odp`` or ``lines``.

    Raises :exc:`InputError` for a file that is missing, empty, binary, or neither, and for a pipe.
    """
    refuse_pipe(path, "seeds")
    head = _head(path)
    if head.startswith(_UTF16_MARKS):
        raise InputError(f"seeds file {path} is UTF-16; save it as UTF-8")
    if b"\0" in head:
        raise InputError(f"seeds file {path} is binary; {WANTED}")
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise InputError(f"seeds file {path} is empty; {WANTED}")
    if text.startswith(b"<"):
        _check_odp(path, text)
        return "odp"
    _check_lines(path, head)
    return "lines"


def _head(path: Path) -> bytes:
    try:
        with open_seeds(path) as stream:
            return stream.read(_HEAD_BYTES)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"seeds file {path} is damaged ({error}); fetch it again") from error
    except OSError as error:
        reason = error.strerror or f"damaged: {error}"
        raise InputError(f"cannot read seeds file {path}: {reason}; {WANTED}") from error


def _check_odp(path: Path, head: bytes) -> None:
    if b"<ExternalPage" in head:
        return
    if any(mark in head for mark in _STRUCTURE_MARKS):
        raise InputError(
            f"seeds file {path} is ODP's structure.rdf, which names no sites; give content.rdf"
        )
    if b"<RDF" not in head and b"<Topic" not in head:
        raise InputError(f"seeds file {path} is XML or HTML, but no ODP dump; {WANTED}")


def _check_lines(path: Path, head: bytes) -> None:
    """Refuse a text of which less than half of the first lines hold a seed."""
    lines = list(text_lines(BytesIO(head), Counter()))
    if len(head) == _HEAD_BYTES:
        lines.pop()  # cut by the end of the head
    tried = list(islice(parse_lines(lines), _HEAD_LINES))
    bad = [(number, line) for number, line, seed in tried if isinstance(seed, str)]
    if 2 * len(bad) > len(tried):
        number, line = bad[0]
        shown = line.strip() if len(line) <= 60 else f"{line[:60]}…"
        what = "is neither a URL nor a category and a URL"
        raise InputError(f"seeds file {path} line {number} ({shown!r}) {what}; {WANTED}")
