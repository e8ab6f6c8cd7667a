"""Features of the elements that a block stands in, and of all that stands in such elements.

The *rings* of a block are the elements around it, from the innermost outwards, those left out that
hold no other blocks than the one before. The *vote* of a group of blocks (one tag path, one signature of the
innermost element, of the next ring) is what share of its words are good, and of the page's good words it holds.
The *centre* is the element that scores most as in Readability: good words of a block count for its
second ring and half for its third.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part, lean_kernel, part
from pipelines.boilerplate.winnow.keywords import GROUP_NAMES, N_GROUPS
from pipelines.boilerplate.winnow.measures import GOOD, LINKED, WORDS
from pipelines.boilerplate.winnow.rings import WITHIN, Rings, fill_rings
from pipelines.boilerplate.winnow.votes import repetitions, size_of, sum_of, vote

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.measures import F32, F64, U32, Measures

N_RINGS = 4
# Steps to keywords that stand beyond the rings looked at, and to those that stand nowhere.
FAR_AWAY, NOWHERE = 40.0, 60.0
_OF_RING = (
    "blocks",
    "words",
    "link share",
    "good share",
    "of the good",
    "like it",
    "place in it",
    "name",
)
N_WITHIN = len(WITHIN)
_OF_VOTE = ("blocks", "words", "link share", "good share", "of the good", "spread")
_VOTES = ("path", "signature", "ring")
N_VOTES = len(_VOTES)
SHARES = (0.5, 0.8)
_N_SHARES = len(SHARES)
_SHARES = np.array(SHARES)
NAMES = (
    *(f"{name} of ring {ring}" for ring in range(N_RINGS) for name in _OF_RING),
    *(f"within {names}" for names in WITHIN),
    *(f"{name} around" for name in GROUP_NAMES),
    *(f"{name} near" for name in GROUP_NAMES),
    *("depth", "rings", "steps to centre", "in centre", "share of centre", "blocks to centre"),
    *(f"{name} {share}" for share in SHARES for name in ("steps to half", "blocks to half")),
    *(f"{name} of same {vote}" for vote in _VOTES for name in _OF_VOTE),
    *(
        "largest repeat",
        "words of repeat",
        "repeat good share",
        "repeated text",
        "first of repeated text",
    ),
)
# Where the rows of a group begin.
_AT_WITHIN = len(_OF_RING) * N_RINGS
_AT_AROUND = _AT_WITHIN + N_WITHIN
_AT_NEAR = _AT_AROUND + N_GROUPS
_AT_DEPTH = _AT_NEAR + N_GROUPS
_AT_HALF = _AT_DEPTH + 6
_AT_REPEAT = _AT_HALF + 2 * _N_SHARES + len(_OF_VOTE) * N_VOTES


@part
def _bits(bits: U32, n_bits: int, without: float, with_it: float, x: F32) -> None:
    """Fill in a row for each of the first *n_bits* bits, by what stands for one that is not set."""
    for bit in range(n_bits):
        row = x[bit]
        for i in range(len(bits)):
            is_set = bits[i] >> np.uint32(bit) & np.uint32(1)
            row[i] = np.float32(with_it) if is_set else np.float32(without)


@lean_kernel
def structure_features(  # noqa: PLR0913, PLR0917 - kernels take no other room than what they are given
    m: Measures, rings: Rings, table: U32, keys: U32, votes: F64, groups: U32, x: F32
) -> None:
    """Fill in *x*, float32[len(NAMES), n].

    Room: *rings*; *table* a power of two of zeros, above twice the blocks and elements; *keys* one more than
    those; *votes* float64[5, blocks + 1]; *groups* uint32[n].
    """
    centre = fill_rings(m, table, keys, rings)
    _say_what_is_around(m, rings, groups, x)
    for i in range(len(m.n_words)):
        _describe_rings(m, rings, i, x)
        _find_keywords(m, rings, i, x)
        _place(m, rings, centre, i, x)
        _follow_outwards(m, rings, centre, i, x)
    at = len(x) - 5
    for kind in range(N_VOTES):
        table[:] = 0
        vote(m, kind, rings.parent, table, keys, votes, groups, x, at + 6 * (kind - N_VOTES))
    table[:] = 0
    repetitions(m, table, keys, votes, groups, x, at + 3)


@cold_part
def _say_what_is_around(m: Measures, rings: Rings, groups: U32, x: F32) -> None:
    for i in range(len(groups)):
        groups[i] = rings.within[m.block_element[i]]
    _bits(groups, N_WITHIN, 0.0, 1.0, x[_AT_WITHIN:])
    for i in range(len(groups)):
        groups[i] = rings.inherited[m.block_element[i]]
    x[_AT_AROUND:_AT_NEAR] = 0
    _bits(groups, N_GROUPS, NOWHERE, FAR_AWAY, x[_AT_NEAR:])


@part
def _describe_rings(m: Measures, rings: Rings, i: int, x: F32) -> None:
    total_good = max(m.sums[GOOD, len(m.n_words)], 1.0)
    total_words = max(m.sums[WORDS, len(m.n_words)], 1.0)
    ring = m.block_element[i]
    at = 0
    for _ in range(N_RINGS):
        size = size_of(m, ring)
        words = sum_of(m, WORDS, ring)
        good = sum_of(m, GOOD, ring)
        x[at, i] = size
        x[at + 1, i] = words / total_words
        x[at + 2, i] = sum_of(m, LINKED, ring) / max(words, 1.0)
        x[at + 3, i] = good / max(words, 1.0)
        x[at + 4, i] = good / total_good
        x[at + 5, i] = rings.likes[ring]
        x[at + 6, i] = (i - int(m.elements.first_block[ring])) / max(size, 1)
        x[at + 7, i] = m.elements.name[ring]
        at += 8
        ring = rings.parent[ring]


@part
def _find_keywords(m: Measures, rings: Rings, i: int, x: F32) -> None:
    """Say what share of the page's words the nearest element with a keyword holds, and how near it is."""
    total_words = max(m.sums[WORDS, len(m.n_words)], 1.0)
    element = m.block_element[i]
    left = rings.inherited[element]
    steps = 0
    while element and left:
        own = rings.keywords[element] & left
        if own:
            share = sum_of(m, WORDS, element) / total_words
            for group in range(N_GROUPS):
                if own >> np.uint32(group) & np.uint32(1):
                    x[_AT_AROUND + group, i] = share
                    x[_AT_NEAR + group, i] = steps
            left &= ~own
        steps += 1
        element = rings.parent[element]


