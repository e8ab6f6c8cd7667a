"""The distance of Fourier spectra, against sums that are written out."""

from __future__ import annotations

from cmath import exp
from itertools import chain
from math import pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.templates.distances import distance
from pipelines.templates.fourier import FourierRows, magnitudes, name_numbers
from pipelines.templates.labels import label

# Tags of pages: names, and end tags with a slash.
PAGES = st.lists(
    st.lists(st.sampled_from(["a", "b", "i", "p", "/a", "/b", "/i", "/p"]), max_size=25),
    min_size=1,
    max_size=4,
)


def labels(tags):
    return np.array([label(tag) for tag in tags], np.uint64)


def slow_signals(pages):
    names = []
    for tag in chain.from_iterable(pages):
        if tag.strip("/") not in names:
            names.append(tag.strip("/"))
    return [
        [(names.index(tag.strip("/")) + 1) * (-1 if tag[0] == "/" else 1) for tag in page]
        for page in pages
    ]


def slow_magnitudes(signal):
    n = len(signal)
    return [
        abs(sum(x * exp(-2j * pi * k * t / n) for t, x in enumerate(signal))) / sqrt(n)
        for k in range(n // 2 + 1 if n else 0)
    ] or [0.0]


def slow_distance(a, b):
    """Between two magnitudes a straight line; behind the last one, which is that of its mirrored frequency, level."""
    a, b = sorted((a, b), key=len)
    mine, theirs = slow_magnitudes(b), slow_magnitudes(a)
    at = [k / len(b) for k in range(len(mine))] if b else [0.0]
    known = [k / len(a) for k in range(len(theirs))] if a else [0.0]
    lines = np.interp(at, known, theirs)
    return sqrt(sum((x - y) ** 2 for x, y in zip(mine, lines, strict=True)) / len(mine))


@given(PAGES)
def test_distances_are_those_of_written_sums(pages):
    rows = FourierRows([labels(page) for page in pages])
    signals = slow_signals(pages)
    matrix = np.array([rows.row(place) for place in range(len(pages))])
    for mine, found in zip(signals, matrix, strict=True):
        assert found == pytest.approx([slow_distance(mine, other) for other in signals], abs=1e-9)
    # Exactly, not but for the last digits.
    assert np.array_equal(matrix, matrix.T)
    assert not matrix.diagonal().any()


def test_names_are_numbered_as_they_appear():
    pages = [["/p", "b", "/b"], ["i", "p", "my-tag"]]
    numbers = name_numbers(map(labels, pages))
    assert numbers == {label(name): n for n, name in enumerate(["p", "b", "i", "my-tag"], 1)}


def test_magnitudes_of_tags_in_turn():
    """b and /b in turn are all of the highest frequency, with the energy of the signal."""
    found = magnitudes(labels(["b", "/b"] * 8), {label("b"): 3})
    assert found == pytest.approx([0] * 8 + [3 * sqrt(16)])
    assert np.sum(found**2) == pytest.approx(16 * 3**2)


def test_what_spectra_do_not_see():
    """A page that begins within another one, and goes round, and one that tags repeat in."""
    page = ["p", "b", "/b", "/p", "i", "/i"]
    turned, twice = [*page[2:], *page[:2]], page * 2
    rows = FourierRows([labels(each) for each in (page, turned, twice, [])])
    apart = rows.row(0)
    assert apart[1] == pytest.approx(0, abs=1e-12)
    assert 0 < apart[2] < apart[3]
    assert apart[3] == pytest.approx(
        sqrt(np.mean(np.square(slow_magnitudes([1, 2, -2, -1, 3, -3]))))
    )


def test_some_pages_keep_the_numbers_of_all():
    found = distance("dft")
    features = [labels(tags) for tags in (["i", "/i"], ["p", "b", "/p"], ["b"], ["b", "p"])]
    rows = found.rows(features)
    part = found.part(rows, features[1:])
    assert part.row(0).tolist() == rows.row(1)[1:].tolist()
    assert found.rows(features[1:]).row(0).tolist() != part.row(0).tolist()
