"""NCleaner: its models against conditional probabilities counted one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from crawler.page import build_page
from crawler.page.limits import PageRules
from pipelines.boilerplate.ncleaner import (
    BOUNDARY,
    N_SYMBOLS,
    NCleaner,
    has_fields,
    symbols_of,
    trigrams,
)
from pipelines.evaluation.training import ncleaner as training
from pipelines.evaluation.training.gold_pages import LabelledPage
from tests.made_blocks import made_blocks, page_of

TEXT = "The council said on Monday that the bridge would be closed for the rest of the year. "
HTML = (
    "<ul><li><a href=/>Home</a><li><a href=/n>Sign in / Register</a></ul>"
    f"<p>{TEXT * 3}</p><p>Terms of Use | Privacy Policy | Contact Us</p>"
)


def page(html):
    body = html.encode()
    rules = PageRules("transparent")
    return build_page(
        body, url="http://a.com/", content_type="text/html; charset=utf-8", rules=rules
    )


def test_symbols_and_trigrams():
    symbols, starts = symbols_of(["ab", "", "é1"])
    a, b, one = (ord(letter) - 32 for letter in "ab1")
    assert symbols.tolist() == [a, b, BOUNDARY, BOUNDARY, 95, one, BOUNDARY]
    assert starts.tolist() == [0, 3, 4]

    def number(*three):
        return (three[0] * N_SYMBOLS + three[1]) * N_SYMBOLS + three[2]

    x = BOUNDARY
    expected = [(x, x, a), (x, a, b), (a, b, x), (x, x, x), (x, x, 95), (x, 95, one), (95, one, x)]
    assert trigrams(symbols).tolist() == [number(*three) for three in expected]
    assert symbols_of(["Zß9"], lexical=False)[0].tolist() == [65, 65, 16, BOUNDARY]
    assert symbols_of(["\U0001f600"])[0].tolist() == [N_SYMBOLS - 2, BOUNDARY]


def test_interpolation_by_hand():
    counts = np.zeros((N_SYMBOLS,) * 3)
    text = "abcabdab"
    for three in zip(text, text[1:], text[2:], strict=False):
        counts[tuple(ord(letter) - 32 for letter in three)] += 1
    lambdas = (0.9, 0.8, 0.7)
    probability = training.interpolated(counts, lambdas)
    assert np.allclose(probability.sum(-1), 1)
    assert (probability > 0).all()
    threes = Counter(zip(text, text[1:], text[2:], strict=False))

    def p(c, history):
        if len(history) == 0:
            lower, seen = 1 / N_SYMBOLS, sum(threes.values())
            found = sum(n for three, n in threes.items() if three[2] == c)
        else:
            lower = p(c, history[1:])
            same = [
                (three, n)
                for three, n in threes.items()
                if three[2 - len(history) : 2] == tuple(history)
            ]
            seen = sum(n for _, n in same)
            found = sum(n for three, n in same if three[2] == c)
        weight = lambdas[len(history)]
        return weight * found / seen + (1 - weight) * lower if seen else lower

    for a, b, c in ("abc", "abd", "aba", "xbc", "xyz", "cab"):
        place = tuple(ord(letter) - 32 for letter in (a, b, c))
        assert probability[place] == pytest.approx(p(c, [a, b]))


@pytest.mark.parametrize("lexical", [True, False])
def test_tells_text_from_menus(lexical):
    labels = NCleaner(lexical=lexical).label(page(HTML))
    assert labels.kept.tolist() == [
        text.startswith("The council") for text in page(HTML).blocks.text
    ]
    assert NCleaner(bias=100).label(page(HTML)).kept.tolist() == [True, True, True, False]


def test_fields_apart_by_bars():
    assert has_fields(["a | b | c", "a | b", ""]).tolist() == [True, False, False]


def test_any_page():
    for model in (page(""), page("no tags"), page("<<>>&;<a"), page_of(made_blocks([[3], [30]]))):
        labels = NCleaner().label(model)
        assert len(labels.kept) == len(labels.label) == len(model.blocks)
        assert labels.kept.dtype == np.bool_


def test_training_is_repeatable_and_learns():
    article = page(HTML)
    is_main = np.array(["council" in text for text in article.blocks.text])
    pages = [LabelledPage(article, is_main, np.ones(len(is_main), np.bool_))]
    first, second = (training.train(pages) for _ in range(2))
    assert set(first) == {"lexical", "non_lexical"}
    for name, table in first.items():
        assert table.tobytes() == second[name].tobytes()
        assert table.shape == (N_SYMBOLS,) * 3
    numbers = trigrams(symbols_of([TEXT])[0])
    assert first["lexical"].ravel()[numbers].sum() > 0
    numbers = trigrams(symbols_of(["Register Home"])[0])
    assert first["lexical"].ravel()[numbers].sum() < 0
