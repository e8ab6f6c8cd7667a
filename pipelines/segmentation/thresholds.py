"""The published thresholds of Block Fusion, without its kernels.

*Source: Kohlschütter 2011, section 4.2.4*: the best threshold of each variant.
"""

from __future__ import annotations

THETA = {"plain": 0.38, "smoothed": 0.38, "rule-based": 0.6}


def published_theta(method: str) -> float | None:
    """Return the threshold of the method called *method*; None for one that has none.

    >>> published_theta("BF-plain"), published_theta("JustRules")
    (0.38, None)
    """
    return THETA.get(method.removeprefix("BF-")) if method.startswith("BF-") else None
