"""Which n-grams of a collection occur twice or more, by 64-bit hashes in partitions.

Each n-gram is one 64-bit hash, rolled over the hashes of its words. A buffer of hashes at a time is
divided by their highest bits into partitions and kept as a *run*, in memory or, beyond the memory
that is given, in one temporary file. At the end each partition, the same part of every run, goes
through a hash table that fits the processor's cache; what comes a second time is a duplicate.

*Source:* Pomikálek 2011, 3.4 and 3.5.1, and the released onion's ``hashgen`` and ``hashdup``; two n-grams
in 2^64 / m of m distinct ones have one hash: with 10^9, one in 18 billion. N-grams never cross
documents. Deviation from the thesis, which sorts, and from its sets, which are Judy arrays.

On disk: the runs one after the other, uint64 in the byte order of the machine, each ordered by
partition; the file is removed when it is opened, and gone with the process.

Memory: 8 bytes an n-gram as long as they fit in *memory*, two buffers, and the table of a partition,
16 bytes a distinct n-gram in it; of *memory* at most half is buffers. Temporary disk: 8 bytes an
n-gram. The result: 8 bytes a duplicate. Time: linear.
"""

from __future__ import annotations

import tempfile
from typing import IO, TYPE_CHECKING, NamedTuple, Self

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import numpy.typing as npt

    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

DEFAULT_MEMORY = 2**31
MIN_MEMORY = 2**20
# Lines of so many partitions fit the processor's second cache while hashes are dealt out.
_PARTITION_BITS = 11
_BUFFER_HASHES = 2**23
_FIRST_TABLE = 2**15
_ZERO = np.uint64(0)
_BASE = np.uint64(0x9E3779B97F4A7C15)
# The finalizer of MurmurHash3, of 64 bits
_MIX_1 = np.uint64(0xFF51AFD7ED558CCD)
_MIX_2 = np.uint64(0xC4CEB9FE1A85EC53)


class _Place(NamedTuple):
    """The next n-gram: its document, its first word there, and how much of the buffer is used."""

    document: int
    offset: int
    used: int


