"""The committed models are what the training programs write from the gold pages of ``../shared``.

That of winnow is older than a change of the page model: `pipelines.evaluation.training.winnow` says why it stays.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from pipelines.evaluation.training.model_files import MODELS_FOLDER

TRAIN = Path("data/extraction/train")


def equal(written, committed):
    first, second = np.load(written), np.load(committed)
    return first.files == second.files and all(
        np.array_equal(first[name], second[name]) for name in first.files
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
