"""The outline of a page against numpy, question by question."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.boilerplate.winnow.comments import MOST_OF_PAGE, may_be_comments
from pipelines.boilerplate.winnow.copies import PARAGRAPH_WORDS
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.outline import n_kept_words, outline

ODDS = np.array([1.5, 0.25])
# Values that rows may have, those next to a limit among them.
ROWS = {
    "comment around": [
        0.0,
        1e-9,
        0.5,
        np.nextafter(np.float32(MOST_OF_PAGE), 0),
        MOST_OF_PAGE,
        1.0,
    ],
    "within main": [0.0, 1.0],
    "within article": [0.0, 1.0],
    "repeated text": [1.0, 2.0, 9.0],
    "within pre": [0.0, 1.0],
}
blocks = st.lists(
    st.tuples(st.integers(1, 2 * PARAGRAPH_WORDS), *map(st.sampled_from, ROWS.values())), max_size=9
)


@given(blocks)
def test_outline_is_what_numpy_says(blocks):
    x = np.zeros((len(FEATURE_NAMES), len(blocks)), np.float32)
    n_words = np.array([block[0] for block in blocks], np.uint32)
    for place, name in enumerate(ROWS, 1):
        x[FEATURE_NAMES.index(name)] = [block[place] for block in blocks]
    row = {name: x[FEATURE_NAMES.index(name)] for name in ROWS}
    found = outline(x, n_words, ODDS)
    places = may_be_comments(x)
    within = (row["within main"] > 0) | (row["within article"] > 0)
    repeated = (row["repeated text"] > 1) & (n_words >= PARAGRAPH_WORDS) & ~places
    assert found.words.tolist() == n_words.tolist()
    assert found.places.tolist() == places.tolist()
    assert found.odds.tolist() == np.where(within, ODDS[1], ODDS[0]).tolist()
    counts = (
        np.count_nonzero(places),
        np.count_nonzero(repeated),
        np.count_nonzero(row["within pre"]),
    )
    assert (found.n_places, found.n_repeated, found.n_code) == counts


@pytest.mark.parametrize(
    ("kept", "expected"),
    [([], 0), ([False, False], 0), ([True, False], 3), ([True, True], 2**32 + 2)],
)
def test_kept_words(kept, expected):
    n_words = np.array([3, 2**32 - 1], np.uint32)[: len(kept)]
    assert n_kept_words(n_words, np.array(kept, np.bool_)) == expected
