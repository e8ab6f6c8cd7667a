"""A page's headline is its title where machines are told another one."""

from __future__ import annotations

import pytest

from tests.test_metadata_page import known

TITLE = "<title>Hill lakes: rain fills lakes after a dry year | The Daily</title>"
OG = "<meta property=og:title content='{}'>"
HEADLINE = "After a dry year, rain fills the lakes again"
LD = '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Rain fills lakes after a dry year"}</script>'
TEXT = "<p>It rained in the hills again."

TITLES = {
    # Titles for search engines and networks, in other words than the headline.
    f"{TITLE}<h1>{HEADLINE}</h1>{TEXT}": (HEADLINE, "h1"),
    f"{TITLE}{OG.format('Rain fills lakes after a dry year')}<h1>{HEADLINE}</h1>": (HEADLINE, "h1"),
    f"{TITLE}{LD}<h1>{HEADLINE}</h1>": (HEADLINE, "h1"),
    "<title>雨が湖を満たした：山の湖</title><h1>雨がまた湖を満たした</h1>": (
        "雨がまた湖を満たした",
        "h1",
    ),
    # The same heading for small screens.
    f"{TITLE}<h1>{HEADLINE}</h1><h1>{HEADLINE}</h1>": (HEADLINE, "h1"),
    # Two headings, neither of which the title has.
    f"{TITLE}<h1>{HEADLINE}</h1><h1>More from the lakes</h1>": (
        "Hill lakes: rain fills lakes after a dry year",
        "title",
    ),
    # The heading of a box, or the name of the site, shares little with the title.
    f"{TITLE}<h1>Most read after a week</h1>": (
        "Hill lakes: rain fills lakes after a dry year",
        "title",
    ),
    f"{OG.format('Rain in the hills')}<title>Rain in the hills</title>"
    "<meta property=og:site_name content='The hills and rain'><h1>The hills and rain</h1>": (
        "Rain in the hills",
        "og",
    ),
    # Words before the title, which say what it is.
    f"{OG.format('Rain fills the lakes')}<title>Rain fills the lakes</title>"
    "<h1>Comment: Rain fills the lakes</h1>": ("Rain fills the lakes", "og"),
    # The name of the site in the headline.
    f"{OG.format('Rain fills the lakes')}<title>Rain fills the lakes</title>"
    "<h1>Rain fills lakes in the hills - The Daily</h1>": ("Rain fills lakes in the hills", "h1"),
    # A short heading says less.
    f"{OG.format('Lakes and rain')}<title>Lakes and rain</title><h1>Lakes, rain</h1>": (
        "Lakes and rain",
        "og",
    ),
    # What is declared is a heading, though not the first, and the page's title has another one.
    f"{TITLE}{OG.format('A wet year for the hills')}<h1>Monday</h1><h1>A wet year for the hills</h1>": (
        "A wet year for the hills",
        "og",
    ),
    # The page's title has the first.
    f"<title>A wet year at last | The Daily</title>{OG.format('Wet years')}"
    "<h1>A wet year at last</h1><h1>Wet years</h1>": ("A wet year at last", "title"),
}  # fmt: skip


@pytest.mark.parametrize("source", TITLES)
def test_headline(source):
    found = known(source)
    assert (found.title, found.title_source) == TITLES[source]
