"""Which n-grams of a collection occur twice or more, by 64-bit hashes in partitions.

Each n-gram is one 64-bit hash, rolled over the hashes of its words. A buffer of hashes at a time is
divided by their highest bits into partitions and kept as a *run*, in memory or, beyond the memory
that is given, in one temporary file. At the end each partition, the same part of every run, is marked in
a table of two bits a slot that fits the processor's cache: a hash that has its slot to itself came
once. The others, few unless most are duplicates, are sorted.

*Source:* Pomikálek 2011, 3.4 and 3.5.1, and the released onion's ``hashgen`` and ``hashdup``; two n-grams
in 2^64 / m of m distinct ones have one hash: with 10^9, one in 18 billion. N-grams never cross
documents. Deviation from the thesis, which sorts, and from its sets, which are Judy arrays.

On disk: the runs one after the other, uint64 in the byte order of the machine, each ordered by
partition; the file is removed when it is opened, and gone with the process.

Memory: 8 bytes an n-gram as long as they fit in *memory*, two buffers, and of one partition, a
two-thousandth of all, at most 20 bytes a distinct n-gram, however often one comes; of *memory* at most
half is buffers. Temporary disk: 8 bytes an n-gram. The result: 8 bytes a duplicate. Time: linear, but
for the sorting of the rest of a partition.
"""

from __future__ import annotations

from functools import partial
from typing import IO, TYPE_CHECKING, NamedTuple, Self

import numpy as np

from crawler.durable.temporary_files import temporary_file
from crawler.kernels.jit import lean_kernel, read_only

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]

