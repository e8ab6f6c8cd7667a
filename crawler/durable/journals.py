"""The journals of all shards of a corpus: opened together, and changed together.

A change of several journals is *decided* when its file is there, whole; then each journal gets its edits
in one transaction, and the file goes. Whoever opens the journals for writing finishes a change that
was decided first. So all of them have it or, when it was not decided, none.

*On disk.* ``frontier/fleet/change.msgpack``: a map, shard → list of edits: table, key, and the value, nil for
a key that is deleted. Doing edits again changes nothing, as long as nothing else was written.

Memory: the edits.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

import msgpack

from crawler.durable.files import (
    WriterLock,
    locked_for_reading,
    make_folder,
    sync_file,
    write_atomic,
)
from crawler.durable.journal import Journal
from crawler.durable.layout import SHARD, fleet_folder, journal_folder, shards_of
from crawler.durable.sealing import read_shards
from crawler.errors import FormatError, InputError, WinnowError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from crawler.durable.sealing import Shard
    from crawler.durable.transaction import Transaction

CHANGE = "change.msgpack"


class Edit(NamedTuple):
    """*value* becomes that of *key* in *table*; None: there is none."""

    table: str
    key: bytes
    value: bytes | None


def known_shards(txn: Transaction) -> list[int] | None:
    """Return the shards that the shard of a journal knew when it was last opened, None if it was never one of
    several.
    """
    raw = txn.get("meta", b"shards")
    return None if raw is None else list(msgpack.unpackb(raw))


@contextmanager
def open_readers(corpus_dir: Path) -> Iterator[list[Journal]]:
    """Yield the journals of all shards of *corpus_dir*; raise `InputError` when there are none."""
    with ExitStack() as stack:
        journals = []
        for shard in shards_of(corpus_dir) or [SHARD]:
            journals.append(Journal.open_reader(journal_folder(corpus_dir, shard)))
            stack.callback(journals[-1].close)
        yield journals


@contextmanager
def open_writers(corpus_dir: Path) -> Iterator[list[Journal]]:
    """Yield the journals of all shards for their one writer, a change that was decided being finished.

    Raises `InputError` when another process writes one of them.
    """
    with ExitStack() as stack:
        if fleet_folder(corpus_dir).is_dir():
            stack.callback(WriterLock(fleet_folder(corpus_dir)).release)
        journals = []
        for shard in shards_of(corpus_dir) or [SHARD]:
            journals.append(Journal.open_writer(journal_folder(corpus_dir, shard)))
            stack.callback(journals[-1].close)
        finish_change(corpus_dir, journals)
        yield journals


@contextmanager
def unwritten(corpus_dirs: Iterable[Path]) -> Iterator[None]:
    """Keep writers from *corpus_dirs* in the block; raise `InputError` when a process writes one of them."""
    with ExitStack() as stack:
        for corpus_dir in corpus_dirs:
            journals = [journal_folder(corpus_dir, shard) for shard in shards_of(corpus_dir)]
            for folder in (fleet_folder(corpus_dir), *journals):
                if not stack.enter_context(locked_for_reading(folder)):
                    raise InputError(
                        f"another process is crawling into {corpus_dir}; stop it, or wait until it ends"
                    )
        yield


def recorded_files(journals: Sequence[Journal]) -> list[Shard]:
    """Return the files that any of *journals* names."""
    shards: list[Shard] = []
    for journal in journals:
        with journal.read() as txn:
            shards += read_shards(txn)
    return shards


def stored_files(corpus_dir: Path) -> list[Shard]:
    """Return the files that the journals of *corpus_dir* name, of a shard that only begins none."""
    files: list[Shard] = []
    for shard in shards_of(corpus_dir):
        with suppress(WinnowError), ExitStack() as stack:  # or its file is about to grow
            journal = Journal.open_reader(journal_folder(corpus_dir, shard))
            stack.callback(journal.close)
            files += recorded_files([journal])
    return files


def change_all(
    corpus_dir: Path, journals: Sequence[Journal], edits: Mapping[str, Sequence[Edit]]
) -> None:
    """Make the *edits* of each shard in the one of *journals* that is its own: all, or none."""
    if len(journals) == 1:
        _edit(journals[0], edits[journals[0].shard])
        return
    path = fleet_folder(corpus_dir) / CHANGE
    make_folder(path.parent)
    write_atomic(path, msgpack.packb({shard: list(its) for shard, its in edits.items()}))
    for journal in journals:
        journal.on_step("change decided")
        _edit(journal, edits[journal.shard])
    path.unlink()
    sync_file(path.parent)


def finish_decided(corpus_dir: Path) -> None:
    """Finish a change of *corpus_dir* that was decided, before anything else is written there."""
    if (fleet_folder(corpus_dir) / CHANGE).exists():
        with open_writers(corpus_dir):
            pass


def finish_change(corpus_dir: Path, journals: Sequence[Journal]) -> bool:
    """Finish a change that was decided; tell whether there was one."""
    path = fleet_folder(corpus_dir) / CHANGE
    if not path.exists():
        return False
    try:
        edits = {
            shard: [Edit(*edit) for edit in its]
            for shard, its in msgpack.unpackb(path.read_bytes()).items()
        }
    except (ValueError, TypeError, AttributeError) as error:
        raise FormatError(f"{path} is damaged ({error}); restore it from a copy") from error
    for journal in journals:
        _edit(journal, edits.get(journal.shard, []))
    path.unlink()
    sync_file(path.parent)
    return True


def _edit(journal: Journal, edits: Sequence[Edit]) -> None:
    def work(txn: Transaction) -> None:
        for table, key, value in edits:
            if value is None:
                txn.delete(table, key)
            else:
                txn.put(table, key, value)

    if edits:
        journal.write(work)
        journal.sync()
