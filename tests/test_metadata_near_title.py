"""Headings, bylines and dates near the title of a page, and what only looks like them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crawler.page import PageRules, build_page
from pipelines.metadata import metadata
from pipelines.metadata.authors import author_names, byline_names, shown_names
from pipelines.metadata.near_title import NearTitle
from tests.test_metadata_page import known

FETCHED = datetime(2024, 5, 1, 12, tzinfo=UTC)

TEXT = "The rain that fell on the hills all night has filled the lakes and rivers " * 3
LIST = "".join(f"<li>Another story of the day (2024-03-0{day})</li>" for day in range(1, 9))
HEADLINE = "Rain again in the hills"
WRITTEN = "<p>By Jane Doe, 5 January 2024</p>"


@pytest.mark.parametrize(
    ("title", "body", "heading"),
    [
        # The site's name, or an advertisement, is a heading of the first level, too.
        (f"{HEADLINE} | The Daily", f"<h1>The Daily</h1><p>{LIST}<h1>{HEADLINE}</h1>", HEADLINE),
        (f"{HEADLINE} | The Daily", f"<h1>See the lakes</h1><h1>{HEADLINE}</h1>", HEADLINE),
        ("Rain", f"<h1>The Daily</h1><h1>{HEADLINE}</h1>", HEADLINE),
        ("Snow", f"<h1>The Daily</h1><h1>{HEADLINE}</h1>", "The Daily"),
        ("", f"<h1>The Daily</h1><h1>{HEADLINE}</h1>", "The Daily"),
    ],
)
def test_the_heading_is_the_one_that_says_what_the_title_says(title, body, heading):
    page = build_page(
        f"<title>{title}</title>{body}".encode(), url="http://a.test/", content_type=None
    )
    assert NearTitle(page, FETCHED).heading == heading


@pytest.mark.parametrize(
    ("title", "body"),
    [
        # A headline that is no heading, while another text is one.
        (f"{HEADLINE} | The Daily", f"<h1>The Daily</h1>{LIST * 3}<b>{HEADLINE}</b>{WRITTEN}"),
        # A title that begins with the name of the site.
        (f"Letters: {HEADLINE}", f"{LIST * 3}<b>{HEADLINE}</b>{WRITTEN}"),
        # Between the two a date that is of a picture.
        (HEADLINE, f"<p>{WRITTEN}<h1>{HEADLINE}</h1><p>A lake<p>Seen by many<p>Lake, 3/2/2024"),
        # No headline at all: what is written of a text stands above it, other texts below.
        ("The Daily", f"{WRITTEN}<p>{TEXT}<p>{LIST}"),
    ],
)
def test_author_and_date_are_those_of_the_text_itself(title, body):
    source = f"<title>{title}</title>{body}<p>{TEXT}<ul>{LIST}</ul>"
    page = build_page(source.encode(), url="http://a.test/", content_type=None)
    near = NearTitle(page, FETCHED)
    assert near.author() == ("Jane Doe", "byline")
    assert near.written_date() == ("2024-01-05", "byline")


def test_a_short_link_or_half_a_name_is_no_title():
    body = f"<p>Rain<p>{HEADLINE}<h1>Wet again</h1>{WRITTEN}<p>{TEXT}"
    source = f"<title>{HEADLINE} and elsewhere</title>{body}"
    page = build_page(source.encode(), url="http://a.test/", content_type=None)
    assert page.blocks.text[NearTitle(page, FETCHED).place] == "Wet again"


def test_who_holds_the_rights_and_what_is_said_of_an_author_are_no_names():
    assert author_names(["© Jane Doe"]) is None
    assert shown_names("Topic Author") is None
    assert shown_names("Reviewed by Jane Doe at the Office") is None


@pytest.mark.parametrize("inline", ["gap", "transparent", "phrasing"])
@pytest.mark.parametrize(
    ("heading", "body"),
    [
        (HEADLINE, "<h1>Rain again<br>in the <i>hills</i></h1>"),
        (HEADLINE, "<h1>Rain<div>again</div>in the hills</h1>"),
        (HEADLINE, "<h1>Rain<p>again<p>in the<p>hills</h1><p>By a<h1>By the way</h1>"),
        # Text between two headings, and what was never closed.
        ("Rain", "<h1>Rain</h1><p>By day<p>by night<h1>Snow</h1>"),
        (None, "<h1>" + "<p>one text of many" * 9),
    ],
)
def test_a_heading_of_several_blocks(inline, heading, body):
    source = f"{body}{WRITTEN}<p>{TEXT}"
    rules = PageRules(inline=inline)
    page = build_page(source.encode(), url="http://a.test/", content_type="text/html", rules=rules)
    near = NearTitle(page, FETCHED)
    assert near.heading == heading
    assert near.author() == ("Jane Doe", "byline")
    if heading:
        assert page.blocks.text[near.place].startswith("Rain")
        assert metadata(page, fetched_at=FETCHED).title == heading


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("By Jane Doe, Staff Writer, updated 5 March", "Jane Doe"),
        ("By Jane Doe, CNN", "Jane Doe"),
        ("By Jane Doe, MS, RDN, LD", "Jane Doe"),
        ("By Jane Doe, Portland Press Herald", "Jane Doe"),
        ("By Jane Doe, a reporter who covers the rain. She has been in the hills.", "Jane Doe"),
        ("By Jane Doe. Last Updated on December 11, 2025", "Jane Doe"),
        ("By Jane Doe December 2, 2025", "Jane Doe"),
        ("Author: Jane Doe, Datum: 03.04.19", "Jane Doe"),
        ("作者：芊草凡凡 时间：2005-08-22", "芊草凡凡"),
        ("By Jane Doe, Jr., CNN", "Jane Doe, Jr"),
        ("Posted by Jane Doe at 10:00 AM", "Jane Doe"),
        ("By Jane Doe For Dailymail.com", "Jane Doe"),
        ("Submitted by Jane Doe on Tue, 03/05/2024", "Jane Doe"),
        ("Words by Jane Doe", "Jane Doe"),
        ("By A. J. Doe View In Digital Edition", "A. J. Doe"),
        ("Written by Jane Doe Follow", "Jane Doe"),
        # Several names, and what is said of the last.
        ("Authors: Jane Doe, John Roe, Max Poe", "Jane Doe; John Roe; Max Poe"),
        ("By Jane Doe, John Roe and Max Poe, The Daily News", "Jane Doe; John Roe; Max Poe"),
        ("Von Jana Müller und Karl May | 1. Mai 2024", "Jana Müller; Karl May"),
        ("Von Anna Meier, Ben Kurz", "Anna Meier; Ben Kurz"),
        ("By Jane Doe, John Q. Roe | 5 March", "Jane Doe; John Q. Roe"),
        ("By A. Meier, B. Kurz", "A. Meier; B. Kurz"),
        ("By Jane Doe, New York", "Jane Doe"),
        ("By Jane Doe, Sky UK", "Jane Doe"),
        ("By Jane Doe, M. D.", "Jane Doe"),
        ("By Van Dyke, Anna Maria", "Van Dyke"),
        ("By Jane May 5 April", "Jane May"),
        # The surname first; no byline at all.
        ("By Doe, Jane", "Doe, Jane"),
        ("By New Year, prices had risen in all of the hills", None),
        ("By Monday, Jane Doe", None),
    ],
)
def test_a_byline_keeps_the_names_alone(line, names):
    assert byline_names(line) == names


def test_runs_of_blanks_are_as_one():
    """Attributes have them; they were searched again from each of their places, three times over."""
    blanks = " \n\t" * 200
    source = f"<h1>Rain</h1><i itemprop=author content='Jane{blanks}Doe{blanks}x | y'>q</i><p>text"
    page = build_page(source.encode(), url="http://a.test/", content_type="text/html")
    assert NearTitle(page, FETCHED).author() is None
    source = source.replace("x | y", "| y")
    page = build_page(source.encode(), url="http://a.test/", content_type="text/html")
    assert NearTitle(page, FETCHED).author() == ("Jane Doe", "microdata")


SITE = "<meta property=og:site_name content='Hill Today'>"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # Words that begin as "author" does.
        ("<h1>Rain</h1><p class=authorized-dealer>Authorized Dealer", None),
        ("<h1>Rain</h1><p class='city-authority'>Hill Council", None),
        ("<h1>Rain</h1><p class=authorName>Jane Doe", "Jane Doe"),
        # The paper may stand in a box behind the author's.
        (f"{SITE}<h1>Rain</h1><p class=author>Jane Doe HILL TODAY", "Jane Doe"),
        (f"{SITE}<h1>Rain</h1><p class=author>Jane Today", "Jane Today"),
        # The box of an article begins with anything.
        ("<article class='hentry author-jane-doe'><p>Shop All Plants</p><h1>T</h1>", None),
        (
            "<article class='h-entry author-jane-doe'><p>Our News</p><h1>T</h1><i class=author>Jane Doe",
            "Jane Doe",
        ),
    ],
)
def test_what_names_no_author(source, expected):
    assert known(source).author == expected
