"""jusText's parameters, tuned on gold pages.

``python -m pipelines.evaluation.training.justext FOLDER`` prints the parameters after each step of
the search (:mod:`pipelines.boilerplate.justext.tuner`) and their F0.5, of the characters of all
blocks of all pages together, as the thesis counts those of text nodes (sections 2.9.1 and 2.9.5).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.justext import Features, JusText, context_sensitive, tune
from pipelines.boilerplate.justext.classes import GOOD
from pipelines.boilerplate.justext.paragraphs import paragraphs_of
from pipelines.evaluation.training.gold_pages import labelled_pages
from pipelines.evaluation.training.model_files import run_training

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from pipelines.evaluation.training.gold_pages import LabelledPage


def f_half_of(pages: Iterable[LabelledPage]) -> Callable[[Mapping[str, float]], float]:
    """Return the function that gives the F0.5, 0 to 1, of parameters on *pages*, which are read once."""
    rules = JusText()
    columns, main, other = [], [], []
    # Between pages stands a paragraph that is bad, as the ends of a page are.
    end = Features(np.zeros(1, np.int64), np.zeros(1), np.zeros(1), np.ones(1, np.bool_))
    for page, is_main, known in pages:
        paragraphs = paragraphs_of(page)
        n_chars = np.array([len(text) for text in page.blocks.text]) * known
        columns += [rules.features(page, paragraphs, all_densities=True), end]
        main.append(np.bincount(paragraphs.of_block, n_chars * is_main, len(paragraphs) + 1))
        other.append(np.bincount(paragraphs.of_block, n_chars * ~is_main, len(paragraphs) + 1))
    features = Features(*map(np.concatenate, zip(*columns, strict=True)))
    all_main, all_other = np.concatenate(main), np.concatenate(other)

    def f_half(parameters: Mapping[str, float]) -> float:
        classes = JusText(**parameters).classify(features)  # type: ignore[arg-type]  # lengths may be floats
        is_good = context_sensitive(classes) == GOOD
        right, wrong = all_main[is_good].sum(), all_other[is_good].sum()
        # F0.5 = 1.25 P R / (0.25 P + R)
        return float(1.25 * right / max(0.25 * all_main.sum() + right + wrong, 1.0))

    return f_half


def train_folder(folder: Path) -> None:
    """Print the search on the sets in *folder*."""
    _, trace = tune(f_half_of(labelled_pages(folder, JusText.inline)))
    for parameters, score in trace:
        values = " ".join(f"{name}={value:g}" for name, value in parameters.items())
        sys.stdout.write(f"{values} F0.5={score:.4f}\n")


if __name__ == "__main__":
    sys.exit(run_training(train_folder))