class NgramPartitions:
    """Collects the n-grams of documents; :meth:`duplicates` are those that came twice.

    A context manager: leaving it removes the temporary file. *memory* in bytes, *folder* for the file.
    Raises ValueError for *n* below 1 and for too little memory.
    """

    def __init__(self, n: int, *, memory: int = DEFAULT_MEMORY, folder: Path | None = None):
        if n < 1:
            raise ValueError(f"n must be at least 1, got {n}")
        if memory < MIN_MEMORY:
            raise ValueError(f"memory must be at least {MIN_MEMORY} bytes, got {memory}")
        self.n = n
        self.n_ngrams = 0
        self.n_distinct = 0
        n_buffered = min(_BUFFER_HASHES, memory // 32)
        self._buffer: U64 = np.empty(n_buffered, dtype=np.uint64)
        self._used = 0
        self._runs: list[U64 | int] = []
        self._bounds: list[I64] = []
        self._max_runs = max(memory // (8 * n_buffered) - 3, 0)
        self._folder = folder
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, words: U64, starts: I64) -> None:
        """Add documents: the hashes of their words, and where each begins, with the end at last."""
        place = _Place(0, 0, self._used)
        while place.document < len(starts) - 1:
            place = _Place(*_roll_documents(words, starts, self.n, place, self._buffer))
            self._used = place.used
            if self._used == len(self._buffer):
                self._end_run()
                place = place._replace(used=0)

    def duplicates(self) -> U64:
        """Return the hashes of the n-grams that were added twice or more, ascending."""
        self._end_run()
        found: list[U64] = [np.empty(0, dtype=np.uint64)]
        self.n_distinct = 0
        for partition in range(2**_PARTITION_BITS):
            parts = self._parts(partition)
            if parts:
                duplicates, n_distinct = _duplicates_of(parts)
                self.n_distinct += n_distinct
                found.append(np.sort(duplicates))
        return np.concatenate(found)

    @property
    def n_bytes(self) -> int:
        """Bytes of the runs and the buffer in memory."""
        in_memory = sum(run.nbytes for run in self._runs if not isinstance(run, int))
        return in_memory + self._buffer.nbytes

    def _end_run(self) -> None:
        if not self._used:
            return
        hashes = self._buffer[: self._used]
        bounds = np.zeros(2**_PARTITION_BITS + 1, dtype=np.int64)
        run = np.empty_like(hashes)
        _partition(hashes, bounds, run)
        self.n_ngrams += self._used
        self._used = 0
        self._bounds.append(bounds)
        if len(self._runs) < self._max_runs:
            self._runs.append(run)
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115  closed on leaving
        self._runs.append(self._file.tell())
        run.tofile(self._file)

    def _parts(self, partition: int) -> list[U64]:
        parts = []
        for run, bounds in zip(self._runs, self._bounds, strict=True):
            first, last = bounds[partition : partition + 2].tolist()
            if first == last:
                continue
            if isinstance(run, int):
                assert self._file is not None
                self._file.seek(run + 8 * first)
                parts.append(np.fromfile(self._file, dtype=np.uint64, count=last - first))
            else:
                parts.append(run[first:last])
        if self._file is not None:
            self._file.seek(0, 2)
        return parts


def ngrams_of_documents(words: U64, starts: I64, n: int) -> U64:
    """Return the hashes of the *n*-grams of documents, as :class:`NgramPartitions` counts them."""
    hashes = np.empty(int(np.maximum(np.diff(starts) - n + 1, 0).sum()), dtype=np.uint64)
    if hashes.size:
        _roll_documents(words, starts, n, _Place(0, 0, 0), hashes)
    return hashes


def _duplicates_of(parts: list[U64]) -> tuple[U64, int]:
    """Return the hashes that are in *parts* twice, and the number of distinct ones."""
    n_places = min(2 ** (2 * sum(map(len, parts))).bit_length(), _FIRST_TABLE)
    table = np.zeros(n_places, dtype=np.uint64)
    is_twice = np.zeros(n_places, dtype=np.bool_)
    n_distinct = 0
    for part in parts:
        place = 0
        while True:
            place, n_distinct = _insert(part, place, table, is_twice, n_distinct)
            if place == len(part):
                break
            table, is_twice = _grown(table, is_twice)
    return table[is_twice], n_distinct


def _grown(table: U64, is_twice: Bools) -> tuple[U64, Bools]:
    larger = np.zeros(2 * len(table), dtype=np.uint64)
    twice = np.zeros(2 * len(table), dtype=np.bool_)
    _insert(table[table != _ZERO], 0, larger, twice, 0)
    # A second time makes it a duplicate again.
    _insert(table[is_twice], 0, larger, twice, 0)
    return larger, twice


@lean_kernel
def _roll_documents(
    words: U64, starts: I64, n: int, place: _Place, hashes: U64
) -> tuple[int, int, int]:
    """Write the hashes of n-grams from *place* on; return the place where the room ended."""
    leaving = np.uint64(1)
    for _ in range(n - 1):
        leaving *= _BASE
    offset, used = place.offset, place.used
    for document in range(place.document, starts.size - 1):
        first, end = starts[document] + offset, starts[document + 1]
        offset = 0
        if end - first < n:
            continue
        rolled = np.uint64(0)
        for i in range(first, first + n - 1):
            rolled = rolled * _BASE + words[i]
        for i in range(first + n - 1, end):
            if used == hashes.size:
                return document, i - n + 1 - starts[document], used
            rolled = rolled * _BASE + words[i]
            value = (rolled ^ (rolled >> np.uint64(33))) * _MIX_1
            value = (value ^ (value >> np.uint64(33))) * _MIX_2
            value ^= value >> np.uint64(33)
            # Tables know an empty place by 0.
            hashes[used] = value + np.uint64(value == _ZERO)
            used += 1
            rolled -= words[i - n + 1] * leaving
    return starts.size - 1, 0, used


@lean_kernel
def _partition(hashes: U64, bounds: I64, run: U64) -> None:
    """Write *hashes* ordered by partition to *run*, and where each partition begins to *bounds*."""
    shift = np.uint64(64 - _PARTITION_BITS)
    for i in range(hashes.size):
        bounds[(hashes[i] >> shift) + np.uint64(1)] += 1
    for partition in range(bounds.size - 1):
        bounds[partition + 1] += bounds[partition]
    for i in range(hashes.size):
        partition = hashes[i] >> shift
        run[bounds[partition]] = hashes[i]
        bounds[partition] += 1
    for partition in range(bounds.size - 1, 0, -1):
        bounds[partition] = bounds[partition - 1]
    bounds[0] = 0


@lean_kernel
def _insert(
    hashes: U64, place: int, table: U64, is_twice: Bools, n_distinct: int
) -> tuple[int, int]:
    """Insert *hashes* from *place* on, until the table is half full."""
    mask = np.uint64(table.size - 1)
    limit = table.size // 2
    for i in range(place, hashes.size):
        value = hashes[i]
        slot = value & mask
        while table[slot] != _ZERO and table[slot] != value:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] == value:
            is_twice[slot] = True
        elif n_distinct == limit:
            return i, n_distinct
        else:
            table[slot] = value
            n_distinct += 1
    return hashes.size, n_distinct
