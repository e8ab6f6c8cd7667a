"""All features of the blocks of a page, as one matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.winnow import (
    context_features,
    local_features,
    page_features,
    structure_features,
)
from pipelines.boilerplate.winnow.measures import measure
from pipelines.boilerplate.winnow.rings import room_for_rings

if TYPE_CHECKING:
    from crawler.page import PageModel
    from pipelines.boilerplate.winnow.measures import F32, Measures

_GROUPS = (local_features, context_features, structure_features, page_features)
FEATURE_NAMES = tuple(name for group in _GROUPS for name in group.NAMES)
_SIZES = [len(group.NAMES) for group in _GROUPS]
_STARTS = [sum(_SIZES[:number]) for number in range(len(_SIZES))]


def features(page: PageModel) -> F32:
    """Return the features of the blocks of *page*, float32[len(FEATURE_NAMES), n]."""
    x = np.empty((len(FEATURE_NAMES), len(page.blocks)), np.float32)
    if not len(page.blocks):
        return x
    m = measure(page)
    local, context, structure, whole = (
        x[start : start + size] for start, size in zip(_STARTS, _SIZES, strict=True)
    )
    local_features.local_features(m, len(page.source), local)
    _context(page, m, context)
    _structure(m, structure)
    page_features.page_features(page, m, whole)
    return x


def _context(page: PageModel, m: Measures, x: F32) -> None:
    likeness, levels = np.empty((2, len(m.n_words)), np.float32)
    n_title = len((page.title or "").split())
    context_features.context_features(m, n_title, likeness, levels, len(page.source), x)


def _structure(m: Measures, x: F32) -> None:
    n, n_elements = len(m.n_words), len(m.elements.parent)
    n_keys = max(n, n_elements) + 2
    structure_features.structure_features(
        m,
        room_for_rings(n_elements),
        np.zeros(1 << (2 * n_keys).bit_length(), np.uint32),
        np.empty(n_keys, np.uint32),
        np.empty((6, n_keys)),
        np.empty(n, np.uint32),
        x,
    )
