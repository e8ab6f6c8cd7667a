"""What is said of rings: their words, the ways from them outwards, the keywords around them.

The ring outwards of one is told before it, so each is told from the next one in the same few steps. Steps
are counted to elements that hold other blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part
from pipelines.boilerplate.winnow.features.measures import GOOD, LINKED, WORDS
from pipelines.boilerplate.winnow.features.rings import (
    BLOCKS,
    GOOD_SHARE,
    HALVES,
    LINK_SHARE,
    N_COLUMNS,
    PAGE_GOOD,
    PAGE_WORDS,
    REPEAT,
    REPEAT_GOOD,
    REPEAT_WORDS,
    SHARES,
    STEPS,
    TO_CENTRE,
    Rings,
)
from pipelines.boilerplate.winnow.features.votes import size_of, sum_of

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.features.measures import Measures

# Steps to keywords that stand nowhere, and to the bulk of a text that is not there.
NOWHERE, NO_TEXT = 60.0, 50.0
_N_SHARES = len(SHARES)
_SHARES = np.array(SHARES)
_BITS = (1 << np.arange(N_COLUMNS)).astype(np.uint32)
# A ring of fewer words does not repeat.
_REPEATED_WORDS = 8


@cold_part
def say_words(m: Measures, rings: Rings) -> None:
    """Say how much each ring holds, of the page and beside its own words."""
    n, said = len(m.n_words), rings.said
    total_words, total_good = max(m.sums[WORDS, n], 1.0), max(m.sums[GOOD, n], 1.0)
    for e in range(len(rings.parent)):
        size = size_of(m, e)
        if size:
            words, good = sum_of(m, WORDS, e), sum_of(m, GOOD, e)
            said[BLOCKS, e] = size
            said[PAGE_WORDS, e] = words / total_words
            said[LINK_SHARE, e] = sum_of(m, LINKED, e) / max(words, 1.0)
            said[GOOD_SHARE, e] = good / max(words, 1.0)
            said[PAGE_GOOD, e] = good / total_good


@cold_part
def follow_outwards(m: Measures, rings: Rings, centre: int) -> None:
    """Say how far the ways to the centre and to the bulk of the text are, and what repeats on the way."""
    n, said, elements = len(m.n_words), rings.said, m.elements
    first, end = elements.first_block[centre], elements.end_block[centre]
    total_good = max(m.sums[GOOD, n], 1.0)
    said[STEPS, 0] = said[REPEAT_WORDS, 0] = said[REPEAT_GOOD, 0] = 0
    said[REPEAT, 0] = 1
    for k in range(_N_SHARES):
        said[HALVES + 2 * k, 0] = NO_TEXT
        said[HALVES + 2 * k + 1, 0] = 0
    for e in range(len(rings.parent)):
        size = size_of(m, e)
        if not size:
            continue
        parent = rings.parent[e]
        step = size_of(m, parent) != size
        said[STEPS, e] = said[STEPS, parent] + step
        is_around = elements.first_block[e] <= first and elements.end_block[e] >= end
        said[TO_CENTRE, e] = 0 if is_around else said[TO_CENTRE, parent] + step
        words, good = sum_of(m, WORDS, e), sum_of(m, GOOD, e)
        for k in range(_N_SHARES):
            at = HALVES + 2 * k
            if good >= _SHARES[k] * total_good:
                said[at, e] = 0
                said[at + 1, e] = size / n
            else:
                is_there = said[at + 1, parent] > 0
                said[at, e] = said[at, parent] + (step and is_there)
                said[at + 1, e] = said[at + 1, parent]
        likes = rings.ring_likes[e]
        if likes > 1 and likes >= said[REPEAT, parent] and words >= _REPEATED_WORDS:
            said[REPEAT, e] = likes
            said[REPEAT_WORDS, e] = words
            said[REPEAT_GOOD, e] = good / words
        else:
            for row in range(REPEAT, REPEAT_GOOD + 1):
                said[row, e] = said[row, parent]


@cold_part
def find_keywords(m: Measures, rings: Rings) -> None:
    """Say what share of the page's words the nearest ring with a keyword holds, and how near it is."""
    total_words = max(m.sums[WORDS, len(m.n_words)], 1.0)
    rings.around[0] = 0
    rings.near[0] = NOWHERE
    for e in range(1, len(rings.parent)):
        if size_of(m, e):
            own, inherited = rings.keywords[e], rings.inherited[e]
            share = np.float32(sum_of(m, WORDS, e) / total_words)
            around, near = rings.around[e], rings.near[e]
            around_it, near_it = rings.around[rings.parent[e]], rings.near[rings.parent[e]]
            for group in range(N_COLUMNS):
                further = near_it[group] + np.float32((inherited & _BITS[group]) != 0)
                near[group] = np.float32(0) if own & _BITS[group] else further
            for group in range(N_COLUMNS):
                around[group] = share if own & _BITS[group] else around_it[group]
