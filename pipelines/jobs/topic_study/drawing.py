"""The tree of categories as a drawing: how alike related rankings are, and what ranking by a category gains.

A category is a box, and a line leads to it from the nearest topic above. The line is the thicker, the more alike the
two rankings are (Kendall's tau); the contour of a box the thicker, the more precise results are by the category's rank
than by the unbiased one, and dashed where that one's precision is 0. *Source: Kohlschütter 2011, figure 3.7.* Boxes
that were not judged have a thin contour, and pairs without a tau a dotted line.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from crawler.ranking.topics.sets import ancestors
from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipelines.jobs.topic_study.precision import Precision
    from pipelines.jobs.topic_study.tree import TreeStudy

# Categories that are drawn; the tables have all.
MOST_DRAWN = 300
_ROW, _STEP, _BOX_HEIGHT, _BOX_WIDTH = 30, 40, 20, 230
_LETTERS = 34
# Widths of lines in pixels: at tau 0 and less, at 1; contours at equal precision, the most.
_THINNEST, _THICKEST, _EQUAL, _MOST = 0.7, 9.0, 1.5, 8.0


class _Box(NamedTuple):
    """A category in its row; *above*: the row of the topic above it."""

    name: str
    level: int
    above: int | None


def tree_drawing(study: TreeStudy) -> str:
    """Return the drawing of *study* as SVG, "" without topics; the first `MOST_DRAWN` in the order of their names."""
    names = sorted(pair.first for pair in study.pairs if pair.relation == "unbiased")
    boxes = _boxes(names[:MOST_DRAWN])
    if not boxes:
        return ""
    taus = {(p.relation, p.first): p.tau for p in study.pairs}
    precision = study.precision.categories if study.precision is not None else []
    judged = {each.category: each for each in precision}
    lines = [_line(row, box, taus.get(("parent", box.name), math.nan)) for row, box in boxes]
    drawn = [
        _drawn(row, box, taus["unbiased", box.name], judged.get(box.name)) for row, box in boxes
    ]
    width = max(box.level for _, box in boxes) * _STEP + _BOX_WIDTH + 150
    left_out = len(names) - len(boxes)
    note = f"<p>and {counted(left_out, 'topic')} more</p>" if left_out else ""
    return (
        f'<svg width="{width}" height="{len(boxes) * _ROW}" font-size="12" role="img" aria-label="Tree of the topics">'
        f"{''.join(lines)}{''.join(drawn)}</svg>{note}"
    )


def _boxes(names: Iterable[str]) -> list[tuple[int, _Box]]:
    """Return the boxes of *names*, which ascend, with their rows: what is above stands before what is below."""
    by_parts = sorted(names, key=lambda name: name.split("/"))
    rows = {name: row for row, name in enumerate(by_parts)}
    boxes = []
    levels: dict[int | None, int] = {None: -1}
    for name, row in rows.items():
        above = next((rows[each] for each in ancestors(name) if each in rows), None)
        levels[row] = levels[above] + 1
        boxes.append((row, _Box(name, levels[row], above)))
    return boxes


def _line(row: int, box: _Box, tau: float) -> str:
    if box.above is None:
        return ""
    left, middle = box.level * _STEP, row * _ROW + _ROW / 2
    top = box.above * _ROW + _ROW / 2 + _BOX_HEIGHT / 2
    width = _THINNEST + (_THICKEST - _THINNEST) * max(0.0, 0 if math.isnan(tau) else tau)
    dots = ' stroke-dasharray="1 4"' if math.isnan(tau) else ""
    told = "no tau" if math.isnan(tau) else f"tau {tau:.3f}"
    return (
        f'<path d="M{left - _STEP / 2:g} {top:g}V{middle:g}H{left}" fill="none" stroke="#89a" '
        f'stroke-width="{width:.2f}"{dots}><title>{told}</title></path>'
    )


def _drawn(row: int, box: _Box, tau: float, judged: Precision | None) -> str:
    left, top = box.level * _STEP + 5, row * _ROW + (_ROW - _BOX_HEIGHT) / 2
    contour, dashes, told = _THINNEST, "", "not judged"
    if judged is not None:
        told = f"precision {judged.biased:.3f}, unbiased {judged.unbiased:.3f}"
        contour = _EQUAL if math.isnan(judged.ratio) else min(_MOST, _EQUAL * judged.ratio)
        dashes = ' stroke-dasharray="5 3"' if math.isnan(judged.ratio) else ""
    name = box.name.rsplit("/", 1)[-1] if box.above is not None else box.name
    shown = name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
    to_unbiased = "-" if math.isnan(tau) else f"{tau:.2f}"
    return (
        f'<g><title>{escape(box.name)}: {told}</title><rect x="{left}" y="{top:g}" width="{_BOX_WIDTH}" '
        f'height="{_BOX_HEIGHT}" fill="#fff" stroke="#245" stroke-width="{max(contour, 0.3):.2f}"{dashes}/>'
        f'<text x="{left + 8}" y="{top + 14:g}">{escape(shown)}</text><text x="{left + _BOX_WIDTH + 12}" '
        f'y="{top + 14:g}" fill="#678">tau, unbiased {to_unbiased}</text></g>'
    )
