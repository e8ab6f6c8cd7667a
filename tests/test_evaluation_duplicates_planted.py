from __future__ import annotations

import numpy as np
import pytest

from crawler.sampleweb.web import SampleWeb
from pipelines.evaluation.duplicates.default_index import default_methods
from pipelines.evaluation.duplicates.method import Method
from pipelines.evaluation.duplicates.methods import methods
from pipelines.evaluation.duplicates.planted import (
    LevelScore,
    by_level,
    level_table,
    planted_pairs,
)
from tests.benchmarks.planted_duplicates import planted_on


def test_levels_are_those_of_clusters():
    texts, clusters = list("abcde"), ["x", "y", "x", "z", "y"]
    planted = planted_pairs(texts, clusters, {"y": ("x", 0.8), "z": ("gone", 0.5)})
    levels = dict(zip(map(tuple, planted.pairs.tolist()), planted.levels.tolist(), strict=True))
    assert {pair for pair, level in levels.items() if level == 1} == {(0, 2), (1, 4)}
    assert {pair for pair, level in levels.items() if level == 0.8} == {
        (0, 1),
        (0, 4),
        (1, 2),
        (2, 4),
    }
    assert len(levels) == 10


def test_precision_and_recall_by_level():
    planted = planted_pairs(list("abcd"), ["x", "x", "y", "z"], {"y": ("x", 0.5)})

    def scores(texts, pairs):
        # the pair of level 1, one of two of level .5, and one of none
        wanted = {(0, 1), (0, 2), (2, 3)}
        return np.array([float(pair in wanted) for pair in map(tuple, pairs.tolist())])

    found = by_level(planted, [Method("some", "", 1.0, scores)])
    assert found == [
        LevelScore("some", 1.0, 1, pytest.approx(1 / 3), 1.0),
        LevelScore("some", 0.5, 2, pytest.approx(2 / 3), 0.5),
    ]
    assert level_table(found).splitlines()[-1].split() == ["some", "0.333/1.000", "0.667/0.500"]


def test_the_default_on_a_small_sample_web():
    planted = planted_on(SampleWeb(1, 6, 260))
    found = {(score.method, score.level): score for score in by_level(planted, default_methods())}
    assert {level for _, level in found} == {1.0, 0.95, 0.9, 0.8, 0.5}
    for level in (1.0, 0.95, 0.9, 0.8):
        assert found["default exact", level].recall == 1
        assert found["default signature", level].recall == 1
    assert found["default exact", 0.8].precision == 1


@pytest.mark.long
def test_precision_and_recall_of_all_methods_on_the_sample_web():
    planted = planted_on(SampleWeb(1, 30, 1500))
    found = by_level(planted, methods())
    scores = {(score.method, score.level): score for score in found}
    for method in methods():
        # what is equal is found by all
        assert scores[method.title, 1.0].recall == 1, method.title
    for level in (0.95, 0.9, 0.8):
        assert scores["default exact", level].recall == 1
        assert scores["default index", level].recall > 0.9
    assert scores["default exact", 0.8].precision == 1
    # Manku's distance 3 is too tight for edited texts, and too wide for single words
    assert scores["simhash words n=3", 0.8].recall < 0.2
    assert scores["simhash words n=1", 0.5].precision < 0.1
