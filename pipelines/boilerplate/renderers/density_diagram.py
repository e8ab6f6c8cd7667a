"""The densitometric diagram of a page: the text density of its blocks, as SVG for a page of HTML.

A block is a bar, as wide as it has wrapped lines and as high as its text density, in page order; lines from top to
bottom are the borders of segments. *Source: Kohlschütter 2011, figures 4.2 and 4.9 to 4.11; Kohlschütter and Nejdl
2008, figures 1 and 8 to 10.* There bars are grey; here they have the colour of what became of the block, and those that
are not kept are pale.

Places are percentages, so that the diagram is as wide as its window and its words are not stretched. Of more than
`MAX_BARS` blocks neighbours share a bar, of their mean density (by lines) and of the group that most of its lines have.
Borders that would stand too close are short, below the bars. A bar leads to its (first) block, ``#b`` and its number.
Cost: O(n); at most 350 bytes a bar, with its border.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

MAX_BARS = 600
# Segments above which the borders would hide the bars.
_MAX_LONG_BORDERS = 120
_HEIGHT, _BELOW = 120, 22
# At most as many, on each of the axes.
_N_STEPS, _N_LINE_STEPS = 4, 8

DIAGRAM_STYLE = """
.density { margin: .6rem 0 1rem; }
.density .plot { padding: 1.2rem .6rem 0 1.9rem; }
.density svg.bars { display: block; width: 100%; overflow: visible; font-size: 11px; }
.density text { fill: currentColor; fill-opacity: .75; }
.density .grid { stroke: currentColor; stroke-opacity: .16; }
.density .border { stroke: currentColor; stroke-opacity: .55; }
.density .pale { fill-opacity: .6; }
.density a:hover rect { fill-opacity: 1; stroke: currentColor; }
.density figcaption { display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: 13px; margin-top: .3rem; }
.density figcaption svg { margin-inline-end: .4em; }
@media print { .density { break-inside: avoid; } }
"""


class Group(NamedTuple):
    """What became of some blocks: its name, whether they are kept, and the class that gives them their colour."""

    name: str
    is_kept: bool
    css_class: str


class Density(NamedTuple):
    """The blocks of a page, n of each: lines, words a line, places among the groups, and segments if there are any."""

    n_lines: npt.NDArray[np.int64]
    density: npt.NDArray[np.float64]
    group: npt.NDArray[np.int64]
    segment: npt.NDArray[np.int64] | None


class _Bar(NamedTuple):
    """Blocks *first* to *last* as one bar; places and widths in lines."""

    first: int
    last: int
    start: float
    width: float
    density: float
    group: int


def density_diagram(blocks: Density, groups: Sequence[Group]) -> str:
    """Return *blocks* as a figure of HTML, "" when there are none; `DIAGRAM_STYLE` belongs to it.

    A block that has no line, as one without words, is as wide as one line.
    """
    if not len(blocks.density):
        return ""
    lines = np.maximum(blocks.n_lines, 1)
    bars = _bars(lines, blocks)
    n_lines = int(lines.sum())
    highest = max(bar.density for bar in bars) or 1.0
    step = _step(highest, _N_STEPS)
    top = step * math.ceil(highest / step)
    borders = _borders(bars, blocks.segment)
    told = _told(blocks, groups)
    drawn = [
        *_grid(step, top),
        *(_drawn(bar, groups[bar.group], n_lines, top) for bar in bars),
        *_drawn_borders(borders, n_lines),
        *_line_ticks(n_lines),
    ]
    return (
        f'<figure class="density"><div class="plot"><svg class="bars" height="{_HEIGHT + _BELOW}" role="img" '
        f'aria-label="{escape(told)}">{"".join(drawn)}</svg></div>'
        f"<figcaption>{''.join(_legend(blocks, groups, has_shared=len(bars) < len(lines)))}</figcaption></figure>"
    )


def _bars(lines: npt.NDArray[np.int64], blocks: Density) -> list[_Bar]:
    """Return a bar a block, or where there are more than `MAX_BARS` one for all that begin in a part of the page."""
    starts = np.cumsum(lines) - lines
    n_blocks = len(lines)
    if n_blocks > MAX_BARS:
        part = starts * MAX_BARS // int(lines.sum())
        firsts = np.flatnonzero(np.diff(part, prepend=-1))
    else:
        firsts = np.arange(n_blocks)
    bars = []
    for first, end in zip(firsts.tolist(), [*firsts[1:].tolist(), n_blocks], strict=True):
        its = slice(first, end)
        width = float(lines[its].sum())
        density = float((lines[its] * blocks.density[its]).sum()) / width
        group = int(np.bincount(blocks.group[its], weights=lines[its]).argmax())
        bars.append(_Bar(first, end - 1, float(starts[first]), width, density, group))
    return bars


def _borders(bars: Sequence[_Bar], segment: npt.NDArray[np.int64] | None) -> list[float]:
    """Return the places of the bars with which another segment begins."""
    if segment is None:
        return []
    of_bars = [int(segment[bar.first]) for bar in bars]
    return [
        bar.start
        for bar, its, before in zip(bars[1:], of_bars[1:], of_bars, strict=False)
        if its != before
    ]


def _drawn(bar: _Bar, group: Group, n_lines: int, top: float) -> str:
    height = _HEIGHT * bar.density / top
    blocks = f"Block {bar.first:,}"
    if bar.last > bar.first:
        blocks = f"Blocks {bar.first:,} to {bar.last:,}"
    told = (
        f"{blocks}, {group.name}: {bar.density:.1f} words a line, {counted(int(bar.width), 'line')}"
    )
    pale = "" if group.is_kept else " pale"
    return (
        f'<a href="#b{bar.first}" tabindex="-1"><rect class="{group.css_class}{pale}" x="{_share(bar.start, n_lines)}" '
        f'y="{_HEIGHT - height:.1f}" width="{_share(bar.width, n_lines)}" height="{height:.1f}">'
        f"<title>{escape(told)}</title></rect></a>"
    )


def _drawn_borders(borders: Sequence[float], n_lines: int) -> list[str]:
    start = 0 if len(borders) <= _MAX_LONG_BORDERS else _HEIGHT
    return [
        f'<line class="border" x1="{place}" x2="{place}" y1="{start}" y2="{_HEIGHT + 6}"/>'
        for place in (_share(border, n_lines) for border in borders)
    ]


def _grid(step: float, top: float) -> list[str]:
    drawn = ['<text x="-24" y="-9">words a line</text>']
    for number in range(round(top / step) + 1):
        y = _HEIGHT - _HEIGHT * number * step / top
        drawn.append(f'<line class="grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(f'<text x="-6" y="{y + 4:.1f}" text-anchor="end">{number * step:g}</text>')
    return drawn


def _line_ticks(n_lines: int) -> list[str]:
    """Return the numbers of some lines of the page, the first and the last not among them."""
    step = math.ceil(_step(n_lines, _N_LINE_STEPS))
    y = _HEIGHT + _BELOW - 4
    places = range(step, n_lines, step)
    # The last would run into the word.
    ticks = [
        f'<text x="{_share(place, n_lines)}" y="{y}" text-anchor="middle">{place:,}</text>'
        for place in places
        if place < 0.85 * n_lines
    ]
    return [*ticks, f'<text x="100%" y="{y}" text-anchor="end">line</text>']


def _step(most: float, n_steps: int) -> float:
    """Return the least of 1, 2 and 5 times a power of ten of which *n_steps* reach *most*, which is above 0."""
    power = 10.0 ** math.floor(math.log10(most / n_steps))
    return next(power * by for by in (1, 2, 5, 10) if most <= n_steps * power * by)


def _share(lines: float, n_lines: int) -> str:
    return f"{100 * lines / n_lines:.3f}".rstrip("0").rstrip(".") + "%"


def _told(blocks: Density, groups: Sequence[Group]) -> str:
    counts = np.bincount(blocks.group, minlength=len(groups)).tolist()
    of_groups = ", ".join(
        f"{n:,} {group.name}" for n, group in zip(counts, groups, strict=True) if n
    )
    return (
        f"Text density of {counted(len(blocks.group), 'block')} in page order, {float(blocks.density.min()):.1f} "
        f"to {float(blocks.density.max()):.1f} words a line: {of_groups}"
    )


def _legend(blocks: Density, groups: Sequence[Group], *, has_shared: bool) -> list[str]:
    counts = np.bincount(blocks.group, minlength=len(groups)).tolist()
    entries = [
        _entry(
            f'<rect class="{group.css_class}{"" if group.is_kept else " pale"}" width="12" height="12"/>',
            f"{escape(group.name)} {n:,}",
        )
        for n, group in zip(counts, groups, strict=True)
        if n
    ]
    if blocks.segment is not None:
        n_segments = 1 + int(np.count_nonzero(np.diff(blocks.segment)))
        line = '<line class="border" x1="6" x2="6" y1="0" y2="12"/>'
        entries.append(_entry(line, f"borders of {counted(n_segments, 'segment')}"))
    entries.append("<span>a bar is as wide as its text has lines</span>")
    if has_shared:
        entries.append("<span>neighbours share a bar</span>")
    return entries


def _entry(drawn: str, said: str) -> str:
    return f'<span><svg width="12" height="12" aria-hidden="true">{drawn}</svg>{said}</span>'
