"""What the plots share: figures without a window, and one look."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogFormatter

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

# Okabe and Ito's palette: told apart by all kinds of colour vision, and in grey.
DATA, FIT, SECOND, THIRD, SHADE = "#9aa7b1", "#d55e00", "#0072b2", "#009e73", "#cc79a7"
INCHES = (7.2, 4.4)
DOTS_PER_INCH = 110
# Points drawn of a long curve; more cannot be seen.
MAX_POINTS = 2000


def figure(title: str, n_panels: int = 1) -> tuple[Figure, list[Axes]]:
    """Return a figure with *title* and its panels, side by side."""
    width = INCHES[0] if n_panels == 1 else 4.1 * n_panels
    drawn = Figure(figsize=(width, INCHES[1]), layout="constrained")
    drawn.suptitle(title, fontsize=12)
    panels = list(np.ravel(drawn.subplots(1, n_panels, squeeze=False)))
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(visible=True, color="#e4e8eb", linewidth=0.7)
        panel.set_axisbelow(True)
    return drawn, panels


def png(drawn: Figure) -> bytes:
    """Return *drawn* as a PNG file; the same figure gives the same bytes."""
    file = BytesIO()
    with warnings.catch_warnings():
        # Terms may be in scripts that matplotlib's own font has not; boxes stand for them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        # Legends look for a free place; on a busy machine matplotlib finds that slow.
        warnings.filterwarnings("ignore", message="Creating legend with loc=")
        drawn.savefig(file, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return file.getvalue()


def label(panel: Axes, x: str, y: str, *, legend: bool = True) -> None:
    """Name the axes of *panel*, and its curves unless *legend* is off or nothing has a name."""
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    if legend and panel.get_legend_handles_labels()[0]:
        panel.legend(frameon=False, fontsize=8.5)


def percent_axis(panel: Axes) -> None:
    """Write the y axis of *panel* in per cent."""
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))


def logarithmic_counts(panel: Axes) -> None:
    """Make the x axis of *panel*, of numbers from 1 on, logarithmic; 20 is written so, and not as a power.

    Where less than two decades are shown, matplotlib names numbers between them, and powers would overlap.
    """
    panel.set_xscale("log")
    panel.xaxis.set_minor_formatter(LogFormatter())


def thinned(
    x: npt.NDArray[np.float64], *ys: npt.NDArray[np.float64], log: bool = False
) -> list[npt.NDArray[np.float64]]:
    """Return at most `MAX_POINTS` points of curves over *x*; with *log* spread over its logarithm."""
    n = len(x)
    if n <= MAX_POINTS:
        return [x, *ys]
    last = np.log(n) if log else n - 1
    spread = np.linspace(0, last, MAX_POINTS)
    rows = np.exp(spread) - 1 if log else spread
    chosen = np.unique(np.clip(np.rint(rows), 0, n - 1).astype(np.int64))
    return [x[chosen], *(y[chosen] for y in ys)]
