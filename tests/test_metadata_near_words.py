"""Where the title stands, and which blocks and words near it are looked at: against reading all of them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.joined_texts import JoinedTexts
from crawler.page.words import as_value
from pipelines.metadata import bylines, near_words
from pipelines.metadata.authors import _BY, byline_names, is_by
from pipelines.metadata.dates import MAY_BE_DATE, read_date
from pipelines.metadata.months import MONTHS
from pipelines.metadata.near_title import NearTitle
from pipelines.metadata.titles import bare
from tests.made_blocks import made_blocks, page_of

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
                assert bylines._MAY_BE_BYLINE.match(text.encode())


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
