"""Names of people that are words of another kind, too, and what stands beside a name."""

from __future__ import annotations

import pytest

from pipelines.metadata.authors import byline_names, declared_names, shown_names

NAMES_OF_MONTHS = ["Juli Meier", "Julio Prado", "Avril Jones", "Maj Berg", "Jane March", "Ana Mayo"]


@pytest.mark.parametrize("name", NAMES_OF_MONTHS)
def test_people_are_called_as_months_of_some_language(name):
    assert byline_names(f"By {name}") == name
    assert byline_names(f"By {name}, 5 March 2024") == name


@pytest.mark.parametrize("day", ["March 5, 2024", "July 2024", "Tuesday March 5", "5. Juli 2024"])
def test_dates_are_no_people(day):
    assert byline_names(f"By {day}") is None


@pytest.mark.parametrize(
    "line",
    [
        "Jane Doe Contact",
        "Jane Doe Contact Reporter",
        "Jane Doe Senior Politics Editor, The Daily News",
        "Jane Doe Executive Editor",
        "Jane Doe General Travel Writer",
    ],
)
def test_posts_and_buttons_behind_a_name_are_left_out(line):
    assert shown_names(line) == "Jane Doe"


def test_declared_posts_are_left_out():
    assert declared_names(["Jane Doe Senior Politics Editor"]) == "Jane Doe"
