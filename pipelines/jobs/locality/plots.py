"""The plots of a locality report: dot-plots, shares, distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.figure import Figure

from pipelines.jobs.locality.rasters import N_CELLS
from pipelines.jobs.sheets.drawing import (
    DATA,
    DOTS_PER_INCH,
    FIT,
    SECOND,
    figure,
    label,
    logarithmic_counts,
    percent_axis,
    thinned,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

    from pipelines.jobs.locality.rasters import Raster
    from pipelines.jobs.locality.report import Distribution, LocalityReport

ALL_PLOTS = ("sorted", "normalised", "partitioned", "shares", "distributions")
# Share of cells with a link above which black and white tell nothing.
MAX_BLACK = 0.3
# A single link is as dark as can be seen beside none.
_GREYS = ListedColormap(np.linspace((0.72,) * 3, (0.0,) * 3, 256))


def plots_of(report: LocalityReport) -> Iterator[tuple[str, Figure]]:
    """Yield the plots of *report* with the names of their files."""
    for raster in report.rasters:
        yield raster.name, plot_raster(raster)
    yield "shares", plot_shares(report)
    yield "distributions", plot_distributions(report)


def plot_raster(raster: Raster) -> Figure:
    """Draw *raster*: sources downwards, targets to the right.

    ``sorted`` is black wherever there is a link, as figure 3.1a and b of the thesis, unless there is one
    in more than `MAX_BLACK` of the cells; it is then, as the others are, grey by the share of links
    in a cell, on a logarithmic scale, as figure 3.1c.
    """
    black = (raster.cells > 0).astype(np.float64)
    is_black = raster.name == "sorted" and black.mean() <= MAX_BLACK
    names = [name if len(name) <= 24 else f"{name[:23]}…" for name, _, _ in raster.bounds]
    drawn, panel, beside = _dot_plot_panels(max(map(len, names), default=0))
    centre = sum(panel.get_position().intervalx) / 2
    drawn.suptitle(f"Links, {raster.title}", fontsize=12, x=centre)
    extent = (0.0, 100.0, 100.0, 0.0)
    if is_black:
        beside.remove()
        panel.imshow(black, cmap="Greys", extent=extent, vmin=0, vmax=1, interpolation="none")
    else:
        shares = 100 * raster.cells / max(raster.cells.sum(), 1)
        shown = np.ma.masked_equal(shares, 0)
        least = float(shown.min()) if shown.count() else 1.0
        norm = LogNorm(least, max(float(shares.max()), 2 * least))
        image = panel.imshow(shown, cmap=_GREYS, extent=extent, norm=norm, interpolation="none")
        drawn.colorbar(image, cax=beside, label="links in a cell, per cent of all; none: white")
    _name_ranges(panel, raster, names)
    panel.set_xlabel("target page, per cent of all pages")
    panel.set_ylabel("source page, per cent of all pages")
    return drawn


def _dot_plot_panels(name_chars: int) -> tuple[Figure, Axes, Axes]:
    """Return a figure, its square panel and one for a scale beside it.

    The panel is `N_CELLS` pixels wide, one for each cell; *name_chars* are the longest name above it.
    """
    above = 50 + (14 + 6 * name_chars if name_chars else 0)
    width, height = 80 + N_CELLS + 175, 55 + N_CELLS + above
    drawn = Figure(figsize=(width / DOTS_PER_INCH, height / DOTS_PER_INCH))
    drawn.set_dpi(DOTS_PER_INCH)
    panel = drawn.add_axes((80 / width, 55 / height, N_CELLS / width, N_CELLS / height))
    of_scale = (80 + N_CELLS + 35) / width, 55 / height + 0.1 * N_CELLS / height
    beside = drawn.add_axes((*of_scale, 22 / width, 0.8 * N_CELLS / height))
    return drawn, panel, beside


def _name_ranges(panel: Axes, raster: Raster, names: list[str]) -> None:
    """Mark where ranges of pages begin and end, and write their names above."""
    for _, first, end in raster.bounds:
        for edge in {100 * first, 100 * end} - {0.0, 100.0}:
            panel.axvline(edge, color=SECOND, lw=0.5, alpha=0.6)
            panel.axhline(edge, color=SECOND, lw=0.5, alpha=0.6)
    middles = [50 * (first + end) for _, first, end in raster.bounds]
    if not names:
        return
    top = panel.secondary_xaxis("top")
    top.set_xticks(middles, names, fontsize=7.5, rotation=60, ha="left", rotation_mode="anchor")
    top.tick_params(length=0)


def plot_shares(report: LocalityReport) -> Figure:
    """Draw links between hosts, links between partitions and votes, by number of partitions."""
    drawn, (panel,) = figure("Links that leave their host or partition")
    x = [each.partitions for each in report.partitionings]
    series = (
        ("links between partitions", FIT, [each.inter_partition for each in report.partitionings]),
        ("votes between partitions", SECOND, [each.votes for each in report.partitionings]),
    )
    for name, color, links in series:
        shares = [report.share(number) or 0.0 for number in links]
        panel.plot(x, shares, "o-", ms=4, color=color, label=name)
    panel.axhline(
        report.share(report.inter_host) or 0.0, color=DATA, ls="--", label="links between hosts"
    )
    panel.set_xscale("log", base=2)
    panel.set_xticks(x, [str(number) for number in x])
    panel.set_ylim(bottom=0)
    percent_axis(panel)
    label(panel, "partitions of whole hosts", "share of all links")
    return drawn


def plot_distributions(report: LocalityReport) -> Figure:
    """Draw for each distribution which share of the values is x or more, both axes logarithmic."""
    drawn, panels = figure("Degrees and host sizes", len(report.distributions))
    for panel, each in zip(panels, report.distributions, strict=True):
        _plot_distribution(panel, each)
    return drawn


def _plot_distribution(panel: Axes, each: Distribution) -> None:
    values, counts = each.histogram
    panel.set_title(each.name, fontsize=10)
    if not each.n:
        panel.text(0.5, 0.5, "none above 0", transform=panel.transAxes, ha="center")
        return
    survival = np.cumsum(counts[::-1])[::-1] / each.n
    x, y = thinned(values.astype(np.float64), survival, log=True)
    panel.plot(x, y, ".", ms=3.5, color=DATA, label="share of x or more")
    if each.fit is not None:
        tail = values[values >= each.fit.xmin]
        name = f"alpha {each.fit.alpha:.2f} from {each.fit.xmin:,}"
        xs, ys = thinned(tail.astype(np.float64), each.fit.survival(tail), log=True)
        panel.plot(xs, ys, color=FIT, lw=1.4, label=name)
    logarithmic_counts(panel)
    panel.set_yscale("log")
    panel.set_ylim(bottom=0.5 / each.n)
    label(panel, "x", "share of the values")
