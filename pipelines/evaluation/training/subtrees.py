"""The linear models of the methods that classify subtrees, fitted on gold pages.

``python -m pipelines.evaluation.training.subtrees FOLDER`` writes ``subtree_weights.npz`` of
:mod:`pipelines.boilerplate.subtree_segments`: a linear support vector machine for FIASCO-like, a
logistic regression for GenieKnows-like and for isotonic smoothing. A part of the tree is main content
when more than half of its words are in main blocks; it counts by its share of the words of all
parts of its page. The same pages give the same numbers, but for the last digits on another processor.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.errors import InputError
from pipelines.boilerplate import genieknows
from pipelines.boilerplate.fiasco import FiascoLike
from pipelines.boilerplate.genieknows import GenieKnowsLike
from pipelines.boilerplate.subtree_features import subtree_features, text_measures
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.evaluation.training.gold_pages import labelled_pages
from pipelines.evaluation.training.model_files import (
    MODELS_FOLDER,
    run_model_training,
    training_module,
    write_model,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.evaluation.training.gold_pages import LabelledPage

    F64 = npt.NDArray[np.float64]
    # Features of parts, their words, and those of them that are main content.
    Parts = tuple[F64, F64, F64]

METHODS = ("fiasco", "genieknows", "isotonic")
REGULARISATION = 1.0


def train(pages: Iterable[LabelledPage]) -> dict[str, F64]:
    """Return float64[4, f] of each method: mean, spread, weights, intercept (in all places)."""
    # Asked for before the pages are read, which takes long.
    linear_model, svm = (
        training_module(f"sklearn.{name}", "scikit-learn") for name in ("linear_model", "svm")
    )
    models = {
        method: svm.LinearSVC(C=REGULARISATION, dual=False)
        if method == "fiasco"
        else linear_model.LogisticRegression(C=REGULARISATION, max_iter=500)
        for method in METHODS
    }
    rows: dict[str, list[Parts]] = {method: [] for method in METHODS}
    for page in pages:
        for method, parts in zip(METHODS, _parts(page), strict=True):
            rows[method].append(parts)
    return {method: _fitted(method, parts, models[method]) for method, parts in rows.items()}


def _parts(labelled: LabelledPage) -> Iterator[Parts]:
    """Yield the parts of a page that each of the methods classifies."""
    page, is_main, known = labelled
    nodes = TreeNodes(page)
    words = nodes.words.astype(np.float64)
    n_pieces = np.maximum(np.bincount(nodes.piece_text, minlength=len(words)), 1)
    used = np.bincount(nodes.piece_text, known[nodes.piece_block], len(words)) / n_pieces * words
    is_good = (known & is_main)[nodes.piece_block]
    good = np.bincount(nodes.piece_text, is_good, len(words)) / n_pieces * words
    for method in (FiascoLike(), GenieKnowsLike()):
        of_text, features = method.segments(page, nodes)
        columns = genieknows.COLUMNS if isinstance(method, GenieKnowsLike) else slice(None)
        of_used: F64 = np.bincount(of_text, used, len(features)).astype(np.float64)
        of_good: F64 = np.bincount(of_text, good, len(features)).astype(np.float64)
        yield features[:, columns], of_used, of_good
    features = subtree_features(text_measures(page, nodes), nodes)
    yield features, _within(nodes, used), _within(nodes, good)


def _within(nodes: TreeNodes, of_text: F64) -> F64:
    """Return the sum of *of_text* over the texts of each element's subtree."""
    sums = np.concatenate(([0.0], np.cumsum(np.bincount(nodes.holder, of_text, len(nodes.tag)))))
    return sums[nodes.end] - sums[:-1]


def _fitted(method: str, parts: list[Parts], model: Any) -> F64:
    features = np.concatenate([rows for rows, _, _ in parts])
    words = np.concatenate([used for _, used, _ in parts])
    good = np.concatenate([main for _, _, main in parts])
    shares = np.concatenate([used / max(used.sum(), 1.0) for _, used, _ in parts])
    chosen = words > 0
    features, is_main, weight = features[chosen], 2 * good[chosen] > words[chosen], shares[chosen]
    if is_main.all() or not is_main.any():
        raise InputError(
            f"all parts of the pages that {method} tells apart are of one kind; give more pages"
        )
    mean, spread = features.mean(0), np.maximum(features.std(0), 1e-6)
    # Weights that are 1 in the mean.
    model.fit((features - mean) / spread, is_main, sample_weight=weight / weight.mean())
    intercept = np.full(len(mean), model.intercept_[0])
    return np.stack((mean, spread, model.coef_[0], intercept))


def train_folder(folder: Path, into: Path = MODELS_FOLDER) -> None:
    """Train on the sets in *folder* and write what the method reads, below *into*."""
    models = train(labelled_pages(folder, FiascoLike.inline))
    write_model(into / "subtree_weights.npz", models)


if __name__ == "__main__":
    sys.exit(run_model_training(train_folder))
