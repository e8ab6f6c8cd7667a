"""The rings around the blocks of a page, how many elements are like each, and the centre.

Elements that hold the same blocks are one ring, outwards. An element is like another of the same signature;
of a ring the largest such number counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import cold_part, part
from pipelines.boilerplate.winnow.features.element_tables import NAME_ID
from pipelines.boilerplate.winnow.features.measures import GOOD, LINKED, WORDS
from pipelines.boilerplate.winnow.features.votes import find, size_of, sum_of

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.features.measures import F32, F64, U32, Measures

# Groups of names of elements that a block may stand within, each a bit.
WITHIN = (
    *("nav", "footer", "header", "aside", "article", "main", "section", "form", "table", "li"),
    *("ul ol dl", "figure", "blockquote", "pre", "h1 h2 h3 h4 h5 h6", "button option select", "p"),
    *("td th", "figcaption caption"),
)
_NAME_BITS = np.zeros(64, np.uint32)
for _bit, _names in enumerate(WITHIN):
    for _name in _names.split():
        _NAME_BITS[NAME_ID[_name]] |= 1 << _bit


# Rows of what is said of each ring: of itself, and of the way from it outwards.
(
    BLOCKS,
    PAGE_WORDS,
    LINK_SHARE,
    GOOD_SHARE,
    PAGE_GOOD,
    STEPS,
    TO_CENTRE,
    REPEAT,
    REPEAT_WORDS,
    REPEAT_GOOD,
    HALVES,
) = range(11)
SHARES = (0.5, 0.8)
N_SAID = HALVES + 2 * len(SHARES)
# Keywords have so many columns that whole vectors take them.
N_COLUMNS = 32


class Rings(NamedTuple):
    """Of each element: bits of the keywords and of the names of all around it, its depth, how many are
    like it, the number of its signature; its ring's parent, keywords and number of likes; its score as the
    centre. Of each that holds a block: *said: float32[N_SAID, n]*, the rows above; for each group of keywords
    what share of the words the nearest ring with one holds, and how many steps it is to there:
    *around, near: float32[n, N_COLUMNS]*.
    """

    inherited: U32
    within: U32
    depth: U32
    likes: U32
    number: U32
    parent: U32
    keywords: U32
    ring_likes: U32
    score: F64
    said: F32
    around: F32
    near: F32


def room_for_rings(n_elements: int, columns: F32) -> Rings:
    """Return the arrays of :class:`Rings`, not filled in; *columns*: room for two numbers a group and element."""
    a, b, c, d, e, f, g, h = np.empty((8, n_elements), np.uint32)
    said = np.empty((N_SAID, n_elements), np.float32)
    around, near = columns.reshape(2, n_elements, N_COLUMNS)
    return Rings(a, b, c, d, e, f, g, h, np.empty(n_elements), said, around, near)


@part
def fill_rings(m: Measures, table: U32, keys: U32, rings: Rings) -> int:
    """Fill in *rings* but for what is said of them; return the centre. *table* holds zeros.

    At the end *keys* hold the signatures.
    """
    _inherit(m, rings)
    _count_likes(m, table, keys, rings)
    _join(m, rings)
    return _centre(m, rings)


@cold_part
def _inherit(m: Measures, rings: Rings) -> None:
    elements = m.elements
    for e in range(len(elements.parent)):
        parent = elements.parent[e]
        own = elements.keywords[e]
        bits = _NAME_BITS[elements.name[e]]
        rings.inherited[e] = rings.inherited[parent] | own if e else own
        rings.within[e] = rings.within[parent] | bits if e else bits
        rings.depth[e] = rings.depth[parent] + 1 if e else 0


@cold_part
def _count_likes(m: Measures, table: U32, keys: U32, rings: Rings) -> None:
    elements, score = m.elements, rings.score
    n_elements = len(elements.parent)
    score[:] = 0
    rings.likes[:] = 0
    keys[0] = 0
    for e in range(n_elements):
        if size_of(m, e):
            rings.number[e] = find(table, keys, elements.signature[e]) - 1
            score[rings.number[e]] += e > 0
    for e in range(1, n_elements):
        if size_of(m, e):
            rings.likes[e] = score[rings.number[e]]
    score[:] = 0


@cold_part
def _join(m: Measures, rings: Rings) -> None:
    elements = m.elements
    for e in range(len(elements.parent)):
        parent = elements.parent[e]
        rings.parent[e] = parent
        rings.keywords[e] = elements.keywords[e]
        rings.ring_likes[e] = rings.likes[e]
        if e and size_of(m, parent) == size_of(m, e):
            rings.parent[e] = rings.parent[parent]
            rings.keywords[e] |= rings.keywords[parent]
            rings.ring_likes[e] = max(rings.ring_likes[e], rings.ring_likes[parent])


@cold_part
def _centre(m: Measures, rings: Rings) -> int:
    for i in range(len(m.n_words)):
        good = m.sums[GOOD, i + 1] - m.sums[GOOD, i]
        if good > 0:
            ring = rings.parent[m.block_element[i]]
            rings.score[ring] += good
            if ring:
                rings.score[rings.parent[ring]] += good / 2
    centre = 0
    best = 0.0
    for e in range(len(rings.score)):
        if rings.score[e] > 0:
            links = sum_of(m, LINKED, e) / max(sum_of(m, WORDS, e), 1.0)
            value = rings.score[e] * (1 - links)
            if value > best:
                best = value
                centre = e
    return centre
