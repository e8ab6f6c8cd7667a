"""The harness on a standard made by hand: specifications, scores, times, failures, the report."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from crawler.errors import InputError
from crawler.page import PageRules
from pipelines.boilerplate import registry
from pipelines.boilerplate.labels import labels_of
from pipelines.evaluation.harness import RunOptions, Subject, evaluate, subject, subjects_of
from pipelines.evaluation.harness.extraction import built_page, cleaned
from pipelines.evaluation.harness.specs import parse_spec
from pipelines.evaluation.measures.token_f1 import token_f1
from pipelines.evaluation.report.comparison import MACRO, compare_subjects
from pipelines.evaluation.report.plots import draw
from pipelines.evaluation.report.summary import as_json, summarise
from pipelines.evaluation.report.tables import screen
from tests.gold_standard import article, page, write_standard

NAMES = ["keep-all", "numwords-tree", "densitometric-tree"]


@pytest.fixture(scope="module")
def standard(tmp_path_factory):
    return write_standard(tmp_path_factory.mktemp("gold"))


@pytest.fixture(scope="module")
def run(standard):
    return evaluate([standard], subjects_of(NAMES), RunOptions())


@pytest.fixture(scope="module")
def compared(run):
    return compare_subjects(run, "numwords-tree", "keep-all")


@pytest.mark.parametrize(
    ("spec", "parsed"),
    [
        ("bte", ("bte", ())),
        ("cut:share=.25:n=3", ("cut", (("share", 0.25), ("n", 3)))),
        ("cut:a=true:b=False:c=none", ("cut", (("a", True), ("b", False), ("c", None)))),
        ("cut:name=a=b", ("cut", (("name", "a=b"),))),  # only the first sign parts
        ("cut:name=", ("cut", (("name", ""),))),
    ],
)
def test_specifications(spec, parsed):
    assert parse_spec(spec) == parsed


@pytest.mark.parametrize(
    ("specs", "said"),
    [
        (["magic"], "`scrapy clean --help` lists all"),
        (["keep-all:words=3"], "no option"),
        (["keep-all:words"], "no OPTION=VALUE"),
        (["keep-all:a=1:a=2"], "twice"),
        (["peer/magic"], "known are peer/trafilatura"),
        (["peer/goose3:a=1"], "takes no options"),
        ([], "no method"),
    ],
)
def test_wrong_specifications(specs, said):
    with pytest.raises(ValueError, match=said):
        subjects_of(specs)


def test_groups_name_everything_once():
    everything = [one.name for one in subjects_of(["keep-all", "all"])]
    assert len(everything) == len(set(everything))
    assert everything[0] == "keep-all"
    assert set(registry.methods()) <= set(everything)
    assert [one for one in subjects_of(["peers"]) if not one.is_peer] == []
    assert subject("trafilatura-fast").name == "peer/trafilatura-fast"
    assert subject("numwords-tree").inline == registry.get("numwords-tree").inline


def test_scores_of_all_text_are_those_of_the_measure(run):
    scores = run.scores("keep-all", "token-f1")
    assert list(scores) == ["blogs", "news"]  # sorted by set
    for values in scores.values():
        for n, row in enumerate(values):
            all_text = "\n".join(built_page(page(n), "", None, PageRules()).model.blocks.text)
            assert tuple(row) == token_f1(all_text, article(n))
    assert run.all_text("keep-all") == ["blogs", "news"]
    assert run.all_text("numwords-tree") == []


def test_a_method_that_takes_the_menu_away_scores_higher(run):
    table = summarise(run).rows["token-f1"]
    assert [row.subject for row in table][-1] == "keep-all"
    assert table[0].macro.f1 == pytest.approx(np.mean([one.f1 for one in table[0].sets.values()]))
    assert table[0].macro.n_pages == 5
    assert "segments" not in summarise(run).rows  # the standard has none


def test_time_is_that_of_the_page_model_and_the_method(run):
    for name in NAMES:
        assert (run.secs(name) > 0).all()
    cost = summarise(run).costs["keep-all"]
    n_bytes = sum(len(page(n)) for n in (0, 1, 2, 0, 1))
    assert cost.millis_a_kilobyte == pytest.approx(cost.secs * 1e3 / (n_bytes / 1024))
    assert cost.micros_a_page == pytest.approx(cost.secs * 1e6 / 5)


class Failing:
    """A method that fails, or gives labels for other blocks than the page's."""

    inline = "gap"

    def __init__(self, n_labels):
        self.n_labels = n_labels

    def label(self, page):
        if self.n_labels is None:
            raise ZeroDivisionError
        return labels_of(np.ones(self.n_labels, dtype=np.bool_))


