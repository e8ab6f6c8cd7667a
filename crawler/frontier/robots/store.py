"""The robots.txt files of a crawl on disk: what was read of each site, over restarts.

Bounded: rows that nobody renewed for 30 days are dropped, and the oldest ones when the rows take more
than *max_bytes*. What is put is gathered and written in one transaction by :meth:`RobotsStore.flush`;
``kill -9`` loses what was put since, which is then fetched again, and nothing else.

*On disk* (version 1). An LMDB environment, ``frontier/<shard>/robots/``, with the tables

``sites``
    ``http://host[:port]`` → u16 status, u32 failures in a row, f64 fetched_at, expires_at and
    unreachable_since (seconds since 1970), all big-endian; then the body as one zstd frame, nothing for
    an empty one.
``ages``
    u64 big-endian milliseconds of expires_at, then the site → nothing. One entry a row of ``sites``.
``meta``
    ``version`` → u16 big-endian.

A reader needs no lock; the one writer is the process that holds the journal beside it.
"""

from __future__ import annotations

import os
import struct
from collections import deque
from typing import TYPE_CHECKING, Any

import lmdb

from crawler.durable.environment import missing_bytes
from crawler.durable.files import make_folder
from crawler.durable.zstandard import zstd
from crawler.errors import FormatError, InputError
from crawler.frontier.robots.record import RobotsRecord

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 1

# Seconds beyond its expiry that a row is kept: as long as a lost file's last copy may be used
# (RFC 9309 section 2.3.1.4).
KEEP_SECS = 30 * 24 * 3600.0

_HEAD = struct.Struct(">HIddd")
_AGE = struct.Struct(">Q")
_VERSION = struct.Struct(">H")
# LMDB's limit of 511 bytes a key, less the 8 of an age.
_MAX_SITE_BYTES = 500
# Rows dropped in one transaction, so that none takes long.
_MAX_DROPPED = 2000
# Bodies that wait to be written, a few of the largest: a transaction has room for them.
_MAX_WAITING_BYTES = 4 * 2**20
# The map is twice what the rows may take and this much more, for pages that wait to be used again.
_SLACK_BYTES = 64 * 2**20


