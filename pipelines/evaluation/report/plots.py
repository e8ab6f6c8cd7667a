"""The plot of a run: quality against time a page, and the subjects' scores set by set.

Under Gottron's four document models their charts besides (`pipelines.evaluation.report.model_plots`).
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

from crawler.wording import counted
from pipelines.evaluation.report.model_plots import draw_models, sets_of_models

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from pipelines.evaluation.report.summary import Row, Summary

# Okabe and Ito's palette: told apart by all kinds of colour vision, and in grey.
METHOD, PEER, GRID = "#0072b2", "#d55e00", "#e4e8eb"
DOTS_PER_INCH = 110
SUFFIXES = (".png", ".svg", ".pdf")
# Subjects whose bars are drawn, the best ones; more cannot be told apart.
MAX_BARS = 8
_BAR_COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#9aa7b1"),
)
_FONT = 8
# The height of a line of charts.
_CHART_INCHES = 3
# Where a label may stand beside its point, in points of 1/72 inch, the nearest first.
_PLACES = [
    (x, y, side)
    for y in (0, 9, -9, 18, -18, 27, -27, 36, -36, 45, -45, 56, -56, 68, -68)
    for x, side in ((7, "left"), (-7, "right"))
]


def draw(summary: Summary, path: Path) -> None:
    """Write the plot of the first measure of *summary* to *path*, a PNG, SVG or PDF by its suffix.

    Raises ValueError when no measure applies to a page.
    """
    if not summary.rows:
        raise ValueError(
            "--plot has nothing to draw: no page has what the measures compare with; give other --measures"
        )
    measure, rows = next(iter(summary.rows.items()))
    sets = sets_of_models(summary)
    figure = Figure(figsize=(11, 11 + _CHART_INCHES * len(sets)), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(
        2 + len(sets), 3, height_ratios=[6.6, 4.4, *[_CHART_INCHES] * len(sets)]
    )
    above, below = (figure.add_subplot(grid[line, :]) for line in range(2))
    charts = [
        [figure.add_subplot(grid[2 + line, place]) for place in range(3)]
        for line in range(len(sets))
    ]
    for axes in (above, below, *(one for line in charts for one in line)):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(visible=True, color=GRID, linewidth=0.7)
        axes.set_axisbelow(True)
    metadata = {"Software": None} if path.suffix.lower() == ".png" else {}
    with warnings.catch_warnings():
        # Names may be in scripts that matplotlib's own font has not; boxes stand for them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        _bars(below, rows, measure)
        subjects = [row.subject for row in rows[:MAX_BARS]]
        for places, name in zip(charts, sets, strict=True):
            draw_models(places, summary, name, subjects=subjects, colours=_BAR_COLOURS)
            places[1].set_title(f"{_plain(name)}, colours as above", fontsize=10)
        _points(above, summary, rows, measure)
        figure.savefig(path, dpi=DOTS_PER_INCH, metadata=metadata)


def _points(axes: Axes, summary: Summary, rows: Sequence[Row], measure: str) -> None:
    rows = [row for row in rows if row.subject not in summary.untimed]
    if not rows:
        axes.set_axis_off()
        return
    subjects = {subject.name: subject for subject in summary.run.subjects}
    is_peer = {row.subject: subjects[row.subject].is_peer for row in rows}
    x = [max(summary.costs[row.subject].micros_a_page, 1.0) for row in rows]
    y = [row.macro.f1 for row in rows]
    for peer, colour, marker, name in (
        (False, METHOD, "o", "methods"),
        (True, PEER, "^", "peers"),
    ):
        places = [place for place, row in enumerate(rows) if is_peer[row.subject] == peer]
        if places:
            axes.errorbar(
                [x[place] for place in places],
                [y[place] for place in places],
                yerr=[rows[place].macro.error or 0.0 for place in places],
                fmt=marker,
                color=colour,
                ecolor="#9aa7b1",
                elinewidth=0.8,
                markersize=6,
                label=name,
            )
    axes.set_xscale("log")
    # As the tables have them, and not as powers of ten, which between two decades are products of such.
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(LogFormatter())
    axes.margins(x=0.12, y=0.08)
    clock = " (of proxies by the clock)" if summary.by_the_clock else ""
    axes.set_xlabel(f"CPU microseconds a page{clock}, logarithmic")
    axes.set_ylabel(f"{measure}, macro F1 ± standard error")
    axes.set_title(f"Quality and time, {counted(len(summary.run.pages), 'page')}", fontsize=12)
    if len(set(is_peer.values())) > 1:
        # Above the axes: within, its marks would look like points.
        axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    _label(axes, x, y, [_plain(row.subject) for row in rows])


def _label(axes: Axes, x: Sequence[float], y: Sequence[float], names: Sequence[str]) -> None:
    """Write *names* beside their points, where they cover neither each other nor a point."""
    figure = axes.figure
    assert isinstance(figure, Figure)
    figure.canvas.draw()
    points = axes.transData.transform(np.column_stack([x, y]))
    dots = figure.dpi / 72
    taken = [_box(point, 0, 0, 8 * dots, 8 * dots) for point in points]
    frame = axes.get_window_extent()
    for point, x_value, y_value, name in zip(points, x, y, names, strict=True):
        width, height = 0.6 * _FONT * len(name) * dots, 1.25 * _FONT * dots
        boxes = [
            (place, _box(point, place[0] * dots, place[1] * dots, width, height, place[2]))
            for place in _PLACES
        ]
        inside = [one for one in boxes if one[1][0] >= frame.x0 and one[1][2] <= frame.x1] or boxes
        place, box = min(inside, key=lambda one: sum(_overlap(one[1], other) for other in taken))
        taken.append(box)
        axes.annotate(
            name,
            (x_value, y_value),
            (place[0], place[1]),
            textcoords="offset points",
            ha=place[2],
            va="center",
            fontsize=_FONT,
            arrowprops={"arrowstyle": "-", "color": "#9aa7b1", "linewidth": 0.6}
            if abs(place[1]) > 9
            else None,
        )


def _box(
    point: Sequence[float], x: float, y: float, width: float, height: float, side: str = "centre"
) -> tuple[float, float, float, float]:
    left = point[0] + x - {"left": 0.0, "right": width, "centre": width / 2}[side]
    bottom = point[1] + y - height / 2
    return left, bottom, left + width, bottom + height


def _overlap(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0


def _bars(axes: Axes, rows: Sequence[Row], measure: str) -> None:
    shown = rows[:MAX_BARS]
    sets = list(dict.fromkeys(name for row in shown for name in row.sets))
    width = 0.84 / len(shown)
    for number, row in enumerate(shown):
        places = [place for place, name in enumerate(sets) if name in row.sets]
        axes.bar(
            [place - 0.42 + width * (number + 0.5) for place in places],
            [row.sets[sets[place]].f1 for place in places],
            width,
            yerr=[row.sets[sets[place]].error or 0.0 for place in places],
            color=_BAR_COLOURS[number],
            ecolor="#3c4650",
            error_kw={"elinewidth": 0.7},
            label=_plain(row.subject),
        )
    axes.set_xticks(range(len(sets)), [_two_lines(_plain(name)) for name in sets], fontsize=_FONT)
    axes.set_ylim(0, 1)
    axes.grid(visible=False, axis="x")
    axes.set_ylabel(f"{measure}, F1")
    best = f", the best {len(shown)} of {len(rows)}" if len(rows) > len(shown) else ""
    axes.set_title(f"Set by set{best}", fontsize=12)
    axes.legend(
        frameon=False, fontsize=_FONT, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.12)
    )


def _plain(name: str) -> str:
    """Return *name* as it is drawn: dollar signs as such, not as formulas; what is no UTF-8 with escapes."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8").replace("$", r"\$")


def _two_lines(name: str) -> str:
    return name.replace("-", "-\n", 1) if len(name) > 10 else name
