"""The figures of a run: by measure and subject, of each set and of all, with standard errors.

A set's score is the mean of its pages' precision, recall and F1, each by itself, or for a pooled
measure the scores of its pages' counts together. The macro average is the mean over sets; *by page*
that over all pages. Standard errors are those of samples of pages, drawn within each set; that of the
macro average follows from the sets', which are sampled independently.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from math import sqrt
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.evaluation.gold import Scores
from pipelines.evaluation.measures import POOLED, pooled_scores
from pipelines.evaluation.measures.averages import (
    macro,
    standard_error,
    standard_errors_of_pooled,
)
from pipelines.evaluation.measures.counts import f_beta
from pipelines.evaluation.measures.gottron import seconds_per_kb, stability

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.evaluation.harness.results import Run

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class SetScore:
    """The scores of one subject on one set, the standard error of its F1, the number of pages.

    *error*: None for a single page, of which no sample is another; so that of several sets with such a one. So
    *precision_error* and *recall_error*.
    *stability*: the standard deviation of F1 over the pages (Gottron 2008, section 5.2.2), of several
    sets the mean of theirs; None for a pooled measure, and for a single page. *median*: that of F1 over
    the pages (Kohlschütter 2011, section 4.4.3), None for a pooled measure; *f_half*: F0.5 of a pooled
    one (Pomikálek 2011, section 2.9.1), None for others; of several sets their mean, both.
    """

    precision: float
    recall: float
    f1: float
    error: float | None
    n_pages: int
    stability: float | None = None
    median: float | None = None
    f_half: float | None = None
    precision_error: float | None = None
    recall_error: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One subject under one measure; *sets* by name, those that the measure applies to."""

    subject: str
    sets: dict[str, SetScore]
    macro: SetScore
    by_page: float


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of *run*: the rows of each measure that applies, best first, and the costs."""

    run: Run
    rows: dict[str, list[Row]]
    costs: dict[str, Cost]

    @property
    def untimed(self) -> frozenset[str]:
        """The subjects that were not run, whose texts were there."""
        return frozenset(one.name for one in self.run.subjects if one.folder is not None)

    @property
    def by_the_clock(self) -> frozenset[str]:
        """The subjects whose time is that of the clock: proxies, which run in processes of their own."""
        return frozenset(one.name for one in self.run.subjects if one.proxy is not None)


@dataclass(frozen=True, slots=True)
class SetCost:
    """CPU time of one subject on one set: seconds in all, microseconds a page, milliseconds a kB of 1024 bytes."""

    secs: float
    micros_a_page: float
    millis_a_kilobyte: float


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU time of one subject as in :class:`SetCost`, on all pages and by set (Gottron 2008, table B.17); its failures
    by exception, and the sets it returned all text of.
    """

    subject: str
    secs: float
    micros_a_page: float
    millis_a_kilobyte: float
    errors: dict[str, int]
    all_text: list[str]
    sets: dict[str, SetCost]


def summarise(run: Run) -> Summary:
    """Return the figures of *run*."""
    table = {measure: _rows(run, measure) for measure in run.measures}
    return Summary(
        run,
        {measure: rows for measure, rows in table.items() if rows},
        {cost.subject: cost for cost in _costs(run)},
    )


def _rows(run: Run, measure: str) -> list[Row]:
    made = [_row(run, subject.name, measure) for subject in run.subjects]
    found = [row for row in made if row is not None]
    return sorted(found, key=lambda row: (-row.macro.f1, row.subject))


def _costs(run: Run) -> list[Cost]:
    n_bytes = np.array([page.n_bytes for page in run.pages])
    of_set = np.array([page.dataset for page in run.pages])
    made = []
    for subject in run.subjects:
        secs, name = run.secs(subject.name), subject.name
        sets = {one: _cost(secs[of_set == one], n_bytes[of_set == one]) for one in run.datasets}
        every = asdict(_cost(secs, n_bytes))
        made.append(
            Cost(name, **every, errors=run.errors(name), all_text=run.all_text(name), sets=sets)
        )
    return made


