"""Names of people that are words of another kind, too, and what stands beside a name."""

from __future__ import annotations

import pytest

from crawler.page import PageRules, build_page
from pipelines.metadata import metadata
from pipelines.metadata.authors import byline_names, declared_names, shown_names
from tests.test_metadata_page import FETCHED


def page_of(source):
    rules = PageRules(inline="phrasing", hidden="drop")
    url = "https://www.daily.example/a"
    return build_page(source.encode(), url=url, content_type="text/html", rules=rules)


NAMES_OF_MONTHS = ["Juli Meier", "Julio Prado", "Avril Jones", "Maj Berg", "Jane March", "Ana Mayo"]


@pytest.mark.parametrize("name", NAMES_OF_MONTHS)
def test_people_are_called_as_months_of_some_language(name):
    assert byline_names(f"By {name}") == name
    assert byline_names(f"By {name}, 5 March 2024") == name


@pytest.mark.parametrize("day", ["March 5, 2024", "July 2024", "Tuesday March 5", "5. Juli 2024"])
def test_dates_are_no_people(day):
    assert byline_names(f"By {day}") is None


@pytest.mark.parametrize("line", ["Published August 3, 2020By Jane Doe", "Posted May 3, 2020"])
def test_what_is_said_of_a_date_is_no_surname(line):
    assert shown_names(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "Jane Doe Contact",
        "Jane Doe Contact Reporter",
        "Jane Doe Senior Politics Editor, The Daily News",
        "Jane Doe Executive Editor",
        "Jane Doe General Travel Writer",
        "Jane Doe Google+",
        "Jane Doe Twitter Facebook Email",
        "Jane Doe, Full Bio",
        "Jane Doe Alle Artikel",
        "Jane Doe and View All Posts",
        "Jane Doe & See All Posts",
        "Jane Doe und Alle Beiträge",
    ],
)
def test_posts_and_buttons_behind_a_name_are_left_out(line):
    assert shown_names(line) == "Jane Doe"


@pytest.mark.parametrize(
    "name",
    ["Jane Doe Senior Politics Editor", "Jane Doe Google+", "Jane Doe<sup>1</sup>", "Jane Doe*"],
)
def test_what_is_declared_behind_a_name_is_left_out(name):
    assert declared_names([name]) == "Jane Doe"


@pytest.mark.parametrize(
    "name", ["Claudia Bio", "Bio Jones", "John Twitter", "Anna Website Meier", "Facebook Newsroom"]
)
def test_people_may_be_called_as_buttons(name):
    assert byline_names(f"By {name}") == name


BUTTONS = [
    "Full Bio",
    "Follow",
    "View All Posts",
    "Send Email",
    "Alle Beiträge",
    "Website",
    "More by Jane Doe",
]


@pytest.mark.parametrize("button", BUTTONS)
@pytest.mark.parametrize(
    "tag", ["a rel=author", "a itemprop=author", "a href=/author/jane/", "span class=author"]
)
def test_buttons_beside_a_name_are_no_authors(button, tag):
    """Their tags say of them what those of names say."""
    end = f"</{tag.split()[0]}>"
    for line in (
        f"<{tag}>Jane Doe{end} <{tag}>{button}{end}",
        f"<{tag}>{button}{end} <{tag}>Jane Doe{end}",
    ):
        page = metadata(
            page_of(f"<h1>On rain</h1><p>{line}<p>It rained all day."), fetched_at=FETCHED
        )
        assert page.author == "Jane Doe", line


@pytest.mark.parametrize(
    "line",
    [
        "<p class=authors>{0}<sup>1</sup>, {1}<sup>1,2</sup> and {2}<sup>*</sup>",
        "<p class=authors>{0}<sup><a href=#a>a</a></sup>, {1}<sup>a,b</sup>, {2}",
        "<span class=author>{0}</span><sup>1</sup>, <span class=author>{1}</span><sup>2</sup>, <span class=author>{2}</span>",
        "<p>By {0}<sup>1</sup>, {1}<sup>2</sup> and {2}†, 5 March 2024",
    ],
)
def test_marks_of_notes_are_left_out(line):
    """The first digit ended the names."""
    names = ("Jane Doe", "John Roe", "Ann Poe")
    source = f"<h1>On rain</h1>{line.format(*names)}<p>It rained all day."
    assert metadata(page_of(source), fetched_at=FETCHED).author == "; ".join(names)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("By Jane Doe<sup>a</sup>", "Jane Doe"),
        ("By Jane Doe <sup>a</sup>, John Roe <sup>b</sup>", "Jane Doe; John Roe"),
        ("By Jane Doe<sup>a</sup>, John Roe<sup>b,c</sup> and Ann Poe<sup><a href=#a>a</a></sup>",
         "Jane Doe; John Roe; Ann Poe"),
        ("By Jane Doe<sup>a,1</sup> | 5 March 2024", "Jane Doe"),
        ("By <b>Jane</b> M<sup>c</sup>Donald<sup>b</sup>", "Jane McDonald"),
        ("Par M<sup>me</sup> Jane Doe", "Mme Jane Doe"),
    ],
)  # fmt: skip
def test_letters_of_notes_are_no_part_of_names_in_a_byline(line, names):
    page = metadata(page_of(f"<h1>On rain</h1><p>{line}<p>It rained all day."), fetched_at=FETCHED)
    assert page.author == names


def test_numbers_of_accounts_are_no_marks():
    assert shown_names("rain42", takes_one_word=True) == "rain42"
    assert declared_names(["Jane Doe2"]) == "Jane Doe2"
