"""The floors file, and what the scores of a run are beside it.

*On disk*: ``floors.json`` beside this module, an object with ``version`` 1 and three runs over
``../shared/data/extraction/dev``: ``full``, all methods over all pages, ``sample``, few methods over the first pages of
each set, and ``templates`` (`tests.quality.template_scores`). A run has ``limit`` (pages a set), ``digests`` of the
sets as they were read, and ``methods``: by name and measure the macro F1, its bootstrap standard error, and the F1 of
each set.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.boilerplate.registry import DEFAULT_METHOD, methods
from pipelines.evaluation.harness import RunOptions, evaluate, subjects_of
from pipelines.evaluation.report.summary import summarise
from tests.quality.template_scores import take_templates

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = Path(__file__).with_name("floors.json")
VERSION = 1
MEASURES = ("token-f1", "token-f1-full", "segments")
FULL, SAMPLE, TEMPLATES = "full", "sample", "templates"
RUNS = (SAMPLE, TEMPLATES, FULL)
LIMITS = {FULL: None, SAMPLE: 3}
# What other releases of lxml and numpy may move. A fall of the macro average by as much as this is
# a page or two; of a set of 20 pages a part of one page.
TOLERANCE = {"macro": 0.001, "set": 0.005}
DIGITS = 4


def sampled_methods() -> list[str]:
    """Return the methods of the sample: the default, and the published trees."""
    return list(dict.fromkeys([DEFAULT_METHOD, "numwords-tree", "densitometric-tree"]))


def take(
    shared: Path, which: str, *, progress: Callable[[str, int], None] | None = None
) -> dict[str, Any]:
    """Return the scores of today of the run *which*, one of `RUNS`."""
    if which == TEMPLATES:
        return take_templates(shared, progress=progress)
    names = list(methods()) if which == FULL else sampled_methods()
    options = RunOptions(MEASURES, limit=LIMITS[which])
    dev = shared / "data" / "extraction" / "dev"
    run = evaluate([dev], subjects_of(names), options, progress=progress)
    assert not run.missing, run.missing
    taken: dict[str, Any] = {name: {} for name in names}
    for measure, rows in summarise(run).rows.items():
        for row in rows:
            taken[row.subject][measure] = {
                "macro": round(row.macro.f1, DIGITS),
                "error": round(row.macro.error or 0.0, DIGITS),
                "sets": {name: round(one.f1, DIGITS) for name, one in row.sets.items()},
            }
    return {"limit": LIMITS[which], "digests": run.digests, "methods": taken}


def read() -> dict[str, Any]:
    """Return the floors; no runs where there is no file."""
    if not FILE.exists():
        return {"version": VERSION}
    floors: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    assert floors["version"] == VERSION, f"{FILE} is of version {floors['version']}"
    return floors


def falls(taken: dict[str, Any], floors: dict[str, Any]) -> list[str]:
    """Return, a line each, the scores of *taken* that are below their floor, or have none."""
    if taken["digests"] != floors["digests"]:
        return ["the floors were taken on other pages; take them anew"]
    found = []
    for method, measures in taken["methods"].items():
        if method not in floors["methods"]:
            found.append(f"{method} has no floor; take it")
            continue
        for measure, floor in floors["methods"][method].items():
            found += _below(f"{method}, {measure}", measures.get(measure), floor)
    return found


def _below(name: str, score: dict[str, Any] | None, floor: dict[str, Any]) -> list[str]:
    if score is None:
        return [f"{name}: is not scored any more"]
    values = [("macro", score["macro"], floor["macro"], TOLERANCE["macro"])]
    values += [
        (dataset, score["sets"][dataset], value, TOLERANCE["set"])
        for dataset, value in floor["sets"].items()
    ]
    return [
        f"{name}, {place}: {value:.4f}, the floor is {least:.4f}"
        for place, value, least, tolerance in values
        if value < least - tolerance
    ]
