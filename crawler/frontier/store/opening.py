"""Opening a corpus folder for a crawl, and asking beforehand whether that will do."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING

from crawler.durable.journal import Journal, has_journal, no_step
from crawler.durable.layout import SHARD, journal_folder, sealed_folders
from crawler.durable.sealing import check_no_shards, check_shards, read_shards, recover
from crawler.durable.warc_files import check_no_warcs, check_warcs, read_lengths, recover_warcs
from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


# What a journal takes before it holds anything.
_LEAST_BYTES = 2**18


def open_journal(
    corpus_dir: Path, shard: str = SHARD, *, on_step: Callable[[str], None] = no_step
) -> Journal:
    """Open the journal of *shard* of *corpus_dir* for writing and clear away what a crash left.

    Raises `InputError` when another process writes there, `FormatError` when the corpus is damaged
    or of another format.
    """
    folder, sealed = journal_folder(corpus_dir, shard), sealed_folders(shard)
    if not has_journal(folder):
        check_no_shards(corpus_dir, sealed, folder)
        check_no_warcs(corpus_dir, folder)
    journal = Journal.open_writer(folder, on_step=on_step)
    try:
        on_step("journal open")
        recover(journal, corpus_dir, sealed)
        recover_warcs(journal, corpus_dir)
        journal.upgrade()
        on_step("recovered")
    except BaseException:
        journal.close()
        raise
    return journal


def check_corpus(corpus_dir: Path | str, shard: str = SHARD) -> None:
    """Raise what opening *shard* of *corpus_dir* would raise; a folder that is not there is fine.

    Nothing is created, changed or removed.
    """
    corpus_dir = Path(corpus_dir)
    folder = journal_folder(corpus_dir, shard)
    if not has_journal(folder):
        _check_writable(corpus_dir)
        check_no_shards(corpus_dir, sealed_folders(shard), folder)
        check_no_warcs(corpus_dir, folder)
        return
    _check_writable(folder)
    journal = Journal.open_writer(folder)
    try:
        with journal.read() as txn:
            check_shards(corpus_dir, read_shards(txn))
            check_warcs(corpus_dir, read_lengths(txn))
    finally:
        journal.close()


def _check_writable(folder: Path) -> None:
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not nearest.is_dir():
        raise InputError(f"{nearest} is a file, not a folder; give another CORPUS_DIR")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(f"{nearest} may not be written; give another CORPUS_DIR")
    disk = disk_usage(nearest)
    if not disk.total:
        raise InputError(
            f"{nearest} is on no disk, as /proc and /sys are none; give another CORPUS_DIR"
        )
    # A file that is mapped on a full disk would end the process by a signal.
    if disk.free < _LEAST_BYTES:
        raise InputError(
            f"the disk of {nearest} is full; make room on it or give another CORPUS_DIR"
        )
