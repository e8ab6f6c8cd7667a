"""Kendall's tau between two rankings: of the same items, or of two lists of best items.

For n items, with C pairs in the same order in both rankings and D in opposite order::

    tau-a = (C - D) / (n (n - 1) / 2)        tau-b = (C - D) / sqrt((n0 - n1) (n0 - n2))

where n0 = n (n - 1) / 2 and n1, n2 are the pairs tied in the one and in the other ranking.
*Source: Kohlschütter 2011, section 2.3 (tau-a) and 3.3.1; counting by merge sort, Knight 1966.*

Lists of best items (section 3.3.1 compares "the top-30 matches") need not hold the same ones, and
the thesis does not say what happens then. Here the items are those of either list, and one that a
list lacks stands behind its last. Two that a list lacks both are tied there: ``ties`` counts such
pairs in n (n - 1) / 2 as tau-a does, ``ignored`` leaves them out, (C - D) / (C + D). ``common`` looks
at the items alone that both lists hold. Two lists without a common item have about -1/2, -1, and
no tau at all.

Cost: O(n log n).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import kernel

if TYPE_CHECKING:
    import numpy.typing as npt

VARIANTS = ("b", "a")
MISSING = ("ties", "ignored", "common")


def kendall_tau(x: npt.ArrayLike, y: npt.ArrayLike, *, variant: str = "b") -> float:
    """Return tau between the scores *x* and *y* of the same items, -1 to 1.

    NaN where it is not defined: fewer than two items, or (variant ``b``) one ranking of ties alone.
    Raises :exc:`ValueError` for arrays of different lengths, NaN, or an unknown variant.
    """
    if variant not in VARIANTS:
        raise ValueError(f"variant must be one of {', '.join(VARIANTS)}, got {variant!r}")
    difference, total, tied_x, tied_y = _pairs(x, y)
    pairs = total if variant == "a" else math.sqrt(total - tied_x) * math.sqrt(total - tied_y)
    return difference / pairs if pairs else math.nan


def top_k_tau(first: npt.ArrayLike, second: npt.ArrayLike, *, missing: str = "ties") -> float:
    """Return tau between two lists of distinct integer ids, best first; *missing*: see the module.

    NaN for fewer than two items. Raises :exc:`ValueError` when an id stands twice in a list.

    >>> top_k_tau([1, 2, 3], [1, 2, 3]), top_k_tau([1, 2], [2, 1]), top_k_tau([1, 2], [3, 4])
    (1.0, -1.0, -0.6666666666666666)
    """
    if missing not in MISSING:
        raise ValueError(f"missing must be one of {', '.join(MISSING)}, got {missing!r}")
    lists = [np.asarray(ids, dtype=np.int64).reshape(-1) for ids in (first, second)]
    if any(len(np.unique(ids)) < len(ids) for ids in lists):
        raise ValueError("a list must not hold an id twice")
    if missing == "common":
        _, first_at, second_at = np.intersect1d(lists[0], lists[1], return_indices=True)
        return kendall_tau(first_at, second_at, variant="a")
    union = np.unique(np.concatenate(lists))
    places = []
    for ids in lists:
        place = np.full(len(union), len(ids))
        place[np.searchsorted(union, ids)] = np.arange(len(ids))
        places.append(place)
    difference, total, tied_first, tied_second = _pairs(*places)
    # no two items are tied in both lists: each is in one of them
    pairs = total - tied_first - tied_second if missing == "ignored" else total
    return difference / pairs if pairs else math.nan


def overlap(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Return the share of the longer list's ids that both hold; NaN for two empty lists.

    >>> overlap([1, 2, 3, 4], [4, 9])
    0.25
    """
    sets = [set(np.asarray(ids).tolist()) for ids in (first, second)]
    longer = max(map(len, sets))
    return len(sets[0] & sets[1]) / longer if longer else math.nan


def _pairs(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[int, int, int, int]:
    """Return C - D, all pairs, those tied in *x* and those tied in *y*."""
    x_scores = np.asarray(x, dtype=np.float64)
    y_scores = np.asarray(y, dtype=np.float64)
    if x_scores.shape != y_scores.shape or x_scores.ndim != 1:
        raise ValueError(f"scores must be two vectors, got {x_scores.shape} and {y_scores.shape}")
    if np.isnan(x_scores).any() or np.isnan(y_scores).any():
        raise ValueError("scores must not be NaN")
    order = np.lexsort((y_scores, x_scores))
    x_scores, y_scores = x_scores[order], y_scores[order]
    new_x = x_scores[1:] != x_scores[:-1]
    total = len(order) * (len(order) - 1) // 2
    tied_x = _tied(new_x)
    tied_both = _tied(new_x | (y_scores[1:] != y_scores[:-1]))
    swaps = int(_count_swaps(y_scores)) if len(order) else 0
    tied_y = _tied(y_scores[1:] != y_scores[:-1])  # sorted by now
    return total - tied_x - tied_y + tied_both - 2 * swaps, total, tied_x, tied_y


def _tied(is_new: npt.NDArray[np.bool_]) -> int:
    """Return the pairs of equal items, *is_new* telling of each but the first whether it is new."""
    ends = np.concatenate([[-1], np.flatnonzero(is_new), [len(is_new)]])
    sizes = np.diff(ends).astype(np.int64)
    return int((sizes * (sizes - 1) // 2).sum())


@kernel
def _count_swaps(scores: npt.NDArray[np.float64]) -> int:
    """Sort *scores* in place by merging; return how many pairs stood in the wrong order."""
    n = len(scores)
    other = np.empty_like(scores)
    swaps = 0
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            left, right = low, middle
            for place in range(low, high):
                if right >= high or (left < middle and scores[left] <= scores[right]):
                    other[place] = scores[left]
                    left += 1
                else:
                    other[place] = scores[right]
                    swaps += middle - left
                    right += 1
        scores[:] = other
        width *= 2
    return swaps
