"""Victor: its decoding against brute force and CRFsuite, its features, its models."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from pipelines.boilerplate.victor import (
    CLASSES,
    MODELS,
    TWO_CLASSES,
    Victor,
    best_labels,
    block_features,
)
from pipelines.boilerplate.victor.features import MAX_VALUES, n_features
from pipelines.evaluation.training import victor as training
from tests.made_blocks import made_blocks, page_of

TEXT = "The council said on Monday that the bridge would be closed for the rest of the year. "
HTML = (
    "<ul><li><a href=/>Home</a><li><a href=/n>News</a><li><a href=/s>Sport</a></ul><h1>A bridge</h1>"
    + f"<p>{TEXT * 3}</p>" * 4
    + "<div><a href=/p>Privacy</a> | <a href=/c>Contact us</a></div><p>&copy; 2008 The News</p>"
)


def page(html):
    return build_page(html.encode(), url="http://a.com/", content_type="text/html; charset=utf-8")


numbers = st.integers(-6, 6)


@given(st.data(), st.integers(0, 6), st.integers(1, 3))
def test_decoding_finds_the_best_of_all_sequences(data, n, n_labels):
    scores = np.array([[data.draw(numbers) for _ in range(n_labels)] for _ in range(n)], float)
    scores = scores.reshape(n, n_labels)
    transitions = np.array(
        [[data.draw(numbers) for _ in range(n_labels)] for _ in range(n_labels)], float
    )

    def score(labels):
        steps = pairwise(labels)
        return sum(scores[i, y] for i, y in enumerate(labels)) + sum(transitions[s] for s in steps)

    found = best_labels(scores, transitions).tolist()
    assert score(found) == max(map(score, product(range(n_labels), repeat=n)))


def test_decoding_equals_crfsuite(tmp_path):
    pycrfsuite = pytest.importorskip("pycrfsuite")
    random = np.random.default_rng(3)
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params({"c2": 0.1, "max_iterations": 30})
    features = [random.integers(0, 4, (30, 3), dtype=np.uint8) for _ in range(20)]
    for rows in features:
        labels = ((rows[:, 0] > 1) ^ (random.random(30) < 0.2)).astype(int)
        trainer.append(training.attributes(rows), [str(label) for label in labels])
    file = str(tmp_path / "model")
    trainer.train(file)
    model = training.exported(file, 3, 2)
    tagger = pycrfsuite.Tagger()
    tagger.open(file)
    for rows in features:
        scores = model["weights"][np.arange(3), rows].sum(1, dtype=float)
        found = best_labels(scores, model["transitions"].astype(float))
        assert [str(label) for label in found.tolist()] == tagger.tag(training.attributes(rows))


def test_features_are_small_numbers():
    for html in ("<p>one", HTML, "<p>1<br>2. two<td>\U0001f600 12:30 www.a.com 2001-02-03 |"):
        features = block_features(page(html))
        assert features.shape[1] == n_features()
        assert features.max() < MAX_VALUES
    # 0 stands for what is beyond the ends of the page: the features of neighbours are the last.
    before, behind = [-11, -10, -9, -8, -2], [-7, -6, -5, -4, -1]
    features = block_features(page(HTML))
    assert (features[0, before] == 0).all()
    assert (features[-1, behind] == 0).all()
    assert (features[2:-2, -11:] > 0).all()
    assert block_features(page("")).shape == (0, n_features())


@pytest.mark.parametrize("model", ["all", "canola"])
def test_keeps_the_paragraphs_of_an_article(model):
    labels = Victor(model=model).label(page(HTML))
    texts = page(HTML).blocks.text
    kept = [text for text, keep in zip(texts, labels.kept, strict=True) if keep]
    assert sum(text.startswith("The council") for text in kept) == 4
    assert not {"Home", "News", "Sport", "Privacy"} & set(kept)


@pytest.mark.parametrize("model", ["all", "canola"])
def test_any_page(model):
    method = Victor(model=model)
    for model_page in (
        page(""),
        page("no tags"),
        page("<<>>&;<a"),
        page_of(made_blocks([[3], [30]])),
    ):
        labels = method.label(model_page)
        assert len(labels.kept) == len(labels.label) == len(model_page.blocks)
        assert labels.kept.dtype == np.bool_
        assert set(labels.label) <= set(MODELS[model])
        assert (labels.kept == [label != MODELS[model][0] for label in labels.label]).all()
    with pytest.raises(ValueError, match="model must be one of all, canola, got 'x'"):
        Victor(model="x")


def test_the_classes_of_an_article():
    article = page(HTML)
    of_text = dict(zip(article.blocks.text, Victor().label(article).label, strict=True))
    assert of_text[(TEXT * 3).strip()] == "paragraph"
    assert of_text["Home"] == of_text["Sport"] == "other"


def test_the_classes_of_main_text_by_its_markup():
    html = (
        "<h2>One</h2><p>two <b>three</b> four<br>five<p><b>six</b></p><ul><li>seven</ul><div>eight</div>"
        f"<p><b>{'nine ' * 20}</b><p>ten <i>eleven</i>"
    )
    of_block = page(html)
    texts = of_block.blocks.text
    is_main = np.array([text not in {"eight", "ten"} for text in texts])
    classes = [CLASSES[number] for number in training.classes_of(of_block, is_main)]
    assert dict(zip(texts, classes, strict=True)) == {
        "One": "header",
        "two": "paragraph",
        "three": "continuation",
        "four": "continuation",
        "five": "paragraph",
        "six": "header",
        "seven": "list",
        "eight": "other",
        ("nine " * 20).strip(): "paragraph",
        "ten": "other",
        "eleven": "paragraph",
    }
    nothing = training.classes_of(page(""), np.zeros(0, np.bool_))
    assert len(nothing) == 0


@pytest.mark.parametrize("classes", [CLASSES, TWO_CLASSES])
def test_training_is_repeatable_and_learns(classes):
    pytest.importorskip("pycrfsuite")
    from pipelines.evaluation.training.gold_pages import LabelledPage

    article = page(HTML)
    is_main = np.array(["council" in text for text in article.blocks.text])
    known = np.ones(len(is_main), np.bool_)
    known[2] = False
    pages = [LabelledPage(article, is_main, known)] * 3
    assert [len(labels) for _, labels in training.sequences(pages[:1])] == [2, len(known) - 3]
    first, second = (training.train(pages, classes=classes, max_iterations=20) for _ in range(2))
    for name in ("weights", "transitions"):
        assert first[name].tobytes() == second[name].tobytes()
    scores = first["weights"][np.arange(n_features()), block_features(article)].sum(1, dtype=float)
    found = best_labels(scores, first["transitions"].astype(float)) > 0
    assert found[known].tolist() == is_main[known].tolist()
