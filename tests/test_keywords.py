"""Keywords of a corpus: the scores, and frequency lists."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from crawler.seeds.keywords import read_keywords
from pipelines.jobs.word_counts import list_lines, read_frequencies
from pipelines.linguistics.keyness import (
    Count,
    Frequencies,
    SimpleMaths,
    count_lists,
    keywords,
    log_likelihood,
    words_of,
)


def count_words(texts, **options):
    return count_lists(map(words_of, texts), **options)


TEXTS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=12).map(" ".join), max_size=8)


def frequencies(**counts: int) -> Frequencies:
    return Frequencies([Count(word, n, n) for word, n in counts.items()], sum(counts.values()))


def test_scores_are_those_of_simple_maths():
    """Kilgarriff 2009: of a million words each, 40 against 10, n = 1, 10, 100: 3.73, 2.5, 1.27."""
    corpus = frequencies(word=40, rest=999_960)
    reference = frequencies(word=10, rest=999_990)
    for add, score in ((1, 41 / 11), (10, 2.5), (100, 140 / 110)):
        found = keywords(corpus, reference, measure=SimpleMaths(add))
        assert [(each.word, each.score) for each in found] == [("word", pytest.approx(score))]
        assert (found[0].per_million, found[0].reference_per_million) == (40, 10)


@given(TEXTS, TEXTS, st.sampled_from([0.5, 1, 100]), st.integers(1, 3))
def test_keywords_are_those_of_a_slow_version(texts, others, add, min_documents):
    own = Counter(word for text in texts for word in text.split())
    other = Counter(word for text in others for word in text.split())
    if not own or not other:
        with pytest.raises(ValueError, match="words"):
            keywords(count_words(texts), count_words(others))
        return
    scores = {}
    for word, n in own.items():
        documents = sum(word in text.split() for text in texts)
        mine = Fraction(n * 10**6, own.total())
        theirs = Fraction(other[word] * 10**6, other.total())
        if mine > theirs and documents >= min_documents:
            scores[word] = float((mine + Fraction(add)) / (theirs + Fraction(add)))
    measure = SimpleMaths(add)
    found = keywords(
        count_words(texts), count_words(others), measure=measure, min_documents=min_documents
    )
    assert {each.word: each.score for each in found} == pytest.approx(scores)
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_log_likelihoods_are_those_of_closed_forms():
    """All of n occurrences in one of two corpora of one size: 2 n ln 2; all in one of a third of both: 2 n ln 3."""
    assert log_likelihood(100, 10**6, 0, 10**6) == pytest.approx(200 * math.log(2))
    assert log_likelihood(0, 10**6, 100, 10**6) == pytest.approx(200 * math.log(2))
    assert log_likelihood(7, 10**6, 0, 2 * 10**6) == pytest.approx(14 * math.log(3))
    with pytest.raises(ValueError, match="2 of 1"):
        log_likelihood(2, 1, 0, 1)


@given(st.integers(1, 10**9), st.integers(1, 10**9), st.floats(0, 1), st.floats(0, 1))
def test_log_likelihood_is_that_of_two_likelihoods(c, d, own, other):
    """Twice the logarithm of how much likelier each corpus has its own rate than both have one (Poisson)."""
    a, b = int(own * c), int(other * d)

    def log_of_likelihood(n, rate):
        return n * math.log(rate) - rate if n else -rate

    rate = (a + b) / (c + d)
    own_rates = log_of_likelihood(a, a) + log_of_likelihood(b, b)
    one_rate = log_of_likelihood(a, c * rate) + log_of_likelihood(b, d * rate)
    slow = pytest.approx(2 * (own_rates - one_rate), rel=1e-6, abs=1e-3)
    assert log_likelihood(a, c, b, d) == slow
    assert log_likelihood(b, d, a, c) == pytest.approx(log_likelihood(a, c, b, d), abs=1e-3)


@given(TEXTS, TEXTS)
def test_keywords_by_log_likelihood_are_the_same_words(texts, others):
    own, other = count_words([*texts, "a"]), count_words([*others, "b"])
    found = keywords(own, other, measure=log_likelihood)
    assert {each.word for each in found} == {each.word for each in keywords(own, other)}
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    theirs = {each.word: each.occurrences for each in other.counts}
    ours = {each.word: each.occurrences for each in own.counts}
    for each in found:
        a, b, c, d = ours[each.word], theirs.get(each.word, 0), own.n_words, other.n_words
        cells = [(n, size * (a + b) / (c + d)) for n, size in ((a, c), (b, d))]
        slow = 2 * sum(n * math.log(n / expected) if n else 0 for n, expected in cells)
        assert each.score == pytest.approx(slow, abs=1e-9)


@given(st.lists(st.sampled_from(["a b", "b", "c c a"]), min_size=1, max_size=1200))
def test_words_are_counted_over_batches(texts):
    counted = {each.word: (each.occurrences, each.documents) for each in count_words(texts).counts}
    words = Counter(word for text in texts for word in text.split())
    documents = Counter(word for text in texts for word in set(text.split()))
    assert counted == {word: (n, documents[word]) for word, n in words.items()}


def test_a_table_is_no_list_of_keywords(tmp_path):
    """`--without general.tsv` left nothing out, and bootcat asked for "mill 345"."""
    path = tmp_path / "words.tsv"
    path.write_text("mill\t345\t9\nwheel\t2\t1\n", encoding="utf-8")
    with pytest.raises(InputError, match="has columns"):
        read_keywords(path)
    path.write_text("cafe\u0301\t\ncaf\u00e9\n", encoding="utf-8")
    assert read_keywords(path) == ["caf\u00e9"]  # the same word, however it is encoded


def test_words_of_hebrew_keep_what_is_within_them():
    """Acronyms were two words."""
    text = 'צה״ל וארה"ב אמרו "שלום" לג׳ורג׳.'
    assert words_of(text) == ["צה״ל", "וארה״ב", "אמרו", "שלום", "לג׳ורג׳"]


def test_capitals_that_have_no_composed_form_are_those_of_small_letters_that_have():
    assert words_of("ἈΧΙΛΗ͂ΟΣ H̱ālid") == ["\u1f00χιλ\u1fc6ος", "\u1e96ālid"]


def test_a_word_with_either_apostrophe_is_one(tmp_path):
    """*It’s* was the first keyword of pages of today beside those of 1997."""
    assert words_of("It’s п’ять, it's п'ять: ‘so’") == ["it's", "п'ять", "it's", "п'ять", "so"]
    path = tmp_path / "list.tsv"
    path.write_text("it’s\t5\t3\nit's\t2\t1\n", encoding="utf-8")
    assert read_frequencies(path).counts == [Count("it's", 7, 3)]


def test_words_have_their_endings_behind_a_colon():
    text = "EU:n Lehrer:innen: s:t note:the http://eu:n/ x::n"
    assert words_of(text) == ["eu:n", "lehrer:innen", "s:t", "note", "the", "x", "n"]


def test_words_of_arabic_are_the_same_when_they_are_drawn_out():
    assert words_of("كتـــاب ـ الكتـاب") == ["كتاب", "الكتاب"]


def test_joiners_that_join_nothing_are_in_no_word():
    assert words_of("Auf\u200clage Auflage می\u200cرود") == ["auflage", "auflage", "می\u200cرود"]


def test_words_end_at_signs_and_digits_of_south_east_asia():
    """They were parts of words: of "သည်။", and of years."""
    assert words_of("သည်။ ဖြစ်၊") == ["သည်", "ဖြစ်"]
    assert words_of("ปี๒๓๗๗ที่ ១២៣។ ខ្ញុំ") == ["ปี", "ที่", "ខ្ញុំ"]


def test_words_keep_their_vowel_signs():
    """Hindi was counted by its consonants, and İstanbul as two words."""
    text = "हिन्दी की राजभाषा, İstanbul’da İzmir"
    assert words_of(text) == ["हिन्दी", "की", "राजभाषा", "istanbul'da", "izmir"]


def test_a_word_of_turkish_is_the_same_at_the_beginning_of_a_sentence():
    assert words_of("İndirim var. Bu indirim") == ["indirim", "var", "bu", "indirim"]


def test_what_there_was_no_room_for_is_known():
    texts = [
        "often " * 50,
        *(
            "w" + chr(97 + n % 26) + chr(97 + n // 26 % 26) + chr(97 + n // 676)
            for n in range(2000)
        ),
        "often " * 50,
    ]
    found = count_words(texts, max_words=100)
    assert found.counts[0] == Count("often", 100, 2)
    assert found.n_words == 2100
    assert found.max_missed > 0


def test_the_words_of_middle_frequency():
    found = frequencies(the=9, mill=5, wheel=4, a=3, grain=2)
    assert found.at_ranks(2, 4) == ["mill", "wheel", "a"]
    assert found.at_ranks(2, 900) == ["mill", "wheel", "a", "grain"]
    assert found.at_ranks(6, 9) == []


def test_a_frequency_list_is_read_as_it_is_printed(tmp_path):
    counted = count_words(["The mill, the wheel.", "Mühle mill"])
    path = tmp_path / "list.tsv"
    path.write_text("".join(f"{line}\n" for line in list_lines(counted.counts)), encoding="utf-8")
    assert read_frequencies(path) == counted


def test_a_list_of_somebody_else_is_read(tmp_path):
    path = tmp_path / "list.tsv"
    path.write_bytes("\ufeffThe\t10\nmill\t3\t2\tx\n\nthe\t5\n".encode())
    assert read_frequencies(path).counts == [Count("the", 15, 10), Count("mill", 3, 2)]
    # Decomposed, as other programs write them: the texts of a corpus are not.
    path.write_bytes('mu\u0308hle\t5\nI\u0307zmir\t2\nizmir\t1\nארה"ב\t1\n'.encode())
    assert read_frequencies(path).counts == [
        Count("m\u00fchle", 5, 5), Count("izmir", 3, 2), Count("ארה״ב", 1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "told"),
    [(None, "No such file"), (b"", "no words"), (b"mill\n", "line 1"), (b"mill\tmany\n", "line 1"),
     (b"a\t1\n\t2\n", "line 2"), (b"caf\xe9\t1\n", "UTF-8"), (b"a\t" + b"9" * 30, "line 1")],
)  # fmt: skip
def test_what_is_no_list_is_told(tmp_path, data, told):
    path = tmp_path / "list.tsv"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError, match=told) as error:
        read_frequencies(path)
    assert str(path) in str(error.value)
