"""Lavalette's law: frequencies by rank, falling at both ends of a finite set.

::

    y = c (x / (1 - x))^-a1        x = rank / (n + 1), y = frequency, largest = 1

*Source: Kohlschütter 2011, section 4.3.2* (the ratio of document frequencies of terms: a1 = .39,
c = .01) *and 4.3.3* (frequency of segments: a1 = .7408), *after Lavalette 2007*. How the rank is
scaled to 0..1 is not said; rank / (n + 1) keeps both ends inside. In frequencies of the data, c is
to be multiplied by the largest.

Least squares on y. Cost: a sort and a few passes over n values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pipelines.linguistics.laws.fit import Curve, Fit, fit_curve

if TYPE_CHECKING:
    import numpy.typing as npt


def _power(odds: npt.NDArray[np.float64], a1: float, c: float) -> npt.NDArray[np.float64]:
    return np.asarray(c * odds**-a1, dtype=np.float64)


_LAVALETTE = Curve(
    "Lavalette",
    "Kohlschütter 2011, section 4.3.2",
    _power,
    ("a1", "c"),
    (0.0, 0.0),
    (20.0, 1e6),
)


def fit_lavalette(
    document_frequencies: npt.NDArray[np.int64] | npt.NDArray[np.float64],
) -> Fit:
    """Fit Lavalette's law to *document_frequencies* (counts or ratios above 0, in any order).

    Zeros do not count; fewer than three values, or equal ones: no fit. Raises `ValueError` for a
    negative or infinite value.
    """
    values = np.asarray(document_frequencies, dtype=np.float64)
    if not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("document_frequencies must be finite and at least 0")
    y = np.sort(values[values > 0])[::-1]
    n = len(y)
    x = np.arange(1, n + 1) / (n + 1)
    y = y / y.max(initial=1e-300)
    # With the odds of the first rank, 1 / n, as unit, c is near 1 whatever a1 is.
    fit = fit_curve(_LAVALETTE, n * x / (1 - x), y, [(0.3, 1.0), (1.0, 1.0)])
    if not fit.parameters:
        return replace(fit, x=x)
    a1, c = fit.parameters["a1"], fit.parameters["c"]
    return replace(fit, x=x, parameters={"a1": a1, "c": c * float(n) ** -a1})
