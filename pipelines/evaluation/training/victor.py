"""The conditional random fields of Victor, fitted on gold pages.

``python -m pipelines.evaluation.training.victor FOLDER`` writes ``all.npz`` and ``canola.npz`` of
:mod:`pipelines.boilerplate.victor`. L-BFGS on the likelihood with an L2 penalty, by CRFsuite (the
thesis: CRF++, which does the same). Blocks without a known label cut a page into two sequences.
The same pages give the same bytes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate import victor
from pipelines.boilerplate.victor import Victor, block_features
from pipelines.boilerplate.victor.features import MAX_VALUES
from pipelines.evaluation.training.gold_pages import labelled_pages
from pipelines.evaluation.training.model_files import run_training, write_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from pipelines.evaluation.training.gold_pages import LabelledPage

    U8 = npt.NDArray[np.uint8]

# The sets of each model; none: all of them.
SETS: dict[str, tuple[str, ...]] = {"all": (), "canola": ("krdwrd-canola",)}
# Measured: a model of KrdWrd's pages does better on the other training sets with 10 than with 1.
L2 = 10.0
MAX_ITERATIONS = 150
LABELS = ("0", "1")


def train(
    pages: Iterable[LabelledPage], *, l2: float = L2, max_iterations: int = MAX_ITERATIONS
) -> dict[str, npt.NDArray[np.float32]]:
    """Return the ``weights`` and ``transitions`` fitted on *pages*."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": l2, "max_iterations": max_iterations})
    n_columns = 0
    for features, labels in sequences(pages):
        n_columns = features.shape[1]
        trainer.append(attributes(features), [LABELS[label] for label in labels.tolist()])
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "model.crfsuite")
        trainer.train(file)
        return exported(file, n_columns)


def sequences(pages: Iterable[LabelledPage]) -> Iterator[tuple[U8, npt.NDArray[np.bool_]]]:
    """Yield the features and labels of each run of blocks whose labels are known."""
    for page, is_main, known in pages:
        features = block_features(page)
        bounds = np.flatnonzero(np.diff(np.concatenate(([False], known, [False])).astype(np.int8)))
        for start, end in bounds.reshape(-1, 2).tolist():
            yield features[start:end], is_main[start:end]


def attributes(features: U8) -> list[list[str]]:
    """Return the features as CRFsuite takes them: the names of those that a block has."""
    return [[f"{column}={value}" for column, value in enumerate(row)] for row in features.tolist()]


def exported(file: str, n_columns: int) -> dict[str, npt.NDArray[np.float32]]:
    """Return the model that CRFsuite wrote to *file* as arrays."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(file)
    info = tagger.info()
    weights = np.zeros((n_columns, MAX_VALUES, len(LABELS)), np.float32)
    for (name, label), weight in info.state_features.items():
        column, _, value = name.partition("=")
        weights[int(column), int(value), LABELS.index(label)] = weight
    transitions = np.zeros((len(LABELS), len(LABELS)), np.float32)
    for (before, after), weight in info.transitions.items():
        transitions[LABELS.index(before), LABELS.index(after)] = weight
    tagger.close()
    return {"weights": weights, "transitions": transitions}


def train_folder(folder: Path) -> None:
    """Train on the sets in *folder* and write what the method reads."""
    for model, sets in SETS.items():
        arrays = train(labelled_pages(folder, Victor.inline, sets))
        write_model(Path(victor.__file__).with_name(f"{model}.npz"), arrays)


if __name__ == "__main__":
    sys.exit(run_training(train_folder))
