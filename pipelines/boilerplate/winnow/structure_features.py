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

from crawler.kernels.jit import lean_kernel, part
from pipelines.boilerplate.winnow.element_tables import NAME_ID
from pipelines.boilerplate.winnow.keywords import GROUP_NAMES, N_GROUPS
from pipelines.boilerplate.winnow.measures import GOOD, LINKED, WORDS
from pipelines.boilerplate.winnow.votes import find, repetitions, size_of, sum_of, vote

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
_WITHIN = (
    *(
        "nav",
        "footer",
        "header",
        "aside",
        "article",
        "main",
        "section",
        "form",
        "table",
        "li",
        "ul ol dl",
    ),
    *(
        "figure",
        "blockquote",
        "pre",
        "h1 h2 h3 h4 h5 h6",
        "button option select",
        "p",
        "td th",
        "figcaption caption",
    ),
)
N_WITHIN = len(_WITHIN)
_OF_VOTE = ("blocks", "words", "link share", "good share", "of the good", "spread")
_VOTES = ("path", "signature", "ring")
N_VOTES = len(_VOTES)
SHARES = (0.5, 0.8)
_N_SHARES = len(SHARES)
_SHARES = np.array(SHARES)
NAMES = (
    *(f"{name} of ring {ring}" for ring in range(N_RINGS) for name in _OF_RING),
    *(f"within {names}" for names in _WITHIN),
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
_NAME_BITS = np.zeros(64, np.uint32)
for _bit, _names in enumerate(_WITHIN):
    for _name in _names.split():
        _NAME_BITS[NAME_ID[_name]] |= 1 << _bit


@part
def _bits(bits: U32, n_bits: int, without: float, with_it: float, x: F32) -> None:
    """Fill in a row for each of the first *n_bits* bits, by what stands for one that is not set."""
    for bit in range(n_bits):
        row = x[bit]
        for i in range(len(bits)):
            is_set = bits[i] >> np.uint32(bit) & np.uint32(1)
            row[i] = np.float32(with_it) if is_set else np.float32(without)


@lean_kernel
def structure_features(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - one pass over the blocks
    m: Measures,
    room: U32,
    score: F64,
    table: U32,
    keys: U32,
    votes: F64,
    groups: U32,
    x: F32,
) -> None:
    """Fill in *x*, float32[len(NAMES), n].

    Room: *room* uint32[7, n_elements], *score* float64[n_elements]; *table* a power of two of zeros, above twice the blocks and elements; *keys* one more than those; *votes* float64[5, blocks + 1];
    *groups* uint32[n].
    """
    n = len(m.n_words)
    elements = m.elements
    n_elements = len(elements.parent)
    inherited, within, depths, repeats = room[0], room[1], room[2], room[3]
    # Elements that hold the same blocks are one ring: what the rest of it, outwards, has too.
    rings, ring_keywords, ring_repeats = room[4], room[5], room[6]
    total_good = max(m.sums[GOOD, n], 1.0)
    total_words = max(m.sums[WORDS, n], 1.0)
    # What an element has from those around it; how many are like it.
    keys[0] = 0
    for e in range(n_elements):
        parent = elements.parent[e]
        around = inherited[parent] if e else np.uint32(0)
        inherited[e] = around | elements.keywords[e]
        bits = within[parent] if e else np.uint32(0)
        within[e] = bits | _NAME_BITS[elements.name[e]]
        depths[e] = depths[parent] + 1 if e else 0
        score[e] = 0
        repeats[e] = 0
    for e in range(1, n_elements):
        if size_of(m, e):
            group = find(table, keys, elements.signature[e])
            score[group - 1] += 1
    for e in range(1, n_elements):
        if size_of(m, e):
            repeats[e] = score[find(table, keys, elements.signature[e]) - 1]
    for e in range(n_elements):
        score[e] = 0
    table[:] = 0
    for e in range(n_elements):
        parent = elements.parent[e]
        rings[e] = parent
        ring_keywords[e] = elements.keywords[e]
        ring_repeats[e] = repeats[e]
        if e and size_of(m, parent) == size_of(m, e):
            rings[e] = rings[parent]
            ring_keywords[e] |= ring_keywords[parent]
            ring_repeats[e] = max(ring_repeats[e], ring_repeats[parent])
    # The centre.
    for i in range(n):
        good = m.sums[GOOD, i + 1] - m.sums[GOOD, i]
        if good > 0:
            ring = rings[m.block_element[i]]
            score[ring] += good
            if ring:
                score[rings[ring]] += good / 2
    centre = 0
    best = 0.0
    for e in range(n_elements):
        if score[e] > 0:
            words = sum_of(m, WORDS, e)
            value = score[e] * (1 - sum_of(m, LINKED, e) / max(words, 1.0))
            if value > best:
                best = value
                centre = e
    for i in range(n):
        groups[i] = within[m.block_element[i]]
    _bits(groups, N_WITHIN, 0.0, 1.0, x[8 * N_RINGS :])
    for i in range(n):
        groups[i] = inherited[m.block_element[i]]
    x[8 * N_RINGS + N_WITHIN : 8 * N_RINGS + N_WITHIN + N_GROUPS] = 0
    _bits(groups, N_GROUPS, NOWHERE, FAR_AWAY, x[8 * N_RINGS + N_WITHIN + N_GROUPS :])
    for i in range(n):
        element = m.block_element[i]
        # Rings.
        ring = element
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
            x[at + 5, i] = repeats[ring]
            x[at + 6, i] = (i - int(elements.first_block[ring])) / max(size, 1)
            x[at + 7, i] = elements.name[ring]
            at += 8
            ring = rings[ring]
        at += N_WITHIN
        # Keywords: what share of the page's words the nearest element with them holds, and whether within 3 rings.
        bits = inherited[element]
        e = element
        steps = 0
        left = bits
        while e and left:
            own = ring_keywords[e] & left
            if own:
                share = sum_of(m, WORDS, e) / total_words
                for group in range(N_GROUPS):
                    if own >> np.uint32(group) & np.uint32(1):
                        x[at + group, i] = share
                        x[at + N_GROUPS + group, i] = steps
                left &= ~own
            steps += 1
            e = rings[e]
        at += 2 * N_GROUPS
        x[at, i] = depths[element]
        # Where the block leaves the ways to the centre and to the bulk.
        e = element
        steps = 0
        to_centre = -1
        first, end = elements.first_block[centre], elements.end_block[centre]
        halves = 0
        repeat = 1
        repeat_words = 0.0
        repeat_good = 0.0
        for k in range(_N_SHARES):
            x[at + 6 + 2 * k, i] = 50
            x[at + 7 + 2 * k, i] = 0
        while True:
            if to_centre < 0 and elements.first_block[e] <= first and elements.end_block[e] >= end:
                to_centre = steps
            if halves < _N_SHARES and sum_of(m, GOOD, e) >= _SHARES[halves] * total_good:
                while halves < _N_SHARES and sum_of(m, GOOD, e) >= _SHARES[halves] * total_good:
                    x[at + 6 + 2 * halves, i] = steps
                    x[at + 7 + 2 * halves, i] = size_of(m, e) / n
                    halves += 1
            if ring_repeats[e] > repeat and sum_of(m, WORDS, e) >= 8:
                repeat = ring_repeats[e]
                repeat_words = sum_of(m, WORDS, e)
                repeat_good = sum_of(m, GOOD, e) / repeat_words
            if not e:
                break
            if size_of(m, rings[e]) != size_of(m, e):
                steps += 1
            e = rings[e]
        x[at + 1, i] = steps
        x[at + 2, i] = to_centre
        inside = first <= i < end
        x[at + 3, i] = inside
        x[at + 4, i] = (end - first) / n
        x[at + 5, i] = 0 if inside else (int(first) - i if i < first else int(end) - 1 - i)
        at += 6 + 2 * _N_SHARES + 6 * N_VOTES
        x[at, i] = repeat
        x[at + 1, i] = repeat_words
        x[at + 2, i] = repeat_good
    at = len(x) - 5
    for kind in range(N_VOTES):
        table[:] = 0
        vote(m, kind, rings, table, keys, votes, groups, x, at + 6 * (kind - N_VOTES))
    table[:] = 0
    repetitions(m, table, keys, votes, groups, x, at + 3)
