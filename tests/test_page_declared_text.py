"""Pages that say their text in JSON-LD and do not show it."""

from __future__ import annotations

import json

import pytest

from crawler.page import PageRules, build_page
from pipelines.boilerplate.registry import get
from pipelines.boilerplate.renderers import extract

SENTENCES = [
    f"The committee of {name} said what it thought of the matter on that day."
    for name in ("Bern", "Oslo", "Rome", "Riga", "Kyiv", "Bonn", "Nice")
]
TEXT = " ".join(SENTENCES)
BARE = "<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>"
MENU = "<ul><li><a href=/a>Home</a><li><a href=/b>News of today</a></ul>"


def page_of(said, body=BARE, inline="phrasing", written=None):
    script = written or json.dumps(said)
    head = f"<title>A page</title><script type='application/ld+json'>{script}</script>"
    html = f"<html><head>{head}</head><body class='a>b'>{body}</body></html>"
    rules = PageRules(inline, "drop")
    return build_page(html.encode(), url="http://a.sample/", content_type="text/html", rules=rules)


def declared(said, body=BARE):
    """Return the texts of the blocks that JSON-LD has given."""
    blocks = page_of(said, body).blocks
    return [
        text
        for text, path in zip(blocks.text, blocks.path, strict=True)
        if path.startswith("body/json-ld/")
    ]


def test_an_article_is_the_text_of_a_page_that_shows_a_menu_alone():
    said = {"@type": "NewsArticle", "headline": "H", "articleBody": "\n\n".join(SENTENCES)}
    page = page_of({"@graph": [{"@type": "WebPage", "text": TEXT}, said]}, MENU + BARE)
    winnow = get("winnow")
    assert extract(page, winnow.label(page)).strip().split("\n") == SENTENCES
    assert page.blocks.path[0] == "body/json-ld/article/p"
    assert page.blocks.text[-1] == "News of today"
    assert [link.rpartition("/")[2] for link in page.links.url] == ["a", "b"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (TEXT, [TEXT]),
        (f"{SENTENCES[0]}\n{TEXT}", [SENTENCES[0], TEXT]),
        # Lines of a file, and paragraphs.
        (f"{SENTENCES[0]}\nand\n \n{TEXT}", [f"{SENTENCES[0]} and", TEXT]),
        (f"a &lt; b &amp; c <3 \0\ud800{TEXT}", [f"a < b & c <3 ?{TEXT}"]),
        (f"<p>One</p><p>two <b>and</b> &lt; {TEXT}</p>", ["One", f"two and < {TEXT}"]),
        (f"&lt;p&gt;One&lt;/p&gt;{TEXT}", ["One", TEXT]),
        (f"<em>One</em>\n{TEXT}", ["One", TEXT]),
        (f"<p>One<img alt=x><textarea><!-- c --><style>a</style>two<p hidden>{TEXT}", ["One two"]),
        (f"<p>One<iframe src=x></iframe><textarea><plaintext></body><p>{TEXT}", ["One", TEXT]),
        (f"<p>One<script>{TEXT}", []),
        ("数" * 500, ["数" * 500]),
    ],
)
def test_texts_and_html(body, expected):
    assert declared({"@type": "Article", "articleBody": body}) == expected


