"""A cleaned corpus in a new folder: what ``scrapy dedup --output`` writes.

The new folder is a corpus of the same form. Shards that lose nothing are hard links to the old
ones (copies where the file system cannot link), the journal is a copy; shards of documents that lose some
are written anew under the next serial, with the lost ones as rows of ``rejected/`` (stage ``dedup``,
reason ``near_duplicate`` or ``duplicate_blocks``). The old folder is not touched. The folder appears
whole: it is made under a temporary name.

Memory: one batch of documents.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgpack
import pyarrow as pa

from crawler.durable.files import sync_file, temporary
from crawler.durable.journal import Journal
from crawler.durable.layout import MANIFEST, SHARD, journal_folder
from crawler.durable.parquet import ParquetSink, read_parquet
from crawler.durable.sealing import Shard, read_shards
from crawler.errors import InputError
from pipelines.corpus.manifest import read_manifest, write_manifest
from pipelines.corpus.schema import DOCUMENTS, REJECTED
from pipelines.corpus.shards import GROUP_ROWS, ShardSealer

if TYPE_CHECKING:
    from pathlib import Path

    from crawler.durable.transaction import Transaction

# The journal and its lock are copied and made; everything else is linked.
_NOT_LINKED = frozenset({"frontier", "duplicates", MANIFEST})


class Change(NamedTuple):
    """What becomes of a batch of documents: those kept, and rows of ``rejected``."""

    documents: pa.RecordBatch
    rejected: list[dict[str, Any]]


class Changer(Protocol):
    """Changes the documents of a corpus, batch by batch in corpus order."""

    def touches(self, first: int, n_rows: int) -> bool:
        """Tell whether any of the documents from number *first* on is changed."""

    def change(self, first: int, batch: pa.RecordBatch) -> Change:
        """Return what becomes of *batch*, whose first document has number *first*."""


def check_output(corpus_dir: Path, output: Path) -> None:
    """Raise `InputError` when *output* is there, or is within the corpus."""
    if output.exists():
        raise InputError(f"{output} is there already; give a new folder or remove it")
    if corpus_dir.resolve() in output.resolve().parents:
        raise InputError(f"{output} is within the corpus {corpus_dir}; give a folder beside it")


def write_corpus(corpus_dir: Path, output: Path, changer: Changer) -> None:
    """Write the corpus of *corpus_dir*, as *changer* changes it, to the new folder *output*."""
    unfinished = temporary(output)
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        _link_all(corpus_dir, unfinished)
        _copy_journal(corpus_dir, unfinished)
        journal = Journal.open_writer(journal_folder(unfinished))
        try:
            # What is in the journal still becomes shards, which can be written anew.
            ShardSealer(unfinished, rows=1, n_bytes=1)(journal, force=True)
            _change_shards(unfinished, journal, changer)
            with journal.read() as txn:
                shards = read_shards(txn)
        finally:
            journal.close()
        _write_manifest(corpus_dir, unfinished, shards)
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


def _link_all(corpus_dir: Path, output: Path) -> None:
    output.mkdir(parents=True)
    for entry in sorted(corpus_dir.iterdir()):
        if entry.name not in _NOT_LINKED and entry.is_dir():
            shutil.copytree(entry, output / entry.name, copy_function=_link)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _copy_journal(corpus_dir: Path, output: Path) -> None:
    journal = Journal.open_reader(journal_folder(corpus_dir))
    try:
        folder = journal_folder(output)
        folder.mkdir(parents=True)
        journal.copy(folder)
    finally:
        journal.close()


def _change_shards(corpus_dir: Path, journal: Journal, changer: Changer) -> None:
    with journal.read() as txn:
        shards = [shard for shard in read_shards(txn) if shard.kind == "documents"]
        serials = [shard.serial for shard in read_shards(txn) if shard.log == "docs"]
    serial, first = max(serials, default=0), 0
    for shard in sorted(shards, key=lambda shard: shard.serial):
        if changer.touches(first, shard.rows):
            serial += 1
            written = _write_shard(corpus_dir, shard, serial, first, changer)
            journal.write(partial(_replace, old=shard, new=written))
            (corpus_dir / shard.name).unlink()
        first += shard.rows


def _write_shard(
    corpus_dir: Path, shard: Shard, serial: int, first: int, changer: Changer
) -> list[Shard]:
    names = {kind: f"{kind}/{SHARD}-{serial:06}.parquet" for kind in ("documents", "rejected")}
    for name in names.values():
        (corpus_dir / name).parent.mkdir(exist_ok=True)
    with ExitStack() as stack:
        sinks = {
            kind: stack.enter_context(ParquetSink(corpus_dir / name, schema, group_rows=GROUP_ROWS))
            for (kind, name), schema in zip(names.items(), (DOCUMENTS, REJECTED), strict=True)
        }
        for batch in read_parquet(corpus_dir / shard.name, batch_rows=GROUP_ROWS):
            change = changer.change(first, batch)
            first += batch.num_rows
            if change.documents.num_rows:
                sinks["documents"].write(change.documents)
            if change.rejected:
                sinks["rejected"].write(pa.RecordBatch.from_pylist(change.rejected, REJECTED))
    written = []
    for kind, name in names.items():
        if sinks[kind].n_rows:
            sync_file(corpus_dir / name)
            n_bytes = (corpus_dir / name).stat().st_size
            new = replace(shard, name=name, rows=sinks[kind].n_rows, bytes=n_bytes, serial=serial)
            written.append(new)
    return written


def _replace(txn: Transaction, old: Shard, new: list[Shard]) -> None:
    txn.delete("shards", old.name.encode())
    for shard in new:
        row = asdict(shard)
        txn.put("shards", row.pop("name").encode(), msgpack.packb(row))
    txn.put("meta", f"serial:{old.log}".encode(), msgpack.packb(max(s.serial for s in new)))


def _write_manifest(corpus_dir: Path, output: Path, shards: list[Shard]) -> None:
    old = read_manifest(corpus_dir)
    write_manifest(output, settings=old.settings, counts=old.counts, shards=shards)
