"""Algorithm 3.1 against its printed form, the guarantee that holds and the one that does not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.duplicates.removal import (
    DuplicateNgrams,
    by_duplicate_share,
    duplicate_share,
    keep_new,
    keep_unique,
    remove_duplicates,
)

collections = st.lists(st.lists(st.integers(0, 2), max_size=14), max_size=8)
thresholds = st.sampled_from([0.1, 0.25, 0.5, 1.0])


def grams(document, n):
    """N-grams as numbers, in base 1,000."""
    windows = [document[i : i + n] for i in range(len(document) - n + 1)]
    return np.array(
        [sum((w + 1) * 1000**i for i, w in enumerate(window)) for window in windows],
        dtype=np.uint64,
    )


def duplicates(texts):
    counts = Counter(gram for text in texts for gram in text.tolist())
    return np.array(sorted(g for g, count in counts.items() if count > 1), dtype=np.uint64)


def algorithm_3_1(documents, n, t):
    """The printed algorithm, with sets."""
    texts = [grams(document, n).tolist() for document in documents]
    g2 = set(duplicates([np.array(text, dtype=np.uint64) for text in texts]).tolist())
    out: set[int] = set()
    for document, text in zip(documents, texts, strict=True):
        covered = {j for i, gram in enumerate(text) if gram in out for j in range(i, i + n)}
        share = len(covered) / len(document) if document else 0
        if share < t:
            out |= {gram for gram in text if gram in g2}
        yield share < t


@given(collections, st.integers(1, 4), thresholds)
def test_equals_the_printed_algorithm(documents, n, t):
    texts = [grams(document, n) for document in documents]
    ngrams = DuplicateNgrams(duplicates(texts))
    kept = list(remove_duplicates(texts, ngrams, n=n, t=t))
    assert kept == list(algorithm_3_1(documents, n, t))


@given(collections, st.integers(1, 4), thresholds)
def test_no_kept_text_shares_more_with_those_before(documents, n, t):
    texts = [grams(document, n) for document in documents]
    kept = list(remove_duplicates(texts, DuplicateNgrams(duplicates(texts)), n=n, t=t))
    seen: set[int] = set()
    for document, text, keep in zip(documents, texts, kept, strict=True):
        if keep:
            covered = {j for i, g in enumerate(text.tolist()) if g in seen for j in range(i, i + n)}
            assert not document or len(covered) / len(document) < t
            seen.update(text.tolist())


def test_the_printed_promise_is_false_for_later_ones():
    """A of ten words, and B that holds A and ninety more: A first, both are kept."""
    a, rest = list(range(10)), list(range(10, 100))
    for order, expected in (([a, a + rest], [True, True]), ([a + rest, a], [True, False])):
        texts = [grams(document, 5) for document in order]
        ngrams = DuplicateNgrams(duplicates(texts))
        assert list(remove_duplicates(texts, ngrams, n=5)) == expected
    # The order of the thesis sorts the cleaner one first.
    shares = [duplicate_share(text, ngrams) for text in (grams(a, 5), grams(a + rest, 5))]
    assert by_duplicate_share(shares).tolist() == [1, 0]


def test_ties_keep_their_order_and_repeats_inside_do_not_count():
    assert by_duplicate_share([0.5, 0.0, 0.5, 0.0]).tolist() == [1, 3, 0, 2]
    text = grams([1, 2, 1, 2, 1, 2], 2)
    assert list(remove_duplicates([text], DuplicateNgrams(duplicates([text])), n=2)) == [True]


def test_half_covered_is_dropped_unless_inclusive():
    first, second = grams([1, 2], 2), grams([1, 2, 3, 4], 2)
    found = duplicates([first, second])
    assert list(remove_duplicates([first, second], DuplicateNgrams(found), n=2)) == [True, False]
    kept = remove_duplicates([first, second], DuplicateNgrams(found), n=2, inclusive=True)
    assert list(kept) == [True, True]


def share(text, known):
    """Return the share of the n-grams of *text* that are *known*, 0 of none."""
    return sum(g in known for g in text.tolist()) / max(len(text), 1)


def test_a_text_with_as_many_known_ngrams_as_are_allowed_is_kept():
    text = grams(list(range(100)), 1)
    other = grams([*range(29), *range(200, 271)], 1)
    # .29 * 100 is a little less than 29.
    assert list(keep_new([text, other], t=0.29)) == [True, True]


@given(collections, st.integers(1, 4), thresholds)
def test_naive_filters(documents, n, t):
    texts = [grams(document, n) for document in documents]
    found = duplicates(texts)
    g2 = set(found.tolist())
    lost = [share(text, g2) <= t for text in texts]
    assert list(keep_unique(texts, DuplicateNgrams(found), t=t)) == lost
    seen: set[int] = set()
    for text, keep in zip(texts, keep_new(texts, t=t), strict=True):
        assert keep == (share(text, seen) <= t)
        if keep:
            seen.update(text.tolist())


def test_no_copy_is_kept_by_the_second_filter():
    text = grams(list(range(20)), 5)
    found = duplicates([text, text])
    assert list(keep_unique([text, text], DuplicateNgrams(found))) == [False, False]
    assert list(remove_duplicates([text, text], DuplicateNgrams(found), n=5)) == [True, False]


@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 5000])
@pytest.mark.parametrize("highest", [9000, 2**64 - 1])
def test_places(n, highest):
    """Of hashes, which are spread evenly, and of numbers that have one beginning."""
    rng = np.random.default_rng(n)
    values = rng.integers(0, highest, size=3 * n + 9, dtype=np.uint64, endpoint=True)
    values[:4] = 0, 1, highest, highest - 1
    duplicates = np.unique(np.concatenate([values[: n // 2], values[::4]])[:n])
    place_of = {value: place for place, value in enumerate(duplicates.tolist())}
    expected = [place_of.get(value, -1) for value in values.tolist()]
    assert DuplicateNgrams(duplicates).places(values).tolist() == expected


def test_unsorted_duplicates():
    with pytest.raises(ValueError, match="ascending"):
        DuplicateNgrams(np.array([2, 1], dtype=np.uint64))
