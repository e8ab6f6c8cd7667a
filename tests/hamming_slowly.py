"""Hamming distances by comparing everything with everything: what an index must find."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def near_slowly(values, query, distance):
    """The places of the *values* that differ from *query* in at most *distance* bits."""
    return np.flatnonzero(np.bitwise_count(values ^ np.uint64(query)) <= distance).tolist()


def pairs_slowly(values, distance):
    """The pairs of *values* that differ in at most *distance* bits."""
    pairs = combinations(enumerate(values.tolist()), 2)
    return [[i, j] for (i, a), (j, b) in pairs if (a ^ b).bit_count() <= distance]
