"""SPEX against counting everything, and the identities of the thesis' table."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.duplicates.spex import spex

collections = st.lists(st.lists(st.integers(0, 3), max_size=15), max_size=6)


def arrays(documents):
    ids = np.array([word for document in documents for word in document], dtype=np.uint32)
    starts = np.cumsum([0, *map(len, documents)])
    return ids, starts


def ngrams(documents, n):
    return [tuple(d[i : i + n]) for d in documents for i in range(len(d) - n + 1)]


@given(collections, st.integers(1, 5))
def test_equals_counting_all(documents, n):
    ids, starts = arrays(documents)
    found = spex(ids, starts, n)
    counts = Counter(ngrams(documents, n))
    expected = {gram: count for gram, count in counts.items() if count > 1}
    grams = [tuple(ids[p : p + n].tolist()) for p in found.positions.tolist()]
    assert Counter(grams) == expected
    # One number an n-gram.
    assert len(set(zip(grams, found.numbers.tolist(), strict=True))) == len(expected)


@given(collections, st.integers(2, 5))
def test_rows_of_table_3_1(documents, n):
    ids, starts = arrays(documents)
    rows = spex(ids, starts, n).iterations
    for row in rows:
        counts = Counter(ngrams(documents, row.m))
        assert row.n_unique == sum(count == 1 for count in counts.values())
        assert row.types == sum(count > 1 for count in counts.values())
        assert row.n_unique + row.n_duplicates == counts.total()
    assert rows[0].n_pruned == 0
    for before, row in pairwise(rows):
        assert row.stored == row.n_unique - row.n_pruned + row.types + before.types
        # One position less for each document that is long enough.
        long_enough = sum(len(document) >= before.m for document in documents)
        totals = [r.n_unique + r.n_duplicates for r in (before, row)]
        assert totals[0] - totals[1] == long_enough


def test_published_row_agrees_with_the_formula():
    """Pomikálek 2011, table 3.1, n = 2."""
    assert 10_130_676 - 373_298 + 4_603_645 + 278_079 == 14_639_102


def test_no_tokens_and_no_n():
    assert not len(spex(np.empty(0, np.uint32), np.array([0]), 3).positions)
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        spex(np.empty(0, np.uint32), np.array([0]), 0)
