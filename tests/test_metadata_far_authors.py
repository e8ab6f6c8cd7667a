"""Authors who are named far from the title, in a box of their own or below the text, and who only looks like one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crawler.page import build_page
from pipelines.metadata import metadata

FETCHED = datetime(2024, 5, 1, 12, tzinfo=UTC)
TEXT = "<p>The rain that fell on the hills all night has filled the lakes and rivers.</p>" * 150
HEADLINE = "Rain again in the hills"
COMMENT = "<li class='comment-author'>John Roe</li><p>Well said, and thank you for the words.</p>"
BOX = "<div class='author-bio'><h3>Jane Doe</h3><p>Writes of rain.</p></div>"


def author_of(behind: str, head: str = "", before: str = "") -> str | None:
    source = f"<title>{HEADLINE}</title>{head}{before}<h1>{HEADLINE}</h1>{TEXT}{behind}"
    page = build_page(source.encode(), url="http://a.test/", content_type=None)
    return metadata(page, fetched_at=FETCHED).author


@pytest.mark.parametrize(
    "behind",
    [
        BOX,
        BOX + COMMENT * 3,
        BOX + "<aside class='blog_author-wrapper'>Jane Doe</aside>",
        "<span itemprop=author itemscope><b itemprop=name>Jane Doe, </b></span>",
        "<span class='post-author vcard'>Posted by <b class='fn'>Jane Doe</b></span>",
    ],
)
def test_a_box_below_the_text_names_its_author(behind):
    assert author_of(behind) == "Jane Doe"


@pytest.mark.parametrize(
    "behind",
    [
        COMMENT,
        "<p class=author>John Roe</p>",
        "<div class='quote-author-name'>John Roe</div>",
        "<div class='related-posts post-author'>John Roe</div>",
        # A list of other texts, or the team.
        BOX + "<div class='author-bio'><h3>John Roe</h3></div>",
        "<div class='author_buttons'>Website Find</div>",
    ],
)
def test_nobody_is_named_where_others_are_too(behind):
    assert author_of(behind) is None


def test_a_formatted_name_is_taken_as_it_is():
    card = (
        "<span class='post-author vcard'> Eingestellt von <span class='fn'>der Michel</span></span>"
    )
    assert author_of(card) == "der Michel"
    assert author_of(card.replace(" vcard", "")) is None
    assert author_of(card.replace("der Michel", "all of us who live in these hills")) is None


def test_the_headline_is_found_by_the_title_that_is_declared():
    head = f"<title>Lakes full | The Daily</title><meta property=og:title content='{HEADLINE}'>"
    teasers = "".join(f"<h1>Teaser {number}</h1>{TEXT[:2000]}" for number in range(4))
    source = f"{head}{teasers}<h1>{HEADLINE}</h1><p>By Jane Doe</p>{TEXT}"
    page = build_page(source.encode(), url="http://a.test/", content_type=None)
    found = metadata(page, fetched_at=FETCHED)
    assert (found.author, found.author_source) == ("Jane Doe", "byline")
