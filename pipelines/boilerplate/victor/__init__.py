"""Victor: a linear-chain conditional random field over the blocks of a page.

With x the features of the blocks of a page, each a whole number, the labels y are those of the
largest score::

    sum over blocks i of  sum over features f of W[f, x[i, f], y[i]]  +  T[y[i - 1], y[i]]

which Viterbi's algorithm finds. *Source: Marek, Pecina, Spousta 2007, as Pomikálek 2011, sections
2.6.2 and 2.9.6, describes it.* It has five classes (:data:`CLASSES`), all of them content but the first; or
two, content and not.

Deviations: a text node is here a block between two gaps, so that a link does not stand by itself
(section 2.9.10 shows what harm it does when it does). The thesis does not list the features; those
here are of its three kinds, by markup, by content and by document, and quantised
(:mod:`pipelines.boilerplate.victor.features`). Its five classes were marked by hand on CleanEval's pages;
here they are what the markup of main text says (:mod:`pipelines.evaluation.training.victor`).
Models: ``all`` has five classes and is trained on all sets of the training part, ``canola``
(VictorCanola) two, on KrdWrd's pages alone, without what the annotators were uncertain or divided about.

Beside the thesis: by text nodes of KrdWrd's pages that they were not fitted on (table 2.5, all labels), ``canola`` has
an F1 of .963, VictorCanola .946; ``all`` .896 (precision .968, recall .835), VictorCleanEval .921. On CleanEval's 57
pages of ../shared by words (table 2.8) ``canola`` has .881, VictorCanola .918; ``all`` .843, VictorCleanEval, which was
fitted on CleanEval's, .944, and the whole page .929: neither model has seen such pages, whose gold keeps more than
others do. On the pages kept for scoring ``all`` has a token F1 of .743, ``canola`` .736. KrdWrd's marks of text nodes,
``kw`` tags, would part its blocks: fitted on pages that have them, and judged on such, ``all`` has .940 and .882, and
.740 on the pages for scoring, for there KrdWrd's many short blocks make content likelier; ``canola`` .952, .865 and
.676. The five classes differ little from two, as in the thesis: on pages of other sites than those fitted on, two
thirds of the training part in turn, with the marks, token F1 .760 and .783, .769 and .738. Shapes: W float32[f,
MAX_VALUES, c] and T float32[c, c] for c classes. Cost: O(n).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pipelines.boilerplate.labels import BOILERPLATE, CONTENT, Labels
from pipelines.boilerplate.reasons import Reasons, of_blocks, signed
from pipelines.boilerplate.victor.decoding import best_labels
from pipelines.boilerplate.victor.features import block_features

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline

    F32 = npt.NDArray[np.float32]
    F64 = npt.NDArray[np.float64]
    U8 = npt.NDArray[np.uint8]

__all__ = ["CLASSES", "MODELS", "TWO_CLASSES", "Victor", "best_labels", "block_features"]

# The first is no content. A continuation goes on with the block before it.
CLASSES = ("other", "header", "paragraph", "list", "continuation")
TWO_CLASSES = (BOILERPLATE, CONTENT)
MODELS = {"all": CLASSES, "canola": TWO_CLASSES}


class Victor:
    """The model called *model*; *bias* is added to the score of all content in each block."""

    inline: ClassVar[Inline] = "gap"

    def __init__(self, *, model: str = "all", bias: float = 0.0):
        if model not in MODELS:
            raise ValueError(f"model must be one of {', '.join(MODELS)}, got {model!r}")
        self.model = model
        self.bias = bias

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* with one of the classes of the model."""
        _, labels = self._decide(page)
        names = MODELS[self.model]
        return Labels(labels > 0, [names[label] for label in labels.tolist()])

    def reasons(self, page: PageModel) -> Reasons:
        """Return what each block of *page* would be by itself, and by how much, and what its neighbours made of it."""
        scores, labels = self._decide(page)
        names = MODELS[self.model]
        told = []
        for row, label in zip(scores, labels.tolist(), strict=True):
            alone, next_best = np.argsort(-row, kind="stable")[:2].tolist()
            lead = signed(float(row[alone] - row[next_best]))
            by_others = "" if alone == label else f"; {names[label]} with those around it"
            told.append(f"by itself {names[alone]} ({lead} before {names[next_best]}){by_others}")
        return of_blocks("Labels are those that score best together, in log odds.", told)

    def _decide(self, page: PageModel) -> tuple[F64, U8]:
        """Return the scores of the blocks' labels by themselves, and the numbers of their labels."""
        weights, transitions = _model(self.model)
        features = block_features(page)
        scores = weights[np.arange(features.shape[1]), features].sum(1, dtype=np.float64)
        scores[:, 1:] += self.bias
        return scores, best_labels(scores, transitions.astype(np.float64))


@cache
def _model(name: str) -> tuple[F32, F32]:
    with np.load(Path(__file__).with_name(f"{name}.npz")) as model:
        return model["weights"], model["transitions"]
