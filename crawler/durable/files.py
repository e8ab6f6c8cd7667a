"""Files that are there whole or not at all, and the lock of the one writer.

A file is written under a temporary name in its own folder, flushed to the disk, renamed, and the
folder is flushed too: after power loss it is the old one or the new one. The temporary name is that of
one process at a time: two that wrote under it would make one file of both.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

TEMPORARY = ".tmp"


def temporary(path: Path) -> Path:
    """Return the name under which *path* is written first; raise `IsADirectoryError` where it is ``/`` or ``.``."""
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return path.with_name(path.name + TEMPORARY)


def sync_file(path: Path) -> None:
    """Flush the file or folder at *path* to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_readable(path: Path) -> None:
    """Raise `InputError` when *path*, or a file in that folder, is there but may not be read.

    Libraries raise for it what they raise for damage.
    """
    inner = path.iterdir() if path.is_dir() and os.access(path, os.R_OK | os.X_OK) else ()
    for each in (path, *inner):
        if each.exists() and not os.access(each, os.R_OK):
            why = os.strerror(errno.EACCES)
            raise InputError(f"cannot read {each} ({why}); have its owner let you, or name another")


def make_folder(folder: Path) -> None:
    """Create *folder* and its parents; raise `InputError` when that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make the folder {folder} ({error.strerror}); give another CORPUS_DIR"
        ) from error


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield the temporary name of *path*; rename it when the block ends without an exception.

    Where a library says of a write that it failed, but not of what, the `OSError` is raised anew with *path*.
    Raises `InputError` when another process writes it, and when it is a device or a pipe: a file would take its place.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError(f"{path} is a device or a pipe; name a file")
    unfinished = temporary(path)
    with _taken(unfinished, path, os.O_RDWR | os.O_CREAT):
        try:
            yield unfinished
            sync_file(unfinished)
            unfinished.replace(path)
        except BaseException as error:
            with suppress(FileNotFoundError):
                unfinished.unlink()
            if isinstance(error, OSError) and error.errno and error.filename is None:
                raise OSError(error.errno, os.strerror(error.errno), str(path)) from error
            raise
    sync_file(path.parent)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder beside *path*, which it becomes when the block ends without an exception.

    Raises `InputError` when another process writes it.
    """
    with passing_folder(path) as unfinished:
        yield unfinished
        unfinished.replace(path)
    sync_file(path.parent)


@contextmanager
def passing_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder with the temporary name of *path*, which is gone when the block ends.

    Raises `InputError` when another process has it.
    """
    folder = temporary(path)
    folder.mkdir(parents=True, exist_ok=True)
    with _taken(folder, path, os.O_RDONLY):
        try:
            for left in folder.iterdir():  # of a run that was killed
                shutil.rmtree(left) if left.is_dir() else left.unlink()
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _taken(unfinished: Path, path: Path, flags: int) -> Iterator[None]:
    """Keep other processes from *unfinished*, which is opened with *flags*; `InputError` where one has it."""
    while True:
        descriptor = os.open(unfinished, flags, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise InputError(
                f"another process is writing {path}; wait until it ends or name another"
            ) from error
        except OSError:  # a file system without locks
            break
        if _is_there(descriptor, unfinished):
            break
        os.close(descriptor)  # its writer has renamed it meanwhile
    try:
        yield
    finally:
        os.close(descriptor)


def _is_there(descriptor: int, path: Path) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False


def write_atomic(path: Path, data: bytes) -> None:
    """Write *data* to *path*."""
    with atomic_path(path) as unfinished:
        unfinished.write_bytes(data)


def link_file(source: Path | str, target: Path | str) -> None:
    """Make *target* a hard link to *source*, or a copy where the file system cannot link."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def take_room(file: IO[bytes], n_bytes: int, path: Path) -> None:
    """Make *file*, at *path* or without a name in that folder, *n_bytes* long; raise `OSError` where there is no room
    for them.

    A file that has its length alone takes its room when it is written to: one that is mapped, and finds none then,
    ends the process by a signal.
    """
    try:
        os.posix_fallocate(file.fileno(), 0, max(1, n_bytes))
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.EOPNOTSUPP}:  # of a file system that cannot tell
            raise OSError(error.errno, error.strerror, str(path)) from error


class WriterLock:
    """The right to write into *folder*, held by one process at a time.

    The lock is the kernel's (flock on ``writer.lock``), so it ends with its process, however that
    ends. Raises `InputError` when another process has it.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._descriptor = os.open(folder / "writer.lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise InputError(
                f"cannot write into {folder} ({error.strerror}); give another CORPUS_DIR"
            ) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._descriptor)
            raise InputError(
                f"another process is crawling into {folder}; wait until it ends or give another "
                "CORPUS_DIR"
            ) from error

    def release(self) -> None:
        """Give the right back; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


@contextmanager
def locked_for_reading(folder: Path) -> Iterator[bool]:
    """Keep writers from *folder* in the block, and yield True; False where one has it.

    Nothing is written: in a folder without the lock's file nobody writes.
    """
    with ExitStack() as stack:
        try:
            descriptor = os.open(folder / "writer.lock", os.O_RDONLY)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            pass
        except BlockingIOError:
            yield False
            return
        yield True
