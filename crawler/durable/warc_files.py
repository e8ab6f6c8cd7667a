"""The WARC files of a corpus: their names, how long they are, and their mend after a crash.

*On disk.* ``warc/<shard>-<serial>.warc.gz``, serials from 1. Table ``warcs`` of the journal: the path in the
corpus folder → u64 big-endian, the bytes of the file that are committed. At most one file is there that
the journal does not name: it was begun after the last commit, and goes at the next start, as does
what stands behind the committed length of another.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from crawler.durable.keys import u64_of
from crawler.durable.layout import WARC, not_named
from crawler.errors import FormatError

if TYPE_CHECKING:
    from pathlib import Path

    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction

TABLE = "warcs"

_NAME = re.compile(r"(\d{4,})-(\d{6,})\.warc\.gz")


def warc_name(shard: str, serial: int) -> str:
    """Return the path of a file in the corpus folder.

    >>> warc_name("0000", 7)
    'warc/0000-000007.warc.gz'
    """
    return f"{WARC}/{shard}-{serial:06}.warc.gz"


def serial_of(name: str) -> int:
    """Return the serial in a path that :func:`warc_name` made."""
    match = _NAME.fullmatch(name.rpartition("/")[2])
    assert match is not None
    return int(match[2])


def read_lengths(txn: Transaction) -> dict[str, int]:
    """Return path → committed bytes, by serial."""
    rows = {key.decode(): u64_of(value) for key, value in txn.scan(TABLE)}
    return dict(sorted(rows.items(), key=lambda row: serial_of(row[0])))


def check_warcs(corpus_dir: Path, lengths: dict[str, int]) -> None:
    """Raise `FormatError` when a file of *lengths* is missing or shorter than what is committed."""
    for name, n_bytes in lengths.items():
        path = corpus_dir / name
        if not path.is_file():
            raise FormatError(f"WARC file {path} is missing; restore it from a copy")
        if (found := path.stat().st_size) < n_bytes:
            raise FormatError(
                f"WARC file {path} has {found} bytes instead of {n_bytes}; restore it from a copy"
            )


def recover_warcs(journal: Journal, corpus_dir: Path) -> list[str]:
    """Cut the files of *corpus_dir* to what *journal* has committed; return those that were changed.

    A file that the journal does not name is removed. Raises `FormatError` when a file is shorter, or
    cannot come of a crawl that was cut.
    """
    with journal.read() as txn:
        lengths = read_lengths(txn)
    check_warcs(corpus_dir, lengths)
    strangers = [n for n in warc_files(corpus_dir, journal.folder.name) if n not in lengths]
    last = max(map(serial_of, lengths), default=0)
    for name in strangers:
        if serial_of(name) != last + 1:
            raise not_named(corpus_dir / name, journal.folder)
    changed = [n for n in lengths if (corpus_dir / n).stat().st_size > lengths[n]]
    for name in changed:
        os.truncate(corpus_dir / name, lengths[name])
    for name in strangers:
        (corpus_dir / name).unlink()
    return changed + strangers


def check_no_warcs(corpus_dir: Path, journal_dir: Path) -> None:
    """Raise `FormatError` when there are WARC files of a journal that is not there."""
    for name in warc_files(corpus_dir, journal_dir.name):
        raise not_named(corpus_dir / name, journal_dir)


def warc_files(corpus_dir: Path, shard: str) -> list[str]:
    """Return the paths of the files of *shard*, by serial."""
    names = [path.name for path in (corpus_dir / WARC).glob(f"{shard}-*.warc.gz")]
    found = [f"{WARC}/{name}" for name in names if _NAME.fullmatch(name)]
    return sorted(found, key=serial_of)
