"""What a page says of itself: each source, and what goes wrong with each."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from crawler.page import PageLimits, build_page
from pipelines.metadata import Metadata, metadata
from pipelines.metadata.guessed_dates import guess_date
from tests.hostile_pages import HOSTILE
from tests.page_fuzzing import bodies
from tests.page_invariants import check_text

FETCHED = datetime(2024, 5, 1, 12, tzinfo=UTC)


def known(source, url="https://www.daily.example/a", fetched_at=FETCHED) -> Metadata:
    data = source if isinstance(source, bytes) else source.encode()
    return metadata(build_page(data, url=url, content_type="text/html"), fetched_at=fetched_at)


def ld(text):
    return f"<script type='application/ld+json'>{text}</script><p>text"


PUBLISHED = "<meta property='article:published_time' content='{}'><p>text"
DATES = {
    ld('{"@type": "Article", "datePublished": "2024-03-05T10:00:00Z"}'): ("2024-03-05", "json-ld"),
    ld('{"@type": "WebPage", "datePublished": "2024-03-05"}'): ("2024-03-05", "json-ld"),
    "<html lang=en>" + ld('{"@type": "Article", "datePublished": "3/5/2024"}'): (
        "2024-03-05",
        "json-ld",
    ),
    # When somebody became a member of a forum is no date of the page.
    "<h1>T</h1><p>Registered: 2020-01-27<p>Post 1, 2024-03-05": ("2024-03-05", "byline"),
    "<h1>T</h1><p>Mitglied seit 27.01.2020<p>x": (None, None),
    "<h1>T</h1><p>• Joined 27 Jan 2020<p>x": (None, None),
    "<h1>T</h1><p>注册于 2020-01-27<p>x": (None, None),
    "<h1>T</h1><p>Jane joined 27 Jan 2020<p>x": ("2020-01-27", "byline"),
    # Of which month a name is its language says.
    "<html lang=pl><h1>T</h1><p>5 listopada 2023": ("2023-11-05", "byline"),
    "<html lang=hr><h1>T</h1><p>5. listopada 2023.": ("2023-10-05", "byline"),
    "<h1>T</h1><p>5 listopada 2023": (None, None),
    # The page tells what its article does not.
    ld(
        '[{"@type": "Article", "headline": "Rain"}, {"@type": "WebPage", "datePublished": "2024-03-05"}]'
    ): (
        "2024-03-05",
        "json-ld",
    ),
    # Broken: a comma too many, a wrapper, a line break in a text, and beyond help.
    ld('{"@type": "Article", "datePublished": "2024-03-05",}'): ("2024-03-05", "json-ld"),
    ld('<!-- {"@type": "Article", "datePublished": "2024-03-05"} -->'): ("2024-03-05", "json-ld"),
    ld('{"@type": "Article", "headline": "a\nb", "datePublished": "2024-03-05"}'): (
        "2024-03-05",
        "json-ld",
    ),
    ld('{"headline": "a "b"", "datePublished": "2024-03-05"'): ("2024-03-05", "json-ld"),
    ld('{"@type": "Article", "datePublished": ["x"], "author": 5}'): (None, None),
    PUBLISHED.format("2024-03-05"): ("2024-03-05", "meta"),
    # Still to come, no day, no month: the next source counts.
    PUBLISHED.format("2024-05-03") + "<meta name=date content=2024-04-30>": ("2024-04-30", "meta"),
    PUBLISHED.format("2024-00-03"): (None, None),
    PUBLISHED.format("2024-02-30"): (None, None),
    PUBLISHED.format("1970-01-01"): (None, None),
    PUBLISHED.format("2019"): (None, None),
    "<h1>T</h1><meta itemprop=datePublished content=2024-03-05>": ("2024-03-05", "meta"),
    "<h1>T</h1><span itemprop=datePublished content=2024-03-05>x</span>": (
        "2024-03-05",
        "microdata",
    ),
    "<h1>T</h1><time datetime='2024-03-05T01:00'>March</time>": ("2024-03-05", "time"),
    "<h1>T</h1><time>5 March 2024</time>": ("2024-03-05", "time"),
    # The date of a change counts where there is no other.
    "<h1>T</h1><time class=updated datetime=2024-04-01>x</time> <time datetime=2024-03-05>": (
        "2024-03-05",
        "time",
    ),
    "<h1>T</h1>Updated: <b><time datetime=2024-04-01></b> First <time datetime=2024-03-05>": (
        "2024-03-05",
        "time",
    ),
    "<h1>T</h1>Updated <time datetime=2024-04-01>": ("2024-04-01", "modified"),
    "<h1>T</h1><p>Last updated: April 5, 2024 | Published: March 5, 2024": ("2024-03-05", "byline"),
    "<h1>T</h1><p>5 March 2024, published by the rain": ("2024-03-05", "byline"),
    # Microformats have it in a title.
    "<h1>T</h1>at <abbr class='published' itemprop='datePublished' title='2024-03-05T10:00'>10:00</abbr>": (
        "2024-03-05",
        "microdata",
    ),
    "<h1>T</h1><p>Posted on March 5th, 2024 by Jane": ("2024-03-05", "byline"),
    "<h1>T</h1>" + "<p>x" * 40 + "<p>5 March 2024": (None, None),
    # A dateline begins the text; a date within it is one of another day.
    f"<h1>T</h1><p>Köln, (5.3.2024). {'Es regnet wieder. ' * 9}": ("2024-03-05", "byline"),
    f"<h1>T</h1><p>5.3.2024 – {'Es regnet wieder. ' * 9}": ("2024-03-05", "byline"),
    f"<h1>T</h1><p>Seit dem 5.3.2024 hat es hier geregnet: {'und so weiter ' * 9}": (None, None),
}


@pytest.mark.parametrize("source", DATES)
def test_date(source):
    found = known(source)
    assert (found.date, found.date_source) == DATES[source]


def test_date_of_the_url_comes_before_time():
    page = "<h1>T</h1><time datetime=2024-04-01>"
    found = known(page, url="https://daily.example/2024/03/05/rain")
    assert (found.date, found.date_source) == ("2024-03-05", "url")


def test_language_says_which_number_is_the_month():
    page = "<html lang={}><h1>T</h1><p>Posted 03/05/2023"
    assert known(page.format("en-US")).date == "2023-03-05"
    assert known(page.format("en-GB")).date == "2023-05-03"
    assert known(page.format("fr")).date == "2023-05-03"
    assert known(page.replace("lang={}", "")).date is None


def test_description_site_and_type():
    found = known(
        "<meta name=description content=' Rain,\n again '><meta property=og:type content=article>"
        "<meta property=og:site_name content='The Daily'>"
    )
    assert (found.description, found.description_source) == ("Rain, again", "meta")
    assert (found.site_name, found.page_type) == ("The Daily", "article")
    found = known(
        ld(
            '{"@type": "Recipe", "author": "x", "description": "Soup", "publisher": {"name": "Post"}}'
        )
    )
    assert (found.description, found.description_source) == ("Soup", "json-ld")
    assert (found.site_name, found.page_type) == ("Post", "Recipe")


def test_references_that_were_encoded_twice():
    found = known(
        "<meta name=description content='Bear&amp;#39;s &amp;amp; more&amp;hellip; &amp;x; &amp;copy=1'>"
    )
    assert found.description == "Bear's & more\u2026 &x; &copy=1"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<p>The <b>rain</b>, again.</p>", "The rain, again."),
        ("<p class=x>Rain<br />again", "Rain again"),
        ("Rain, and<a href=/x>more</a> of <a href=htt", "Rain, and more of"),
        ("The <p> HTML element", "The <p> HTML element"),
        ("<br>: the line break", "<br>: the line break"),
    ],
)
def test_descriptions_and_names_of_sites_hold_no_tags(written, shown):
    found = known(
        f'<meta name=description content="{written}"><meta property=og:site_name content="{written} -">'
    )
    assert (found.description, found.site_name) == (shown, shown)


def test_descriptions_without_a_letter_are_none():
    assert (
        known(
            "<meta name=description content='#'><meta name=og:description content=-->"
        ).description
        is None
    )
    found = known(
        "<meta name=description content='...'>"
        + ld('{"@type": "Recipe", "author": "x", "description": "Soup"}')
    )
    assert (found.description, found.description_source) == ("Soup", "json-ld")


def test_tags_as_people_write_them():
    found = known(
        "<META CONTENT='a > b' NAME=Description><MeTa name='author' content=\"Jane Doe\"/>"
    )
    assert (found.description, found.author) == ("a > b", "Jane Doe")


def test_times_need_a_zone():
    with pytest.raises(ValueError, match="fetched_at must have a time zone"):
        known("<p>x", fetched_at=datetime(2024, 5, 1))  # noqa: DTZ001


def test_json_ld_that_is_made_to_hurt():
    deep = '{"@type": "Article", "author": ' + "[" * 100_000
    assert known(ld(deep)).author is None
    many = ",".join('{"@type": "WebPage", "author": "Jo"}' for _ in range(5000))
    assert known(ld(f"[{many}]")).author == "Jo"
    assert known(ld('{"@type": "Article", "headline": "\\ud800"}')).title == "?"
    assert known(ld('{"@type": "Article", "author": ' + "9" * 10_000 + "}")).author is None


def test_values_hold_what_can_be_shown():
    article = '{"@type": "Article", "headline": "AI won\\u0019t\\u0007 ra\\u00adin", "author": "Jane\\u0000 Doe"}'
    found = known(ld(article) + "<meta name=description content='Ra&shy;in&#1; again'><p>x")
    assert (found.title, found.author, found.description) == (
        "AI wont rain",
        "Jane Doe",
        "Rain again",
    )
    assert (
        known(ld('{"@type": "https://schema.org/Ar\\u0000ticle ", "author": "x"}')).page_type
        == "Article"
    )
    found = known("<h1>T</h1><meta itemprop=author content='Jane&#x7f; Doe'><p>x")
    assert found.author == "Jane Doe"


UNSEEN = {
    # Marks of direction, and what has no width, wherever they stand.
    **{
        f"{mark}Ra{mark}in {mark}again{mark}": "Rain again"
        for mark in (
            *"\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2064",
            *"\u2066\u2067\u2068\u2069\u206f\ufeff\u00ad\u200c\u200d",
        )
    },
    "R&lrm;ain&zwj; again\u200d\u200d\u200d": "Rain again",
    "x\u200e \u200ey": "x y",
    # Joiners within words that have them, and within a picture; not beside what they do not join.
    "می\u200cخواهم": "می\u200cخواهم",
    "क्\u200dष": "क्\u200dष",
    "Rain 👩\u200d🔬": "Rain 👩\u200d🔬",
    "می\u200c خواهم\u200c": "می خواهم",
}


def test_the_page_model_has_titles_as_they_are_written():
    # The trees of winnow have learnt from these.
    body = "<title>\u200eA\u200b title</title>".encode()
    page = build_page(body, url="http://a.example/", content_type="text/html; charset=utf-8")
    assert page.title == "\u200eA\u200b title"


@pytest.mark.parametrize("text", UNSEEN)
def test_values_hold_what_is_seen(text):
    shown = UNSEEN[text]
    found = known(f"<title>{text}</title><meta name=description content='{text}'><p>x")
    assert (found.title, found.description) == (shown, shown)
    assert known(f"<h1>{text}</h1>").title == shown
    assert known(ld(f'{{"@type": "Article", "headline": "{text}"}}')).title == shown


BYLINES = {
    "<h1>T</h1><p>\u200eBy \u200fJane Doe\u200e": "Jane Doe",
    "<h1>T</h1><p>By\u200e<p>\u200eJane Doe": "Jane Doe",
    "<h1>T</h1><a rel=author>\u2068Jane Doe\u2069</a>": "Jane Doe",
    "<h1>T</h1><i class=author>\u200bBy Jane\u200b Doe</i>": "Jane Doe",
    "<meta name=author content='\u200eBy Jane Doe'><p>x": "Jane Doe",
}


@pytest.mark.parametrize("source", BYLINES)
def test_names_hold_what_is_seen(source):
    assert known(source).author == BYLINES[source]


@hypothesis_settings(max_examples=60)
@given(bodies())
def test_any_page_has_metadata(body):
    found = known(body)
    assert (found.title is None) == (found.title_source is None)
    assert found.date is None or found.date <= "2024-05-01"
    for text in (found.title, found.author, found.description, found.site_name, found.page_type):
        check_text(text or "")


def test_what_is_cut_ends_with_a_word():
    words = "a234 " * 300
    found = known(f"<meta name=description content='{words}'><title>{words}</title>")
    assert found.title == found.description == words[:1000].rstrip()


def test_hostile_pages():
    limit = PageLimits().max_head_chars
    for hostile in HOSTILE.values():
        found = known(hostile.make(300))
        assert max(len(found.title or ""), len(found.description or "")) <= limit


@pytest.mark.long  # the package takes seconds to load
def test_guessed_dates():
    pytest.importorskip("htmldate")
    page = build_page(
        b"<html><body><p>text</p><footer>Updated 5 March 2024</footer></body></html>",
        url="http://a.example/",
        content_type="text/html",
    )
    assert guess_date(page, fetched_at=FETCHED) == "2024-03-05"
    empty = build_page(b"", url="", content_type=None)
    assert guess_date(empty, fetched_at=FETCHED) is None
