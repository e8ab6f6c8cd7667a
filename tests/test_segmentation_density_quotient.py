"""Classes of the density quotient: equation 4.9 with the raw difference."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.segmentation.density_quotient import (
    Densities,
    class_histogram,
    quotient_classes,
    relative_differences,
    segment_densities,
)
from tests.made_blocks import made_blocks


def slow_classes(densities):
    kept = densities[:1]
    for rho in densities[1:]:
        if rho != kept[-1]:
            kept.append(rho)
    return [ceil(abs(a - b) / b) for a, b in pairwise(kept)]


def joined_density(lines):
    return Fraction(lines[0]) if len(lines) == 1 else Fraction(sum(lines[:-1]), len(lines) - 1)


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(1, 6)), max_size=20))
def test_equals_the_equation(fractions):
    words = np.array([words for words, _ in fractions], dtype=np.int64)
    lines = np.array([lines for _, lines in fractions], dtype=np.int64)
    expected = slow_classes([Fraction(*fraction) for fraction in fractions])
    assert quotient_classes(Densities(words, lines)).tolist() == expected


@given(st.lists(st.lists(st.integers(1, 15), min_size=1, max_size=3), max_size=12), st.data())
def test_densities_of_segments_are_those_of_joined_lines(lines, data):
    steps = data.draw(st.lists(st.integers(0, 1), min_size=len(lines), max_size=len(lines)))
    numbers = np.cumsum([0, *steps[1:]] if steps else [], dtype=np.uint32)
    joined = {}
    for number, block in zip(numbers.tolist(), lines, strict=True):
        joined.setdefault(number, []).extend(block)
    found = segment_densities(made_blocks(lines), numbers)
    assert [Fraction(int(w), int(n)) for w, n in zip(*found, strict=True)] == [
        joined_density(segment) for segment in joined.values()
    ]


@pytest.mark.parametrize(
    ("lines", "density"),
    [
        # Spec of Kohlschütter, 2.5.3.
        ([[2]], Fraction(2)),
        ([[13, 12, 3]], Fraction(25, 2)),
        ([[2], [3]], Fraction(2)),
        ([[13, 12, 3], [11, 13, 2]], Fraction(52, 5)),
    ],
)
def test_density_examples(lines, density):
    found = segment_densities(made_blocks(lines), np.zeros(len(lines), dtype=np.uint32))
    assert Fraction(int(found.words[0]), int(found.lines[0])) == density


@pytest.mark.parametrize(
    ("densities", "classes"),
    [
        # Falls are seen from the lower density; equal neighbours are one.
        ([1, 10], [1]),
        ([10, 1], [9]),
        ([10, 1, 1, 10], [9, 1]),
        ([4, 4], []),
        ([3], []),
        ([], []),
        # Segments without words are left out.
        ([10, 0, 1], [9]),
        # A quotient of exactly 2 is class 2.
        ([3, 1], [2]),
    ],
)
def test_classes(densities, classes):
    words = np.array(densities, dtype=np.int64)
    assert quotient_classes(Densities(words, np.ones_like(words))).tolist() == classes


def test_histogram_starts_at_class_one():
    assert class_histogram(np.array([1, 1, 4])).tolist() == [2, 0, 0, 1]
    assert class_histogram(np.array([], dtype=np.int64)).tolist() == []


def test_relative_differences():
    # Equation 4.4: (P_x - P_{x-1}) / P_x.
    assert relative_differences([2, 4, 1]).tolist() == [0.5, -3.0]
    with_gap = relative_differences([2, 0, 1])
    assert np.isnan(with_gap[0])
    assert with_gap[1] == 1
    assert relative_differences([]).tolist() == []
