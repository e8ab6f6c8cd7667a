"""No method scores below its floor; `python -m tests.quality.take` writes the floors."""

from __future__ import annotations

import copy

import pytest

from tests.quality.floors import RUNS, SAMPLE, falls, read, take


@pytest.mark.parametrize(
    "which",
    [pytest.param(run, marks=() if run == SAMPLE else pytest.mark.long) for run in RUNS],
)
def test_no_score_is_below_its_floor(shared, which):
    floors = read()
    assert which in floors, "there are no floors; run python -m tests.quality.take"
    assert falls(take(shared, which), floors[which]) == []


FLOORS = {
    "digests": {"news": "00"},
    "methods": {"a": {"token-f1": {"macro": 0.8, "error": 0.1, "sets": {"news": 0.8}}}},
}


@pytest.mark.parametrize(
    ("macro", "news", "n_falls"),
    [(0.8, 0.8, 0), (0.9, 0.9, 0), (0.7995, 0.796, 0), (0.798, 0.8, 1), (0.7, 0.7, 2)],
)
def test_falls(macro, news, n_falls):
    taken = copy.deepcopy(FLOORS)
    taken["methods"]["a"]["token-f1"].update(macro=macro, sets={"news": news})
    assert len(falls(taken, FLOORS)) == n_falls


def test_other_pages_methods_and_measures():
    other = {**FLOORS, "digests": {"news": "01"}}
    assert "other pages" in falls(other, FLOORS)[0]
    new = {**FLOORS, "methods": {**FLOORS["methods"], "b": {}}}
    assert falls(new, FLOORS) == ["b has no floor; take it"]
    gone = {**FLOORS, "methods": {"a": {}}}
    assert "not scored any more" in falls(gone, FLOORS)[0]
