"""The conditional random fields of Victor, fitted on gold pages.

``python -m pipelines.evaluation.training.victor FOLDER`` writes ``all.npz`` and ``canola.npz`` of
:mod:`pipelines.boilerplate.victor`. L-BFGS on the likelihood with an L2 penalty, by CRFsuite (the
thesis: CRF++, which does the same). Blocks without a known label cut a page into two sequences.
The same pages give the same bytes.

The five classes are those of main text by its markup (:func:`classes_of`), for the gold standards say of it no
more than that it is main text; CleanEval's marks, which do, are not in the training part.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import GAP_BITS, NO_GAP, names
from pipelines.boilerplate.victor import CLASSES, MODELS, TWO_CLASSES, Victor, block_features
from pipelines.boilerplate.victor.features import MAX_VALUES
from pipelines.evaluation.training.gold_pages import labelled_pages
from pipelines.evaluation.training.model_files import (
    MODELS_FOLDER,
    run_model_training,
    training_module,
    write_model,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.evaluation.training.gold_pages import LabelledPage

    Bools = npt.NDArray[np.bool_]
    U8 = npt.NDArray[np.uint8]

# The sets of each model; none: all of them.
SETS: dict[str, tuple[str, ...]] = {"all": (), "canola": ("krdwrd-canola",)}
# Measured: a model of KrdWrd's pages does better on the other training sets with 10 than with 1.
L2 = 10.0
MAX_ITERATIONS = 150
_CRFSUITE = ("pycrfsuite", "python-crfsuite")
_OTHER, _HEADER, _PARAGRAPH, _LIST, _CONTINUATION = range(len(CLASSES))
_HEADINGS, _ITEMS, _BOLD = names("h1 h2 h3 h4 h5 h6"), names("li dt dd"), names("b strong big")
# Tags of which none begins a paragraph.
_WITHIN_TEXT = np.uint64(NO_GAP & ~GAP_BITS["br"])
# Of a bold paragraph that is a header.
HEADER_WORDS = 15


def classes_of(page: PageModel, is_main: Bools) -> U8:
    """Return the class of each block of *page*, uint8[n], a place in ``CLASSES``.

    Of main text: a continuation has nothing but inline tags between it and the main text before it; a header
    stands in a heading or is a short paragraph, all of it bold; a list in an item.
    """
    blocks = page.blocks
    if not len(blocks):
        return np.zeros(0, np.uint8)
    paths = [set(path.split("/")) for path in blocks.paths.strings]
    of_path = [
        _HEADER if path & _HEADINGS else _LIST if path & _ITEMS else _PARAGRAPH for path in paths
    ]
    found = np.array(of_path, np.uint8)[blocks.path_number]
    is_bold = np.array([bool(path & _BOLD) for path in paths])[blocks.path_number]
    begins = (blocks.gap_mask & ~_WITHIN_TEXT) != 0
    begins[0] = True
    paragraph = np.cumsum(begins) - 1
    is_header = np.bincount(paragraph, ~is_bold) == 0
    is_header &= np.bincount(paragraph, blocks.n_words) <= HEADER_WORDS
    found[is_header[paragraph] & (found == _PARAGRAPH)] = _HEADER
    goes_on = ~begins
    goes_on[1:] &= is_main[:-1]
    found[goes_on] = _CONTINUATION
    found[~is_main] = _OTHER
    return found


def train(
    pages: Iterable[LabelledPage],
    *,
    classes: tuple[str, ...] = CLASSES,
    max_iterations: int = MAX_ITERATIONS,
) -> dict[str, npt.NDArray[np.float32]]:
    """Return the ``weights`` and ``transitions`` of *classes*, those of Victor or two, fitted on *pages*."""
    pycrfsuite = training_module(*_CRFSUITE)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": L2, "max_iterations": max_iterations})
    n_columns = 0
    for features, labels in sequences(pages, classes):
        n_columns = features.shape[1]
        trainer.append(attributes(features), [str(label) for label in labels.tolist()])
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "model.crfsuite")
        trainer.train(file)
        return exported(file, n_columns, len(classes))


def sequences(
    pages: Iterable[LabelledPage], classes: tuple[str, ...] = CLASSES
) -> Iterator[tuple[U8, U8]]:
    """Yield the features and the numbers of the classes of each run of blocks whose labels are known."""
    for page, is_main, known in pages:
        features = block_features(page)
        labels = is_main.view(np.uint8) if classes == TWO_CLASSES else classes_of(page, is_main)
        bounds = np.flatnonzero(np.diff(np.concatenate(([False], known, [False])).astype(np.int8)))
        for start, end in bounds.reshape(-1, 2).tolist():
            yield features[start:end], labels[start:end]


def attributes(features: U8) -> list[list[str]]:
    """Return the features as CRFsuite takes them: the names of those that a block has."""
    return [[f"{column}={value}" for column, value in enumerate(row)] for row in features.tolist()]


def exported(file: str, n_columns: int, n_labels: int) -> dict[str, npt.NDArray[np.float32]]:
    """Return the model of *n_labels* classes that CRFsuite wrote to *file* as arrays."""
    tagger = training_module(*_CRFSUITE).Tagger()
    tagger.open(file)
    info = tagger.info()
    weights = np.zeros((n_columns, MAX_VALUES, n_labels), np.float32)
    for (name, label), weight in info.state_features.items():
        column, _, value = name.partition("=")
        weights[int(column), int(value), int(label)] = weight
    transitions = np.zeros((n_labels, n_labels), np.float32)
    for (before, after), weight in info.transitions.items():
        transitions[int(before), int(after)] = weight
    tagger.close()
    return {"weights": weights, "transitions": transitions}


def train_folder(folder: Path, into: Path = MODELS_FOLDER) -> None:
    """Train on the sets in *folder* and write what the method reads, below *into*."""
    models = {
        model: train(labelled_pages(folder, Victor.inline, sets), classes=MODELS[model])
        for model, sets in SETS.items()
    }
    for model, arrays in models.items():
        (into / "victor").mkdir(exist_ok=True)
        write_model(into / "victor" / f"{model}.npz", arrays)


if __name__ == "__main__":
    sys.exit(run_model_training(train_folder))