@pytest.mark.parametrize(
    ("n_labels", "error"), [(None, "ZeroDivisionError"), (1, "WrongNumberOfLabels")]
)
def test_a_failing_method_extracts_nothing_and_is_named(n_labels, error):
    built = built_page(page(0), "", None, PageRules())
    extraction = cleaned(Failing(n_labels), built)
    assert (extraction.text, extraction.error) == ("", error)
    assert extraction.secs >= built.secs


def test_what_a_method_makes_or_writes_is_not_there_for_the_next():
    built = built_page(page(0), "", None, PageRules())

    class Writing:
        inline = "gap"

        def label(self, page):
            assert page._tree is None
            assert page.tree.root is not None
            page.kept = np.ones(len(page.blocks), dtype=np.bool_)
            page.blocks.text = ["other"] * len(page.blocks)
            return labels_of(page.kept)

    first, second = cleaned(Writing(), built), cleaned(Writing(), built)
    assert first.error is second.error is None
    assert first.text == second.text
    assert "other" not in first.text
    assert built.model.kept is built.model._tree is None


def test_limit_and_digests(standard, run):
    first = evaluate([standard], subjects_of(NAMES), RunOptions(limit=1))
    assert [one.page_id for one in first.pages] == ["0", "0"]
    assert first.digests != run.digests
    again = evaluate([standard], subjects_of(NAMES[:1]), RunOptions())
    assert again.digests == run.digests


def test_digests_are_of_all_gold_that_measures_read(tmp_path):
    folder = write_standard(tmp_path, [("news", 1)]) / "news"
    digests = []
    for name in ("", "gold_23/0.txt", "gold_tagged/0.tsv", "gold_blocks/0.jsonl"):
        if name:
            (folder / name).parent.mkdir()
            (folder / name).write_text('{"class": 3, "text": "one"}', encoding="utf-8")
        digests.append(evaluate([folder], subjects_of(NAMES[:1]), RunOptions()).digests["news"])
    assert len(set(digests)) == 4


def test_pages_are_left_out_by_their_names(standard):
    options = RunOptions(without=frozenset({"1", "103"}))
    left = evaluate([standard], subjects_of(NAMES[:1]), options)
    assert [(one.dataset, one.page_id) for one in left.pages] == [
        *(("blogs", "0"), ("news", "0"), ("news", "2")),
    ]
    assert left.missing == {"page 103": "not in these standards"}


@pytest.mark.parametrize(
    ("others", "needed"), [([], ()), (["keep-all"], ("keep-all", "gone"))], ids=["alone", "needed"]
)
def test_a_run_that_lacks_what_it_is_for_reads_no_page(tmp_path, others, needed):
    damaged = write_standard(tmp_path)
    (damaged / "blogs" / "pages" / "0.html.gz").unlink()
    gone = Subject("gone", "gone", problem="cannot be loaded (no model)")
    with pytest.raises(InputError, match=r"evaluate: gone cannot be loaded \(no model\); install"):
        evaluate([damaged], [gone, *map(subject, others)], RunOptions(needed=frozenset(needed)))


def test_sets_of_one_name_stay_apart(standard, tmp_path):
    other = write_standard(tmp_path / "other", [("news", 1)])
    paths = [standard / "news", other / "news"]
    both = evaluate(paths, subjects_of(NAMES[:1]), RunOptions(limit=1))
    assert both.datasets == ["news", "other/news"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measures": ("magic",)}, "known are token-f1"),
        ({"hidden": "show"}, "own, keep, drop"),
        ({"jobs": 0}, "jobs must be 1 to 1,000"),
        ({"limit": 0}, "limit must be at least 1"),
    ],
)
def test_wrong_options(options, said):
    with pytest.raises(ValueError, match=said):
        RunOptions(**options)


