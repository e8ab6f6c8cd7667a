"""The naive Bayes tables of maximum subsequence segmentation, counted on gold pages.

``python -m pipelines.evaluation.training.max_subsequence FOLDER`` writes
``pipelines/boilerplate/max_subsequence.npz``. Log ratios are of counts with `SMOOTHING` added to each
place of a table. The words of a page count alike in all pages of more than 1,000 words: each counts
1,000 divided by their number. The same pages give the same bytes.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.max_subsequence import (
    STEP,
    TAG_BITS,
    TRIGRAM_BITS,
    WORD_BITS,
    MaxSubsequence,
    token_features,
)
from pipelines.evaluation.training.gold_pages import labelled_pages
from pipelines.evaluation.training.model_files import MODELS_FOLDER, run_model_training, write_model

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.evaluation.training.gold_pages import LabelledPage

    F64 = npt.NDArray[np.float64]

SMOOTHING = 1.0
FULL_PAGE_WORDS = 1000
_BITS = {"word": WORD_BITS, "trigram": TRIGRAM_BITS, "tag": TAG_BITS}


def train(pages: Iterable[LabelledPage]) -> dict[str, npt.NDArray[np.generic]]:
    """Return the tables counted on *pages*: int8 of each feature, and the prior log odds."""
    counts = {name: np.zeros((2, 1 << bits)) for name, bits in _BITS.items()}
    totals = np.zeros(2)
    for page, is_main, known in pages:
        features = token_features(page)
        used = known[features.block]
        weight = min(1.0, FULL_PAGE_WORDS / max(len(features.block), 1))
        label = is_main[features.block]
        for main in (0, 1):
            of_class = used & (label == bool(main))
            totals[main] += weight * np.count_nonzero(of_class)
            for name in _BITS:
                places = getattr(features, name)[of_class]
                np.add.at(counts[name][main], places, weight)
    tables: dict[str, npt.NDArray[np.generic]] = {
        name: _log_ratios(counted) for name, counted in counts.items()
    }
    prior = np.log((totals[1] + SMOOTHING) / (totals[0] + SMOOTHING))
    return {**tables, "prior": np.array([prior])}


def _log_ratios(counted: F64) -> npt.NDArray[np.int8]:
    """Return the log of P(feature | main) / P(feature | other) in steps; 0 for what was never seen."""
    shares = (counted + SMOOTHING) / (counted.sum(1, keepdims=True) + SMOOTHING * counted.shape[1])
    steps = np.rint(np.log(shares[1] / shares[0]) / STEP)
    steps[counted.sum(0) == 0] = 0
    clipped: npt.NDArray[np.int8] = np.clip(steps, -127, 127).astype(np.int8)
    return clipped


def train_folder(folder: Path, into: Path = MODELS_FOLDER) -> None:
    """Train on the sets in *folder* and write what the method reads, below *into*."""
    tables = train(labelled_pages(folder, MaxSubsequence.inline))
    write_model(into / "max_subsequence.npz", tables)


if __name__ == "__main__":
    sys.exit(run_model_training(train_folder))
