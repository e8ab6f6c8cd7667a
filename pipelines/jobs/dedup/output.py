"""A corpus in a new folder, to be changed there: what ``scrapy dedup --output`` begins with.

The new folder is a corpus of the same form. Its journal is a copy, its files are hard links to the old
ones (copies where the file system cannot link); what changes is written anew, so the old folder is not
touched. The folder appears whole: it is made under a temporary name, and a run that was killed leaves
no more than that one, which the next removes.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from crawler.durable.files import link_file, sync_file, temporary
from crawler.durable.journal import Journal
from crawler.durable.layout import MANIFEST, WARC, journal_folder
from crawler.durable.sealing import read_shards
from crawler.durable.warc_files import read_lengths
from crawler.errors import InputError
from pipelines.corpus.manifest import read_manifest, write_manifest
from pipelines.corpus.shards import ShardSealer
from pipelines.jobs.corpus_copy import copy_warcs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The journal and its lock are copied and made; everything else is linked.
_NOT_LINKED = frozenset({"frontier", "duplicates", WARC, MANIFEST})


@contextmanager
def new_corpus(corpus_dir: Path, output: Path) -> Iterator[tuple[Path, Journal]]:
    """Yield a copy of *corpus_dir*, everything sealed, that becomes *output* at the end of the block."""
    unfinished = temporary(output)
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        # The journal first: what it names is there, whatever a crawl adds meanwhile.
        _copy_journal(corpus_dir, unfinished)
        _link_all(corpus_dir, unfinished)
        journal = Journal.open_writer(journal_folder(unfinished))
        try:
            with journal.read() as txn:
                lengths = read_lengths(txn)
            copy_warcs(corpus_dir, unfinished, lengths)
            ShardSealer(unfinished, rows=1, n_bytes=1)(journal, force=True)
            yield unfinished, journal
            renew_manifest(corpus_dir, unfinished, journal)
        finally:
            journal.close()
        unfinished.replace(output)
        sync_file(output.parent)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise InputError(
            f"cannot write {output} ({error.strerror}); give another --output"
        ) from error
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def renew_manifest(corpus_dir: Path, output: Path, journal: Journal) -> None:
    """Write the manifest of *output*, which is *corpus_dir* but for its shards."""
    with journal.read() as txn:
        shards = read_shards(txn)
    old = read_manifest(corpus_dir)
    write_manifest(output, settings=old.settings, counts=old.counts, shards=shards)


def _copy_journal(corpus_dir: Path, output: Path) -> None:
    journal = Journal.open_reader(journal_folder(corpus_dir))
    try:
        folder = journal_folder(output)
        folder.mkdir(parents=True)
        journal.copy(folder)
    finally:
        journal.close()


def _link_all(corpus_dir: Path, output: Path) -> None:
    for entry in sorted(corpus_dir.iterdir()):
        if entry.name not in _NOT_LINKED and entry.is_dir():
            shutil.copytree(entry, output / entry.name, copy_function=link_file)
