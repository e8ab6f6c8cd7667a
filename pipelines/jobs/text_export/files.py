"""The files of an export: one, or several of at most so many documents, packed or not.

*On disk.* ``documents.jsonl``, and so on by the ending; of several ``documents-00000.jsonl`` and those that follow,
all whole, the last one shorter. Packed ones end in ``.gz`` or ``.zst`` besides. Several take their places together, when
all are written: who reads all of them would have documents twice, or never, of a run that was killed between two. So
files that an earlier export left, in more files or in one where these are several, are removed at the end.

While they take their places, those that have not yet are in a folder ``documents-parts.jsonl``. Where a run was killed
meanwhile it stays, and what stands beside it is of two exports; the next one of the same ending first goes on with it.
"""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from crawler.durable.file_sets import FileSet
from crawler.durable.files import atomic_path
from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from pipelines.jobs.text_export.options import Packing

    WritePart = Callable[[Iterable[pa.RecordBatch], Path], None]


def write_files(
    batches: Iterable[pa.RecordBatch], folder: Path, ending: str, most: int, write: WritePart
) -> int:
    """Have *write* write *batches* to files in *folder*, each of at most *most* rows, 0 for all; return how many files.

    There is one at least. Raises `InputError` for a file that cannot be written.
    """
    several = _several(folder, ending)
    if not most:
        with _written(folder / f"documents{ending}", atomic_path) as unfinished:
            if several.waiting.is_dir():  # of a run that was killed
                several.take_places()
            write(batches, unfinished)
        _remove_parts(folder, ending, 0)
        return 1
    n_files = 0
    with _written(several.waiting, lambda _: several.written()) as together:
        for part in _parts(batches, most):
            write(part, together / f"documents-{n_files:05}{ending}")
            n_files += 1
    return n_files


@contextmanager
def packed_file(path: Path, packing: Packing) -> Iterator[Callable[[bytes], object]]:
    """Open *path* to be written, packed by *packing* of `PACKED`; yield what takes bytes."""
    if packing == "none":
        with path.open("wb") as file:
            yield file.write
        return
    with pa.CompressedOutputStream(str(path), packing) as stream:
        yield stream.write


def _parts(batches: Iterable[pa.RecordBatch], most: int) -> Iterator[Iterator[pa.RecordBatch]]:
    """Yield *batches* in parts of at most *most* rows, each to be read before the next; one at least."""
    rest = (batch for batch in batches if batch.num_rows)
    waiting: list[pa.RecordBatch] = []

    def part() -> Iterator[pa.RecordBatch]:
        room = most
        while room and (waiting or _take(rest, waiting)):
            batch = waiting.pop()
            if batch.num_rows > room:
                waiting.append(batch.slice(room))
                batch = batch.slice(0, room)
            yield batch
            room -= batch.num_rows

    yield part()
    while waiting or _take(rest, waiting):
        yield part()


def _take(rest: Iterator[pa.RecordBatch], waiting: list[pa.RecordBatch]) -> bool:
    """Move the next batch of *rest* to *waiting*; tell whether there is one."""
    waiting.extend(batch for batch in (next(rest, None),) if batch is not None)
    return bool(waiting)


def _several(folder: Path, ending: str) -> FileSet:
    """Return the files of an export into several in *folder*."""

    def remove_others(last: Path) -> None:
        _remove_parts(folder, ending, _number(last, ending) + 1)
        (folder / f"documents{ending}").unlink(missing_ok=True)

    waiting = folder / f"documents-parts{ending}"
    return FileSet(waiting, partial(_files_from, 0, ending=ending), remove_others)


def _number(path: Path, ending: str) -> int:
    """Return the number of a file of an export into several, -1 of any other."""
    match = re.fullmatch(rf"documents-([0-9]{{5,}}){re.escape(ending)}", path.name)
    return int(match[1]) if match and not path.is_dir() else -1


def _files_from(first: int, folder: Path, *, ending: str) -> list[Path]:
    """Return the files of an export into several in *folder* but for those before the *first*, in their order."""
    numbers = {path: _number(path, ending) for path in folder.iterdir()}
    return sorted((path for path in numbers if numbers[path] >= first), key=numbers.__getitem__)


def _remove_parts(folder: Path, ending: str, n_files: int) -> None:
    """Remove the files of an export into several in *folder* but for the first *n_files*."""
    for path in _files_from(n_files, folder, ending=ending):
        path.unlink()


@contextmanager
def _written(path: Path, way: Callable[[Path], AbstractContextManager[Path]]) -> Iterator[Path]:
    """Yield the temporary name of *path*, written in this *way*; its folder is made, and goes if nothing is written; an
    `OSError` becomes an `InputError`.
    """
    is_new = not path.parent.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with way(path) as unfinished:
            yield unfinished
    except OSError as error:
        raise InputError(
            f"cannot write {path} ({error.strerror}); give another --output"
        ) from error
    finally:
        if is_new:
            with suppress(OSError):  # it has the file
                path.parent.rmdir()