def _cost(secs: npt.NDArray[np.float64], n_bytes: npt.NDArray[np.int64]) -> SetCost:
    total = float(secs.sum())
    a_kilobyte = seconds_per_kb(total, max(int(n_bytes.sum()), 1))
    return SetCost(total, total / max(len(secs), 1) * 1e6, a_kilobyte * 1e3)


def as_json(summary: Summary) -> dict[str, Any]:
    """Return everything of a run as one object: figures, and the scores (or counts) of each page."""
    run = summary.run
    return {
        "version": FORMAT_VERSION,
        "hidden": run.hidden,
        "datasets": {
            name: {
                "pages": sum(page.dataset == name for page in run.pages),
                "bytes": sum(page.n_bytes for page in run.pages if page.dataset == name),
                "digest": run.digests.get(name),
            }
            for name in run.datasets
        },
        "peers": run.versions,
        "missing": run.missing,
        "measures": {name: [asdict(row) for row in rows] for name, rows in summary.rows.items()},
        "costs": [asdict(cost) for cost in summary.costs.values()],
        "pages": [_page_json(run, number) for number in range(len(run.pages))],
    }


def _page_json(run: Run, number: int) -> dict[str, Any]:
    page = run.pages[number]
    subjects = {}
    for row, subject in enumerate(run.subjects):
        told: dict[str, Any] = {"secs": round(float(page.secs[row]), 7)}
        for measure, values in zip(run.measures, page.scores[row], strict=True):
            if not np.isnan(values[2]):
                told[measure] = [round(value, 6) for value in values.tolist()]
        if row in page.errors:
            told["error"] = page.errors[row]
        subjects[subject.name] = told
    return {
        "dataset": page.dataset,
        "page": page.page_id,
        "bytes": page.n_bytes,
        "subjects": subjects,
    }


def _row(run: Run, name: str, measure: str) -> Row | None:
    values = run.scores(name, measure)
    if not values:
        return None
    is_pooled = measure in POOLED
    sets = {
        dataset: _pooled_set(measure, found) if is_pooled else _averaged_set(found)
        for dataset, found in values.items()
    }
    precision_error, recall_error, error = (
        _error_of_mean([getattr(one, field) for one in sets.values()])
        for field in ("precision_error", "recall_error", "error")
    )
    n_pages = sum(one.n_pages for one in sets.values())
    mean = macro([Scores(one.precision, one.recall, one.f1) for one in sets.values()])
    every = np.concatenate(list(values.values()))
    by_page = pooled_scores(measure, every).f1 if is_pooled else float(every[:, 2].mean())
    sigma, middle, f_half = (
        _mean([getattr(one, field) for one in sets.values()])
        for field in ("stability", "median", "f_half")
    )
    score = SetScore(
        *mean,
        error=error,
        n_pages=n_pages,
        stability=sigma,
        median=middle,
        f_half=f_half,
        precision_error=precision_error,
        recall_error=recall_error,
    )
    return Row(name, sets, score, by_page)


def _error_of_mean(errors: Sequence[float | None]) -> float | None:
    """Return the error of the mean of values that have these *errors*; None where one has none."""
    known = [error for error in errors if error is not None]
    if len(known) < len(errors):
        return None
    return sqrt(sum(error**2 for error in known)) / len(errors)


def _mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of those *values* that are there; None without any."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _averaged_set(values: npt.NDArray[np.float64]) -> SetScore:
    pages = [Scores(*row) for row in values.tolist()]
    f1 = values[:, 2].tolist()
    has_spread = len(f1) > 1
    sigma = stability(f1) if has_spread else None
    precision, recall, error = (
        standard_error(column) if has_spread else None for column in values.T.tolist()
    )
    return SetScore(
        *macro(pages),
        error,
        len(pages),
        stability=sigma,
        median=median(f1),
        precision_error=precision,
        recall_error=recall,
    )


def _pooled_set(measure: str, values: npt.NDArray[np.float64]) -> SetScore:
    scores = pooled_scores(measure, values)
    precision, recall, error = (
        standard_errors_of_pooled(values, partial(pooled_scores, measure))
        if len(values) > 1
        else (None, None, None)
    )
    f_half = f_beta(scores.precision, scores.recall, 0.5)
    return SetScore(
        *scores,
        error,
        len(values),
        f_half=f_half,
        precision_error=precision,
        recall_error=recall,
    )
