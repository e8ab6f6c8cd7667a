"""The measures by name, token F1, shingles and segments."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.words import evaluation_words
from pipelines.evaluation.gold import BAD, GOOD, GoldPage, NodeLabel, Scores
from pipelines.evaluation.measures import MARKED, MEASURES, POOLED, applies
from pipelines.evaluation.measures.averages import macro
from pipelines.evaluation.measures.counts import Counts, pooled
from pipelines.evaluation.measures.segments import segment_counts
from pipelines.evaluation.measures.shingles import benchmark_scores, shingle_counts, shingle_f1
from pipelines.evaluation.measures.token_f1 import compared_words, token_f1
from pipelines.evaluation.readers import open_dataset

texts = st.lists(st.sampled_from(["a", "B", "cc", "数据", ".", "\n"]), max_size=25).map(" ".join)

WHOLE = GoldPage(
    "made", "whole", b"", gold="a b", full_gold="a b c", lenient_gold="a b", tagged_gold="p\ta b"
)


def test_token_f1_by_hand():
    # One word a character of Chinese; neither case nor punctuation counts.
    assert token_f1("数据, The the", "数 the") == Scores(0.5, 1, 2 / 3)
    assert token_f1("-", "!") == Scores(1, 1, 1)


def test_a_turkish_capital_ends_no_word_of_token_f1():
    assert compared_words("İyi, FİİL") == ["i\u0307yi", "fi\u0307i\u0307l"]
    assert token_f1("İyi günler", "i yi günler") == Scores(0.5, 1 / 3, 0.4)
    assert token_f1("İyi günler", "İYİ GÜNLER") == Scores(0.5, 0.5, 0.5)


@pytest.mark.parametrize("name", ["token-f1", "bow", "ws", "cs", "shingle-f1", "rouge-lsum"])
def test_accents_behind_their_letters_are_those_on_them(name):
    composed = "Là où l’été naît"
    page = GoldPage("made", "a", b"", gold=unicodedata.normalize("NFD", composed))
    assert page.gold != composed
    assert MEASURES[name](composed, page) == Scores(1, 1, 1)


@given(texts, texts)
def test_token_f1_is_that_of_sorted_words(extracted, gold):
    ours, theirs = sorted(evaluation_words(extracted)), sorted(evaluation_words(gold))
    found = 0
    for word in ours:
        if word in theirs:
            theirs.remove(word)
            found += 1
    n_extracted, n_gold = len(ours), len(evaluation_words(gold))
    scores = token_f1(extracted, gold)
    assert scores.precision == (found / n_extracted if n_extracted else 1)
    assert scores.recall == (found / n_gold if n_gold else 1)
    assert token_f1(gold, extracted) == Scores(scores.recall, scores.precision, scores.f1)


@given(texts, texts)
def test_shingles_are_runs_of_four(extracted, gold):
    def shingles(text):
        words = evaluation_words(text)
        return Counter(tuple(words[k : k + 4]) for k in range(max(1, len(words) - 3)) if words)

    ours, theirs = shingles(extracted), shingles(gold)
    found = sum(min(ours[key], theirs[key]) for key in ours)
    assert shingle_counts(extracted, gold) == (found, sum(ours.values()), sum(theirs.values()))


def test_scores_of_the_article_benchmark():
    """The F1 of the means; pages with nothing extracted have no precision, those without gold no recall."""
    counts = [Counts(1, 2, 4), Counts(0, 0, 5), Counts(0, 3, 0)]
    assert benchmark_scores(counts) == Scores(0.25, 0.125, pytest.approx(1 / 6))
    assert benchmark_scores([]) == Scores(0, 0, 0)
    assert shingle_f1("one two", "one two") == Scores(1, 1, 1)
    assert shingle_f1("one two three four five", "one two three four") == Scores(0.5, 1, 2 / 3)


def test_segments():
    page = GoldPage("made", "s", b"", required=("must be", "here"), forbidden=("menu", "log in"))
    assert POOLED["segments"]("it must\n be, with a menu", page) == (1, 2, 2)
    # Three of four found, one forbidden.
    total = pooled(
        [segment_counts("a b", ["a", "b"], ["c"]), segment_counts("a c", ["a", "b"], ["c"])]
    )
    assert total == (3, 4, 4)
    assert total.scores == Scores(0.75, 0.75, 0.75)


def test_measures_by_name():
    for name, measure in (MEASURES | MARKED).items():
        assert applies(name, WHOLE)
        text = {"cleaneval-marks": "<p>a b", "token-f1-full": "a b c"}.get(name, "a b")
        assert measure(text, WHOLE) == Scores(1, 1, 1), name
        empty = GoldPage("made", "empty", b"", required=("x",))
        assert not applies(name, empty)
        with pytest.raises(ValueError, match="page 'empty' of 'made' has no"):
            measure(text, empty)
    assert POOLED["cleaneval-py"]("<p>a b", WHOLE) == (2, 2, 2)
    words = GoldPage("made", "words", b"", gold="the end. Das Ende")
    for name, cut in (("ws", "ws-blanks"), ("bow", "bow-blanks"), ("sow", "sow-blanks")):
        assert MEASURES[name]("the end Das Ende", words) == Scores(1, 1, 1)
        assert MEASURES[cut]("the end Das Ende", words) == Scores(0.75, 0.75, 0.75)
    # To cleaneval.py words beyond ASCII are empty, and so alike; frequent ones of long texts are noise.
    han = GoldPage("made", "han", b"", gold="\u4e2d \u6587")
    assert POOLED["cleaneval-py"]("\u56fd", han) == (1, 1, 2)
    assert POOLED["cleaneval-py-exact"]("\u56fd", han) == (0, 1, 2)
    long = GoldPage("made", "long", b"", gold=" ".join(f"w{n} of" for n in range(200)))
    assert POOLED["cleaneval-py"]("of " * 300, long).found < 150
    assert POOLED["cleaneval-py-exact"]("of " * 300, long) == (200, 300, 400)
    assert applies("segments", empty)
    assert not applies("segments", WHOLE)
    assert not applies("text-nodes", WHOLE)
    nodes = (NodeLabel("good node", GOOD), NodeLabel("menu", BAD), NodeLabel("lost", GOOD, 50))
    labelled = GoldPage("made", "labelled", b"", node_labels=nodes)
    assert applies("text-nodes", labelled)
    assert POOLED["text-nodes"]("good  node\nmenu", labelled) == (9, 13, 13)
    assert POOLED["text-nodes-100"]("good  node\nmenu", labelled) == (9, 13, 9)
    with pytest.raises(ValueError, match="unknown measure 'f1'; known are token-f1, "):
        applies("f1", WHOLE)


# ../shared/data/README.md, token F1, "all text": that is resiliparse's text of all of a page.
ALL_TEXT = {
    "cleaneval-dev": 0.877,
    "daniel": 0.453,
    "dragnet": 0.500,
    "krdwrd-canola": 0.843,
    "magichtml-article": 0.502,
    "magichtml-forum": 0.552,
    "readability": 0.807,
    "wcxb-dev": 0.651,
    "zh-immortal": 0.815,
}


@pytest.mark.long
def test_published_scores_of_all_text(shared):
    from resiliparse.extract.html2text import extract_plain_text

    found = defaultdict(list)
    for page in open_dataset(shared / "data/extraction/dev"):
        if applies("token-f1", page):
            model = build_page(page.body, url=page.url, content_type=page.content_type)
            html = model.source.decode()
            found[page.dataset].append(token_f1(extract_plain_text(html), page.gold))
    means = {name: macro(pages).f1 for name, pages in found.items()}
    assert means == {name: pytest.approx(score, abs=0.002) for name, score in ALL_TEXT.items()}


def test_measures_of_real_pages(shared):
    """All that apply give scores in 0..1, and those of the gold text itself are 1."""
    for name in ("cleaneval-dev", "zh-immortal", "krdwrd-canola"):
        page = next(open_dataset(shared / "data/extraction/dev" / name))
        text = "\n".join(build_page(page.body, url="", content_type=page.content_type).blocks.text)
        for measure in MEASURES.values():
            if measure.applies(page):
                assert all(0 <= score <= 1 for score in measure(text, page))
                if measure.field == "gold":
                    assert measure(page.gold, page) == Scores(1, 1, 1)
