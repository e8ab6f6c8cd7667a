"""The longest common tag subsequence (LCTS) of two pages, exactly, 64 tags at a time.

With |D| the number of tags of a page, start and end tags in source order::

    d(D1, D2) = 1 - |lcts(D1, D2)| / max(|D1|, |D2|)

Two pages without tags have distance 0. *Source: Gottron 2008, section 7.1.1; for the computation Crochemore,
Iliopoulos, Pinzon and Reid 2001, "A fast and practical bit-vector algorithm for the longest common subsequence
problem"*: with V a bit for each tag of the one page, all set, and M_x those whose tag is x, each tag y of the other
makes V = (V + (V & M_y)) | (V & ~M_y); the bits that are 0 in the end are the length.

Of a page the first `MAX_TAGS` tags are compared (`compared_tags`), or pages of a million tags, each with a name of its
own, would take gigabytes. Shapes: tags uint64[t]; a row float64[n]. Cost: O(t1 t2 / 64) for a pair; memory t1 / 8 bytes
for each kind of tag. Invariant: the lengths are those of the dynamic program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.templates.documents import Document

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_WORD_BITS = 64
# Two start and end tags for each of `pipelines.templates.rtdm.MAX_ELEMENTS`.
MAX_TAGS = 20_000


def compared_tags(document: Document) -> U64:
    """Return the first `MAX_TAGS` tags of *document*."""
    # A copy: a part would keep the whole.
    return document.tags[:MAX_TAGS].copy()


class LctsRows:
    """The sequences of tags of pages; those of one tag kind have one number in all."""

    def __init__(self, sequences: Sequence[U64]) -> None:
        self.size = np.array([len(each) for each in sequences], np.int64)
        self.start = np.concatenate(([0], np.cumsum(self.size)))
        kinds, tags = np.unique(
            np.concatenate([np.zeros(0, np.uint64), *sequences]), return_inverse=True
        )
        self.n_kinds = len(kinds)
        self.tags = tags.astype(np.uint32)

    def __len__(self) -> int:
        return len(self.size)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, by default all, float64[m]."""
        others = np.arange(len(self)) if others is None else others
        lengths = self.lengths(place, others)
        largest = np.maximum(self.size[others], self.size[place])
        return 1 - np.where(largest, lengths / np.maximum(largest, 1), 1.0)

    def lengths(self, place: int, others: I64) -> I64:
        """Return the lengths of the longest common subsequences of the page at *place* and *others*, int64[m]."""
        mine = self.tags[self.start[place] : self.start[place + 1]]
        n_words = -(-len(mine) // _WORD_BITS)
        # Kinds that the page has not are all row 0.
        own, bit_row = np.unique(mine, return_inverse=True)
        rows = np.zeros(self.n_kinds, np.uint32)
        rows[own] = np.arange(1, len(own) + 1)
        matches = np.zeros((len(own) + 1, n_words), np.uint64)
        at = np.arange(len(mine))
        bits = np.uint64(1) << (at % _WORD_BITS).astype(np.uint64)
        np.bitwise_or.at(matches, (bit_row + 1, at // _WORD_BITS), bits)
        lengths = np.zeros(len(others), np.int64)
        find_lengths(
            matches, rows, self.tags, self.start, others, np.empty(n_words, np.uint64), lengths
        )
        return lengths


@lean_kernel
def find_lengths(  # noqa: PLR0913, PLR0917 - a kernel takes arrays one by one
    matches: U64, rows: U32, tags: U32, start: I64, others: I64, left: U64, lengths: I64
) -> None:
    """Write the lengths for *others*; *left* is room for V, *matches* has its bits by row of a tag."""
    n_words = len(left)
    for entry in range(len(others)):
        left[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
        for place in range(start[others[entry]], start[others[entry] + 1]):
            row = rows[tags[place]]
            if row == 0:
                continue
            carry = np.uint64(0)
            for word in range(n_words):
                kept = left[word]
                used = kept & matches[row, word]
                partial = kept + used
                total = partial + carry
                carry = np.uint64((partial < used) | (total < carry))
                left[word] = total | (kept & ~used)
        n_left = 0
        for word in range(n_words):
            n_left += n_set_bits(left[word])
        lengths[entry] = n_words * _WORD_BITS - n_left
