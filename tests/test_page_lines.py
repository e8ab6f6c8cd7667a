"""Wrapped lines and text density, against the obvious way and the worked examples."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crawler.page.lines import line_counts
from tests.made_blocks import made_blocks
from tests.wrapped_lines import wrap_counts

words_strategy = st.lists(st.integers(1, 30).map("x".__mul__), max_size=40)


def counted(words, w_max=80):
    """(lines, words on the last one) of *words*."""
    found = line_counts([" ".join(words)], w_max)
    return int(found.n_lines[0]), int(found.last_line_tokens[0])


@given(
    st.lists(words_strategy | st.lists(st.sampled_from(["数据", "a"])), max_size=4),
    st.integers(1, 25),
)
def test_equals_the_obvious_way(texts, w_max):
    found = line_counts([" ".join(words) for words in texts], w_max)
    assert found.n_tokens.tolist() == [len(words) for words in texts]
    rows = zip(found.n_lines.tolist(), found.last_line_tokens.tolist(), strict=True)
    assert list(rows) == [wrap_counts(words, w_max) for words in texts]


def test_line_limits():
    assert counted([]) == (0, 0)
    assert counted(["x" * 500]) == (1, 1)
    assert counted(["a"] * 40) == (1, 40)  # 79 columns
    assert counted(["a"] * 41) == (2, 1)


def test_full_width_characters_take_two_columns():
    # 16 units of two characters, 4 columns each, and 15 spaces: 79 columns.
    assert counted(["数据"] * 16) == (1, 16)
    assert counted(["数据"] * 17) == (2, 1)


def test_density_is_that_of_all_lines_but_the_last():
    # The examples of Kohlschütter 2011, section 4.2.1.
    blocks = made_blocks([[2], [13, 12, 3], [13, 12, 3, 11, 13, 2]])
    assert blocks.text_density.tolist() == [2.0, 12.5, 10.4]


def test_no_blocks_have_no_densities():
    blocks = made_blocks([])
    assert blocks.text_density.tolist() == blocks.link_density.tolist() == []
