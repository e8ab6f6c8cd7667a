"""Distances of pages by how often each tag is there: TV and TFDA.

With v_i(D) the number of start tags i of page D, N kinds of tags in all, and F_i(D) = 100 v_i(D) / sum v(D) their
shares in per cent::

    d_TV(D1, D2) = sqrt(sum (v_i(D1) - v_i(D2))^2)            tag vector
    d_TFDA(D1, D2) = sum w_i (F_i(D1) - F_i(D2))^2            tag frequency distribution analysis

The weights w sum to 1, so that d_TFDA is at most 10,000; here all kinds weigh 1/N, unless told otherwise. A page
without tags has shares of 0. *Source: Gottron 2008, section 7.1.1 (TV) and 3.5.4 (TFDA, of Cruz, Borisov, Marks and Webb
1998).* The thesis does not say whether end tags count; they do not here.

Shapes: counts float64[n, N]; a row float64[n]. Cost: O(n N) a row; memory 8 n N bytes, where N is some 150 for
pages that make no names up. Invariant: the order of tags changes neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

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


class TagVectorRows:
    """The Euclidean distances of tag vectors (TV)."""

    def __init__(self, pages: Sequence[TagCounts]) -> None:
        _, self.vectors = _vectors(pages)

    def __len__(self) -> int:
        return len(self.vectors)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, by default all, float64[m]."""
        differences = _chosen(self.vectors, others) - self.vectors[place]
        distances: F64 = np.sqrt((differences * differences).sum(axis=1))
        return distances


class TagFrequencyRows:
    """The distances of tag frequencies (TFDA), 0 to 10,000, with *weights* by label, which sum to 1."""

    def __init__(
        self, pages: Sequence[TagCounts], weights: Mapping[int, float] | None = None
    ) -> None:
        labels, vectors = _vectors(pages)
        totals = np.maximum(vectors.sum(axis=1, keepdims=True), 1)
        self.shares = 100 * vectors / totals
        if weights is None:
            self.weights = np.full(len(labels), 1 / max(len(labels), 1))
            return
        if abs(sum(weights.values()) - 1) > 1e-9 or min(weights.values()) < 0:
            raise ValueError(f"weights must be 0 or more and sum to 1, got {sum(weights.values())}")
        self.weights = np.array([weights.get(label, 0.0) for label in labels.tolist()], np.float64)

    def __len__(self) -> int:
        return len(self.shares)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, by default all, float64[m]."""
        differences = _chosen(self.shares, others) - self.shares[place]
        distances: F64 = (differences * differences * self.weights).sum(axis=1)
        return distances


def _chosen(rows: F64, others: I64 | None) -> F64:
    return rows if others is None else rows[others]


def _vectors(pages: Sequence[TagCounts]) -> tuple[U64, F64]:
    """Return the labels of all *pages*, uint64[N], and the counts of each page, float64[n, N]."""
    labels = np.unique(np.concatenate([np.zeros(0, np.uint64), *(page.labels for page in pages)]))
    vectors = np.zeros((len(pages), len(labels)))
    for place, page in enumerate(pages):
        vectors[place, np.searchsorted(labels, page.labels)] = page.counts
    return labels, vectors
