"""Distances of pages by how often each tag is there: TV and TFDA.

With v_i(D) the number of start tags i of page D, N kinds of tags in all, and F_i(D) = 100 v_i(D) / sum v(D) their
shares in per cent::

    d_TV(D1, D2) = sqrt(sum (v_i(D1) - v_i(D2))^2)            tag vector
    d_TFDA(D1, D2) = sum w_i (F_i(D1) - F_i(D2))^2            tag frequency distribution analysis

The weights w sum to 1, so that d_TFDA is at most 10,000; here all kinds weigh 1/N, unless told otherwise. A page
without tags has shares of 0.
*Source: Gottron 2008, section 7.1.1 (TV) and 3.5.4 (TFDA, of Cruz, Borisov, Marks and Webb 1998).* The thesis does not
say whether end tags count; they do not here.

Shapes: of each page the labels that it has and their counts; a row float64[n]. Cost: a row takes time in proportion to
the labels of the pages that it is about; memory 16 bytes a label of a page, however many names pages make up.
Invariant: the order of tags changes neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from pipelines.templates.documents import Document

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]


class TagCounts(NamedTuple):
    """The labels of a page's start tags, ascending, and how often each is there."""

    labels: U64
    counts: I64


def tag_counts(document: Document) -> TagCounts:
    """Return the tag counts of *document*."""
    return TagCounts(document.vector_labels, document.vector_counts)


class _Vectors:
    """Pages as values by label: those of page i are ``start[i]`` to ``start[i + 1]`` of *labels* and *values*."""

    def __init__(self, pages: Sequence[TagCounts]) -> None:
        sizes = [len(page.labels) for page in pages]
        self.start = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
        self.labels = np.concatenate([np.zeros(0, np.uint64), *(page.labels for page in pages)])
        self.values = np.concatenate([np.zeros(0), *(page.counts for page in pages)])

    def __len__(self) -> int:
        return len(self.start) - 1

    def sums(self, place: int, others: I64 | None, weights: F64) -> F64:
        """Return the sums over labels of weighted squared differences between the page at *place* and *others*."""
        chosen = np.arange(len(self)) if others is None else others
        sums = np.zeros(len(chosen))
        add_squares(self.start, self.labels, self.values, weights, place, chosen, sums)
        return sums


class TagVectorRows:
    """The Euclidean distances of tag vectors (TV)."""

    def __init__(self, pages: Sequence[TagCounts]) -> None:
        self._vectors = _Vectors(pages)
        self._weights = np.ones(len(self._vectors.labels))

    def __len__(self) -> int:
        return len(self._vectors)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, by default all, float64[m]."""
        distances: F64 = np.sqrt(self._vectors.sums(place, others, self._weights))
        return distances


class TagFrequencyRows:
    """The distances of tag frequencies (TFDA), 0 to 10,000, with *weights* by label, which sum to 1.

    Without weights each label has one over *n_labels*, by default the labels of *pages*: of some pages of a
    larger set the number of labels of all is to be given.
    """

    def __init__(
        self,
        pages: Sequence[TagCounts],
        weights: Mapping[int, float] | None = None,
        *,
        n_labels: int | None = None,
    ) -> None:
        self._vectors = vectors = _Vectors(pages)
        totals = [max(int(page.counts.sum()), 1) for page in pages]
        vectors.values = 100 * vectors.values / np.repeat(totals, np.diff(vectors.start))
        labels = vectors.labels
        self.n_labels = len(np.unique(labels)) if n_labels is None else n_labels
        if weights is None:
            self._weights = np.full(len(labels), 1 / max(self.n_labels, 1))
            return
        if abs(sum(weights.values()) - 1) > 1e-9 or min(weights.values()) < 0:
            raise ValueError(f"weights must be 0 or more and sum to 1, got {sum(weights.values())}")
        self._weights = np.array([weights.get(each, 0.0) for each in labels.tolist()], np.float64)

    def __len__(self) -> int:
        return len(self._vectors)

    def part(self, pages: Sequence[TagCounts]) -> TagFrequencyRows:
        """Return some of the pages, prepared so that their distances are the same, unless weights were given."""
        return TagFrequencyRows(pages, n_labels=self.n_labels)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, by default all, float64[m]."""
        return self._vectors.sums(place, others, self._weights)


@lean_kernel
def add_squares(  # noqa: PLR0913, PLR0917 - a kernel takes arrays one by one
    start: I64, labels: U64, values: F64, weights: F64, place: int, others: I64, sums: F64
) -> None:
    """Add to *sums* the weighted squared differences of the values at *place* and at each of *others*, label by
    label.
    """
    for entry in range(len(others)):
        i, end_i = start[place], start[place + 1]
        j, end_j = start[others[entry]], start[others[entry] + 1]
        while i < end_i or j < end_j:
            is_mine = j == end_j or (i < end_i and labels[i] <= labels[j])
            is_theirs = i == end_i or (j < end_j and labels[j] <= labels[i])
            weight = weights[i] if is_mine else weights[j]
            difference = (values[i] if is_mine else 0.0) - (values[j] if is_theirs else 0.0)
            sums[entry] += weight * difference * difference
            i += is_mine
            j += is_theirs
