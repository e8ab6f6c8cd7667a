"""Authors of one page that tags beside each other name, and others near them that wrote something else."""

from __future__ import annotations

import pytest

from crawler.page import PageRules, build_page
from pipelines.metadata import metadata
from tests.test_metadata_page import FETCHED

BOTH = "Jane Doe; John Roe"
SEVERAL = [
    "<ul class=authors><li>Jane Doe</li><li>John Roe</li></ul>",
    "<ul class=author-list><li><a href=/j>Jane Doe</a>,</li><li>and <a href=/r>John Roe</a>, Senior Reporter</li></ul>",
    "<ul><li class=author>Jane Doe</li><li class=author>John Roe</li></ul>",
    "<ul><li class=author>Jane Doe<li class=author>John Roe</ul>",
    "<p class=author>Jane Doe<p class=author>John Roe<p>The rain.",
    # Nothing, a blank, a sign or a word between them; "by" before them.
    "<p><span class=author>Jane Doe</span><span class=author>John Roe</span>",
    "<p><span class=author>Jane Doe</span> <span class=author>John Roe</span>",
    "<p>By <span class=author>Jane Doe</span>, <span class=author>John Roe</span>",
    "<p>Von <span class=author>Jane Doe</span> und <span class=author>John Roe</span>",
    "<p><span itemprop=author>Jane Doe</span> &amp; <span itemprop=author>John Roe</span>",
    "<p><span property=author>Jane Doe</span> and <span property=author>John Roe</span>",
    "<p><a rel=author href=/j>Jane Doe</a><a rel=author href=/r>John Roe</a>",
    "<p><a href=/author/jane>Jane Doe</a> <a href=/author/roe>John Roe</a>",
    # Items of microdata, with and without text.
    (
        "<p>By <i itemprop=author itemscope><b itemprop=name>Jane Doe</b></i> and <i itemprop=author itemscope>"
        "<b itemprop=name>John Roe</b></i>"
    ),
    (
        "<p><i itemprop=author itemscope><meta itemprop=name content='Jane Doe'></i><i itemprop=author itemscope>"
        "<meta itemprop=name content='John Roe'></i>"
    ),
    # Boxes with pictures, posts and lives, within others.
    "<div class=author><img><a href=/j>Jane Doe</a></div><div class=author><img><a href=/r>John Roe</a></div>",
    (
        "<div class=authors><div class=author><i class=author-name>Jane Doe</i><p class=author-title>Senior Reporter</div>"
        "<div class=author><i class=author-name>John Roe</i><p class=author-title>Jane and he met in the rain.</div></div>"
    ),
    "<i class=byline><i class='author vcard'><a href=/j>Jane Doe</a></i>, <i class='author vcard'><a href=/r>John Roe</a></i></i>",
    "<p><a class='author author-checked'>Jane Doe</a> and <a class=author>John Roe</a>",
    # The same one twice.
    "<p><i class=author>Jane Doe</i>, <i class=author>John Roe</i>, <i class=author>Jane Doe</i>",
]
ONE = [
    # Of teasers, answers and a box at the end.
    "<p class=author>Jane Doe</p><h3>Rain again</h3><p class=author>John Roe</p>",
    "<p class=author>Jane Doe<p>It rains.<p class=author>John Roe",
    "<p class=author>Jane Doe</p><p>It rains.</p><h2>Comments</h2><p class=author>John Roe</p>",
    "<p class=author>Jane Doe</p><p class=comment-author>John Roe</p>",
    "<p class=author>Jane Doe</p><p>It rains.</p><p class=author>Jane Doe</p>",
    "<p class=author>Jane Doe</p><p class=author>Jane Doe</p>",
    # What is said of one.
    "<p class=author>Jane Doe</p><p class=author>Senior Reporter</p>",
    "<p class=author>Jane Doe</p><p class=author-place>San Diego</p>",
    "<p class=byline-part>Jane Doe</p><p class='byline-part author-checked'>Fact Checked</p>",
    "<p><a rel=author href=/j>Jane Doe</a><p><a rel=author href=/plus>Google+</a>",
    "<ul class=author><li>Jane Doe</li><li>Tell Us More</li></ul>",
    "<ul class=authors><li>Jane Doe</li><li>Five more stories by her</li></ul>",
    # A menu.
    "<ul><li><a href=/author/jane>Jane Doe</a><li><a href=/author/roe>John Roe</a></ul>",
]


def author(line: str, inline: str) -> str | None:
    page = build_page(
        f"<h1>The Rain</h1>{line}<p>text".encode(),
        url="http://a.test/",
        content_type="text/html",
        rules=PageRules(inline=inline),
    )
    return metadata(page, fetched_at=FETCHED).author


@pytest.mark.parametrize("inline", ["gap", "phrasing"])
@pytest.mark.parametrize("line", SEVERAL)
def test_authors_beside_each_other_are_all_named(line, inline):
    assert author(line, inline) == BOTH


@pytest.mark.parametrize("inline", ["gap", "phrasing"])
@pytest.mark.parametrize("line", ONE)
def test_who_wrote_something_else_is_no_author(line, inline):
    assert author(line, inline) == "Jane Doe"


def test_single_words_are_names_where_microdata_says_so():
    line = "<p><i itemprop=author>jane_d</i>, <i itemprop=author>joe77</i>"
    assert author(line, "phrasing") == "jane_d; joe77"


def test_most_of_a_long_row_of_authors():
    letters = "abcdefghijklmnopqrst".title()
    line = ", ".join(f"<i class=author>Jane D{letter.lower()}e</i>" for letter in letters)
    assert (author(line, "phrasing") or "").count(";") == 9
