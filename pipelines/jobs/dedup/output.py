"""A corpus in a new folder, to be changed there: what ``--output`` of ``scrapy dedup`` and others begins with.

The new folder is a corpus of the same form. Its journals are copies, its files are hard links to the old ones (copies
where the file system cannot link); what changes is written anew, and what was found goes there too, so the old folder
is only read. The folder appears whole: it is made under a temporary name, and a run that was killed leaves no more
than that one, which the next removes.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.durable.files import atomic_folder, link_file
from crawler.durable.journals import open_readers, open_writers, recorded_files
from crawler.durable.layout import MANIFEST, SEARCHES, WARC, fleet_folder, journal_folder
from crawler.durable.warc_files import read_lengths
from crawler.errors import FormatError, InputError
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.manifest import read_manifest, write_manifest
from pipelines.corpus.shards import ShardSealer
from pipelines.jobs.corpus_copy import check_output, copy_folder, copy_warcs
from pipelines.jobs.replacing import move_stale

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crawler.durable.journal import Journal

# The journal and its lock are copied and made, and what was made of the old text is not the copy's; everything else is
# linked.
_OF_OLD_TEXT = frozenset({"index", "export", "laws"})
_NOT_LINKED = frozenset({"frontier", "duplicates", WARC, MANIFEST}) | _OF_OLD_TEXT


@contextmanager
def opened(corpus_dir: Path, output: Path | None) -> Iterator[tuple[Corpus, list[Journal]]]:
    """Yield the corpus in *corpus_dir*, or, to be changed with its journals, its copy that becomes *output*.

    What later visits replaced is no part of the copy's tables. Raises `InputError` when there is no corpus, or
    no manifest for the copy, or *output* is there.
    """
    corpus = Corpus.open(corpus_dir)
    if output is None:
        yield corpus, []
        return
    check_output(corpus_dir, output)
    read_manifest(corpus_dir)  # which the copy's is made of, at the end
    with new_corpus(corpus_dir, output) as (copy, journals):
        move_stale(copy, journals)
        yield Corpus(copy, *journals), journals


@contextmanager
def new_corpus(corpus_dir: Path, output: Path) -> Iterator[tuple[Path, list[Journal]]]:
    """Yield a copy of *corpus_dir*, everything sealed, that becomes *output* at the end of the block."""
    try:
        with atomic_folder(output) as unfinished, _damage_told_of(corpus_dir, unfinished):
            # The journals first: what they name is there, whatever a crawl adds meanwhile.
            _copy_journals(corpus_dir, unfinished)
            _link_all(corpus_dir, unfinished)
            with open_writers(unfinished) as journals:
                for journal in journals:
                    with journal.read() as txn:
                        lengths = read_lengths(txn)
                    copy_warcs(corpus_dir, unfinished, lengths)
                    ShardSealer(unfinished, rows=1, n_bytes=1)(journal, force=True)
                yield unfinished, journals
                renew_manifest(corpus_dir, unfinished, journals)
    except OSError as error:
        # Of a copy that fails on a full disk the first name is the source's.
        is_read = error.filename and error.filename2 is None
        if is_read and Path(error.filename).is_relative_to(corpus_dir):
            raise InputError(
                f"cannot read {error.filename} ({error.strerror}); have its owner let you, or name another"
            ) from error
        raise InputError(
            f"cannot write {output} ({error.strerror}); give another --output"
        ) from error


def in_the_end(path: Path, corpus: Corpus, output: Path | None) -> Path:
    """Return where *path* in the folder of *corpus*, which `opened` yielded for *output*, is when that block has
    ended.
    """
    return path if output is None else output / path.relative_to(corpus.corpus_dir)


@contextmanager
def _damage_told_of(corpus_dir: Path, copy: Path) -> Iterator[None]:
    """Tell damage in *copy*, which goes, as that of the same file of *corpus_dir*, which it is a link to."""
    try:
        yield
    except FormatError as error:
        raise FormatError(str(error).replace(f"{copy}/", f"{corpus_dir}/")) from error


def renew_manifest(corpus_dir: Path, output: Path, journals: Sequence[Journal]) -> None:
    """Write the manifest of *output*, which is *corpus_dir* but for its files."""
    shards = recorded_files(journals)
    old = read_manifest(corpus_dir)
    write_manifest(output, settings=old.settings, counts=old.counts, shards=shards, rules=old.rules)


def _copy_journals(corpus_dir: Path, output: Path) -> None:
    with open_readers(corpus_dir) as journals:
        for journal in journals:
            folder = journal_folder(output, journal.shard)
            folder.mkdir(parents=True)
            journal.copy(folder)
    if (shared := fleet_folder(corpus_dir)).is_dir():
        copy_folder(shared, fleet_folder(output), shutil.copyfile)


def _link_all(corpus_dir: Path, output: Path) -> None:
    for entry in sorted(corpus_dir.iterdir()):
        if entry.name not in _NOT_LINKED and entry.is_dir():
            copy_folder(entry, output / entry.name, link_file)
        elif (
            entry.name == SEARCHES
        ):  # which a crawl adds to: what was asked is not asked, and paid, again
            shutil.copyfile(entry, output / entry.name)
