"""The methods that Pomikálek surveys besides: their optimisation against brute force."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from crawler.page import build_page
from crawler.page.limits import PageRules
from pipelines.boilerplate.fiasco import FiascoLike
from pipelines.boilerplate.genieknows import GenieKnowsLike
from pipelines.boilerplate.genieknows import smoothed as moved_together
from pipelines.boilerplate.htmlcleaner import HtmlCleaner
from pipelines.boilerplate.isotonic import IsotonicLike, smoothed
from pipelines.boilerplate.max_subsequence import (
    MaxSubsequence,
    best_run,
    token_features,
    token_values,
)
from pipelines.boilerplate.subtree_features import (
    FEATURES,
    group_features,
    subtree_features,
    text_measures,
)
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.evaluation.training import max_subsequence as counting
from pipelines.evaluation.training import subtrees as fitting
from pipelines.evaluation.training.gold_pages import LabelledPage, labelled_pages
from tests.made_blocks import made_blocks, page_of

TEXT = "The council said on Monday that the bridge would be closed for the rest of the year. "
MENU = "<div><ul><li><a href=/>Home</a><li><a href=/n>News</a><li><a href=/s>Sport</a></ul></div>"
HTML = (
    f"<html lang=en><body>{MENU}<h1>A bridge</h1><div>"
    + f"<p>{TEXT * 3}</p>" * 5
    + f"</div>{MENU}<div><a href=/p>Privacy</a> <a href=/c>Contact us</a></div></body></html>"
)
METHODS = (FiascoLike(), GenieKnowsLike(), HtmlCleaner(), IsotonicLike(), MaxSubsequence())


def page(html, inline="gap"):
    body = html.encode()
    rules = PageRules(inline)
    return build_page(
        body, url="http://a.com/", content_type="text/html; charset=utf-8", rules=rules
    )


@given(st.lists(st.integers(-4, 4), max_size=12))
def test_best_run(values):
    runs = [(i, j) for i in range(len(values)) for j in range(i + 1, len(values) + 1)]
    best = max((sum(values[i:j]) for i, j in runs), default=0)
    equal = [(i, j) for i, j in runs if sum(values[i:j]) == best]
    start, end = best_run(np.array(values, float))
    if best <= 0:
        assert (start, end) == (0, 0)
    else:
        # The one that ends first, without a beginning of sum 0.
        first_end = min(j for _, j in equal)
        assert (start, end) == (max(i for i, j in equal if j == first_end), first_end)


trees = st.integers(1, 9).flatmap(
    lambda n: st.tuples(
        st.tuples(*[st.integers(-1 if i == 0 else 0, max(i - 1, -1)) for i in range(n)]),
        st.lists(st.integers(0, 10), min_size=n, max_size=n),
    )
)


@given(trees)
def test_isotonic_smoothing_is_the_nearest(tree):
    parent, raw = np.array(tree[0]), np.array(tree[1]) / 10
    parent[0] = -1
    found = smoothed(parent, raw)
    assert (found[1:] >= found[parent[1:]] - 1e-12).all()
    assert found.sum() == pytest.approx(raw.sum())
    # Every minimum makes sets of neighbours equal to their mean: try all ways to cut the tree's edges.
    best = np.inf
    edges = range(1, len(parent))
    for n_cut in range(len(parent)):
        for cut in combinations(edges, n_cut):
            part = np.arange(len(parent))
            for node in edges:
                if node not in cut:
                    part[node] = part[parent[node]]
            means = np.bincount(part, raw, len(parent)) / np.maximum(
                np.bincount(part, minlength=len(parent)), 1
            )
            y = means[part]
            if (y[1:] >= y[parent[1:]] - 1e-12).all():
                best = min(best, ((y - raw) ** 2).sum())
    assert ((found - raw) ** 2).sum() == pytest.approx(best, abs=1e-9)


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-2, 2)), min_size=1, max_size=9))
def test_importance_is_moved_as_the_formula_says(blocks):
    importance, feature = (np.array(column) for column in zip(*blocks, strict=True))
    n = len(blocks)
    expected = []
    for i in range(n):
        others = [j for j in range(max(i - 5, 0), min(i + 6, n)) if j != i]
        s = [
            np.exp(-abs(i - j) / 2) * np.exp(-((feature[i] - feature[j]) ** 2) / 9) for j in others
        ]
        mean = np.dot(s, importance[others]) / sum(s) if others else importance[i]
        expected.append((importance[i] + mean) / 2)
    assert moved_together(importance, feature[:, None]) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_keeps_the_article_and_drops_the_menu(method):
    model = page(HTML, method.inline)
    labels = method.label(model)
    kept = [text for text, keep in zip(model.blocks.text, labels.kept, strict=True) if keep]
    assert sum(text.startswith("The council") for text in kept) == 5
    assert "Home" not in kept
    assert "Contact us" not in kept


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_any_page(method):
    for model in (
        *map(page, ("", "no tags", "<p>", "<<>>&;<a", "one<!-- c -->two<br>three", "中文的网页")),
        page("<div>" * 300 + "deep"),
        page_of(made_blocks([[3], [30]])),
        page_of(made_blocks([])),
    ):
        labels = method.label(model)
        assert len(labels.kept) == len(labels.label) == len(model.blocks)
        assert labels.kept.dtype == np.bool_


def test_segments_of_fiasco():
    # The body has too little text of its own; the texts above segments are one, too.
    html = f"<body>ab<div>{TEXT}<b>bold</b></div><p>{TEXT}</p>cd</body>"
    model = page(html)
    nodes = TreeNodes(model)
    assert FiascoLike().segments(model, nodes).of_text.tolist() == [0, 1, 1, 2, 0]
    whole = FiascoLike(min_own_share=0.01).segments(model, nodes)
    assert whole.of_text.tolist() == [0] * 5
    with pytest.raises(ValueError, match="min_own_share must be above 0"):
        FiascoLike(min_own_share=0)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div><p>one</p><p>two</p></div>", [0, 0]),
        ("<div><p>one</p><hr><p>two</p></div>", [0, 1]),
        ("<div bgcolor=red><p>one</p><p style='background: blue'>two</p></div>", [0, 1]),
        ("<div bgcolor=red><p>one</p><p bgcolor=RED>two</p></div>", [0, 0]),
        (f"<div><p>{'word ' * 50}</p><p>{'word ' * 50}</p></div>", [0, 1]),
    ],
)
def test_visual_blocks(html, expected):
    model = page(html)
    assert GenieKnowsLike().segments(model, TreeNodes(model)).of_text.tolist() == expected


def test_features_of_parts():
    model = page("<div><p>One two. Three</p><a href=/>four</a></div><p>5 six<hr>")
    nodes = TreeNodes(model)
    texts = text_measures(model, nodes)
    assert texts.measures[:, 0].tolist() == [3, 1, 2]
    assert texts.read.tolist() == [0, 3, 4]
    of_subtrees = subtree_features(texts, nodes)
    div = nodes.tag.index("div")
    of_groups = group_features(texts, np.array([0, 0, 1]), 2, np.array([3, 1]))
    assert of_subtrees[div] == pytest.approx(of_groups[0])
    named = dict(zip(FEATURES, of_groups[0], strict=True))
    assert named["link_density"] == 1 / 4
    assert named["log_words"] == pytest.approx(np.log(5))
    assert named["sentences_a_word"] == 1 / 4
    assert named["centre"] == pytest.approx(2 / 6)
    assert np.isfinite(of_subtrees).all()
    has_text = nodes.within(nodes.own(nodes.chars)) > 0
    assert not has_text.all()
    assert (subtree_features(texts, nodes, has_text) == of_subtrees[has_text]).all()


def test_values_of_words():
    model = page(HTML)
    features = token_features(model)
    values = token_values(features)
    assert len(values) == len(features.block)
    assert (np.abs(values) <= 0.5).all()
    with pytest.raises(ValueError, match="bias must be between"):
        MaxSubsequence(bias=1)


def test_function_words_against_anchors():
    model = page(
        "<html lang=en><p>the of<p><a href=/>xxxxx</a><p>the<p><a href=/>xx</a><p>the",
        "transparent",
    )
    # 5 - 5 + 3 - 2 + 3: the first block alone is worth most.
    assert HtmlCleaner().label(model).kept.tolist() == [True, False, False, False, False]


def test_htmlcleaner_counts_entries_of_lists_with_apostrophes():
    """Of "jusqu'à" and "however," neither was a function word: no word of a page has a sign in it."""
    told = HtmlCleaner(language="fr").reasons(page("<p>jusqu'\u00e0 Lyon", "transparent"))
    assert told.blocks[0].said == "6 characters in function words, 0 linked"
    told = HtmlCleaner(language="en").reasons(page("<p>However, Oslo", "transparent"))
    assert told.blocks[0].said == "7 characters in function words, 0 linked"


def test_trainings_are_repeatable():
    pytest.importorskip("sklearn")
    article = page(HTML)
    is_main = np.array(["council" in text for text in article.blocks.text])
    pages = [LabelledPage(article, is_main, np.ones(len(is_main), np.bool_))] * 2
    for module in (counting, fitting):
        first, second = (module.train(pages) for _ in range(2))
        assert sorted(first) == sorted(second)
        for name in first:
            assert first[name].tobytes() == second[name].tobytes()


def test_labelled_pages(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold_blocks").mkdir()
    (tmp_path / "manifest.jsonl").write_text('{"id": "a"}\n{"id": "b"}\n', "utf-8")
    for name in ("a", "b"):
        (tmp_path / f"pages/{name}.html").write_text(f"<p>Menu<p>{TEXT}<p>Maybe", "utf-8")
        (tmp_path / f"gold/{name}.txt").write_text(TEXT, "utf-8")
    nodes = [("Menu", 1), (TEXT.strip(), 3), ("Maybe", 2)]
    rows = "\n".join(f'{{"class": {label}, "text": "{text}"}}' for text, label in nodes)
    (tmp_path / "gold_blocks/b.jsonl").write_text(rows, "utf-8")
    by_text, by_nodes = labelled_pages(tmp_path, "gap")
    assert by_text.is_main.tolist() == by_nodes.is_main.tolist() == [False, True, False]
    assert by_text.known.tolist() == [True, True, True]
    assert by_nodes.known.tolist() == [True, True, False]
    with pytest.raises(InputError, match="no page of the set other has main text"):
        list(labelled_pages(tmp_path, "gap", {"other"}))


def test_training_programs(tmp_path, capsys):
    from pipelines.evaluation.training.model_files import run_training, write_model

    assert (
        run_training(lambda folder: list(labelled_pages(folder, "gap")), [str(tmp_path / "no")])
        == 2
    )
    assert "does not exist" in capsys.readouterr().err
    for name in ("one.npz", "two.npz"):
        write_model(tmp_path / name, {"weights": np.arange(3.0)})
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert np.load(tmp_path / "one.npz")["weights"].tolist() == [0, 1, 2]


def test_scores_of_odd_texts_do_not_overflow():
    for text in ("a@", "a.", "a'", "1:"):
        model = page(f"<p>{text * 8000}")
        for method in (IsotonicLike(), GenieKnowsLike(), FiascoLike()):
            assert len(method.label(model).kept) == 1
