"""The three forests of a model: main text, main text with comments, forums.

The trees for forums ask, among other things, what the blocks of a page are likely to be. They learn it from
forests that have not seen the page's site, for a forest is surer of what it was trained on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.winnow.comments import KIND_SIGNS, may_be_comments, page_kind
from pipelines.evaluation.training.winnow.boosting import boosted, exported, train_forest
from pipelines.evaluation.training.winnow.held_out import fold_of, held_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.boilerplate.winnow.trees import Forest
    from pipelines.evaluation.training.winnow.boosting import Settings
    from pipelines.evaluation.training.winnow.pages import TrainingPage

    F64 = npt.NDArray[np.float64]


def train_model(
    pages: Sequence[TrainingPage], mains: Sequence[F64 | None], settings: Settings
) -> tuple[Forest, Forest, Forest]:
    """Return the forests ``main``, ``full`` and ``forum`` of a model.

    *mains*: the probabilities of main text that forests give which have not seen a page's site.
    """
    main, full = (train_forest(pages, target, settings) for target in ("main", "full"))
    return main, full, _train_forums(pages, mains, settings)


def _train_forums(
    pages: Sequence[TrainingPage], mains: Sequence[F64 | None], settings: Settings
) -> Forest:
    """Return the forest that tells forums, from the pages whose kind is known."""
    fulls = held_out(pages, "full", settings, fold_of)
    kinds, wanted = [], []
    for page, main, full in zip(pages, mains, fulls, strict=True):
        if page.is_forum is not None and main is not None and full is not None:
            places = may_be_comments(page.x)
            kinds.append(page_kind(page.x, places, main, full, links=page.links)[:, 0])
            wanted.append(page.is_forum)
    if not kinds:
        return exported(None)
    small = replace(settings, n_trees=40, num_leaves=6, min_data_in_leaf=8, feature_fraction=0.5)
    signs = {"monotone_constraints": list(KIND_SIGNS)}
    return boosted(np.array(kinds), np.array(wanted, np.float32), np.ones(len(kinds)), small, signs)
