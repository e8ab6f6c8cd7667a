"""What is said of an evaluation of few pages: its rows, marks and columns."""

from __future__ import annotations

import json
import math

import pytest

from pipelines.evaluation.harness import RunOptions, evaluate, subjects_of
from pipelines.evaluation.measures import averages
from pipelines.evaluation.report.comparison import compare_subjects
from pipelines.evaluation.report.summary import as_json, summarise
from pipelines.evaluation.report.tables import aligned, screen
from tests.gold_standard import article, page, write_standard

NAMES = ["keep-all", "numwords-tree", "densitometric-tree"]


def test_text_nodes_have_f_half_and_no_precision_where_nothing_is_kept(tmp_path):
    folder = write_standard(tmp_path, [("nodes", 2)]) / "nodes"
    (folder / "gold_blocks").mkdir()
    for number in range(2):
        texts = ["nothing of this stands there", *article(number).split("\n")]
        rows = [{"class": 3 if place else 1, "text": text} for place, text in enumerate(texts)]
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (folder / "gold_blocks" / f"{number}.jsonl").write_text(lines, encoding="utf-8")
    measures = ("text-nodes", "text-nodes-50", "text-nodes-80", "cleaneval-py")
    names = ["minimum-words:min_words=10000", "numwords-tree"]
    summary = summarise(evaluate([folder], subjects_of(names), RunOptions(measures)))
    for measure in measures:
        best, worst = (row.macro for row in summary.rows[measure])
        p, r = best.precision, best.recall
        assert best.f_half == pytest.approx(1.25 * p * r / (0.25 * p + r))
        assert (best.median, best.stability) == (None, None)
        assert min(best.precision_error, best.recall_error) >= 0
        assert (worst.precision, worst.recall, worst.f1, worst.f_half) == (0, 0, 0, 0)
    head = screen(summary).splitlines()[1]
    assert head.split()[-6:] == ["precision", "recall", "F0.5", "us", "a", "page"]


def test_precision_and_recall_have_standard_errors_as_f1_has(tmp_path):
    run = evaluate([write_standard(tmp_path)], subjects_of(NAMES), RunOptions())
    summary = summarise(run)
    row = summary.rows["token-f1"][-1]
    fields = ("precision_error", "recall_error", "error")
    for name, pages in run.scores(row.subject, "token-f1").items():
        told = [getattr(row.sets[name], field) for field in fields]
        assert told == [averages.standard_error(column) for column in pages.T.tolist()]
    for field in fields:
        of_sets = [getattr(one, field) for one in row.sets.values()]
        assert getattr(row.macro, field) == pytest.approx(math.hypot(*of_sets) / len(of_sets))
    assert row.macro.precision_error > 0
    shown = f"{row.macro.precision:.3f}\u00b1{row.macro.precision_error:.3f}".replace(
        "0.", "."
    )  # as the table has them
    assert shown in screen(summary)


@pytest.mark.slow
def test_marks_are_scored_where_blocks_are_known(tmp_path):
    folder = write_standard(tmp_path, [("tagged", 2)]) / "tagged"
    (folder / "gold_tagged").mkdir()
    for number in range(2):
        marked = zip("hphp", article(number).split("\n"), strict=True)
        text = "\n".join(f"{mark}\t{text}" for mark, text in marked)
        (folder / "gold_tagged" / f"{number}.tsv").write_text(text, encoding="utf-8")
    names = ["numwords-tree", "keep-all", "elisa", "peer/resiliparse"]
    options = RunOptions(("cleaneval-marks", "cleaneval"))
    run = evaluate([folder], subjects_of(names), options)
    rows = {row.subject: row.macro for row in summarise(run).rows["cleaneval-marks"]}
    # A peer gives no blocks. The menu and the notice, with their marks, are wrong.
    assert set(rows) == set(names[:3])
    assert rows["numwords-tree"].f1 == 1
    n_words = len(article(0).split()) + 4
    assert rows["keep-all"].precision == pytest.approx(n_words / (n_words + 4 + 3))
    assert compare_subjects(run, "numwords-tree", "peer/resiliparse").measure == "cleaneval"


def test_times_are_told_of_each_set(tmp_path):
    run = evaluate([write_standard(tmp_path)], subjects_of(NAMES), RunOptions())
    cost, told = summarise(run).costs["keep-all"], as_json(summarise(run))
    assert list(cost.sets) == ["blogs", "news"]
    assert sum(one.secs for one in cost.sets.values()) == pytest.approx(cost.secs)
    for name, numbers in (("blogs", (0, 1)), ("news", (0, 1, 2))):
        one, size = cost.sets[name], sum(len(page(n)) for n in numbers)
        assert told["datasets"][name]["bytes"] == size
        assert one.millis_a_kilobyte == pytest.approx(one.secs * 1e3 / (size / 1024))
        assert one.micros_a_page == pytest.approx(one.secs * 1e6 / len(numbers))
    (ours,) = (one for one in told["costs"] if one["subject"] == "keep-all")
    assert ours["sets"]["news"]["secs"] == cost.sets["news"].secs


def test_one_page_has_no_standard_error_and_compares_nothing(tmp_path):
    options = RunOptions(("token-f1", "text-nodes"), limit=1)
    alone = evaluate([write_standard(tmp_path / "a", [("one", 1)])], subjects_of(NAMES), options)
    rows = summarise(alone).rows["token-f1"]
    assert [(row.macro.error, row.macro.stability) for row in rows] == [(None, None)] * 3
    assert [(row.macro.precision_error, row.macro.recall_error) for row in rows] == [
        (None, None)
    ] * 3
    assert "±-" in screen(summarise(alone))
    with pytest.raises(ValueError, match="sets of two pages or more"):
        compare_subjects(alone, *NAMES[:2])
    sets = write_standard(tmp_path / "b", [("one", 1), ("three", 3)])
    both = evaluate([sets], subjects_of(NAMES), RunOptions())
    assert list(compare_subjects(both, *NAMES[:2]).sets) == ["three"]
    row = summarise(both).rows["token-f1"][0]
    assert (row.sets["three"].error is None, row.macro.error) == (False, None)


def test_tables_are_divided_where_lines_end():
    lines = [["", "a", "magichtml-article", "macro"], ["n", "3", "", "3"], ["x", ".9", ".8", ".7"]]
    assert aligned(lines, 18) == [
        "       magichtml-",
        "    a     article",
        "n   3",
        "x  .9          .8",
        "",
        "   macro",
        "n      3",
        "x     .7",
    ]
    assert aligned(lines, 24) == aligned(lines)
    # A column that is wider than a line stands by itself; rows with nothing in it are left out.
    assert aligned(lines, 5)[4:7] == ["   magichtml-", "      article", "x          .8"]


def test_long_heads_of_columns_are_folded():
    assert aligned([["", "magichtml-article", "macro"], ["x", ".9", ".8"]]) == [
        "   magichtml-",
        "      article  macro",
        "x          .9     .8",
    ]
