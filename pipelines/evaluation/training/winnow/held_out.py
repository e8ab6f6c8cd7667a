"""Probabilities of pages by forests that have not seen them, nor others of their site or set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import xxhash

from pipelines.boilerplate.winnow.method import probabilities
from pipelines.evaluation.training.winnow.boosting import Settings, train_forest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    from pipelines.evaluation.training.winnow.pages import TrainingPage

    F64 = npt.NDArray[np.float64]

N_FOLDS = 4


def fold_of(page: TrainingPage) -> int:
    """Return the fold of *page* and all others of its site."""
    return xxhash.xxh3_64_intdigest(page.site.encode()) % N_FOLDS


def set_of(page: TrainingPage) -> str:
    """Return the set of *page*."""
    return page.dataset


def held_out(
    pages: Sequence[TrainingPage],
    target: str,
    settings: Settings,
    part_of: Callable[[TrainingPage], int | str],
) -> list[F64 | None]:
    """Return the probabilities of each page's blocks by a forest of all other parts.

    None for the pages of a part that is alone.
    """
    found: list[F64 | None] = [None] * len(pages)
    parts = [part_of(page) for page in pages]
    for part in sorted(set(parts), key=str):
        train = [page for page, its in zip(pages, parts, strict=True) if its != part]
        if not train:
            continue
        forest = train_forest(train, target, settings)
        for number, its in enumerate(parts):
            if its == part:
                found[number] = probabilities(forest, pages[number].x)
    return found
