"""The character models of NCleaner, counted on gold pages.

``python -m pipelines.evaluation.training.ncleaner FOLDER`` writes ``ncleaner.npz`` of
:mod:`pipelines.boilerplate.ncleaner`. A page's paragraphs are main content when most of their words
are in main blocks; pages count alike from 5,000 characters of a class on. The same pages give the
same bytes.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.justext.paragraphs import paragraphs_of
from pipelines.boilerplate.ncleaner import N_SYMBOLS, STEP, NCleaner, symbols_of, trigrams
from pipelines.evaluation.training.gold_pages import labelled_pages
from pipelines.evaluation.training.model_files import MODELS_FOLDER, run_model_training, write_model

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.evaluation.training.gold_pages import LabelledPage

    F64 = npt.NDArray[np.float64]

# Weights of the higher against the lower order, and the characters that a page counts at most.
LAMBDAS = (0.95, 0.9, 0.8)
FULL_PAGE_CHARS = 5000


def train(pages: Iterable[LabelledPage]) -> dict[str, npt.NDArray[np.int8]]:
    """Return the tables ``lexical`` and ``non_lexical`` of *pages*."""
    counts = {name: np.zeros((2, N_SYMBOLS**3)) for name in ("lexical", "non_lexical")}
    for page, is_main, known in pages:
        paragraphs = paragraphs_of(page)
        n_words = page.blocks.n_words * known
        total = np.bincount(paragraphs.of_block, n_words, len(paragraphs))
        share = np.bincount(paragraphs.of_block, n_words * is_main, len(paragraphs))
        for name, counted in counts.items():
            for main in (0, 1):
                chosen = (total > 0) & ((2 * share >= total) == bool(main))
                texts = [paragraphs.text[number] for number in np.flatnonzero(chosen).tolist()]
                if texts:
                    numbers = trigrams(symbols_of(texts, lexical=name == "lexical")[0])
                    np.add.at(counted[main], numbers, min(1.0, FULL_PAGE_CHARS / len(numbers)))
    return {name: _differences(counted) for name, counted in counts.items()}


def _differences(counted: F64) -> npt.NDArray[np.int8]:
    cube = (N_SYMBOLS,) * 3
    other, main = (np.log(interpolated(counts.reshape(cube), LAMBDAS)) for counts in counted)
    steps = np.clip(np.rint((main - other) / STEP), -127, 127)
    # What neither class has ever seen says nothing.
    steps[(counted[0] + counted[1]).reshape(cube) == 0] = 0
    return steps.astype(np.int8)


def interpolated(counts: F64, lambdas: tuple[float, float, float]) -> F64:
    """Return P(c | a, b) of the trigrams that were counted as *counts* [a, b, c]; all above 0.

    *lambdas*: weights of orders 1, 2 and 3, each against the order below, 0 to 1. A history that was
    never seen gives the probabilities of the order below.
    """
    probability = np.full(N_SYMBOLS, 1 / N_SYMBOLS)
    for order, weight in enumerate(lambdas, 1):
        of_order = counts.sum(axis=tuple(range(3 - order)))
        seen = of_order.sum(axis=-1, keepdims=True)
        ratio = np.divide(of_order, seen, out=np.zeros_like(of_order), where=seen > 0)
        probability = np.where(seen > 0, weight * ratio + (1 - weight) * probability, probability)
    return probability


def train_folder(folder: Path, into: Path = MODELS_FOLDER) -> None:
    """Train on the sets in *folder* and write what the method reads, below *into*."""
    tables = train(labelled_pages(folder, NCleaner.inline))
    write_model(into / "ncleaner.npz", tables)


if __name__ == "__main__":
    sys.exit(run_model_training(train_folder))
