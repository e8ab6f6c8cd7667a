"""Titles, authors and dates against a gold standard."""

from __future__ import annotations

import json

import pytest

from pipelines.evaluation.gold import GoldMetadata
from pipelines.evaluation.metadata import OURS, rows_of, same_day, same_people, same_title
from pipelines.evaluation.peers import installed
from tests.conftest import SHARED
from tests.forked_commands import complete_python

SETS = SHARED / "data" / "extraction" / "dev"


@pytest.mark.parametrize(
    ("same", "one", "other"),
    [
        (same_title, "A Title: of many words", "a title of MANY words!"),
        (same_people, "Ann Miller, Bo Lee", "bo lee; Ann Miller"),
        (same_people, "Anna Groß und Bo Lee", "Anna Groß & Bo Lee"),
        (same_day, "2005-07-31 12:30", "2005-07-31T22:00:00+02:00"),
        (same_day, "2005/7/3", "2005-07-03"),
    ],
)
def test_what_is_right(same, one, other):
    assert same(one) == same(other)
    assert same(one)


@pytest.mark.parametrize(
    ("same", "one", "other"),
    [
        (same_title, "Man bites dog", "Dog bites man"),
        (same_title, "A title", "A title | The Site"),
        (same_people, "Ann Miller", "Ann Miller, Bo Lee"),
        (same_people, "Ann Miller", "Ann"),
        (same_day, "2005-07-31", "2005-07-30"),
    ],
)
def test_what_is_wrong(same, one, other):
    assert same(one) != same(other)


def test_what_is_no_date_is_none():
    assert not any(map(same_day, ("", "yesterday", "31.7.2005", "2005-07", "2005-07-311")))


def test_figures_of_a_field():
    # Three pages with an author: one right, one wrong, one not found; one without, where one was found.
    gold = [GoldMetadata(author=name) for name in ("Ann", "Bo", "Cy", None)]
    found = [GoldMetadata(author=name) for name in ("ann", "Bob", None, "Di")]
    (row,) = rows_of(gold, {"one": found})
    assert (row.field, row.subject, row.pages) == ("author", "one", 3)
    assert (row.right, row.found, row.more) == (1, 2, 1)
    assert (row.precision, row.recall, row.f1) == (1 / 2, 1 / 3, 2 / 5)


def run(*arguments):
    return complete_python("-m", "pipelines.evaluation.metadata", *map(str, arguments))


@pytest.fixture(scope="module")
def gold_set(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gold") / "mine"
    pages = {
        "one": ("<title>One</title><meta name=author content='Ann Miller'><p>Text", "One"),
        "two": ("<title>Two</title><meta name=date content=2020-05-01><p>Text", "Too"),
    }
    for name in ("pages", "gold"):
        (folder / name).mkdir(parents=True)
    rows = []
    for page, (html, title) in pages.items():
        (folder / "pages" / f"{page}.html").write_text(html)
        (folder / "gold" / f"{page}.txt").write_text("Text")
        rows.append({"id": page, "title": title, "author": "Ann Miller", "date": "2020-05-01"})
    rows[0]["date"] = None
    (folder / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def test_the_program_scores_a_folder(gold_set):
    done = run(gold_set, "--peers", "", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    ours = {row["field"]: row for row in rows if row["subject"] == OURS}
    assert {field: (row["right"], row["pages"]) for field, row in ours.items()} == {
        "title": (1, 2),
        "author": (1, 2),
        "date": (1, 1),
    }
    assert {row["dataset"] for row in rows} == {"mine"}


def test_peers_stand_beside(gold_set):
    known = [name for name in ("trafilatura", "newspaper4k", "goose3") if installed(name)]
    done = run(gold_set)
    assert (done.returncode, done.stderr) == (0, "")
    for name in known:
        assert done.stdout.count(f" {name} ") == 3


def test_what_cannot_be_scored_is_one_line(gold_set, tmp_path):
    done = run(gold_set, "--peers", "trafilatora")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--peers 'trafilatora' is unknown; give some of trafilatura" in done.stderr
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text("<p>Text")
    (tmp_path / "manifest.jsonl").write_text('{"id": "a", "with": ["Text"]}')
    assert "no page of the dataset has a title" in run(tmp_path, "--peers", "").stderr


@pytest.mark.long
@pytest.mark.skipif(
    not SETS.is_dir(), reason="needs the gold standards, which are no part of the project"
)
def test_floors_on_gold_standards():
    done = run(SETS / "wcxb-dev", SETS / "trafilatura-eval", "--peers", "trafilatura", "--json")
    assert done.returncode == 0
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    f1 = {(row["dataset"], row["field"], row["subject"]): row["f1"] for row in rows}
    for dataset in ("wcxb-dev", "trafilatura-eval"):
        for field in ("title", "author"):
            assert f1[dataset, field, OURS] > f1[dataset, field, "trafilatura"]
