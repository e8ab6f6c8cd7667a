"""The four classes of a paragraph, and what becomes of short and near-good ones among others.

Good and bad paragraphs stay what they are. A near-good one is good if the nearest good or bad
paragraph is good on either side. A short one between two that are alike is as they are; between a
bad and a good one it is good if, towards the bad one, the nearest paragraph that is not short is
near-good. The ends of the page are bad. All of this reads the classes as they were before.

*Source: Pomikálek 2011, section 2.7.3, algorithm 2.3.* Shapes: int8[n], one entry a paragraph.
Cost: O(n), vectorised. Invariant: with the near-good paragraph that is nearest to the bad end as the
border, a run of short and near-good ones between bad and good is bad before it and good behind.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

I8 = npt.NDArray[np.int8]
I64 = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

BAD, SHORT, NEAR_GOOD, GOOD = range(4)
# As the released program writes them.
CLASS_NAMES = ("bad", "short", "neargood", "good")

_LABELS = np.array([f"{before}-{after}" for before in CLASS_NAMES for after in CLASS_NAMES])
_LABELS[[5 * BAD, 5 * GOOD]] = CLASS_NAMES[BAD], CLASS_NAMES[GOOD]

# Characters between a heading and its good paragraph (MAX_HEADING_DISTANCE of the released program).
MAX_HEADING_DISTANCE = 200


def context_sensitive(before: I8) -> I8:
    """Return the final class, good or bad, of paragraphs of the context-free classes *before*."""
    is_settled = (before == GOOD) | (before == BAD)
    from_left, from_right = (
        _nearest(before, is_settled),
        _nearest(before[::-1], is_settled[::-1])[::-1],
    )
    is_long = before != SHORT
    left, right = _nearest(before, is_long), _nearest(before[::-1], is_long[::-1])[::-1]
    good_left, good_right = from_left == GOOD, from_right == GOOD
    short_good = (good_left & good_right) | (
        (good_left != good_right) & np.where(good_left, right == NEAR_GOOD, left == NEAR_GOOD)
    )
    is_good = before == GOOD
    is_good |= (before == NEAR_GOOD) & (good_left | good_right)
    is_good |= (before == SHORT) & short_good
    return np.where(is_good, GOOD, BAD).astype(np.int8)


def label_names(before: I8, after: I8) -> npt.NDArray[np.str_]:
    """Return ``good``, ``bad``, or the class *before* context and that *after* it, as ``short-good``."""
    names: npt.NDArray[np.str_] = _LABELS[before.astype(np.int64) * len(CLASS_NAMES) + after]
    return names


def headings_before_good(
    is_heading: Bools, is_good: Bools, n_chars: I64, max_distance: int
) -> Bools:
    """Tell which headings have a good paragraph behind them, at most *max_distance* characters away.

    The distance is that of the paragraphs between the two.
    """
    n = len(is_good)
    places = np.where(is_good, np.arange(n), n)
    # The first good one from each place on, n when there is none.
    upcoming = np.minimum.accumulate(places[::-1])[::-1]
    following = np.append(upcoming[1:], n) if n else upcoming
    read = np.concatenate(([0], np.cumsum(n_chars)))
    distance = read[following] - read[1:]
    return is_heading & (following < n) & (distance <= max_distance)


def _nearest(classes: I8, counts: Bools) -> I8:
    """Return the class of the nearest earlier paragraph that *counts*, bad when there is none."""
    places = np.where(counts, np.arange(len(classes)), -1)
    latest = np.maximum.accumulate(places) if len(places) else places
    earlier = np.concatenate(([-1], latest[:-1]))[: len(classes)]
    return (
        np.where(earlier >= 0, classes[earlier], BAD).astype(np.int8) if len(classes) else classes
    )
