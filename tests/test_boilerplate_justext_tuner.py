"""The tuner of jusText's parameters, and the score that it climbs."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.boilerplate.justext import JusText, tune
from pipelines.boilerplate.justext.tuner import GRIDS, ORDER
from tests.test_boilerplate_justext import page, words


def test_tuner_climbs_one_parameter_after_the_other():
    target = {
        "max_link_density": 0.3,
        "length_low": 0,
        "stopwords_low": 0.3,
        "length_high": 26,
        "stopwords_high": 0.32,
    }
    best, trace = tune(lambda tried: -sum((tried[name] - target[name]) ** 2 for name in ORDER))
    assert best == target
    assert len(trace) == 10
    assert [score for _, score in trace] == sorted(score for _, score in trace)
    assert trace[4][0] == target  # one round does where no parameter depends on another
    with pytest.raises(ValueError, match="must name max_link_density"):
        tune(lambda tried: 0.0, grids={**GRIDS, "size": (1,)})


def test_f_half_is_that_of_the_labels():
    from pipelines.evaluation.training.gold_pages import LabelledPage
    from pipelines.evaluation.training.justext import f_half_of

    good, near, short, bad = words(40, 20), words(20, 10), words(3), words(40)
    orders = ((good, short, near, bad), (near, good, short), (short,), (bad, near, short, good))
    pages = []
    for order in orders:
        model = page("<html lang=en>" + "".join(f"<p>{text}" for text in order))
        is_main = np.array([text != bad for text in order])
        pages.append(LabelledPage(model, is_main, np.array([True] * (len(order) - 1) + [False])))
    f_half = f_half_of(pages)
    for parameters in ({"length_low": 0, "length_high": 39}, {"stopwords_high": 0.6}, {}):
        right = kept = main = 0
        for model, is_main, known in pages:
            sizes = np.array([len(text) for text in model.blocks.text]) * known
            labels = JusText(**parameters).label(model)
            right += sizes[labels.kept & is_main].sum()
            kept += sizes[labels.kept].sum()
            main += sizes[is_main].sum()
        expected = 0.0
        if right:
            precision, recall = right / kept, right / main
            expected = 1.25 * precision * recall / (0.25 * precision + recall)
        assert f_half(parameters) == pytest.approx(expected)
