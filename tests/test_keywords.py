"""Keywords of a corpus: the scores, frequency lists, and the command."""

from __future__ import annotations

import json
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
    count_words,
    keywords,
    log_likelihood,
    words_of,
)
from tests.conftest import run_scrapy
from tests.facet_corpus import make_corpus, texts

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


@pytest.fixture
def lists(tmp_path):
    corpus, reference = tmp_path / "corpus.tsv", tmp_path / "reference.tsv"
    corpus.write_text("the\t60\t9\nmill\t20\t9\nwheel\t15\t9\nrare\t5\t1\n", encoding="utf-8")
    reference.write_text("the\t600\t99\nwheel\t9\t9\nmill\t1\t1\n", encoding="utf-8")
    return ["keywords", "--corpus", corpus, "--reference", reference]


def test_the_command_prints_keywords_a_line(lists, tmp_path):
    done = run_scrapy(*lists)
    assert (done.returncode, done.stdout) == (0, "mill\nwheel\n")
    done = run_scrapy(*lists, "--min-documents", "1", "--number", "1", "--json")
    assert json.loads(done.stdout)["word"] == "rare"
    (tmp_path / "known.txt").write_text("Mill\n", encoding="utf-8")
    done = run_scrapy(*lists, "--without", tmp_path / "known.txt", "--add", "100")
    assert (done.returncode, done.stdout) == (0, "wheel\n")


def test_the_command_scores_by_log_likelihood(lists):
    done = run_scrapy(*lists, "--measure", "log-likelihood", "--json", "--min-documents", "1")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["word"] for each in found] == ["mill", "wheel", "rare"]
    assert {each["measure"] for each in found} == {"log-likelihood"}
    assert found[0]["score"] == pytest.approx(log_likelihood(20, 100, 1, 610))
    done = run_scrapy(*lists, "--json", "--number", "1")
    assert json.loads(done.stdout)["measure"] == "simple-maths"


def test_the_command_prints_ranks_and_counts(lists):
    done = run_scrapy(*lists[:3], "--ranks", "2-4", "--min-chars", "5")
    assert (done.returncode, done.stdout) == (0, "wheel\n")
    done = run_scrapy(*lists[:3], "--counts")
    assert (done.returncode, done.stdout) == (0, lists[2].read_text("utf-8"))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--counts",), "--reference"),
        (("--ranks", "9-2"), "--ranks"),
        (("--add", "0"), "--add"),
        (("--measure", "chi"), "--measure is 'chi'; give simple-maths or log-likelihood"),
        (("--measure", "log-likelihood", "--add", "5"), "--add goes with --measure simple-maths"),
        (("--ranks", "1-9", "--measure", "log-likelihood"), "--measure goes with --reference"),
        (("--number", "-1"), "--number"),
        (("--language", "German"), "--language"),
        (("--language", "en"), "--language is for texts"),
        (("--without", "none.txt"), "none.txt"),
        (("--around", "none.txt"), "none.txt"),
        (("--ranks", "1-9", "--number", "5"), "--number goes with --reference"),
        (("--ranks", "7-9"), "no word of these ranks is wanted; there are 4,"),
        (("--min-documents", "99"), "--min-documents"),
        (("extra",), "extra"),
    ],
)
def test_a_wrong_call_is_one_line(lists, more, told):
    done = run_scrapy(*(lists[:3] if more[0] == "--ranks" else lists), *more)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_the_words_of_a_corpus(tmp_path):
    make_corpus(tmp_path)
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts")
    assert done.returncode == 0, done.stderr
    counted = Counter(word for text in texts() for word in text.lower().split())
    shown = dict(line.split("\t")[:2] for line in done.stdout.splitlines())
    assert {word: int(n) for word, n in shown.items()} == counted
    again = run_scrapy("keywords", "--corpus", tmp_path, "--counts", "--language", "en, und")
    assert again.stdout == done.stdout, again.stderr
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts", "--language", "xx")
    assert done.returncode == 2
    assert "languages" in done.stderr
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts", "--language", "en,und,cz")
    assert done.returncode == 2
    assert "--language has 'cz', which no text of" in done.stderr


def test_a_folder_without_a_corpus_is_told(tmp_path):
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts")
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
