"""The plots of a locality report: dot-plots, shares, distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from pipelines.jobs.laws.drawing import DATA, FIT, SECOND, figure, label, percent_axis, thinned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

    from pipelines.jobs.locality.rasters import Raster
    from pipelines.jobs.locality.report import Distribution, LocalityReport

ALL_PLOTS = ("sorted", "normalised", "partitioned", "shares", "distributions")
# Side of a dot-plot: a cell of a raster of 512 is more than a pixel.
SIDE_INCHES = 7.6
# Share of cells with a link above which black and white tell nothing.
MAX_BLACK = 0.3


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
    # Beside a scale there is room for less of the height.
    height = SIDE_INCHES if is_black else 0.86 * SIDE_INCHES
    drawn = Figure(figsize=(SIDE_INCHES, height), layout="constrained")
    panel = drawn.subplots()
    drawn.suptitle(f"Links, {raster.title}", fontsize=12)
    extent = (0.0, 100.0, 100.0, 0.0)
    if is_black:
        panel.imshow(black, cmap="Greys", extent=extent, vmin=0, vmax=1, interpolation="none")
    else:
        shares = 100 * raster.cells / max(raster.cells.sum(), 1)
        shown = np.ma.masked_equal(shares, 0)
        least = float(shown.min()) if shown.count() else 1.0
        # A single link is a fourth of the way from white to black, not white.
        most = max(float(shares.max()), 2 * least)
        norm = LogNorm(least * (least / most) ** (1 / 3), most)
        image = panel.imshow(shown, cmap="Greys", extent=extent, norm=norm, interpolation="none")
        drawn.colorbar(image, ax=panel, shrink=0.75, label="links in a cell, per cent of all")
    _name_ranges(panel, raster)
    panel.set_xlabel("target page, per cent of all pages")
    panel.set_ylabel("source page, per cent of all pages")
    return drawn


def _name_ranges(panel: Axes, raster: Raster) -> None:
    """Mark where ranges of pages begin and end, and write their names at the top and the right."""
    for _, first, end in raster.bounds:
        for edge in {100 * first, 100 * end} - {0.0, 100.0}:
            panel.axvline(edge, color=SECOND, lw=0.5, alpha=0.6)
            panel.axhline(edge, color=SECOND, lw=0.5, alpha=0.6)
    names = [name if len(name) <= 24 else f"{name[:23]}…" for name, _, _ in raster.bounds]
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
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_ylim(bottom=0.5 / each.n)
    label(panel, "x", "share of the values")