class RobotsStore:
    """The records by site in *folder*, which is made; *max_bytes* is about what its rows may take.

    Raises `FormatError` for a folder of another version or a damaged one.
    """

    def __init__(self, folder: Path, *, max_bytes: int = 2**28) -> None:
        if max_bytes < 2**20:
            raise ValueError(f"max_bytes must be at least {2**20}, got {max_bytes}")
        self.folder = folder
        self.max_bytes = max_bytes
        self.waiting: dict[str, RobotsRecord] = {}
        self.waiting_bytes = 0
        make_folder(folder)
        try:
            self._open()
        except lmdb.Error as error:
            raise self._damaged(error) from error

    def _open(self) -> None:
        map_bytes = 2 * self.max_bytes + _SLACK_BYTES
        self._env = lmdb.open(
            str(self.folder), max_dbs=3, map_size=map_bytes, metasync=False, readahead=False
        )
        self._mend_length()
        self._open_tables()
        with self._env.begin(write=True) as txn:
            found = txn.get(b"version", db=self._meta)
            if found is None:
                txn.put(b"version", _VERSION.pack(VERSION), db=self._meta)
        if found is not None and found != _VERSION.pack(VERSION):
            self._env.close()
            raise FormatError(
                f"the robots.txt files in {self.folder} are of another version; delete that folder"
            )

    def _open_tables(self) -> None:
        self._sites, self._ages, self._meta = (
            self._env.open_db(name) for name in (b"sites", b"ages", b"meta")
        )

    def _mend_length(self) -> None:
        """Lengthen a file that is shorter than its pages, if all that is in it can be read.

        LMDB leaves out pages at the end that were taken and given back; a file that lost its end would end
        the process.
        """
        data_file = self.folder / "data.mdb"
        n_bytes = data_file.stat().st_size
        if not (missing := missing_bytes(self._env, data_file)):
            return
        os.truncate(data_file, n_bytes + missing)
        try:
            self._open_tables()
            with self._env.begin() as txn:
                for table in (self._sites, self._ages, self._meta):
                    deque(txn.cursor(table), maxlen=0)
        except lmdb.Error:
            self._env.close()
            os.truncate(data_file, n_bytes)
            raise

    def get(self, site: str) -> RobotsRecord | None:
        """Return what is known of *site* (``http://host``), None for nothing."""
        if (record := self.waiting.get(site)) is not None:
            return record
        key = site.encode()
        if len(key) > _MAX_SITE_BYTES:
            return None
        try:
            with self._env.begin() as txn:
                value = txn.get(key, db=self._sites)
        except lmdb.Error as error:
            raise self._damaged(error) from error
        return None if value is None else self._unpacked(value)

    def put(self, site: str, record: RobotsRecord) -> None:
        """Keep *record*; on disk after the next :meth:`flush`, which much that waits brings about."""
        if len(site.encode()) > _MAX_SITE_BYTES:
            return
        self.waiting[site] = record
        self.waiting_bytes += len(record.body)
        if self.waiting_bytes >= _MAX_WAITING_BYTES:
            self.flush(record.fetched_at)

    def flush(self, now: float) -> None:
        """Write what was put, and drop what is too old at *now* or too much."""
        try:
            with self._env.begin(write=True) as txn:
                for site, record in self.waiting.items():
                    self._write(txn, site.encode(), record)
                self._drop(txn, now)
        except (lmdb.DiskError, lmdb.MemoryError, lmdb.MapFullError) as error:
            raise InputError(
                f"cannot write {self.folder} ({error}); make room on the disk and start again"
            ) from error
        except lmdb.Error as error:
            raise self._damaged(error) from error
        self.waiting, self.waiting_bytes = {}, 0

    def close(self, now: float) -> None:
        """Write what was put, and let go of the folder."""
        try:
            self.flush(now)
        finally:
            self._env.close()

    def __len__(self) -> int:
        """Return the number of rows on disk."""
        with self._env.begin() as txn:
            n_rows: int = txn.stat(self._sites)["entries"]
        return n_rows

    def _write(self, txn: Any, site: bytes, record: RobotsRecord) -> None:
        old = txn.get(site, db=self._sites)
        if old is not None:
            txn.delete(_age(_HEAD.unpack_from(old)[3]) + site, db=self._ages)
        head = _HEAD.pack(
            record.status,
            record.n_failures,
            record.fetched_at,
            record.expires_at,
            record.unreachable_since,
        )
        body = zstd.compress(record.body) if record.body else b""
        txn.put(site, head + body, db=self._sites)
        txn.put(_age(record.expires_at) + site, b"", db=self._ages)

    def _drop(self, txn: Any, now: float) -> None:
        """Drop the rows that are too old, and the oldest ones while there are too many."""
        n_excess = self._n_excess(txn)
        too_old = _age(now - KEEP_SECS)
        dropped = []
        with txn.cursor(self._ages) as cursor:
            for place, key in enumerate(cursor.iternext(values=False)):
                if place >= _MAX_DROPPED or (place >= n_excess and key[:8] >= too_old):
                    break
                dropped.append(key)
        for key in dropped:
            txn.delete(key, db=self._ages)
            txn.delete(key[_AGE.size :], db=self._sites)

    def _n_excess(self, txn: Any) -> int:
        """Return how many rows are too many: their share of what is too much, and a hundredth more."""
        stat = txn.stat(self._sites)
        pages = stat["leaf_pages"] + stat["branch_pages"] + stat["overflow_pages"]
        share = 1 - self.max_bytes / (pages * stat["psize"] or 1)
        return min(int((share + 0.01) * stat["entries"]) + 1, _MAX_DROPPED) if share > 0 else 0

    def _unpacked(self, value: bytes) -> RobotsRecord:
        try:
            status, n_failures, fetched_at, expires_at, since = _HEAD.unpack_from(value)
            packed = value[_HEAD.size :]
            body = zstd.decompress(packed) if packed else b""
        except (struct.error, zstd.ZstdError) as error:
            raise self._damaged(error) from error
        return RobotsRecord(body, status, fetched_at, expires_at, since, n_failures)

    def _damaged(self, error: Exception) -> FormatError:
        return FormatError(
            f"the robots.txt files in {self.folder} are damaged ({error}); delete that folder"
        )


def _age(secs: float) -> bytes:
    return _AGE.pack(max(0, round(secs * 1000)))
