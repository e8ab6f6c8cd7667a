"""Features of the elements that a block stands in, and of all that stands in such elements.

The *rings* of a block are the elements around it, from the innermost outwards, those left out that
hold no other blocks than the one before. The *vote* of a group of blocks (one tag path, one signature of the
innermost element, of the next ring) is what share of its words are good, and of the page's good words it holds.
The *centre* is the element that scores most as in Readability: good words of a block count for its
second ring and half for its third.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import cold_part, part
from pipelines.boilerplate.winnow.features.keywords import GROUP_NAMES, N_GROUPS
from pipelines.boilerplate.winnow.features.ring_values import (
    find_keywords,
    follow_outwards,
    say_words,
)
from pipelines.boilerplate.winnow.features.rings import (
    BLOCKS,
    GOOD_SHARE,
    HALVES,
    LINK_SHARE,
    PAGE_GOOD,
    PAGE_WORDS,
    REPEAT,
    REPEAT_GOOD,
    SHARES,
    STEPS,
    TO_CENTRE,
    WITHIN,
    Rings,
    fill_rings,
)
from pipelines.boilerplate.winnow.features.rows import fill, gather
from pipelines.boilerplate.winnow.features.votes import (
    number_paths,
    repetitions,
    size_of,
    vote,
)

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.features.measures import F32, F64, U32, Measures

N_RINGS = 4
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
_N_SHARES = len(SHARES)
_OF_SIZE = np.array([BLOCKS, PAGE_WORDS, LINK_SHARE, GOOD_SHARE, PAGE_GOOD], np.uint32)
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
_AT_VOTES = _AT_HALF + 2 * _N_SHARES
_AT_REPEAT = _AT_VOTES + len(_OF_VOTE) * len(_VOTES)


@part
def structure_features(  # noqa: PLR0913, PLR0917 - room comes from outside
    m: Measures, rings: Rings, table: U32, keys: U32, votes: F64, groups: U32, ring: U32, x: F32
) -> None:
    """Fill in *x*, float32[len(NAMES), n].

    Room: *rings*; *table* a power of two of zeros, above twice the blocks and elements; *keys* one more than
    those; *votes* float64[N_VOTES, blocks or elements]; *groups* and *ring* uint32[n].
    """
    centre = fill_rings(m, table, keys, rings)
    n_signatures = keys[0]
    say_words(m, rings)
    follow_outwards(m, rings, centre)
    find_keywords(m, rings)
    for i in range(len(ring)):
        ring[i] = m.block_element[i]
    for k in range(N_RINGS):
        _describe(m, rings, ring, len(_OF_RING) * k, x)
        for i in range(len(ring)):
            ring[i] = rings.parent[ring[i]]
    _say_within(rings, m.block_element, groups, x)
    _say_keywords(rings, m.block_element, x)
    _place(m, rings, centre, x)
    _say_outwards(rings, m.block_element, x)
    _vote(m, rings, n_signatures, table, keys, votes, groups, x)
    repetitions(m, table, keys, votes, groups, x, _AT_REPEAT + 3)


@part
def _describe(m: Measures, rings: Rings, ring: U32, at: int, x: F32) -> None:
    for k in range(len(_OF_SIZE)):
        gather(rings.said[_OF_SIZE[k]], ring, x[at + k])
    gather(rings.likes, ring, x[at + 5])
    _place_in(m, ring, x[at + 6])
    gather(m.elements.name, ring, x[at + 7])


@cold_part
def _place_in(m: Measures, ring: U32, row: F32) -> None:
    for i in range(len(row)):
        before = i - int(m.elements.first_block[ring[i]])
        row[i] = before / max(size_of(m, ring[i]), 1)


@cold_part
def _say_within(rings: Rings, elements: U32, bits: U32, x: F32) -> None:
    for i in range(len(bits)):
        bits[i] = rings.within[elements[i]]
    for bit in range(N_WITHIN):
        row = x[_AT_WITHIN + bit]
        for i in range(len(bits)):
            row[i] = bits[i] >> np.uint32(bit) & np.uint32(1)


@cold_part
def _say_keywords(rings: Rings, elements: U32, x: F32) -> None:
    for i in range(len(elements)):
        around, near = rings.around[elements[i]], rings.near[elements[i]]
        for group in range(N_GROUPS):
            x[_AT_AROUND + group, i] = around[group]
            x[_AT_NEAR + group, i] = near[group]


@cold_part
def _place(m: Measures, rings: Rings, centre: int, x: F32) -> None:
    """Say where the blocks stand beside the centre."""
    n = len(m.n_words)
    first, end = int(m.elements.first_block[centre]), int(m.elements.end_block[centre])
    gather(rings.depth, m.block_element, x[_AT_DEPTH])
    fill((end - first) / n, x[_AT_DEPTH + 4])
    for i in range(n):
        inside = first <= i < end
        x[_AT_DEPTH + 3, i] = inside
        x[_AT_DEPTH + 5, i] = 0 if inside else (first - i if i < first else end - 1 - i)


@part
def _say_outwards(rings: Rings, elements: U32, x: F32) -> None:
    gather(rings.said[STEPS], elements, x[_AT_DEPTH + 1])
    gather(rings.said[TO_CENTRE], elements, x[_AT_DEPTH + 2])
    for k in range(2 * _N_SHARES):
        gather(rings.said[HALVES + k], elements, x[_AT_HALF + k])
    for k in range(REPEAT_GOOD + 1 - REPEAT):
        gather(rings.said[REPEAT + k], elements, x[_AT_REPEAT + k])


@part
def _vote(  # noqa: PLR0913, PLR0917 - parts of kernels hand their arrays on
    m: Measures,
    rings: Rings,
    n_signatures: Any,
    table: U32,
    keys: U32,
    votes: F64,
    groups: U32,
    x: F32,
) -> None:
    n_paths = number_paths(m, table, keys, groups)
    vote(m, n_paths, votes, groups, x, _AT_VOTES)
    for i in range(len(groups)):
        groups[i] = rings.number[m.block_element[i]]
    vote(m, n_signatures, votes, groups, x, _AT_VOTES + len(_OF_VOTE))
    for i in range(len(groups)):
        groups[i] = rings.number[rings.parent[m.block_element[i]]]
    vote(m, n_signatures, votes, groups, x, _AT_VOTES + 2 * len(_OF_VOTE))
