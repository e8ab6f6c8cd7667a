"""What Winnow says of the elements around a block, against walks outwards from each block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.boilerplate.winnow.features.keywords import GROUP_NAMES
from pipelines.boilerplate.winnow.features.matrix import features
from pipelines.boilerplate.winnow.features.measures import GOOD, WORDS, measure
from tests.test_boilerplate_winnow_features import CLASS, page_of, value


def rings_outwards(m, block):
    """The rings around a block from the innermost outwards: blocks, words, good words, keyword bits."""
    elements, element = m.elements, int(m.block_element[block])
    found = []
    while True:
        ends = int(elements.first_block[element]), int(elements.end_block[element])
        words, good = (m.sums[row, ends[1]] - m.sums[row, ends[0]] for row in (WORDS, GOOD))
        if found and found[-1][0] == ends:
            found[-1][3] |= int(elements.keywords[element])
        else:
            found.append([ends, words, good, int(elements.keywords[element])])
        if not element:
            return found
        element = int(elements.parent[element])


@given(st.lists(st.tuples(CLASS, st.integers(-2, 2), st.integers(1, 14)), min_size=1, max_size=12))
def test_ways_outwards_are_those_walked_ring_by_ring(pieces):
    html = "".join(
        f"<div class='{name}'><p>{'A word, ' * n}</p>" + "</div>" * max(-depth, 0)
        for name, depth, n in pieces
    )
    m, x = measure(page_of(html)), features(page_of(html))
    n, total = len(m.n_words), m.sums[:, -1]
    for block in range(n):
        rings = rings_outwards(m, block)
        for bit, name in enumerate(GROUP_NAMES):
            ring = next((k for k, ring in enumerate(rings) if ring[3] >> bit & 1), None)
            assert value(x, f"{name} near")[block] == (60 if ring is None else ring)
            share = 0 if ring is None else rings[ring][1] / total[WORDS]
            assert value(x, f"{name} around")[block] == pytest.approx(share)
        for half in (0.5, 0.8):
            ring = next(
                (k for k, ring in enumerate(rings) if ring[2] >= half * max(total[GOOD], 1)), 50
            )
            assert value(x, f"steps to half {half}")[block] == ring
            size = rings[ring][0][1] - rings[ring][0][0] if ring < 50 else 0
            assert value(x, f"blocks to half {half}")[block] == pytest.approx(size / n)
