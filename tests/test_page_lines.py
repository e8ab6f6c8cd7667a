"""Wrapped lines and text density, against the obvious way and the worked examples."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crawler.page.lines import wrap_counts
from tests.made_blocks import made_blocks


def wrapped(words, w_max):
    """The lines that greedy wrapping gives, one word after the other."""
    lines = []
    for word in words:
        if lines and len(" ".join([*lines[-1], word])) <= w_max:
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


words_strategy = st.lists(st.integers(1, 30).map("x".__mul__), max_size=40)


@given(words_strategy, st.integers(1, 25), st.booleans())
def test_equals_the_obvious_way(words, w_max, full_width):
    lines = wrapped(words, w_max)
    expected = (len(lines), len(lines[-1]) if lines else 0)
    assert wrap_counts(words, full_width=full_width, w_max=w_max) == expected


def test_line_limits():
    assert wrap_counts([], full_width=False) == (0, 0)
    assert wrap_counts([], full_width=True) == (0, 0)
    assert wrap_counts(["x" * 500], full_width=False) == (1, 1)
    assert wrap_counts(["a"] * 40, full_width=False) == (1, 40)  # 79 columns
    assert wrap_counts(["a"] * 41, full_width=False) == (2, 1)


def test_full_width_characters_take_two_columns():
    # 16 units of two characters, 4 columns each, and 15 spaces: 79 columns.
    assert wrap_counts(["数据"] * 16, full_width=True) == (1, 16)
    assert wrap_counts(["数据"] * 17, full_width=True) == (2, 1)


def test_density_is_that_of_all_lines_but_the_last():
    # The examples of Kohlschütter 2011, section 4.2.1.
    blocks = made_blocks([[2], [13, 12, 3], [13, 12, 3, 11, 13, 2]])
    assert blocks.text_density.tolist() == [2.0, 12.5, 10.4]


def test_no_blocks_have_no_densities():
    blocks = made_blocks([])
    assert blocks.text_density.tolist() == blocks.link_density.tolist() == []
