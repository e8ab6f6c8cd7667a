"""The n-grams of what a crawl kept so far, in a bounded table, and how much of a text they cover.

A streaming form of algorithm 3.1 (Pomikálek 2011, 3.5): a text is covered by the n-grams of texts that
were kept before it, as by Gout; which n-grams will be duplicates is not known yet, so all of them are
held, as far as there is room. The table is of buckets of eight hashes; a hash that comes to a full
bucket takes the place of one that has not been asked for the longest, nearly: the bucket is a queue, and
a hash that is found again stays. So n-grams that come again and again stay, and the others are
forgotten: what is forgotten is a duplicate that is missed.

Shapes: ``table: uint64[8 b]``, 0 for a free place. Memory: as given, all of it from the beginning. Time:
one line of the processor's cache a hash. Invariant: with room for everything, coverage is that of
:class:`pipelines.duplicates.removal.DuplicateNgrams` with the n-grams of all earlier texts in Gout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    U64 = npt.NDArray[np.uint64]

_BUCKET = 8
MIN_BYTES = 2**16


class KeptNgrams:
    """At most *n_bytes* of *n*-grams of kept texts; ValueError for too few, or for *n* below 1."""

    def __init__(self, n: int, *, n_bytes: int):
        if n < 1:
            raise ValueError(f"n must be at least 1, got {n}")
        if n_bytes < MIN_BYTES:
            raise ValueError(f"n_bytes must be at least {MIN_BYTES}, got {n_bytes}")
        self.n = n
        self._table: U64 = np.zeros(n_bytes // (8 * _BUCKET) * _BUCKET, dtype=np.uint64)

    def coverage(self, hashes: U64) -> float:
        """Return the share of the words of a text, given by its n-grams in order, that are covered.

        A text of fewer than n words, which has no n-grams, is covered by nothing.
        """
        if not hashes.size:
            return 0.0
        return int(_n_covered(self._table, hashes, self.n)) / (hashes.size + self.n - 1)

    def add(self, hashes: U64) -> None:
        """Take the n-grams of a kept text."""
        _add(self._table, hashes)


@lean_kernel
def _n_covered(table: U64, hashes: U64, n: int) -> int:
    n_buckets = np.uint64(table.size // _BUCKET)
    n_covered = end = 0
    for i in range(hashes.size):
        start = ((hashes[i] >> np.uint64(32)) * n_buckets >> np.uint64(32)) * np.uint64(_BUCKET)
        for place in range(start, start + np.uint64(_BUCKET)):
            if table[place] == hashes[i]:
                n_covered += i + n - max(i, end)
                end = i + n
                break
    return n_covered


@lean_kernel
def _add(table: U64, hashes: U64) -> None:
    n_buckets = np.uint64(table.size // _BUCKET)
    for i in range(hashes.size):
        start = ((hashes[i] >> np.uint64(32)) * n_buckets >> np.uint64(32)) * np.uint64(_BUCKET)
        # The newest comes first; what is found moves to the front, what falls off the end is forgotten.
        carried = hashes[i]
        for place in range(start, start + np.uint64(_BUCKET)):
            other = table[place]
            table[place] = carried
            carried = other
            if other == hashes[i] or other == 0:
                break