STEP = {"@type": "HowToStep", "text": SENTENCES[0]}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            {
                "@type": ["Recipe"],
                "description": TEXT,
                "recipeIngredient": ["2 eggs", "flour"],
                "recipeInstructions": [
                    {"@type": "HowToSection", "name": "Dough", "itemListElement": [STEP]},
                    {"@type": "HowToStep", "name": "Bake"},
                ],
            },
            [TEXT, "2 eggs", "flour", "Dough", SENTENCES[0], "Bake"],
        ),
        (
            {
                "@type": "FAQPage",
                "mainEntity": [
                    {"@type": "Question", "name": f"Why {n}?", "acceptedAnswer": {"text": TEXT}}
                    for n in range(2)
                ],
            },
            ["Why 0?", TEXT, "Why 1?", TEXT],
        ),
        # One of which is long, the others are not.
        (
            {
                "@type": "FAQPage",
                "mainEntity": [
                    {"@type": "Question", "name": f"{text[:20]}?", "acceptedAnswer": {"text": text}}
                    for text in (TEXT, SENTENCES[1])
                ],
            },
            [f"{TEXT[:20]}?", TEXT, f"{SENTENCES[1][:20]}?", SENTENCES[1]],
        ),
        # Shortened, and whole.
        ([{"@type": "Article", "text": f"{TEXT}{more}"} for more in ("", " No.")], [f"{TEXT} No."]),
        # Lists of articles and of products; one that is written twice.
        ([{"@type": "Article", "text": TEXT}, {"@type": "Article", "text": TEXT.upper()}], []),
        ([{"@type": "Book", "description": f"{n} {TEXT}"} for n in range(2)], []),
        (
            [{"@type": "BlogPosting", "text": TEXT}, {"@type": "Article", "text": f"<p>{TEXT}"}],
            [TEXT],
        ),
        (
            {
                "@type": "DiscussionForumPosting",
                "text": TEXT,
                "comment": [{"@type": "Comment", "text": "No."}],
            },
            [TEXT, "No."],
        ),
        ({"@type": "JobPosting", "description": f"<p>{TEXT}"}, [TEXT]),
        # Several reviews are beside what the page is about.
        (
            [
                *({"@type": "Review", "text": f"{n} {TEXT}"} for n in range(2)),
                {"@type": "Book", "description": TEXT},
            ],
            [TEXT],
        ),
        (
            [
                *({"@type": "Review", "text": f"{n} {TEXT}"} for n in range(2)),
                {"@type": "Article", "articleBody": TEXT},
            ],
            [TEXT],
        ),
        ([{"@type": "Review", "reviewBody": TEXT}], [TEXT]),
        ({"@type": "Article", "description": TEXT}, []),
        ({"@type": "Organization", "description": TEXT}, []),
        ({"@type": "ImageObject", "description": TEXT}, []),
        ({"@type": "Article", "articleBody": SENTENCES[0]}, []),
        ({"@type": "Article", "articleBody": [1, None, TEXT], "text": {"a": TEXT}}, []),
    ],
)
def test_what_is_said_of_other_things(said, expected):
    assert declared(said) == expected


@pytest.mark.parametrize(
    "body",
    [
        # Shown, in other markup; in part; another text that is longer.
        f"<p>{TEXT.replace(' ', ' <b></b>')}",
        f"<p>{' '.join(SENTENCES[:4])}",
        "<p>" + " ".join(f"word{n}" for n in range(120)),
        # Hidden by what only shows it by a script.
        f"<div style='display:none'>{TEXT}</div>",
    ],
)
def test_what_a_page_shows_is_not_said_twice(body):
    assert declared({"@type": "Article", "articleBody": TEXT}, body) == []


def test_only_text_as_it_is_shown_has_it():
    said = {"@type": "Article", "articleBody": TEXT}
    for inline in ("gap", "transparent"):
        assert TEXT not in page_of(said, inline=inline).blocks.text


@pytest.mark.parametrize(
    "written", ["{", "[" * 100_000, '"x"', '{"@type": 1}', "<!-- -->", "[[[[[[[{}]]]]]]]", ""]
)
def test_broken_scripts_say_nothing(written):
    assert page_of(None, written=written).blocks.text[0].startswith("You need to enable")


def test_a_page_without_a_body_has_it_behind_all():
    said = json.dumps({"@type": "Article", "articleBody": TEXT})
    html = f"<p>One<script type=application/ld+json>{said}</script>"
    page = build_page(html.encode(), url="", content_type=None, rules=PageRules("phrasing"))
    assert list(page.blocks.text) == ["One", TEXT]
