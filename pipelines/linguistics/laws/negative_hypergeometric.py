"""Frumkina's law: class frequencies follow the negative hypergeometric distribution.

*Source: Kohlschütter 2011, section 4.2.4, eq. 4.2 and figure 4.12* (K = 2.30454, M = .10989, n = 17,
chi2 = 14.2394, P = .3572, C = .0061, df = 13), on quotients of the text density of neighbours in
classes of width 1. The distribution is 1-displaced: class 1 is x = 0. df counts K, M and n.

n, unless given, is the least that holds all classes, as printed (18 classes, n = 17).
`rank_distributions` stands in for the Altmann-Fitter, which tries over 200 families; see
:mod:`pipelines.linguistics.laws.discrete_distributions` for the search.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pipelines.linguistics.laws.discrete_distributions import (
    NEGATIVE_HYPERGEOMETRIC,
    OTHERS,
    Family,
    fit_distribution,
)
from pipelines.linguistics.laws.fit import Fit, unfitted

if TYPE_CHECKING:
    import numpy.typing as npt


def fit_frumkina(class_frequencies: npt.NDArray[np.int64], n: int | None = None) -> Fit:
    """Fit the negative hypergeometric distribution to the frequencies of classes 1, 2, ...

    Empty classes at the end do not count, unless a larger *n* takes them in. Fewer than three
    classes: no fit. Raises `ValueError` for a negative or infinite frequency, and an *n* below the
    last class - 1.
    """
    return _fit(NEGATIVE_HYPERGEOMETRIC, _checked(class_frequencies), n)


def rank_distributions(class_frequencies: npt.NDArray[np.int64]) -> list[Fit]:
    """Return the fits of six distributions to the frequencies of classes 1, 2, ..., best first.

    Sorted by P, then by C, as with many observations every P is 0. Raises as `fit_frumkina` does.
    """
    frequencies = _checked(class_frequencies)
    fits = [_fit(family, frequencies, None) for family in (NEGATIVE_HYPERGEOMETRIC, *OTHERS)]
    return sorted(fits, key=_order)


def _order(fit: Fit) -> tuple[float, float]:
    return -(fit.p if fit.p is not None else -1.0), fit.c if fit.c is not None else math.inf


def _checked(class_frequencies: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    frequencies = np.asarray(class_frequencies, dtype=np.float64)
    if not np.isfinite(frequencies).all() or (frequencies < 0).any():
        raise ValueError("class_frequencies must be finite and at least 0")
    return np.trim_zeros(frequencies, "b")


def _fit(family: Family, frequencies: npt.NDArray[np.float64], n: int | None) -> Fit:
    least = len(frequencies) - 1
    if n is not None and n < max(least, 1):
        raise ValueError(f"n must be at least {max(least, 1)}, got {n}")
    if least < 2:
        x = np.arange(1, least + 2, dtype=np.float64)
        return unfitted(family.law, family.source, x, frequencies, f"{least + 1} classes, below 3")
    n = least if n is None else n
    return fit_distribution(family, np.pad(frequencies, (0, n - least)), n)
