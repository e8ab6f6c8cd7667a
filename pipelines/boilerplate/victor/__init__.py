"""Victor: a linear-chain conditional random field over the blocks of a page.

With x the features of the blocks of a page, each a whole number, the labels y are those of the
largest score::

    sum over blocks i of  sum over features f of W[f, x[i, f], y[i]]  +  T[y[i - 1], y[i]]

which Viterbi's algorithm finds. *Source: Marek, Pecina, Spousta 2007, as Pomikálek 2011, sections
2.6.2 and 2.9.6, describes it.* There it has five classes, of which header, paragraph, list and
continuation are content, or the two that are built here; the five need CleanEval's tagged pages.

Deviations: a text node is here a block between two gaps, so that a link does not stand by itself
(section 2.9.10 shows what harm it does when it does). The thesis does not list the features; those
here are of its three kinds, by markup, by content and by document, and quantised
(:mod:`pipelines.boilerplate.victor.features`). Models: ``all`` is trained on all sets of the training
part, ``canola`` (VictorCanola) on KrdWrd's pages alone, without what the annotators were uncertain or
divided about. They are written by :mod:`pipelines.evaluation.training.victor`.

Beside the thesis (table 2.5, all labels): ``canola`` has an F1 of .952 by text nodes on KrdWrd's pages that
it was not fitted on, VictorCanola .946. On CleanEval's it is below its .918, and ``all`` below
VictorCleanEval: a page is labelled as one sequence, and on some pages all of it becomes boilerplate.
Tags around every text node, as the stored pages of KrdWrd have them (``kw``), part its blocks: with them
``all`` has a token F1 of .77 there, without them .88.

Shapes: W float32[f, MAX_VALUES, 2], T float32[2, 2]. Cost: O(n).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.victor.decoding import best_labels
from pipelines.boilerplate.victor.features import block_features

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel

    F32 = npt.NDArray[np.float32]

__all__ = ["MODELS", "Victor", "best_labels", "block_features"]

MODELS = ("all", "canola")


class Victor:
    """The two-class model called *model*; *bias* is added to the score of content in each block."""

    inline: ClassVar[Literal["gap", "transparent"]] = "gap"

    def __init__(self, *, model: str = "all", bias: float = 0.0):
        if model not in MODELS:
            raise ValueError(f"model must be one of {', '.join(MODELS)}, got {model!r}")
        self.model = model
        self.bias = bias

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        weights, transitions = _model(self.model)
        features = block_features(page)
        scores = weights[np.arange(features.shape[1]), features].sum(1, dtype=np.float64)
        scores[:, 1] += self.bias
        return labels_of(best_labels(scores, transitions.astype(np.float64)) == 1)


@cache
def _model(name: str) -> tuple[F32, F32]:
    with np.load(Path(__file__).with_name(f"{name}.npz")) as model:
        return model["weights"], model["transitions"]
