"""The two published trees against their printed form, leaf by leaf."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.boilerplate.registry import get, methods
from tests.made_blocks import made_blocks, page_of

EDGE = (0, 0.0, 0.0)


def algorithm_4_2(previous, current, following):
    """Kohlschütter 2011, Algorithm 4.2, line by line; True is content."""
    if current[1] > 0.333333:
        return False
    if previous[1] <= 0.555556:
        if current[2] <= 9:
            if following[2] <= 10:
                return previous[2] > 4
            return True
        return following[2] != 0
    return following[2] > 11


def algorithm_4_3(previous, current, following):
    """Kohlschütter 2011, Algorithm 4.3, line by line; True is content."""
    if current[1] > 0.333333:
        return False
    if previous[1] <= 0.555556:
        if current[0] <= 16:
            if following[0] <= 15:
                return previous[0] > 4
            return True
        return True
    if current[0] <= 40:
        return following[0] > 17
    return True


TREES = {"densitometric-tree": algorithm_4_2, "numwords-tree": algorithm_4_3}

# Lines of tokens and the share of them that is linked, around all thresholds.
block = st.tuples(st.lists(st.integers(1, 25), min_size=1, max_size=4), st.sampled_from(range(10)))


@pytest.mark.parametrize("name", TREES)
@given(drawn=st.lists(block, max_size=12))
def test_equals_the_printed_tree(name, drawn):
    lines = [lines for lines, _ in drawn]
    linked = [sum(lines) * ninths // 9 for lines, ninths in drawn]
    blocks = made_blocks(lines, linked=linked)
    rows = zip(
        blocks.n_words.tolist(),
        blocks.link_density.tolist(),
        blocks.text_density.tolist(),
        strict=True,
    )
    padded = [EDGE, *rows, EDGE]
    expected = [TREES[name](*padded[i : i + 3]) for i in range(len(drawn))]
    labels = get(name).label(page_of(blocks))
    assert labels.kept.tolist() == expected
    assert labels.label == ["content" if kept else "boilerplate" for kept in expected]


@pytest.mark.parametrize(
    ("words", "linked", "kept"),
    [
        # One fixture a leaf of Algorithm 4.3; the middle block is the one that is judged.
        ((20, 30, 20), (0, 11, 0), False),  # link density above 1/3
        ((4, 16, 15), (0, 0, 0), False),  # short among short ones
        ((5, 16, 15), (0, 0, 0), True),
        ((4, 16, 16), (0, 0, 0), True),
        ((4, 17, 15), (0, 0, 0), True),
        ((9, 40, 17), (6, 0, 0), False),  # after links
        ((9, 40, 18), (6, 0, 0), True),
        ((9, 41, 17), (6, 0, 0), True),
        # The thresholds as printed: 1/3 is above .333333, 5/9 is not above .555556.
        ((9, 18, 30), (0, 6, 0), False),
        ((9, 18, 10), (5, 0, 0), True),
    ],
)
def test_leaves_of_the_numwords_tree(words, linked, kept):
    blocks = made_blocks([[n] for n in words], linked=list(linked))
    assert bool(get("numwords-tree").label(page_of(blocks)).kept[1]) is kept


@pytest.mark.parametrize(
    ("lines", "linked", "kept"),
    [
        # One fixture a leaf of Algorithm 4.2; the words in the lines of three blocks, or two at the end of the page.
        (([20], [30], [20]), (0, 11, 0), False),  # link density above 1/3
        (([4], [9], [10]), (0, 0, 0), False),  # thin among thin ones
        (([5], [9], [10]), (0, 0, 0), True),
        (([4], [9], [11]), (0, 0, 0), True),
        (([4], [10], [1]), (0, 0, 0), True),
        (([4], [10]), (0, 0), False),  # dense, and the last
        (([9], [10], [11]), (6, 0, 0), False),  # after links
        (([9], [10], [12]), (6, 0, 0), True),
        # The last line of several does not count: 9.5 is above 9, and 10.5 above 10.
        (([4], [10, 9, 1], [1]), (0, 0, 0), True),
        (([4], [9], [11, 10, 1]), (0, 0, 0), True),
    ],
)
def test_leaves_of_the_densitometric_tree(lines, linked, kept):
    blocks = made_blocks([*map(list, lines)], linked=list(linked))
    assert bool(get("densitometric-tree").label(page_of(blocks)).kept[1]) is kept


def test_last_dense_block_is_boilerplate_to_the_densitometric_tree_only():
    blocks = made_blocks([[20], [20]])
    assert get("densitometric-tree").label(page_of(blocks)).kept.tolist() == [True, False]
    assert get("numwords-tree").label(page_of(blocks)).kept.tolist() == [True, True]


@pytest.mark.parametrize("name", methods())
def test_no_blocks(name):
    labels = get(name).label(page_of(made_blocks([])))
    assert labels.kept.dtype == np.bool_
    assert labels.label == []


def test_keep_all_and_unknown_method():
    assert get("keep-all").label(page_of(made_blocks([[1], [2]]))).kept.all()
    with pytest.raises(ValueError, match="unknown cleaning method 'magic'; `scrapy clean"):
        get("magic")
    with pytest.raises(ValueError, match="keep-all has no option 'depth'; it takes none"):
        get("keep-all", depth=1)
