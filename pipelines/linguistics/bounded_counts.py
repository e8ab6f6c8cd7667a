"""Counts of very many keys in a bounded number of entries, with a bound on what is missing.

Lossy counting: when an entry would be one too many, the entries of the lower half are forgotten.
An entry that comes (back) later cannot know how often it had been seen: it notes as *missed* the
highest count that was forgotten so far. *Source: Manku and Motwani 2002, section 4.2 (there the
cut falls at fixed intervals, here when the entries are used up).*

Shapes: counts int64[n, c], one row an entry, one column a count; column 0 decides what is forgotten.
Memory: at most *max_entries* entries; measured with 1,000,000 of them, their keys included: 175 bytes
an entry, and 210 at most, while half of them are forgotten.
Invariant: for every key, count <= true count <= count + missed, and a key without an entry was seen
at most `max_missed` times. As long as nothing was forgotten, all counts are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

Key = TypeVar("Key", str, bytes)

MAX_ENTRIES = 1_000_000
_FIRST_CAPACITY = 1024


class BoundedCounts(Generic[Key]):
    """At most *max_entries* keys, each with *n_columns* counts.

    Every entry has a serial number, never used twice: it names the entry in notes kept elsewhere.
    """

    def __init__(self, n_columns: int = 1, *, max_entries: int = MAX_ENTRIES) -> None:
        if n_columns < 1:
            raise ValueError(f"n_columns must be at least 1, got {n_columns}")
        if max_entries < 2:
            raise ValueError(f"max_entries must be at least 2, got {max_entries}")
        self.max_entries = max_entries
        self.max_missed = 0
        self.n_forgotten = 0
        self._n_serials = 0
        self._row: dict[Key, int] = {}
        self._counts = np.zeros((_FIRST_CAPACITY, n_columns), dtype=np.int64)
        self._missed = np.zeros(_FIRST_CAPACITY, dtype=np.int64)
        self._serials = np.zeros(_FIRST_CAPACITY, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._row)

    def __contains__(self, key: Key) -> bool:
        return key in self._row

    @property
    def keys(self) -> list[Key]:
        """The keys in the order of their entries."""
        return list(self._row)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Counts of the keys, [n, c]."""
        return self._counts[: len(self._row)]

    @property
    def missed(self) -> npt.NDArray[np.int64]:
        """How many more times each key may have been seen."""
        return self._missed[: len(self._row)]

    @property
    def serials(self) -> npt.NDArray[np.int64]:
        """The serial number of each entry, ascending."""
        return self._serials[: len(self._row)]

    def fits(self, keys: Sequence[Key]) -> bool:
        """Tell whether *keys*, which are distinct, can be added and nothing is forgotten for them."""
        room = self.max_entries - len(self._row)
        return len(keys) <= room or sum(key not in self._row for key in keys) <= room

    def add_all(
        self, keys: Sequence[Key], amounts: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Add row i of *amounts* (int64[n, c]) to the i-th of *keys*, which are distinct.

        Return their serial numbers and their counts, int64[n] each.
        """
        if len(keys) > self.max_entries:
            half = len(keys) // 2
            first = self.add_all(keys[:half], amounts[:half])
            second = self.add_all(keys[half:], amounts[half:])
            return np.append(first[0], second[0]), np.append(first[1], second[1])
        while not self.fits(keys):
            self._forget()
        self._add_rows([key for key in keys if key not in self._row])
        rows = np.fromiter(map(self._row.__getitem__, keys), np.int64, len(keys))
        self._counts[rows] += amounts
        return self._serials[rows], self._counts[rows, 0]

    def _add_rows(self, keys: Sequence[Key]) -> None:
        """Begin the rows of *keys*, which have none, all at once: most keys of texts come once."""
        first, stop = len(self._row), len(self._row) + len(keys)
        while stop > len(self._missed):
            self._grow()
        self._row.update(zip(keys, range(first, stop), strict=True))
        self._counts[first:stop] = 0
        self._missed[first:stop] = self.max_missed
        self._serials[first:stop] = np.arange(self._n_serials, self._n_serials + len(keys))
        self._n_serials += len(keys)

    def _grow(self) -> None:
        extra = min(len(self._missed), max(self.max_entries - len(self._missed), 1))
        self._counts = np.concatenate([self._counts, np.zeros_like(self._counts[:extra])])
        self._missed = np.concatenate([self._missed, np.zeros(extra, dtype=np.int64)])
        self._serials = np.concatenate([self._serials, np.zeros(extra, dtype=np.int64)])

    def _forget(self) -> None:
        """Forget every entry whose key was seen at most as often as the median one may have been."""
        n = len(self._row)
        most = self._counts[:n, 0] + self._missed[:n]
        cut = int(np.partition(most, n // 2)[n // 2])
        kept = np.flatnonzero(most > cut)
        self.n_forgotten += n - len(kept)
        self.max_missed = max(self.max_missed, cut)
        keys = list(self._row)
        self._row = {keys[old]: new for new, old in enumerate(kept.tolist())}
        for table in (self._counts, self._missed, self._serials):
            table[: len(kept)] = table[kept]
