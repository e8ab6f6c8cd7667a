"""``texts/FOLDER``: what another program wrote is scored as a method is, and not timed."""

from __future__ import annotations

import json
import warnings

import pytest

from pipelines.evaluation.harness import RunOptions, evaluate, subject, subjects_of
from pipelines.evaluation.harness.stored_texts import stored_text
from pipelines.evaluation.report.plots import draw
from pipelines.evaluation.report.summary import as_json, summarise
from pipelines.evaluation.report.tables import screen
from tests.gold_standard import article, page, write_standard
from tests.graph_commands import run_command

MEASURES = ("token-f1", "ws", "cleaneval-marks")


@pytest.fixture(scope="module")
def standard(tmp_path_factory):
    return write_standard(tmp_path_factory.mktemp("gold"))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """All is right but page 1 of the blogs, which is not there; page 0 of the news is the page itself."""
    folder = tmp_path_factory.mktemp("written")
    for name, pages in (("news", (1, 2)), ("blogs", (0,))):
        (folder / name).mkdir()
        for n in pages:
            (folder / name / f"{n}.txt").write_text(article(n), encoding="utf-8")
    (folder / "news" / "0.html").write_bytes(page(0))
    return folder


@pytest.mark.parametrize("jobs", [1, 2])
def test_scores_are_those_of_a_method_that_gives_these_texts(standard, written, jobs):
    name = f"texts/{written}"
    options = RunOptions(MEASURES, jobs=jobs)
    run = evaluate([standard], subjects_of([name, "keep-all"]), options)
    of_page = {(each.dataset, each.page_id): each for each in run.pages}
    for key in (("news", "1"), ("news", "2"), ("blogs", "0")):
        assert of_page[key].scores[0][:2].tolist() == [[1, 1, 1]] * 2
    whole = of_page["news", "0"].scores
    assert whole[0][0].tolist() == whole[1][0].tolist()
    assert of_page["blogs", "1"].scores[0][0].tolist() == [1, 0, 0]
    assert run.errors(name) == {"NoFile": 1}
    assert not run.missing


def test_the_report(standard, written, tmp_path):
    name = f"texts/{written}"
    summary = summarise(evaluate([standard], subjects_of([name, "keep-all"]), RunOptions(MEASURES)))
    json.dumps(as_json(summary), allow_nan=False)
    lines = screen(summary).splitlines()
    told = [line.split() for line in lines if line.startswith(name)]
    assert {line[-1] for line in told[:-1]} == {"-"}
    assert told[-1] == [name, "-", "-", "-", "NoFile", "1"]
    # Marks of paragraphs are not known of it.
    assert name not in {row.subject for row in summary.rows.get("cleaneval-marks", ())}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw(summary, tmp_path / "both.png")
        alone = summarise(evaluate([standard], subjects_of([name]), RunOptions(MEASURES)))
        draw(alone, tmp_path / "alone.png")


def test_where_a_text_is_looked_for(tmp_path):
    (tmp_path / "news").mkdir()
    (tmp_path / "1.txt").write_text("of all sets", encoding="utf-8")
    (tmp_path / "news" / "1.html").write_text("<p>of <b>the</b> ne<i>ws</i>", encoding="utf-8")
    (tmp_path / "2.txt").write_bytes("\ufeffCafe\u0301".encode())
    (tmp_path / "3.txt").write_bytes(b"\xff\xfe")
    found = [stored_text(tmp_path, *key) for key in (("news", "1"), ("blogs", "1"), ("news", "2"))]
    assert [each.text for each in found] == ["of the news", "of all sets", "Café"]
    assert stored_text(tmp_path, "news", "3").error == "NotUTF8"
    assert stored_text(tmp_path, "news", "4").error == "NoFile"


def test_the_command(standard, written):
    name = f"texts/{written}"
    done = run_command("evaluate", standard, "--methods", f"keep-all,{name}", "--json")
    assert done.code == 0, done.errors
    rows = json.loads(done.out)["measures"]["token-f1"]
    assert {row["subject"] for row in rows} == {name, "keep-all"}
    for options, told in (
        (
            ["--methods", "texts/"],
            "--methods: texts/: no folder ''; give that of",
        ),
        (
            ["--methods", "texts/nowhere"],
            "--methods: texts/nowhere: no folder 'nowhere'; give that of",
        ),
        (["--methods", name, "--proxy", "0"], "is a peer; a proxy serves our methods"),
    ):
        done = run_command("evaluate", standard, *options)
        assert (done.code, done.errors.count("\n")) == (2, 1)
        assert told in done.errors


def test_it_is_no_method_of_ours(written):
    made = subject(f"texts/{written}")
    assert (made.is_peer, made.isolated, made.folder) == (True, False, written)
