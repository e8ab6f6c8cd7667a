"""Viterbi's algorithm: the labels of a sequence that score best together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    U8 = npt.NDArray[np.uint8]


def best_labels(scores: F64, transitions: F64) -> U8:
    """Return the label of each place, uint8[n], that maximise the sum of *scores* and *transitions*.

    *scores*: float64[n, l]; *transitions*: float64[l, l], from a label to the next. Of equal ones the
    first label wins.

    >>> best_labels(np.array([[1.0, 0.0], [0.0, 0.5]]), np.array([[0.0, -1.0], [0.0, 0.0]])).tolist()
    [0, 0]
    """
    labels = np.zeros(len(scores), np.uint8)
    if len(scores):
        _decode(
            scores,
            transitions,
            np.zeros(scores.shape, np.uint8),
            np.zeros((2, scores.shape[1])),
            labels,
        )
    return labels


@lean_kernel
def _decode(scores: F64, transitions: F64, before: U8, best: F64, labels: U8) -> None:
    n, n_labels = scores.shape
    for label in range(n_labels):
        best[0, label] = scores[0, label]
    for place in range(1, n):
        old, new = (place - 1) & 1, place & 1
        for label in range(n_labels):
            top = 0
            for former in range(1, n_labels):
                if (
                    best[old, former] + transitions[former, label]
                    > best[old, top] + transitions[top, label]
                ):
                    top = former
            before[place, label] = top
            best[new, label] = best[old, top] + transitions[top, label] + scores[place, label]
    last = (n - 1) & 1
    top = 0
    for label in range(1, n_labels):
        if best[last, label] > best[last, top]:
            top = label
    labels[n - 1] = top
    for place in range(n - 1, 0, -1):
        labels[place - 1] = before[place, labels[place]]
