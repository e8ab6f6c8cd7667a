from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.duplicates.multi_index import MultiIndex, pieces_of
from pipelines.duplicates.permuted_tables import (
    MAX_TABLES,
    PermutedTables,
    layouts,
    permuted,
)
from tests.hamming_slowly import near_slowly, pairs_slowly

QUERY = 0x0123456789ABCDEF
# distance, and how each index is cut for it
LEVELS = [
    (0, (1,)),
    (1, (2,)),
    (1, (3, 2)),
    (2, (4,)),
    (3, (4,)),
    (3, (5,)),
    (3, (6,)),
    (3, (4, 4)),
]
PIECES = [
    (0, 1),
    (1, 1),
    (3, 2),
    (3, 3),
    (3, 4),
    (4, 3),
    (7, 4),
    (10, 4),
    (10, 6),
    (13, 5),
    (5, 64),
]


def at_every_distance(n_of_each, seed=3):
    """Return values at each distance of 0 to 64 from the query, and their distances."""
    rng = np.random.default_rng(seed)
    values, distances = [], []
    for distance in range(65):
        for _ in range(n_of_each):
            flips = sum(1 << int(bit) for bit in rng.permutation(64)[:distance])
            values.append(QUERY ^ flips)
            distances.append(distance)
    order = rng.permutation(len(values))
    return np.array(values, dtype=np.uint64)[order], np.array(distances)[order]


def indexes(values):
    for distance, levels in LEVELS:
        yield distance, PermutedTables(values, distance, levels)
    for distance, n_pieces in PIECES:
        yield distance, MultiIndex(values, distance, n_pieces)


def test_every_value_within_the_distance_is_found_and_no_other():
    values, distances = at_every_distance(40)
    for distance, index in indexes(values):
        found = index.near(QUERY)
        assert found.tolist() == np.flatnonzero(distances <= distance).tolist()
        # at each distance 0 .. k all 40 of them
        assert np.bincount(distances[found], minlength=distance + 1).tolist() == [40] * (
            distance + 1
        )


def test_all_patterns_of_two_flipped_bits_are_found():
    flips = [1 << i ^ 1 << j for i in range(64) for j in range(i)]
    values = np.array([QUERY ^ flip for flip in flips], dtype=np.uint64)
    for distance, index in indexes(values):
        assert len(index.near(QUERY)) == (len(flips) if distance >= 2 else 0)


VALUES = st.lists(
    st.one_of(
        st.integers(0, 2**64 - 1),
        # near to each other, repeated, and at the ends
        st.sets(st.integers(0, 63), max_size=6).map(lambda bits: sum(1 << bit for bit in bits)),
        st.sampled_from([0, 2**64 - 1, 2**64 - 2, 2**63]),
    ),
    max_size=12,
).map(lambda values: np.array(values, dtype=np.uint64))


@settings(deadline=None, max_examples=40)
@given(VALUES, st.integers(0, 2**64 - 1))
def test_equal_to_a_comparison_with_all(values, query):
    for distance, index in indexes(values):
        assert index.near(query).tolist() == near_slowly(values, query, distance)
        assert index.pairs().tolist() == pairs_slowly(values, distance)


def test_layouts_of_the_paper():
    # Manku 2007, section 3.1.2: 20 tables of 31 to 33 bits, 16 of 28, 10 of 25 or 26, 4 of 16
    assert [layout.p for layout in layouts(3, (4, 4))] == [28] * 16
    assert [layout.p for layout in layouts(3, (4,))] == [16] * 4
    for levels, n_tables, p in (((6,), 20, {31, 32, 33}), ((5,), 10, {25, 26})):
        found = layouts(3, levels)
        assert len(found) == n_tables
        assert {layout.p for layout in found} <= p
    for layout in layouts(3, (4, 4)):
        covered = sorted(
            bit for first, width in layout.blocks for bit in range(first, first + width)
        )
        assert covered == list(range(64))


def test_candidates_are_about_two_to_the_d_minus_p():
    rng = np.random.default_rng(5)
    values = rng.integers(0, 2**64, size=2**18, dtype=np.uint64)
    index = PermutedTables(values, 3, (4,))
    queries = rng.integers(0, 2**64, size=200, dtype=np.uint64)
    mean = np.mean([index.n_candidates(query) for query in queries.tolist()])
    # 4 tables of 2^(18 - 16) each; the standard error is .28
    assert mean == pytest.approx(16, abs=1.5)


def test_a_permutation_keeps_distances():
    values = np.array([QUERY, QUERY ^ 0b111 << 30], dtype=np.uint64)
    for layout in layouts(3, (5,)):
        moved = permuted(values, layout.blocks)
        assert np.bitwise_count(moved[0] ^ moved[1]) == 3


def test_radii_of_the_pieces_sum_to_the_guarantee():
    for distance in range(14):
        for n_pieces in range(4, 20):
            pieces = pieces_of(distance, n_pieces)
            # the fewest differing bits that no piece notices
            assert sum(piece.radius + 1 for piece in pieces) == distance + 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: layouts(64, (65,)), "distance"),
        (lambda: layouts(3, (3,)), "more than 3"),
        (lambda: layouts(3, ()), "more than 3"),
        (lambda: layouts(3, (65,)), "at most 64"),
        (lambda: layouts(20, (40,)), f"at most {MAX_TABLES}"),
        (lambda: pieces_of(-1, 4), "distance"),
        (lambda: pieces_of(3, 0), "n_pieces"),
        (lambda: pieces_of(3, 65), "n_pieces"),
        (lambda: pieces_of(30, 1), "too small"),
    ],
)
def test_wrong_arguments(make, message):
    with pytest.raises(ValueError, match=message):
        make()
