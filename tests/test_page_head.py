"""What a page says of itself."""

from __future__ import annotations

import pytest

from crawler.page import PageLimits, build_page
from crawler.page.head import refresh_target


def page(source, **limits):
    return build_page(
        source.encode(),
        url="http://a.sample/dir/page",
        content_type="text/html; charset=utf-8",
        limits=PageLimits(**limits),
    )


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<title> One &amp;\n two </title>", ("One & two", "title")),
        ("<TITLE>One</TITLE><title>Two</title>", ("One", "title")),
        ("<title></title><title>Two</title>", ("Two", "title")),
        ("<title><b>One</b></title>", ("<b>One</b>", "title")),
        ("<title>One<p>text", ("One", "title")),  # never closed
        ("<svg><title>icon</title></svg><title>One</title>", ("One", "title")),
        ("<svg><title>icon</title></svg>", (None, None)),
        ("<meta property=og:title content='Two'><h1>Three</h1>", ("Two", "og:title")),
        ("<h2>no</h2><h1>One <b>two</b></h1>", ("One", "h1")),
        ("text", (None, None)),
    ],
)
def test_title(source, title):
    model = page(source)
    assert (model.title, model.title_source) == title


def test_title_closed_by_that_of_a_drawing_further_down():
    model = page("<title>One<p>" + "word " * 3000 + "<svg><title>icon</title></svg>")
    assert model.title == "One"
    assert model.blocks.n_words.sum() == 3000


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("<html lang=de>", "de"),
        ("<html xml:lang='pt-BR'>", "pt-BR"),
        ("<html lang=''><body lang=fr>", "fr"),
        ("<meta http-equiv=Content-Language content='en, fr'>", "en"),
        ("<meta property=og:locale content=en_US>", "en_US"),
        ("<html lang='*'>", None),
        ("text", None),
    ],
)
def test_declared_language(source, language):
    assert page(source).declared_language == language


@pytest.mark.parametrize(
    ("source", "noindex", "nofollow"),
    [
        ("text", False, False),
        ("<meta name=robots content='index,follow'>", False, False),
        ("<META NAME=ROBOTS CONTENT='NOINDEX'>", True, False),
        ("<meta name=robots content='max-snippet:-1, nofollow'>", False, True),
        ("<meta name=robots content=none>", True, True),
        ("<meta name=robots content='max-image-preview: none'>", False, False),
        (
            "<meta name=robots content='index,max-image-preview :\tnone , max-snippet: 0'>",
            False,
            False,
        ),
        ("<meta name=robots content='MAX-VIDEO-PREVIEW:none NoFollow'>", False, True),
        ("<meta name=robots content='max-image-preview: none noindex'>", True, False),
        ("<meta name=robots content='max-snippet:, noindex'>", True, False),
        ("<meta name=robots content='max-snippet:'>", False, False),
        ("<meta name=robots content='max-snippet noindex'>", True, False),
        (
            "<meta name=robots content='unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, none'>",
            True,
            True,
        ),
        ("<meta name=robots content=all><body><meta name=robots content=noindex>", True, False),
        ("<meta name=googlebot content=noindex>", False, False),
        ("<!-- <meta name=robots content=noindex> -->", False, False),
    ],
)
def test_robots_meta(source, noindex, nofollow):
    model = page(source)
    assert (model.noindex, model.nofollow) == (noindex, nofollow)


def test_description_canonical_and_base():
    model = page(
        "<base href=/b/><meta name=Description content=' About\n &quot;this&quot; '>"
        "<meta property=og:description content=other><link rel='x canonical' href='c?b=1&a=2#t'>"
        "<link rel=canonical href=d>"
    )
    assert model.description == 'About "this"'
    assert model.base_url == "http://a.sample/b/"
    assert model.canonical == "http://a.sample/b/c?a=2&b=1"
    empty = page("<link rel=canonical href=''><link rel=canonical href='mailto:x'>")
    assert (empty.description, empty.canonical) == (None, None)
    assert empty.base_url == empty.url == "http://a.sample/dir/page"


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=x", "x"),
        ("5;URL='x y'", "x y"),
        ('0 ; Url = "x"; more', "x"),
        ("3, x.html", "x.html"),
        ("1.5;x", "x"),
        (";url=x", "x"),
        ("10", None),
        ("10; url=", None),
        ("", None),
        ("url=x", None),
    ],
)
def test_refresh(content, target):
    assert refresh_target(content) == target


def test_head_limit_is_reported():
    model = page(
        f"<title>{'x' * 30}</title><meta name=description content=short>", max_head_chars=10
    )
    assert (model.title, model.description, model.cuts) == ("x" * 10, "short", ("head",))
