"""Segments of a page's tree, found from the root down, and the classifier of the methods on them.

A segmentation marks elements; the topmost marked ones are segments, with all text in them, and so are
the texts that are children of one and the same element above them. ``subtree_weights.npz`` holds a
linear model of each method, on features less their mean, divided by their spread; it is written by
:mod:`pipelines.evaluation.training.subtrees`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.boilerplate.subtree_features import group_features, text_measures
from pipelines.boilerplate.subtree_kernels import find_topmost

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.boilerplate.tree_nodes import TreeNodes

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


class Segments(NamedTuple):
    """``of_text``: the segment of each text, int64[m]; ``features``: float64[s, f], in page order."""

    of_text: I64
    features: F64


class LinearModel(NamedTuple):
    """A linear model on standardised features; content above 0."""

    mean: F64
    spread: F64
    weights: F64
    intercept: float

    def scores(self, features: F64) -> F64:
        """Return the score of each row of *features*."""
        standardised = (features - self.mean) / self.spread
        scores: F64 = standardised @ self.weights + self.intercept
        return scores


def segments_at(page: PageModel, nodes: TreeNodes, marked: Bools) -> Segments:
    """Return the segments of *nodes*, the tree of *page*, that begin at the topmost *marked* ones."""
    topmost = np.empty(len(marked), np.int64)
    find_topmost(nodes.parent, marked, topmost)
    head = topmost[nodes.holder]
    head = np.where(head < 0, nodes.holder, head)
    heads, first, of_text = np.unique(head, return_index=True, return_inverse=True)
    # Numbered by their first text.
    rank = np.empty(len(heads), np.int64)
    rank[np.argsort(first)] = np.arange(len(heads))
    of_text = rank[of_text]
    n_tags = np.ones(len(heads), np.int64)
    n_tags[rank] = np.where(topmost[heads] == heads, nodes.end[heads] - heads, 1)
    features = group_features(text_measures(page, nodes), of_text, len(heads), n_tags)
    return Segments(of_text, features)


@cache
def linear_model(name: str) -> LinearModel:
    """Return the model of the method called *name*."""
    with np.load(Path(__file__).with_name("subtree_weights.npz")) as models:
        mean, spread, weights, intercept = models[name]
    return LinearModel(mean, spread, weights, float(intercept[0]))