def test_no_standard(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        evaluate([tmp_path / "none"], subjects_of(NAMES), RunOptions())


def test_a_standard_is_counted_once(standard):
    for paths in ([standard, standard], [standard.parent, standard], [standard, standard.parent]):
        with pytest.raises(InputError, match=f"{paths[1].name} is given twice"):
            evaluate(paths, subjects_of(NAMES), RunOptions())


def test_json_holds_every_page(run):
    told = json.loads(json.dumps(as_json(summarise(run))))
    assert told["datasets"]["news"]["pages"] == 3
    assert len(told["pages"]) == 5
    row = next(row for row in told["measures"]["token-f1"] if row["subject"] == "keep-all")
    pages = [one["subjects"]["keep-all"]["token-f1"][2] for one in told["pages"]]
    assert row["by_page"] == pytest.approx(np.mean(pages), abs=1e-6)
    assert "segments" not in told["pages"][0]["subjects"]["keep-all"]
    # Three pages of news, two of blogs; the macro figure is the mean of the two.
    assert row["sets"]["news"]["stability"] == pytest.approx(np.std(pages[2:], ddof=1), abs=1e-6)
    assert row["sets"]["news"]["median"] == pytest.approx(np.median(pages[2:]), abs=1e-6)
    for name in ("stability", "median"):
        mean = np.mean([one[name] for one in row["sets"].values()])
        assert row["macro"][name] == pytest.approx(mean)
    assert row["macro"]["f_half"] is None


def test_screen_shows_rows_marks_and_comparison(run, compared):
    shown = screen(summarise(run), compared)
    lines = shown.splitlines()
    head = "blogs news macro precision recall median sigma us a page"
    assert lines[1].split() == head.split()
    # These pages have a main text, no segments.
    assert "segments: no page has what it compares with" in lines
    assert "*" in next(line for line in lines if line.startswith("keep-all"))
    assert "numwords-tree minus keep-all" in shown
    assert "5/0/0" in lines[-1]


def test_comparison_weighs_sets_alike_and_changes_sign(run, compared):
    told = compared.sets
    mean = np.mean([told["blogs"].result.difference, told["news"].result.difference])
    assert told[MACRO].result.difference == pytest.approx(mean)
    back = compare_subjects(run, "keep-all", "numwords-tree").sets[MACRO].result
    assert back.difference == pytest.approx(-told[MACRO].result.difference)
    with pytest.raises(ValueError, match="was not evaluated"):
        compare_subjects(run, "numwords-tree", "magic")


def test_plot_is_written(run, tmp_path):
    path = tmp_path / "plot.png"
    draw(summarise(run), path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_times_are_written_as_numbers(run, tmp_path):
    """Between two powers of ten the axis said "6 x 10^2"."""
    path = tmp_path / "plot.svg"
    draw(summarise(run), path)
    labels = re.findall("<!-- (.*?) -->", path.read_text("utf-8"))
    assert "Set by set" in labels
    assert not any("mathdefault" in label for label in labels)


@pytest.mark.long
def test_several_processes_give_the_same_scores(standard, run):
    parallel = evaluate([standard], subjects_of(NAMES), RunOptions(jobs=2))
    for ours, theirs in zip(run.pages, parallel.pages, strict=True):
        assert (ours.dataset, ours.page_id) == (theirs.dataset, theirs.page_id)
        np.testing.assert_array_equal(ours.scores, theirs.scores)


@pytest.mark.parametrize(
    ("hidden", "keeps"), [("own", {"keep-all"}), ("keep", {"keep-all", "winnow"}), ("drop", set())]
)
def test_what_pages_hide_is_read_by_methods_that_are_made_for_it(hidden, keeps):
    html = f"<article><p>{'Of many words. ' * 30}</p><div hidden><p>{'Withheld words. ' * 30}</p></div></article>"
    texts = {}
    for name in ("keep-all", "winnow"):
        its = subject(name)
        built = built_page(html.encode(), "http://a.sample/", None, its.rules(hidden))
        texts[name] = "\n".join(built.model.blocks.text)
    assert {name for name, text in texts.items() if "Withheld" in text} == keeps
