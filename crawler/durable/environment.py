"""The LMDB environment under a journal: one in each process, with a map that grows.

LMDB forbids a process to open a folder twice, so a reader in the writer's own process shares its
environment. A data file that is shorter than its pages would end the process by a signal when it is
read; so its length is checked before anything else is.
"""

from __future__ import annotations

import errno
import os
import struct
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn
from weakref import WeakValueDictionary

import lmdb

from crawler.durable.files import check_readable
from crawler.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# Address space, not disk: the file grows with what is written. Doubled when less than a quarter
# and MIN_ROOM_BYTES are left.
FIRST_MAP_BYTES = 2**30
MIN_ROOM_BYTES = 2**28

# What LMDB passes on of the system's errors, at the end of a message.
_DISK_TROUBLES = tuple(
    os.strerror(number)
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
)

MAX_TABLES = 32
MAX_READERS = 126

_open: WeakValueDictionary[Path, Environment] = WeakValueDictionary()


class Environment:
    """LMDB's environment in *folder*; closed by the last of those who :meth:`share` it.

    *memory* is for what a layer above keeps of the journal in memory, as of the last commit.
    """

    def __init__(self, folder: Path, map_bytes: int) -> None:
        self.folder = folder
        self.min_room_bytes = min(MIN_ROOM_BYTES, map_bytes // 4)
        self.data_file = folder / "data.mdb"
        self.n_users = 0
        self.n_transactions = 0
        self.handles: dict[str, Any] = {}
        self.memory: dict[str, Any] = {}
        self._env = _open_lmdb(folder, map_bytes)

    @classmethod
    def share(cls, folder: Path, *, map_bytes: int = FIRST_MAP_BYTES) -> Environment:
        """Return the environment of *folder*, opening it if this process has not."""
        folder = folder.resolve()
        env = _open.get(folder)
        if env is None:
            env = _open[folder] = cls(folder, map_bytes)
        env.n_users += 1
        return env

    def release(self) -> None:
        """Give up one share."""
        self.n_users -= 1
        if self.n_users == 0:
            _open.pop(self.folder, None)
            self._env.close()

    def copy(self, folder: Path) -> None:
        """Write a compact copy to *folder*, which is there and empty; raise `InputError` where there is no room."""
        try:
            self._env.copy(str(folder), compact=True)
        except lmdb.Error as error:
            self._raise_told(error, folder)

    def open_tables(self, names: tuple[str, ...], *, create: bool) -> bool:
        """Open the tables *names*; return False when one is missing and not to be created."""
        try:
            for name in names:
                if name not in self.handles:
                    self.handles[name] = self._env.open_db(name.encode(), create=create)
        except (lmdb.NotFoundError, lmdb.ReadonlyError):
            return False
        except lmdb.Error as error:
            raise _damaged(self.folder, error) from error
        return True

    @contextmanager
    def begin(self, *, write: bool) -> Iterator[Any]:
        """Yield a transaction of LMDB; it is committed unless the block raises.

        Unless it is to *write*, what is read are views of the map.
        """
        self.n_transactions += 1
        try:
            with self._begin(write=write) as txn:
                yield txn
        except (lmdb.MapFullError, lmdb.MapResizedError):
            raise
        except lmdb.Error as error:
            self._raise_told(error, self.folder)
        except struct.error as error:  # a value that is shorter than what was written
            raise _damaged(self.folder, error) from error
        finally:
            self.n_transactions -= 1

    def _raise_told(self, error: lmdb.Error, written: Path) -> NoReturn:
        """Raise *error* as one of a disk that does not take what was *written* there, or of a damaged journal."""
        if _is_of_the_disk(error):
            raise InputError(
                f"cannot write {written} ({error}); make room on the disk and start again"
            ) from error
        raise _damaged(self.folder, error) from error

    def _begin(self, *, write: bool) -> Any:
        try:
            return self._env.begin(write=write, buffers=not write)
        except lmdb.MapResizedError:  # the writer of another process has made the map larger
            self._env.set_mapsize(0)
            return self._env.begin(write=write, buffers=not write)

    def make_room(self) -> None:
        """Grow the map when it is nearly full, so that a transaction seldom meets its end."""
        info = self._env.info()
        used = (info["last_pgno"] + 1) * 4096
        room = info["map_size"] - used
        if room < max(self.min_room_bytes, info["map_size"] // 4) and not self.n_transactions:
            self.grow()

    def grow(self) -> None:
        """Double the map."""
        if self.n_transactions:
            msg = "the journal's map must grow while a read transaction of this process is open"
            raise RuntimeError(msg)
        self._env.set_mapsize(2 * self._env.info()["map_size"])

    def sync(self) -> None:
        """Flush everything committed to the disk."""
        self._env.sync(True)

    def forget_dead_readers(self) -> None:
        """Free the snapshots of processes that were killed, which would keep old pages in use."""
        self._env.reader_check()

    def missing_bytes(self) -> int:
        """Return by how much the data file is shorter than its pages."""
        return missing_bytes(self._env, self.data_file)

    def pad(self, on_failure: Callable[[Exception], None]) -> None:
        """Make the data file as long as its pages; *on_failure* is called with what it raises.

        LMDB does not write pages at the end that a transaction took and gave back at once; a hole
        in their place lets a file that lost its end be told from one that never had it.
        """
        try:
            if missing := self.missing_bytes():
                os.truncate(self.data_file, self.data_file.stat().st_size + missing)
        except OSError as error:  # LMDB still has the file open when somebody has removed it
            on_failure(error)
            raise

    def shorten(self, n_bytes: int) -> None:
        """Take back a :meth:`pad` of *n_bytes*."""
        os.truncate(self.data_file, self.data_file.stat().st_size - n_bytes)


def missing_bytes(env: Any, data_file: Path) -> int:
    """Return by how much *data_file* is shorter than the pages of LMDB's *env*; a read there is a signal."""
    needed: int = (env.info()["last_pgno"] + 1) * env.stat()["psize"]
    return max(0, needed - data_file.stat().st_size)


def _is_of_the_disk(error: lmdb.Error) -> bool:
    """Tell whether *error* says that the disk is full or cannot be written, and nothing of the journal."""
    if isinstance(error, lmdb.DiskError | lmdb.MemoryError):
        return True
    return str(error).endswith(_DISK_TROUBLES)


def _open_lmdb(folder: Path, map_bytes: int) -> Any:
    options: dict[str, Any] = {
        "max_dbs": MAX_TABLES,
        "max_readers": MAX_READERS,
        "map_size": map_bytes,
        "metasync": False,
        "readahead": False,
    }
    files = [path for name in ("lock.mdb", "data.mdb") if (path := folder / name).exists()]
    if not all(os.access(path, os.W_OK) for path in files or [folder]):
        # Not ours to write, so without a place in the lock file: whoever writes there meanwhile
        # may reuse the pages of a snapshot that takes long.
        options |= {"readonly": True, "lock": False}
    try:
        return lmdb.open(str(folder), **options)
    except UnicodeEncodeError as error:
        raise InputError(
            f"cannot open {str(folder)!r} (not UTF-8); give it another name"
        ) from error
    except lmdb.Error as error:
        check_readable(folder)
        raise _damaged(folder, error) from error


def _damaged(folder: Path, error: Exception) -> FormatError:
    return FormatError(f"the journal in {folder} is damaged ({error}); restore it from a copy")
