"""The committed models are what the training programs write from the gold pages of ``../shared``.

Linear algebra sums in another order on another processor: numbers are compared to nine digits.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from crawler.errors import InputError
from pipelines.boilerplate.winnow.model_file import DEFAULT
from pipelines.evaluation.training import subtrees, victor
from pipelines.evaluation.training.model_files import MODELS_FOLDER, run_model_training
from pipelines.evaluation.training.winnow.validation import table
from tests.gold_standard import write_standard

TRAIN = Path("data/extraction/train")


def equal(written, committed):
    first, second = np.load(written), np.load(committed)
    return first.files == second.files and all(
        np.allclose(first[name], second[name], rtol=1e-9, atol=1e-9) for name in first.files
    )


PROGRAMS = {
    "subtrees": "subtree_weights.npz",
    "ncleaner": "ncleaner.npz",
    "max_subsequence": "max_subsequence.npz",
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_same_pages_give_the_same_bytes_and_the_file_is_named(tmp_path, capsys, program):
    gold = write_standard(tmp_path / "gold")
    train = importlib.import_module(f"pipelines.evaluation.training.{program}").train_folder
    files = [tmp_path / name / PROGRAMS[program] for name in ("first", "second")]
    for file in files:
        file.parent.mkdir()
        train(gold, file.parent)
    assert files[0].read_bytes() == files[1].read_bytes()
    said = [f"{file}: {file.stat().st_size:,} bytes" for file in files]
    assert capsys.readouterr().out.splitlines() == said
    assert run_model_training(train, [str(gold), "--output", str(tmp_path / "first")]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"{files[0]}: ")
    assert run_model_training(train, [str(gold), "--output", str(tmp_path / "none")]) == 2
    assert "none cannot be written; name a folder that can" in capsys.readouterr().err


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<p>A text of a few words", "every block"),
        ("<p>Quite another text, and longer", "no block"),
    ],
)
def test_pages_of_one_kind_of_block_train_nothing(tmp_path, program, text, said):
    gold = write_standard(tmp_path / "gold", [("one", 2)])
    for n in range(2):
        (gold / "one" / "pages" / f"{n}.html.gz").unlink()
        (gold / "one" / "pages" / f"{n}.html").write_text(text)
        (gold / "one" / "gold" / f"{n}.txt").write_text("A text of a few words")
    train = importlib.import_module(f"pipelines.evaluation.training.{program}").train_folder
    with pytest.raises(InputError, match=f"{said} of the pages is main content; give pages"):
        train(gold, tmp_path)
    assert not (tmp_path / PROGRAMS[program]).exists()


def test_what_cannot_be_held_out_is_told():
    assert table("leave one set out", []).startswith("leave one set out: all pages with main text")


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


@pytest.mark.parametrize(
    ("training", "module", "distribution"),
    [(victor, "pycrfsuite", "python-crfsuite"), (subtrees, "sklearn.svm", "scikit-learn")],
)
def test_packages_that_training_alone_needs_are_asked_for(
    monkeypatch, training, module, distribution
):
    monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    told = rf"training needs {distribution}; pip install 'winnow-crawler\[train\]'"
    with pytest.raises(InputError, match=told):
        training.train([])
