from __future__ import annotations

import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.duplicates.ngram_hashes import ngram_hashes

WORDS = st.lists(st.text("abcéж漢😀", min_size=1, max_size=12), max_size=12)


def slow_ngram_hashes(words, n):
    n = min(n, len(words))
    ngrams = [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)] if words else []
    return [xxhash.xxh3_64_intdigest(ngram.encode()) for ngram in ngrams]


def test_every_length_equals_xxhash():
    # every branch of the function: 1-3, 4-8, 9-16, 17-128, 129-240 and more bytes
    for size in [*range(1, 260), 1000]:
        word = "".join(chr(97 + (i * 7 + size) % 26) for i in range(size))
        assert ngram_hashes([word], 1).tolist() == slow_ngram_hashes([word], 1), size


@settings(deadline=None)
@given(WORDS, st.integers(1, 14))
def test_equal_to_the_slow_version(words, n):
    assert ngram_hashes(words, n).tolist() == slow_ngram_hashes(words, n)


def test_no_words_have_no_ngrams_and_few_words_have_one():
    assert ngram_hashes([], 3).tolist() == []
    assert ngram_hashes(["one", "two"], 3).tolist() == slow_ngram_hashes(["one two"], 1)
    assert ngram_hashes(["one"], 3).dtype == "uint64"


def test_empty_words_and_lone_surrogates_do_not_raise():
    assert ngram_hashes([""], 1).tolist() == [xxhash.xxh3_64_intdigest(b"")]
    assert ngram_hashes(["\ud800", "a"], 3).size == 1


def test_n_below_one_is_refused():
    with pytest.raises(ValueError, match="n must be at least 1, got 0"):
        ngram_hashes(["one"], 0)
