"""What the plots share: figures without a window, and one look."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from pipelines.jobs.laws.report import LawFit

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


def save(drawn: Figure, path: Path) -> None:
    """Write *drawn* to *path* as PNG; the same figure gives the same bytes."""
    with warnings.catch_warnings():
        # Terms may be in scripts that matplotlib's own font has not; boxes stand for them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        drawn.savefig(path, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})


def label(panel: Axes, x: str, y: str, *, legend: bool = True) -> None:
    """Name the axes of *panel*, and its curves unless *legend* is off or nothing has a name."""
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    if legend and panel.get_legend_handles_labels()[0]:
        panel.legend(frameon=False, fontsize=8.5)


def percent_axis(panel: Axes) -> None:
    """Write the y axis of *panel* in per cent."""
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))


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


def is_fitted(law: LawFit) -> bool:
    """Tell whether *law* has a curve."""
    return bool(law.fit.parameters)


def name_of(law: LawFit) -> str:
    """Return the legend of a fitted curve: its law and how good it is."""
    r2 = law.fit.r2
    return f"{law.fit.law} (R² {r2:.3f})" if r2 is not None and np.isfinite(r2) else law.fit.law


def say_unfitted(panel: Axes, laws: Sequence[LawFit]) -> None:
    """Write into *panel* which of *laws* have no fit, and why."""
    lines = [f"{law.fit.law}: {law.fit.note or 'no fit'}" for law in laws if not is_fitted(law)]
    if lines:
        text = "\n".join(lines)
        panel.text(
            *(0.98, 0.02, text),
            transform=panel.transAxes,
            ha="right",
            va="bottom",
            fontsize=8,
            color="#555",
            wrap=True,
        )
