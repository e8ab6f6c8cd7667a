"""Zipf's law on the lengths of segments: frequency of length x falls as a power of x.

::

    y = C x^-b        x = tokens of a segment, y = relative frequency of that length

*Source: Kohlschütter 2011, section 4.2.1, eq. 4.3, and table 4.2*, which does not say what x and y
are. C is about 1 there, so y is taken in units of the frequency of length 1; other units are an
option. Lengths that no segment has are left out: nearly all long ones are empty, and they would
fit themselves. The same figures are printed for the manual segmentation and for JUSTRULES, one of
which is a slip, so they are no two targets.

Least squares on y, not on its logarithm. chi2 is over counts, as printed; the curve is no
distribution (its sum is not N), so there is neither df nor P. Cost: O(n) and a few passes over the
distinct lengths.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from pipelines.linguistics.laws.fit import Curve, Fit, chi_square, fit_curve

if TYPE_CHECKING:
    import numpy.typing as npt


def _power(x: npt.NDArray[np.float64], c: float, b: float) -> npt.NDArray[np.float64]:
    return np.asarray(c * x**-b, dtype=np.float64)


_ZIPF = Curve("Zipf", "Kohlschütter 2011, eq. 4.3", _power, ("C", "b"), (0.0, 0.0), (1e6, 20.0))


def fit_zipf(
    token_counts: npt.NDArray[np.int64], unit: Literal["first", "largest", "all"] = "first"
) -> Fit:
    """Fit Zipf's law to *token_counts*, the lengths of segments; lengths of 0 do not count.

    *unit* of y: the frequency of length 1 ("first", and the largest frequency where no segment has
    one token), the largest frequency, or that of all segments. Fewer than three lengths: no fit.
    Raises `ValueError` for a negative length, one that is no integer, and an unknown *unit*.
    """
    counts = np.asarray(token_counts)
    if counts.size and (counts.min() < 0 or not np.issubdtype(counts.dtype, np.integer)):
        raise ValueError("token_counts must be integers of at least 0")
    if unit not in ("first", "largest", "all"):
        raise ValueError(f"unit must be first, largest or all, got {unit!r}")
    lengths, frequencies = np.unique(counts[counts > 0], return_counts=True)
    x = lengths.astype(np.float64)
    observed = frequencies.astype(np.float64)
    units = {"largest": observed.max(initial=0), "all": observed.sum()}
    has_first = bool(len(x)) and x[0] == 1
    one = observed[0] if unit == "first" and has_first else units.get(unit, units["largest"])
    fit = fit_curve(_ZIPF, x, observed / max(one, 1), [(1, 0.5), (1, 1), (1, 2), (0.1, 0.2)])
    if not fit.parameters:
        return fit
    chi2, _, _, c = chi_square(observed, fit.fitted * one, 2)
    missing = "" if unit != "first" or has_first else "no segment of one token, so largest = 1"
    note = "; ".join(part for part in (missing, fit.note) if part)
    return replace(fit, chi2=chi2, c=c, note=note)
