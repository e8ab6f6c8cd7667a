"""What the plots of the laws say of a fit: its legend, and why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from pipelines.jobs.laws.report import LawFit


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
