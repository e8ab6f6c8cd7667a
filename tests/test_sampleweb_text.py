from __future__ import annotations

import re
import statistics
from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from py3langid.langid import classify

from crawler.sampleweb import text
from crawler.sampleweb.languages.grammar import Words, compile_grammar, expand
from crawler.sampleweb.languages.lexicon import compound, general, topical

SPACED = [code for code in text.LANGUAGES if code not in ("zh", "ja")]

# The charsets in which the sample web serves a language, UTF-8 apart.
CHARSETS = {
    "en": ["cp1252"],
    "de": ["cp1252"],
    "fr": ["cp1252"],
    "es": ["cp1252"],
    "it": ["cp1252"],
    "fi": ["cp1252"],
    "pl": ["iso8859_2"],
    "ru": ["cp1251", "koi8_r"],
    "ar": ["cp1256"],
    "zh": ["gb18030", "gb2312"],
    "ja": ["shift_jis", "euc_jp"],
    "tr": ["cp1254"],
}


def page(language, number, *, topic=None, n_words=400):
    rng = Random(number)
    drawn = text.paragraphs(rng, language, number % 12 if topic is None else topic, n_words=n_words)
    return "\n".join(drawn)


def grams(language, content):
    return set(zip(*(text.words(content, language)[start:] for start in range(5)), strict=False))


def overlaps(pages):
    """The share of 5-grams in common, of the smaller page, for each pair of *pages*."""
    return [len(a & b) / min(len(a), len(b)) for a, b in combinations(pages, 2)]


def forms_of(*parts):
    """Every word that a derivation of *parts* may hold."""
    forms, seen, stack = set(), set(), list(parts)
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            forms.add(part)
        elif isinstance(part, Words):
            forms.update(part.forms)
        elif part not in seen:
            seen.add(part)
            stack.extend(inner for option in part.options for inner in option)
    return forms


@pytest.mark.parametrize("language", text.LANGUAGES)
class TestEveryLanguage:
    def test_has_five_thousand_word_forms(self, language):
        found = text._language(language)
        forms = forms_of(found.sentence, found.title, found.label)
        assert len({form.lower() for form in forms if re.search(r"[^\W\d_]", form)}) >= 5000

    def test_is_a_function_of_the_stream(self, language):
        def draw():
            rng = Random(7)
            return [
                text.sentence(rng, language, 1),
                text.paragraphs(rng, language, 3, n_words=120),
                text.title(rng, language, 4),
                text.label(rng, language, 5),
            ]

        assert draw() == draw()

    def test_two_unrelated_pages_share_under_one_percent_of_their_5_grams(self, language):
        # one topic throughout is the hardest case
        shares = overlaps([grams(language, page(language, n, topic=3)) for n in range(45)])
        assert max(shares) < 0.01
        assert statistics.mean(shares) < 0.0005

    def test_so_do_pages_drawn_from_a_million(self, language):
        numbers = Random(11).sample(range(1_000_000), 45)
        shares = overlaps([grams(language, page(language, number)) for number in numbers])
        assert max(shares) < 0.01

    def test_sentences_and_words_have_realistic_lengths(self, language):
        rng = Random(3)
        drawn = [text.words(text.sentence(rng, language, n % 12), language) for n in range(600)]
        lengths = [len(words) for words in drawn]
        assert 10 <= statistics.mean(lengths) <= 20
        assert min(lengths) >= 2
        assert max(lengths) <= 50
        assert statistics.stdev(lengths) > 3
        shortest, longest = (1.8, 2.0) if language in ("zh", "ja") else (4.0, 8.5)
        assert shortest <= statistics.mean(len(w) for words in drawn for w in words) <= longest

    def test_is_recognised(self, language):
        drawn = [page(language, number, n_words=50) for number in range(40)]
        assert Counter(classify(content)[0] for content in drawn) == {language: 40}

    def test_fits_its_charsets(self, language):
        rng = Random(5)
        content = "".join(page(language, number, n_words=2000) for number in range(12))
        content += "".join(text.title(rng, language, n % 12) for n in range(200))
        for charset in CHARSETS[language]:
            assert content.encode(charset).decode(charset) == content

    def test_leaves_no_trace_of_the_grammar(self, language):
        content = page(language, 1, n_words=3000)
        # names of rules and columns, marks of the notation, doubled blanks and lonely commas
        assert not re.search(r"\b[A-Z]{2,}[0-9]?\b|[?|/^_:]|\s\s| [,،]|,\S", content)

    def test_reaches_the_number_of_words_within_a_sentence(self, language):
        for n_words in (1, 50, 400):
            counted = len(text.words(page(language, 9, n_words=n_words), language))
            assert n_words <= counted <= n_words + 50

    def test_titles_and_labels_are_short(self, language):
        rng = Random(2)
        titles = [text.words(text.title(rng, language, n % 12), language) for n in range(300)]
        labels = [text.words(text.label(rng, language, n % 12), language) for n in range(300)]
        assert 3 <= statistics.mean(map(len, titles)) <= 9
        assert 1 <= statistics.mean(map(len, labels)) <= 4
        assert max(map(len, labels)) <= 6
        assert len({tuple(words) for words in titles}) > 250

    def test_topics_prefer_words_of_their_own(self, language):
        # pages of one topic are closer in their vocabulary than pages of two
        def vocabulary(number, topic):
            return set(text.words(page(language, number, topic=topic, n_words=1500), language))

        def resemblance(a, b):
            return len(a & b) / len(a | b)

        sports, again, health = vocabulary(1, 11), vocabulary(2, 11), vocabulary(3, 3)
        assert resemblance(sports, again) > resemblance(sports, health)


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
def test_the_word_forms_are_met(language):
    # what the grammar holds comes up: two hundred thousand words hold most of it
    met = set()
    for number in range(100):
        met.update(text.words(page(language, number, n_words=2000), language))
    assert len(met) > 5000


