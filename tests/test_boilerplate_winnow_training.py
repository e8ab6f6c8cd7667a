"""The training of winnow on a folder of made pages."""

from __future__ import annotations

import json

import pytest

from pipelines.boilerplate.winnow.model_file import read_model
from pipelines.evaluation.training.winnow.__main__ import main
from tests.test_boilerplate_winnow import ARTICLE, SENTENCES


@pytest.fixture
def made_sets(tmp_path):
    for name in ("first", "second"):
        folder = tmp_path / "sets" / name
        (folder / "pages").mkdir(parents=True)
        (folder / "gold").mkdir()
        rows = []
        for number in range(6):
            (folder / "pages" / f"{number}.html").write_text(ARTICLE, "utf-8")
            gold = f"How grain is cleaned\n{SENTENCES * 6}"
            (folder / "gold" / f"{number}.txt").write_text(gold, "utf-8")
            url = f"http://{name}{number}.example/"
            rows.append(json.dumps({"id": str(number), "url": url, "page_type": "article"}))
        (folder / "manifest.jsonl").write_text("\n".join(rows), "utf-8")
    return tmp_path / "sets"


def test_the_same_pages_make_the_same_bytes(made_sets, tmp_path, capsys):
    for name in ("a", "b"):
        arguments = ["--data", str(made_sets), "--trees", "3", "--output", str(tmp_path / name)]
        assert main(arguments) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert read_model(tmp_path / "a").about["sets"] == ["first", "second"]
    assert "leave one set out" in capsys.readouterr().out


def test_sets_can_be_left_out(made_sets, tmp_path):
    arguments = ["--data", str(made_sets), "--sets", "second", "--trees", "2", "--no-validation"]
    assert main([*arguments, "--output", str(tmp_path / "model")]) == 0
    assert read_model(tmp_path / "model").about["n_pages"] == 6


def test_unknown_sets_and_folders_are_refused_in_one_line(made_sets, tmp_path, capsys):
    assert main(["--data", str(made_sets), "--sets", "third"]) == 2
    assert main(["--data", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 2
