"""The features of the blocks before and after; zeros beyond the ends of the page."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Feature = TypeVar("Feature", bound=np.generic)


def previous(feature: npt.NDArray[Feature]) -> npt.NDArray[Feature]:
    """Return, for each block, *feature* of the one before."""
    return _shifted(feature, slice(1, None), feature[:-1])


def following(feature: npt.NDArray[Feature]) -> npt.NDArray[Feature]:
    """Return, for each block, *feature* of the one after."""
    return _shifted(feature, slice(-1), feature[1:])


def _shifted(feature: npt.NDArray[Any], place: slice, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    shifted = np.zeros_like(feature)
    shifted[place] = values
    return shifted
