"""The distances of one page to all others by sets, from an inverted index.

As :mod:`pipelines.templates.set_distances` has them. Members of the sets are numbered by how many sets hold them, the
rarest first, so that a set begins with what tells it from most others.

Shapes: k members in all, of m kinds, in n sets. Cost: a row takes time in proportion to the members that its set has
in common with all; memory 12 bytes a member, and 50 while the index is made. Invariant: a row is what
:func:`pipelines.templates.set_distances.set_distance` gives for each pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_HALF = np.uint64(32)


class SetRows:
    """Sets and the index of their members.

    ``members[start[i]:start[i + 1]]``, uint32[k], ascending, is set i; ``owners[first[j]:first[j + 1]]``, uint32[k],
    the sets that hold member j.
    """

    def __init__(self, sets: Sequence[U64]) -> None:
        self.size = np.array([len(each) for each in sets], np.int64)
        self.start = np.concatenate(([0], np.cumsum(self.size)))
        hashes = np.concatenate([np.zeros(0, np.uint64), *sets])
        _, kind, n_sets = np.unique(hashes, return_inverse=True, return_counts=True)
        del hashes
        rank = np.empty(len(n_sets), np.uint32)
        rank[np.argsort(n_sets, kind="stable")] = np.arange(len(n_sets), dtype=np.uint32)
        owner = np.repeat(np.arange(len(sets), dtype=np.uint64), self.size)
        # One sort of both numbers in one takes a fifth of two sorts by one each.
        self.members = _second(owner << _HALF | rank[kind])
        self.first = np.concatenate(([0], np.cumsum(np.sort(n_sets))))
        self.owners = _second(self.members.astype(np.uint64) << _HALF | owner)

    def __len__(self) -> int:
        return len(self.size)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the set at *place* to *others*, by default all, float64[m]."""
        common = np.zeros(len(self), np.int64)
        count_common(place, self.start, self.members, self.first, self.owners, common)
        largest = np.maximum(self.size, self.size[place])
        # Two empty sets are the same.
        found: F64 = 1 - np.where(largest, common / np.maximum(largest, 1), 1.0)
        return found if others is None else found[others]


def _second(pairs: U64) -> U32:
    """Return the lower halves of *pairs*, which are sorted in place."""
    pairs.sort()
    return pairs.astype(np.uint32)


@lean_kernel
def count_common(
    place: int, start: I64, members: U32, first: I64, owners: U32, common: I64
) -> None:
    """Add to *common*, zeros before, how many members of the set at *place* each set has."""
    for k in range(start[place], start[place + 1]):
        member = members[k]
        for entry in range(first[member], first[member + 1]):
            common[owners[entry]] += 1