@pytest.mark.slow
@pytest.mark.parametrize("language", SPACED)
def test_frequencies_follow_zipf(language):
    # the frequent tenth of the forms covers most of the text, and every rank falls
    counts = Counter()
    for number in range(30):
        counts.update(text.words(page(language, number, n_words=2000), language))
    ranked = [count for _, count in counts.most_common()]
    assert all(first >= second for first, second in pairwise(ranked))
    assert sum(ranked[: len(ranked) // 10]) > 0.5 * sum(ranked)


def test_no_words_are_no_paragraphs():
    assert text.paragraphs(Random(1), "en", 0, n_words=0) == []


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match=r"language must be one of en, .*, got xx"):
        text.sentence(Random(1), "xx", 0)


def test_words_of_scripts_with_and_without_blanks():
    assert text.words("The Cat, “so called”, sat.", "en") == ["the", "cat", "so", "called", "sat"]
    assert text.words("音乐家，1953年。", "zh") == ["音乐", "家", "1953", "年"]
    assert text.words("ピアノを弾く。", "ja") == ["ピア", "ノを", "弾く"]


def test_the_first_letter_follows_the_language():
    firsts = {text.sentence(Random(n), "tr", n % 12).split()[0] for n in range(800)}
    assert any(word.startswith("İlaç") for word in firsts)
    # a capital I is that of ı: ıslak
    assert all(word.startswith("Isla") for word in firsts if word.startswith("I"))


class TestGrammar:
    RULES = """
S: 3 the N runs | a/an N ,
  | N?
"""

    def test_options_weights_and_alternatives(self):
        rules = compile_grammar(self.RULES, {"N": general("dog cat")})
        rng = Random(1)
        drawn = Counter(" ".join(expand(rules["S"], 0, rng.random)) for _ in range(5000))
        assert set(drawn) == {
            *("the dog runs", "the cat runs", "a dog ,", "a cat ,", "an dog ,", "an cat ,"),
            *("", "dog", "cat"),
        }
        # the weight is 3 of 5
        assert drawn["the dog runs"] + drawn["the cat runs"] == pytest.approx(3000, rel=0.05)

    def test_a_topic_prefers_its_lemmas(self):
        rules = compile_grammar("S: N", {"N": [("home", 4), ("away", 5)]})
        rng = Random(1)
        drawn = Counter(expand(rules["S"], 4, rng.random)[0] for _ in range(9000))
        # B = 8 against 1, and ranks 60 and 61 to the power of 1.5
        assert drawn["away"] / drawn["home"] == pytest.approx((60 / 61) ** 1.5 / 8, rel=0.1)

    @pytest.mark.parametrize(
        ("grammar", "message"),
        [("S: a B", "got B"), ("S: a T\nT: b S", "within itself, got S")],
    )
    def test_wrong_grammars_are_refused(self, grammar, message):
        with pytest.raises(ValueError, match=message):
            compile_grammar(grammar, {})


def test_topical_takes_turns():
    column = topical("a b|c|d|e|f|g|h|i|j|k|l|m n")
    assert [word for word, _ in column] == list("acdefghijklmbn")
    assert column[-2:] == [("b", 0), ("n", 11)]
    with pytest.raises(ValueError, match="12 parts, got 2"):
        topical("a|b")


def test_compound_holds_every_pair_once():
    joined = compound(general("a b c"), general("x y"))
    assert len(joined) == 6
    assert {word for word, _ in joined} == {"ax", "ay", "bx", "by", "cx", "cy"}
