"""The studies as tables, JSON and a page.

*On disk.* ``study.json`` and ``study.html`` in ``topics/`` of the corpus folder, made anew by each run.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Any

from crawler.durable.files import make_folder, write_atomic
from crawler.wording import counted
from pipelines.jobs.topic_study.drawing import tree_drawing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pipelines.jobs.topic_study.labels import LabelStudy
    from pipelines.jobs.topic_study.tree import TreeStudy

FOLDER = "topics"
_TREE = (
    "Lines are the thicker, the more alike the rankings of two topics are (tau); contours, the better results are by "
    "the topic's rank than by the unbiased one (MAP), dashed where that one finds nothing."
)
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-size: 13px; margin: 1rem 0 2rem }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #e2e6e9; text-align: right }
th:first-child, td:first-child { text-align: left } td { font-variant-numeric: tabular-nums }
"""
_RELATION_HEAD = (
    "relation",
    "pairs",
    "mean tau",
    "median tau",
    "below .2",
    "tau, common",
    "overlap",
    "tau-b, all pages",
    "tau and level",
    "tau and pages",
)
_PAIR_HEAD = (
    "first",
    "second",
    "relation",
    "level",
    "pages",
    "tau",
    "tau, common",
    "overlap",
    "tau-b, all pages",
)
_PRECISION_HEAD = ("category", "level", "pages", "queries", "MAP", "MAP, unbiased", "ratio", "tau")
_LEVEL_HEAD = ("level", "categories", "MAP", "MAP, unbiased")
_WITH_HEAD = ("tau-b of MAP", "with level", "with pages", "with tau")
_LABEL_HEAD = ("method", "accuracy", "AUC", "decided", "accuracy of decided")


def tree_tables(study: TreeStudy) -> list[list[Sequence[str]]]:
    """Return the table of relations and that of pairs, heads first."""
    relations: list[Sequence[str]] = [_RELATION_HEAD]
    for each in study.relations:
        relation, n_pairs, *figures = asdict(each).values()
        relations.append((relation, str(n_pairs), *map(_number, figures)))
    pairs: list[Sequence[str]] = [_PAIR_HEAD]
    for pair in sorted(study.pairs, key=lambda p: (p.relation, p.first, p.second)):
        values = map(_number, (pair.tau, pair.tau_common, pair.overlap, pair.tau_b))
        pairs.append(
            (pair.first, pair.second, pair.relation, str(pair.level), str(pair.pages), *values)
        )
    return [relations, pairs]


def precision_tables(study: TreeStudy) -> list[list[Sequence[str]]]:
    """Return the tables of precision by level, of what it goes with, and by category; none without judgements."""
    found = study.precision
    if found is None:
        return []
    levels: list[Sequence[str]] = [_LEVEL_HEAD]
    levels += [
        (str(each.level), str(each.categories), _number(each.biased), _number(each.unbiased))
        for each in found.levels
    ]
    goes_with = [found.with_level, found.with_pages, found.with_tau]
    categories: list[Sequence[str]] = [_PRECISION_HEAD]
    for each in found.categories:
        values = map(_number, (each.biased, each.unbiased, each.ratio, each.tau))
        counts = map(str, (each.level, each.pages, each.queries))
        categories.append((each.category, *counts, *values))
    return [levels, [_WITH_HEAD, ("", *map(_number, goes_with))], categories]


def label_table(study: LabelStudy) -> list[Sequence[str]]:
    """Return the table of methods, head first; each figure with its standard deviation over seeds."""
    rows: list[Sequence[str]] = [_LABEL_HEAD]
    for method in study.methods:
        figures = (method.accuracy, method.auc, method.decided, method.decided_accuracy)
        rows.append((method.name, *(f"{_number(mean)} ±{_number(sd)}" for mean, sd in figures)))
    return rows


def screen(rows: Sequence[Sequence[str]], *, most: int | None = None) -> str:
    """Return *rows* as aligned columns, *most* of them below the head."""
    shown = rows if most is None else rows[: most + 1]
    widths = [max(len(row[i]) for row in shown) for i in range(len(shown[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in shown
    ]
    if len(shown) < len(rows):
        lines.append(f"and {len(rows) - len(shown)} more")
    return "\n".join(lines)


def write_tree_study(study: TreeStudy, folder: Path) -> list[str]:
    """Write *study* to *folder*, which is made; return the files."""
    make_folder(folder)
    write_atomic(folder / "study.json", (as_json(study) + "\n").encode())
    write_atomic(folder / "study.html", _page(study).encode())
    return [str(folder / "study.json"), str(folder / "study.html")]


def as_json(study: TreeStudy | LabelStudy) -> str:
    """Return *study* as JSON; what is not defined is null."""
    return json.dumps(_without_nan(asdict(study)), ensure_ascii=False, allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(each) for each in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _page(study: TreeStudy) -> str:
    by = counted(study.queries, "query") if study.queries else "rank alone"
    title = f"Topic PageRank along the categories of {study.corpus}"
    about = f"{counted(study.topics, 'topic')}; lists of the best {counted(study.best, 'page')} by {by}."
    relations, pairs = tree_tables(study)
    shown = [relations, *precision_tables(study), pairs]
    tables = "\n".join(_html_table(table) for table in shown)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f"</title><style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>"
        f"<p>{escape(about)}</p>\n{tables}\n<h2>The tree</h2>\n<p>{_TREE}</p>\n{tree_drawing(study)}</body></html>\n"
    )


def _html_table(rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[1:]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"
