"""Writes captures into WARC files on a thread of its own, and says how far they are committed.

The captures of a group are handed over one by one as they end, and packed and written while the crawl
goes on; the group's commit waits for the last of them (:meth:`WarcWriter.settle`), and then holds
the place of each and the length of the file. So what is committed of a file is exactly the
captures that are: one response, or revisit, record each. A capture that is to be tried again has none.

What is written and not yet committed is at most `MAX_OPEN_BYTES` and one capture, since the group is then
committed: that bounds the memory too, and a slow disk holds the crawl up. A file ends at the first
commit at which it has its size.

*On disk*: crawler.durable.warc_files, crawler.durable.warc_records.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from crawler.durable.files import make_folder, sync_file
from crawler.durable.keys import u64_key
from crawler.durable.warc_files import TABLE, read_lengths, serial_of, warc_name
from crawler.durable.warc_records import capture_records, warcinfo
from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from crawler.durable.capture import Capture
    from crawler.durable.journal import Journal

# Bytes of answers that are taken before they are committed.
MAX_OPEN_BYTES = 32 * 2**20


class WarcWriter:
    """Writes into ``warc/`` of *corpus_dir*, whose *journal* this process writes.

    A file is ended when it has *max_bytes*, 1 or more. *info* are fields of its first record.
    """

    def __init__(
        self, corpus_dir: Path, journal: Journal, *, max_bytes: int, info: Sequence[tuple[str, str]]
    ) -> None:
        if max_bytes < 1:
            raise ValueError(f"max_bytes must be at least 1, got {max_bytes}")
        self.corpus_dir = corpus_dir
        self.max_bytes = max_bytes
        self.info = info
        self._shard = journal.folder.name
        with journal.read() as txn:
            lengths = read_lengths(txn)
        self._serial = max(map(serial_of, lengths), default=0)
        self._waiting: deque[Capture] = deque()
        self._taken_bytes = 0
        self._descriptor = -1
        self._name, self._length = "", 0
        self._warcinfo_id, self._head = "", b""  # written with the first capture
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="warc")
        self._step: Future[None] | None = None

    @property
    def is_full(self) -> bool:
        """Tell whether so much waits for its commit that it should come now."""
        return self._taken_bytes >= MAX_OPEN_BYTES

    def put(self, capture: Capture) -> None:
        """Take *capture*, which has ended; one without an answer, or to be tried again, is passed over."""
        if capture.exchange is None or not _is_archived(capture):
            return
        self._taken_bytes += capture.exchange.n_bytes
        self._waiting.append(capture)
        self._step = self._thread.submit(self._write_ahead)

    def settle(self, captures: Sequence[Capture]) -> None:
        """Have all of *captures*, which are committed next, on the disk; put their places into them.

        The last of them takes the length of the file. Raises `InputError` when the disk takes no
        more; what was not written is then written when this is called again.
        """
        archived = [capture for capture in captures if _is_archived(capture)]
        if not archived:
            return
        self._thread.submit(self._write_all).result()
        for capture in archived:
            assert capture.exchange is not None
            if capture.row is not None:
                capture.row["warc_file"] = capture.exchange.file
                capture.row["warc_offset"] = capture.exchange.offset
            capture.exchange = None
        archived[-1].puts.append((TABLE, self._name.encode(), u64_key(self._length)))
        self._taken_bytes = 0
        if self._length >= self.max_bytes:
            self._end_file()

    def close(self) -> None:
        """End the thread and close the file; a second call does nothing."""
        self._thread.shutdown(cancel_futures=True)
        self._end_file()

    def _end_file(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    # --- on the thread -------------------------------------------------------------------------

    def _write_ahead(self) -> None:
        try:
            self._write_waiting()
        except OSError:
            return  # the commit meets it again, and says so

    def _write_all(self) -> None:
        try:
            self._write_waiting()
            os.fdatasync(self._descriptor)
        except OSError as error:
            raise InputError(
                f"cannot write {self.corpus_dir / self._name} ({error.strerror}); make room on the "
                "disk and start again"
            ) from error

    def _write_waiting(self) -> None:
        while self._waiting:
            capture = self._waiting[0]
            exchange = capture.exchange
            assert exchange is not None
            if self._descriptor < 0:
                self._begin_file()
            records = capture_records(capture, exchange, self._warcinfo_id)
            place = self._length + len(self._head)
            self._append(b"".join([self._head, *records]))
            self._head = b""
            exchange.file, exchange.offset = self._name, place
            self._waiting.popleft()

    def _begin_file(self) -> None:
        name = warc_name(self._shard, self._serial + 1)
        path = self.corpus_dir / name
        make_folder(path.parent)
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        sync_file(path.parent)
        self._name, self._length = name, 0
        self._serial += 1
        self._warcinfo_id, self._head = warcinfo(path.name, datetime.now(UTC), self.info)

    def _append(self, data: bytes) -> None:
        """Write *data* behind what is there, or nothing of it."""
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            os.ftruncate(self._descriptor, self._length)
            os.lseek(self._descriptor, self._length, os.SEEK_SET)
            raise
        self._length += len(data)


def _is_archived(capture: Capture) -> bool:
    return capture.exchange is not None and capture.state != "queued"