@part
def _place(m: Measures, rings: Rings, centre: int, i: int, x: F32) -> None:
    """Say where the block stands beside the centre."""
    first, end = m.elements.first_block[centre], m.elements.end_block[centre]
    inside = first <= i < end
    x[_AT_DEPTH, i] = rings.depth[m.block_element[i]]
    x[_AT_DEPTH + 3, i] = inside
    x[_AT_DEPTH + 4, i] = (end - first) / len(m.n_words)
    x[_AT_DEPTH + 5, i] = 0 if inside else (int(first) - i if i < first else int(end) - 1 - i)


@part
def _follow_outwards(m: Measures, rings: Rings, centre: int, i: int, x: F32) -> None:
    """Say how far the ways to the centre and to the bulk of the text are, and what repeats on the way."""
    n = len(m.n_words)
    total_good = max(m.sums[GOOD, n], 1.0)
    first, end = m.elements.first_block[centre], m.elements.end_block[centre]
    e = m.block_element[i]
    steps = halves = 0
    to_centre = -1
    repeat = 1
    repeat_words = repeat_good = 0.0
    for k in range(_N_SHARES):
        x[_AT_HALF + 2 * k, i] = 50
        x[_AT_HALF + 1 + 2 * k, i] = 0
    while True:
        if to_centre < 0 and m.elements.first_block[e] <= first and m.elements.end_block[e] >= end:
            to_centre = steps
        while halves < _N_SHARES and sum_of(m, GOOD, e) >= _SHARES[halves] * total_good:
            x[_AT_HALF + 2 * halves, i] = steps
            x[_AT_HALF + 1 + 2 * halves, i] = size_of(m, e) / n
            halves += 1
        if rings.ring_likes[e] > repeat and sum_of(m, WORDS, e) >= 8:
            repeat = rings.ring_likes[e]
            repeat_words = sum_of(m, WORDS, e)
            repeat_good = sum_of(m, GOOD, e) / repeat_words
        if not e:
            break
        if size_of(m, rings.parent[e]) != size_of(m, e):
            steps += 1
        e = rings.parent[e]
    x[_AT_DEPTH + 1, i] = steps
    x[_AT_DEPTH + 2, i] = to_centre
    x[_AT_REPEAT, i] = repeat
    x[_AT_REPEAT + 1, i] = repeat_words
    x[_AT_REPEAT + 2, i] = repeat_good
