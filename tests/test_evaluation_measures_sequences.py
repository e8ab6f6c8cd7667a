"""Longest common subsequences, and the measures that are made of them."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.evaluation.gold import Scores
from pipelines.evaluation.measures import MEASURES, POOLED, cleaneval, gottron
from pipelines.evaluation.measures.lcs import lcs_length, lcs_pairs
from pipelines.evaluation.measures.rouge import rouge_lsum
from pipelines.evaluation.measures.token_f1 import token_f1

few = st.text("abc ", max_size=150)
words = st.lists(st.sampled_from(["a", "A", "b", "c", "dd", "ee", "数"]), max_size=90)
lines = st.lists(words.map(" ".join), max_size=6).map("\n".join)


def table_length(first, second):
    """The quadratic table, row by row."""
    row = [0] * (len(second) + 1)
    for symbol in first:
        above = row[:]
        for j, other in enumerate(second):
            row[j + 1] = above[j] + 1 if symbol == other else max(above[j + 1], row[j])
    return row[-1]


@given(few, few)
def test_length_is_that_of_the_table(first, second):
    assert lcs_length(first, second) == table_length(first, second)


@given(words, words)
def test_pairs_are_a_longest_common_subsequence(first, second):
    pairs = lcs_pairs(first, second)
    assert len(pairs.first) == lcs_length(first, second)
    assert [first[i] for i in pairs.first] == [second[j] for j in pairs.second]
    assert (np.diff(pairs.first) > 0).all()
    assert (np.diff(pairs.second) > 0).all()


@pytest.mark.parametrize(
    "alphabet", ["ab", "abcdefghijklmnopqrst", "".join(map(chr, range(300, 900)))]
)
def test_many_vector_words_and_blocks_of_columns(alphabet):
    """Carries go over several words of the vector; the table is made again block by block."""
    chance = random.Random(alphabet)
    first, second = ("".join(chance.choices(alphabet, k=n)) for n in (700, 900))
    assert lcs_length(first, second) == table_length(first, second)
    pairs = lcs_pairs(first, second)
    assert "".join(first[i] for i in pairs.first) == "".join(second[j] for j in pairs.second)
    assert len(pairs.first) == lcs_length(first, second)


def test_long_texts():
    """50,000 characters each, which the table would take minutes for; one is the other with gaps."""
    chance = random.Random(5)
    longer = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz    ", k=50_000))
    shorter = "".join(symbol for symbol in longer if chance.random() < 0.7)
    assert lcs_length(longer, shorter) == lcs_length(shorter, longer) == len(shorter)


def test_length_of_short_sequences():
    assert lcs_length("", "a") == lcs_length("", "") == 0
    assert lcs_length("abc" * 100, "abc" * 100) == 300
    assert lcs_length("x" + "a" * 64, "a" * 64 + "y") == 64


# Gottron's models


def test_empty_texts():
    """Gottron 2008, section 2.2.4."""
    for measure in (
        gottron.character_sequence,
        gottron.word_sequence,
        gottron.bag_of_words,
        gottron.set_of_words,
        token_f1,
        rouge_lsum,
    ):
        assert measure("", "") == Scores(1, 1, 1)
        assert measure("", "gold") == Scores(1, 0, 0)
        assert measure("text", "") == Scores(0, 1, 0)


def test_models_by_hand():
    extracted, gold = "b a  c,\n a", "A b c"
    # Characters of "b a c, a" in "A b c": "b", " ", "c".
    assert gottron.character_sequence(extracted, gold) == pytest.approx((3 / 8, 3 / 5, 6 / 13))
    # "Weg" is not "weg".
    assert gottron.word_sequence(extracted, gold) == pytest.approx((0.5, 2 / 3, 4 / 7))
    assert gottron.bag_of_words(extracted, gold) == pytest.approx((0.5, 2 / 3, 4 / 7))
    assert gottron.set_of_words(extracted, gold) == Scores(2 / 3, 2 / 3, 2 / 3)
    gold = "a b c"
    assert gottron.word_sequence(extracted, gold) == pytest.approx((0.5, 2 / 3, 4 / 7))
    assert gottron.bag_of_words(extracted, gold) == pytest.approx((0.75, 1, 6 / 7))
    assert gottron.set_of_words(extracted, gold) == Scores(1, 1, 1)
    assert gottron.word_sequence(extracted, gold, words=str.split) == pytest.approx(
        (1 / 4, 1 / 3, 2 / 7)
    )


@given(words, words)
def test_invariants_of_the_models(first, second):
    extracted, gold = " ".join(first), " ".join(second)
    bag, sequence = gottron.bag_of_words(extracted, gold), gottron.word_sequence(extracted, gold)
    assert bag.precision >= sequence.precision
    assert bag.recall >= sequence.recall
    assert gottron.bag_of_words(extracted.lower(), gold.lower()) == token_f1(extracted, gold)
    assert gottron.bag_of_words(" ".join(sorted(first)), gold) == bag
    once = gottron.set_of_words(" ".join(set(first)), gold)
    assert gottron.set_of_words(extracted, gold) == once
    same = gottron.word_sequence(gold, gold)
    assert same == gottron.character_sequence(gold, gold) == Scores(1, 1, 1)


def test_words_are_the_same_composed_and_not():
    composed, apart = "u\u0308ber", "\xfcber"
    assert gottron.word_sequence(composed, apart) == Scores(1, 1, 1)


def test_blocks_against_text():
    """Table 5.1: ten blocks, five of them main content, of which one is not found: the article."""
    article = " ".join(f"word{k}" for k in range(995))
    main = ["a", "b", "c", "d", article]
    assert Scores(1, 0.8, pytest.approx(0.89, abs=0.005)) == Scores(4 / 4, 4 / 5, 8 / 9)
    f1 = [
        measure("\n".join(main[:4]), "\n".join(main)).f1
        for measure in (gottron.word_sequence, gottron.bag_of_words, gottron.set_of_words)
    ]
    assert max(f1) < 0.01


def test_stability_and_time():
    assert gottron.stability([0.4, 0.6, 0.8]) == pytest.approx(0.2)
    assert np.isnan(gottron.stability([0.5]))
    assert gottron.seconds_per_kb(0.5, 2048) == 0.25
    assert gottron.seconds_per_kb(0.5, 2000, bytes_per_kb=1000) == 0.25
    assert np.isnan(gottron.seconds_per_kb(0.5, 0))


def test_plain_text_of_an_answer():
    html = b"<!-- no --><style>p{}</style><p>A&amp;B  c<br>d<script>no</script></p><p>&#8364; 5"
    assert gottron.plain_text(html) == "A&B c\nd\n€ 5"
    assert gottron.plain_text(b"<p><b>W</b>ord, <i>x</i><sub>2</sub><p>y") == "Word, x2\ny"


# ROUGE-LSum


class Splitter:
    def tokenize(self, text):
        return text.split()


def package_scores(extracted, gold, tokenizer=None):
    from rouge_score import (
        rouge_scorer,
    )  # a second, which each worker would take to collect this file

    scorer = rouge_scorer.RougeScorer(["rougeLsum"], tokenizer=tokenizer)
    return tuple(scorer.score(gold, extracted)["rougeLsum"])


@given(lines, lines)
def test_rouge_is_that_of_the_package(extracted, gold):
    ours = rouge_lsum(extracted, gold, words=str.split)
    if extracted.split() and gold.split():
        assert ours == pytest.approx(package_scores(extracted, gold, Splitter()))


def test_rouge_tokens_are_those_of_the_package():
    extracted, gold = "The cat's 2 été\n\n - \nDOGS x", "cat s été\nthe dogs"
    ours = rouge_lsum(extracted, gold, words=lambda text: re.findall("[a-z0-9]+", text.lower()))
    assert ours == pytest.approx(package_scores(extracted, gold))


def test_rouge_of_long_lines():
    chance = random.Random(3)
    extracted, gold = (
        "\n".join(" ".join(chance.choices("abcdefghijkl", k=n)) for n in sizes)
        for sizes in ((400, 3, 90), (130, 1, 250))
    )
    ours = rouge_lsum(extracted, gold, words=str.split)
    assert ours == pytest.approx(package_scores(extracted, gold, Splitter()))


@given(lines, lines)
def test_rouge_of_lines_that_come_again_is_that_of_the_package(extracted, gold):
    ours = f"{extracted}\n{extracted}\na b", f"{gold}\nA\n{gold}\nA\nA"
    scores = rouge_lsum(*ours, words=str.split)
    assert scores == pytest.approx(package_scores(*ours, Splitter()))


def test_rouge_of_two_hundred_thousand_lines_and_words():
    # Each pair of lines, 25 ns, would take twenty minutes.
    extracted, gold = "x\n" * 200_000, "x\ny\n" * 150_000
    assert rouge_lsum(extracted, gold, words=str.split) == Scores(0.75, 0.5, 0.6)
    # And each place of a word at each place of it, 4 ns, some seconds.
    extracted, gold = "x y " * 30_000, "y x " * 30_000
    assert rouge_lsum(extracted, gold, words=str.split).f1 == pytest.approx(1 - 1 / 60_000)


# CleanEval


def test_text_only_by_hand():
    # Three matches, one deletion, two insertions.
    assert cleaneval.text_only("a b x c", "a b y z c").f1 == 3 / 6
    assert cleaneval.text_only("404: Page Not Found", "").f1 == 0
    assert cleaneval.text_only("", "").f1 == 1
    assert cleaneval.text_only("a b", "a b") == Scores(1, 1, 1)


def test_text_and_marks():
    gold = cleaneval.marked_gold("h\tTitle\np\tone two\n")
    assert gold == "<h>Title\n<p>one two"
    assert cleaneval.text_and_marks(gold, gold).f1 == 1
    # Five words and marks of the gold text; one mark is another.
    assert cleaneval.text_and_marks("<p>Title <p> one two", gold).f1 == 4 / 6
    assert cleaneval.text_and_marks("Title one two", gold).f1 == 3 / 5
    assert [cleaneval.mark_of(kind) for kind in ("heading2", "item", "code")] == ["h", "l", "p"]
    assert cleaneval.without_marks("<H>Title<p> one") == "Title one"


@pytest.mark.parametrize("name", ["cleaneval", "cleaneval-py"])
def test_letters_with_accents_of_their_own_and_with_marks_are_equal(name):
    composed, decomposed = "caf\xe9 ol\xe9", "cafe\u0301 ole\u0301"
    measure = {**MEASURES, **POOLED}[name]
    assert measure.compare(composed, decomposed) == measure.compare(composed, composed)


def test_words_of_cleaneval_py():
    found = cleaneval.word_counts("<p>one two\nthree", "URL: x\n<p>one 2\n<l>three four")
    # The marks are words; the gold text begins with the empty word before its first space.
    assert found.words == (4, 5, 7)
    assert found.marks == (1, 1, 2)
    exact = cleaneval.word_counts("<p>one two\nthree", "<p>one 2\n<l>three four", exact=True)
    assert exact.words == (3, 4, 6)
    ascii_only = cleaneval.word_counts("caf\xe9 ol\xe9", "caf ol")
    assert ascii_only.words == (2, 2, 2)
    assert cleaneval.word_counts("caf\xe9", "caf", ascii_only=False).words == (0, 1, 1)
    assert cleaneval.word_counts("", "").words == (1, 1, 1)


def test_frequent_words_are_noise_to_cleaneval_py():
    """difflib drops words that are more than a hundredth of 200 or more; an LCS has them all."""
    gold = " ".join(f"w{k} the" for k in range(200))
    shuffled = " ".join(f"v{k} the" for k in range(200))
    published = cleaneval.word_counts(shuffled, gold).words
    exact = cleaneval.word_counts(shuffled, gold, exact=True).words
    assert published.found == 0
    assert exact.found == 200
