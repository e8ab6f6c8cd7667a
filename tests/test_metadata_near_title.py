"""Where the title stands, and which blocks near it are looked at: against reading all of them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawler.page import PageRules, build_page
from crawler.page.joined_texts import JoinedTexts
from crawler.page.words import as_value
from pipelines.metadata import metadata, near_title, near_words
from pipelines.metadata.authors import _BY, author_names, byline_names, is_by, shown_names
from pipelines.metadata.dates import MAY_BE_DATE, read_date
from pipelines.metadata.months import MONTHS
from pipelines.metadata.near_title import NearTitle
from pipelines.metadata.titles import bare
from tests.made_blocks import made_blocks, page_of
from tests.test_metadata_page import known

FETCHED = datetime(2024, 5, 1, 12, tzinfo=UTC)
BYS = (*_BY.split("|"), "作者", "記者", "记者", "撰文", "文")


def cases(word):
    """The ways to write *word* that are equal to it but for the case."""
    yield from (word, word.upper(), word.title())
    # Letters beyond ASCII that are equal to some within.
    yield from (word.replace(*pair) for pair in (("s", "ſ"), ("i", "İ"), ("i", "ı")))


@pytest.mark.parametrize("by", BYS)
def test_every_byline_begins_as_is_looked_for(by):
    for word in cases(by):
        for text in (f"{word} Jane Doe", f"{word}: Jane Doe", word, f"{word}:"):
            if byline_names(text) or is_by(text):
                assert near_title._MAY_BE_BYLINE.match(text.encode())


DATES = st.sampled_from(
    [
        "19",
        "20",
        "2024",
        "1999",
        "٢٠٢٤",
        "20٢٤",
        "1",
        "31",
        "1714521600",
        "１７１４５２１６００",
        "000",
    ]
)
SIGNS = st.sampled_from([" ", "-", "/", ".", "年", "月", "日", ",", "T", "th", "\u3000"])
WORDS = st.one_of(DATES, SIGNS, st.sampled_from(sorted(MONTHS)), st.text(max_size=3))


@given(st.lists(WORDS, max_size=9).map("".join))
@example("1714521600")
@example("5 März 20２４")
@example("5 ก.พ. 2567")
def test_every_date_holds_what_is_looked_for(text):
    if read_date(text, fetched_at=FETCHED, language="en"):
        assert MAY_BE_DATE.search(text.encode("utf-8", "replace"))


def slow_place(texts, title):
    """The first text that *title* begins with, text by text."""
    for place, text in enumerate(texts[:1000]):
        if 6 <= len(text) <= len(title) and title.startswith(text):
            return place
    return 0


PIECES = st.lists(st.sampled_from(["Rain", "again", "é", "雨", " ", "x", "\ud800"]), max_size=6)


@given(st.lists(PIECES.map("".join).filter(bool), min_size=1, max_size=8), PIECES.map("".join))
@example(["x"] * 1000 + ["Rain again"], "Rain again, and more")
@example(["x", "Rain a"], "Rain a")
@example(["Rain", "RainRain"], " RainRain")
@example(["Rain", "gone"], "Rain\ngone with the wind")
def test_the_title_is_the_first_block_that_begins_it(texts, title):
    texts = [text.encode("utf-8", "ignore").decode() or "y" for text in texts]
    page = page_of(made_blocks([[1]] * len(texts)))
    page.blocks.text, page.title = JoinedTexts.of(texts), title
    page.blocks.gap_mask = np.zeros(len(texts), np.uint64)
    assert NearTitle(page, FETCHED).place == slow_place(texts, as_value(title))


@given(st.lists(st.sampled_from(["<p>By", "2024", "<p>", "word", "<h1>t</h1>"]), max_size=60))
@example(["<p>By"] * 3 + ["<p>"] + ["word"] * 30 + ["<p>By"] * 3)
def test_blocks_near_the_title_come_nearest_first(pieces):
    page = build_page(" ".join(pieces).encode(), url="http://a.test/", content_type="text/html")
    near, n = NearTitle(page, FETCHED), len(page.blocks)
    last = min(near.place, n - 1)
    signs = [(step, sign) for step in range(1, 14) for sign in (1, -1)]
    if near.place < n and page.blocks.n_words[last] >= 25 and near.heading is None:
        # A text that stands for the title.
        signs.sort(key=lambda each: each[1])
    steps = [last, *(last + step * sign for step, sign in signs)]
    around = [place for place in steps if max(last - 12, -1) < place < min(last + 14, n) and n]
    assert near._texts == [(place, page.blocks.text[place].encode()) for place in around]


def slow_words(source):
    """All words, place by place."""
    small = source.lower()
    return [
        (place, word)
        for place in range(len(source))
        for word in near_words.WORDS
        if small.startswith(word, place)
    ]


TAGS = st.sampled_from([*near_words.WORDS, b"autho", b"<", b"x", b'"', b"\xc3\xbc", b" " * 61])


@given(st.lists(TAGS | TAGS.map(bytes.upper), max_size=50).map(b"".join))
@example(b"by" * 100 + b"BYLINE")
@example(b"author" * 31 + b"<time" * 31)
def test_words_within_tags_are_those_of_a_search_at_every_place(source):
    found = np.empty((2 * near_words.MAX_WORDS, 2), np.int64)
    n_found = near_words.find_words(np.frombuffer(source, np.uint8), found)
    expected = slow_words(source)
    for words in (near_words.AUTHOR_WORDS, near_words.DATE_WORDS):
        rows = [(place, near_words.WORDS[number]) for place, number in found[:n_found].tolist()]
        some = [row for row in expected if row[1] in words][: near_words.MAX_WORDS]
        assert [row for row in rows if row[1] in words] == some


@given(st.text(st.characters(max_codepoint=0x7F)) | st.text())
def test_bare_text_has_letters_and_digits(text):
    assert bare(text) == re.sub(r"[\W_]+", "", text).casefold()


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
