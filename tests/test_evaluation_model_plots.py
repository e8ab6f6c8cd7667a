"""Gottron's charts: a curve for each subject, over the four document models."""

from __future__ import annotations

import re

from pipelines.evaluation.harness import RunOptions, evaluate, subjects_of
from pipelines.evaluation.report.model_plots import curves, sets_of_models
from pipelines.evaluation.report.plots import draw
from pipelines.evaluation.report.summary import summarise
from tests.gold_standard import write_standard

NAMES = ["keep-all", "numwords-tree", "densitometric-tree"]


def test_charts_of_the_document_models(tmp_path):
    standard = write_standard(tmp_path / "gold")
    run = evaluate([standard], subjects_of(NAMES), RunOptions(("ws", "cs", "bow", "sow")))
    summary = summarise(run)
    draw(summary, tmp_path / "plot.svg")
    labels = re.findall("<!-- (.*?) -->", (tmp_path / "plot.svg").read_text("utf-8"))
    assert [labels.count(label) for label in ("CS", "WS", "BoW", "SoW", "recall")] == [6] * 4 + [2]
    assert {"news, colours as above", "blogs, colours as above"} <= set(labels)
    found = curves(summary, NAMES[0], "blogs")
    for place, measure in enumerate(("cs", "ws", "bow", "sow")):
        scores = run.scores(NAMES[0], measure)["blogs"].mean(0)
        assert [found[name][place] for name in ("precision", "recall", "f1")] == list(scores)
    # Of three of the models there are none.
    some = evaluate([standard], subjects_of(NAMES[:1]), RunOptions(("ws", "cs", "bow")))
    assert sets_of_models(summarise(some)) == []