DEFAULT_MEMORY = 2**31
MIN_MEMORY = 2**20
# Lines of so many partitions fit the processor's second cache while hashes are dealt out.
_PARTITION_BITS = 11
_BUFFER_HASHES = 2**23
# Half a megabyte of slots, which stay in the second cache; a large partition gets more all the same.
_CACHED_SLOTS = 2**21
_SLOTS_A_WORD = 32
# Hashes that share slots, beyond which those that came more than twice are left out.
_MAX_SHARED = 2**20
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

    A context manager: leaving it lets go of all n-grams and their file. *memory* in bytes, *folder* for the file.
    Raises ValueError for *n* below 1, for too little memory, and for what is added after leaving.
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
        self._counts: U32 = np.zeros(2**_PARTITION_BITS, dtype=np.uint32)
        self._spilled: U64 | None = None
        self._runs: list[U64 | int] = []
        self._bounds: list[I64] = []
        self._max_runs = max(memory // (8 * n_buffered) - 3, 0)
        self._folder = folder
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._runs.clear()
        self._buffer = self._spilled = np.empty(0, dtype=np.uint64)
        if self._file is not None:
            self._file.close()

    def add(self, words: U64, starts: I64) -> None:
        """Add documents: the hashes of their words, and where each begins, with the end at last."""
        if not len(self._buffer):
            raise ValueError("n-grams cannot be added after leaving")
        words, starts = read_only(words), read_only(starts)
        place = _Place(0, 0, self._used)
        while place.document < len(starts) - 1:
            place = _Place(
                *_roll_documents(words, starts, self.n, place, self._buffer, self._counts)
            )
            self._used = place.used
            if self._used == len(self._buffer):
                self._end_run()
                place = place._replace(used=0)

    def duplicates(self) -> U64:
        """Return the hashes of the n-grams that were added twice or more, ascending."""
        return np.concatenate([np.empty(0, dtype=np.uint64), *self.duplicate_parts()])

    def duplicate_parts(self) -> Iterator[U64]:
        """Yield the duplicates one partition after the other, for those who have no room for all."""
        self._end_run()
        self.n_distinct = 0
        sizes = sum(map(np.diff, self._bounds), np.zeros(2**_PARTITION_BITS, dtype=np.int64))
        for partition in np.flatnonzero(sizes).tolist():
            parts: Callable[[], Iterator[U64]] = partial(self._parts, partition)
            if sizes[partition] <= len(self._buffer):
                parts = list(parts()).__iter__
            duplicates, n_distinct = _duplicates_of(parts, int(sizes[partition]))
            self.n_distinct += n_distinct
            yield duplicates

    @property
    def n_bytes(self) -> int:
        """Bytes of the runs and the buffer in memory."""
        in_memory = sum(run.nbytes for run in self._runs if not isinstance(run, int))
        return in_memory + self._buffer.nbytes

    @property
    def n_file_bytes(self) -> int:
        """Bytes of the temporary file."""
        return self._file.tell() if self._file is not None else 0

    def _end_run(self) -> None:
        if not self._used:
            return
        bounds = np.zeros(len(self._counts) + 1, dtype=np.int64)
        np.cumsum(self._counts, out=bounds[1:])
        # of a run that is on disk, the room is used again
        room = np.empty_like(self._buffer) if self._spilled is None else self._spilled
        run = room[: self._used]
        _partition(self._buffer[: self._used], bounds[:-1].astype(np.uint32), run)
        self.n_ngrams += self._used
        self._used = 0
        self._counts[:] = 0
        self._bounds.append(bounds)
        if len(self._runs) < self._max_runs:
            self._runs.append(run)
            return
        if self._file is None:
            self._file = temporary_file(self._folder)
        self._runs.append(self._file.tell())
        self._file.write(run.data)
        self._spilled = room

    def _parts(self, partition: int) -> Iterator[U64]:
        """Yield the part of each run that is of *partition*."""
        for run, bounds in zip(self._runs, self._bounds, strict=True):
            first, end = bounds[partition : partition + 2].tolist()
            if first == end:
                continue
            if isinstance(run, int):
                assert self._file is not None
                self._file.seek(run + 8 * first)
                yield np.fromfile(self._file, dtype=np.uint64, count=end - first)
            else:
                yield run[first:end]
        if self._file is not None:
            self._file.seek(0, 2)


def ngrams_of_documents(words: U64, starts: I64, n: int) -> U64:
    """Return the hashes of the *n*-grams of documents, as :class:`NgramPartitions` counts them."""
    hashes = np.empty(int(np.maximum(np.diff(starts) - n + 1, 0).sum()), dtype=np.uint64)
    if hashes.size:
        counts = np.empty(2**_PARTITION_BITS, dtype=np.uint32)
        _roll_documents(read_only(words), read_only(starts), n, _Place(0, 0, 0), hashes, counts)
    return hashes


def _duplicates_of(parts: Callable[[], Iterator[U64]], n: int) -> tuple[U64, int]:
    """Return the hashes that are in *parts*, of *n* together, twice, and how many are distinct."""
    n_slots = max(min(8 * n, _CACHED_SLOTS), 2 * n, _SLOTS_A_WORD)
    slots = np.zeros(2 ** (n_slots - 1).bit_length() // _SLOTS_A_WORD, dtype=np.uint64)
    for part in parts():
        _mark(part, slots)
    shared = np.empty(n, dtype=np.uint64)
    n_shared, n_distinct, limit = 0, n, _MAX_SHARED
    for part in parts():
        n_shared = _sift(part, slots, shared, n_shared)
        if n_shared > limit:
            n_kept = _leave_two(shared[:n_shared])
            n_distinct -= n_shared - n_kept
            n_shared, limit = n_kept, max(2 * n_kept, _MAX_SHARED)
    n_kept = _leave_two(shared[:n_shared])
    ordered = shared[:n_kept]
    duplicates = ordered[1:][ordered[1:] == ordered[:-1]]
    return duplicates, n_distinct - (n_shared - n_kept) - len(duplicates)


def _leave_two(hashes: U64) -> int:
    """Order *hashes*, leave out those that came twice before, and return how many are left."""
    hashes.sort()
    is_kept = np.ones(len(hashes), dtype=np.bool_)
    np.not_equal(hashes[2:], hashes[:-2], out=is_kept[2:])
    kept = hashes[is_kept]
    hashes[: len(kept)] = kept
    return len(kept)


@lean_kernel
def _roll_documents(
    words: U64, starts: I64, n: int, place: _Place, hashes: U64, counts: U32
) -> tuple[int, int, int]:
    """Write the hashes of n-grams from *place* on; return the place where the room ended.

    To *counts* the hashes of each partition are added.
    """
    shift = np.uint64(64 - _PARTITION_BITS)
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
            value += np.uint64(value == _ZERO)
            hashes[used] = value
            counts[value >> shift] += np.uint32(1)
            used += 1
            rolled -= words[i - n + 1] * leaving
    return starts.size - 1, 0, used


@lean_kernel
def _partition(hashes: U64, places: U32, run: U64) -> None:
    """Write *hashes* ordered by partition to *run*; *places* are where each partition begins."""
    shift = np.uint64(64 - _PARTITION_BITS)
    for i in range(hashes.size):
        value = hashes[i]
        partition = value >> shift
        place = places[partition]
        places[partition] = place + np.uint32(1)
        run[place] = value


@lean_kernel
def _mark(hashes: U64, slots: U64) -> None:
    """Note in *slots*, of two bits, that a hash came there, and that a second one did."""
    mask, in_word = np.uint64(slots.size - 1), np.uint64(_SLOTS_A_WORD - 1)
    for i in range(hashes.size):
        bit = np.uint64(1) << ((hashes[i] & in_word) << np.uint64(1))
        word = (hashes[i] >> np.uint64(5)) & mask
        slots[word] |= bit | ((slots[word] & bit) << np.uint64(1))


@lean_kernel
def _sift(hashes: U64, slots: U64, shared: U64, n_shared: int) -> int:
    """Write those of *hashes* that share a slot to *shared*, after *n_shared*; return their end."""
    mask, in_word = np.uint64(slots.size - 1), np.uint64(_SLOTS_A_WORD - 1)
    end = n_shared
    for i in range(hashes.size):
        second = np.uint64(2) << ((hashes[i] & in_word) << np.uint64(1))
        # written in any case, and over it the next unless it counts: no branch to mistake
        shared[end] = hashes[i]
        end += (slots[(hashes[i] >> np.uint64(5)) & mask] & second) != 0
    return end
