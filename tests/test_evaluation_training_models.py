"""The committed models are what the training programs write from the gold pages of ``../shared``.

Linear algebra sums in another order on another processor: numbers are compared to nine digits.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from pipelines.boilerplate.winnow.model_file import DEFAULT
from pipelines.evaluation.training.model_files import MODELS_FOLDER

TRAIN = Path("data/extraction/train")


def equal(written, committed):
    first, second = np.load(written), np.load(committed)
    return first.files == second.files and all(
        np.allclose(first[name], second[name], rtol=1e-9, atol=1e-9) for name in first.files
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("program", "files"),
    [
        ("subtrees", ["subtree_weights.npz"]),
        ("ncleaner", ["ncleaner.npz"]),
        ("max_subsequence", ["max_subsequence.npz"]),
        ("victor", ["victor/all.npz", "victor/canola.npz"]),
    ],
)
def test_models(shared, tmp_path, program, files):
    (tmp_path / "victor").mkdir()
    module = importlib.import_module(f"pipelines.evaluation.training.{program}")
    module.train_folder(shared / TRAIN, tmp_path)
    assert [name for name in files if not equal(tmp_path / name, MODELS_FOLDER / name)] == []


@pytest.mark.long
def test_the_model_of_winnow(shared, tmp_path):
    file = tmp_path / "model.npz"
    train = importlib.import_module("pipelines.evaluation.training.winnow.__main__").main
    assert train(["--data", str(shared / TRAIN), "--no-validation", "--output", str(file)]) == 0
    written, committed = np.load(file), np.load(DEFAULT)
    # What it says of itself has the scores of a validation, too.
    assert written.files == committed.files
    assert [
        n for n in set(written.files) - {"about"} if not (written[n] == committed[n]).all()
    ] == []
