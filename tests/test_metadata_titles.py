"""Titles of pages, without the name of their site."""

from __future__ import annotations

import pytest

from pipelines.metadata.titles import MAX_TITLE_CHARS
from pipelines.metadata.unnamed_pages import without_first_page
from tests.test_metadata_page import known, ld

TITLES = {
    "<title>A &amp; B</title>": ("A & B", "title"),
    "<title>Rain again | The Daily</title>": ("Rain again", "title"),
    "<title>Daily Example: Rain</title>": ("Daily Example: Rain", "title"),
    "<title>Rain - again - Daily.example</title>": ("Rain - again", "title"),
    "<meta property=og:title content='Rain again in...'><h1>Rain again in Spain</h1>": (
        "Rain again in Spain",
        "h1",
    ),
    "<title>And then…</title><h1>And then…</h1>": ("And then…", "title"),
    "<title>News: Rain again | The Daily</title><h1>Rain:again</h1>"
    + ld('{"@type": "Article", "headline": "News: Rain..."}'): ("Rain again", "title"),
    "<title>News: Rain again | The Daily</title><h1>News</h1>"
    + ld('{"@type": "Article", "headline": "News: Rain..."}'): ("News: Rain again", "title"),
    "<title>And then... - The Daily</title><meta property=og:title content='And then…'>": (
        "And then…",
        "og",
    ),
    # The heading behind a colon among other parts, and before brackets.
    "<title>Shop.example: Rain: again : Weather</title><h1>Rain: again</h1>": (
        "Rain: again",
        "title",
    ),
    "<title>Jane Doe: Rain again - grain online</title><h1>Rain again</h1>": (
        "Rain again",
        "title",
    ),
    "<title>Rain again (Jane Doe)</title><h1>Rain again</h1>": ("Rain again", "title"),
    "<title>rain again [Hills Wiki]</title><h1>Rain again</h1>": ("rain again", "title"),
    "<title>Rain (again)</title><h1>Again</h1>": ("Rain (again)", "title"),
    "<title>(again)</title><h1>Rain</h1>": ("(again)", "title"),
    "<title>Rain [a] (b)</title><h1>Rain</h1>": ("Rain [a] (b)", "title"),
    # Signs between which and the name of the site nothing stands, and tags.
    "<title>Rain again -</title>": ("Rain again", "title"),
    "<title>» Rain<BR>again</title>": ("Rain again", "title"),
    "<title>&lt;table&gt;: The Table element</title>": ("<table>: The Table element", "title"),
    "<title>News » Rain again</title><h1>Rain again</h1>": ("Rain again", "title"),
    "<title>My Blog » Archive » Rain</title><h1>My Blog</h1>": (
        "My Blog » Archive » Rain",
        "title",
    ),
    "<title>雨又来了-每日新闻</title><meta property=og:site_name content=每日新闻>": (
        "雨又来了",
        "title",
    ),
    "<title>x</title><meta property=og:title content='Rain - Post'>"
    "<meta property=og:site_name content=Post><h1>Rain</h1>": ("Rain", "og"),
    "<h1>Only a heading</h1>": ("Only a heading", "h1"),
    "<title>Rain | Post</title>" + ld('{"@type": "NewsArticle", "headline": "Rain"}'): (
        "Rain",
        "json-ld",
    ),
    # What a program calls a page is not what readers see.
    "<title>List of lists - Encyclopedia</title><h1>List of lists</h1>"
    + ld('{"@type": "Article", "headline": "Wikimedia list article"}'): ("List of lists", "title"),
    # The name of the site is the heading, the headline is none.
    "<title>Rain again in the hills | Jane's Blog</title><h1>Jane's Blog</h1><b>Rain again in the hills</b>": (
        "Rain again in the hills",
        "title",
    ),
    "<title>雨又来了，河水上涨不止_新闻_某网站</title><p>雨又来了，河水上涨不止<p>正文": (
        "雨又来了，河水上涨不止",
        "title",
    ),
    "<title>Jane : Rain again in the hills</title><div>Rain again in the hills</div>": (
        "Rain again in the hills",
        "title",
    ),
    # Further signs between the two, and a colon where the rest is the headline or the site is known.
    **{
        f"<title>Rain again {sign} The Daily</title>": ("Rain again", "title")
        for sign in ("~", "*", "⋆", "&lt;", "‹", "∙", "❘")
    },
    "<title>Jane's Blog: Rain again in the hills</title><h1>Jane's Blog</h1><h3>Rain again in the hills</h3>": (
        "Rain again in the hills",
        "title",
    ),
    "<title>Grain: Rain</title><meta property=og:site_name content=Grain>": ("Rain", "title"),
    "<title>Our Hills • View topic - Rain - again</title>": ("Rain - again", "title"),
    "<title>Our Hills • View topic</title>": ("Our Hills • View topic", "title"),
    "<title>Our Hills » Blog Archive » Rain again</title>": ("Rain again", "title"),
    "<title>Our Hills » Blog Archive</title>": ("Our Hills » Blog Archive", "title"),
    # The site may be named behind the heading without a sign.
    "<title>Rain again on Daily - Sharing rain!</title><h1>Rain again</h1>": (
        "Rain again",
        "title",
    ),
    # The number of messages that waited is none of it.
    "<title>(99+ new / 3 of friends) Rain again - x</title><h1>Rain again</h1>": (
        "Rain again",
        "title",
    ),
    "<title>(500) days of rain</title><h1>Rain</h1>": ("(500) days of rain", "title"),
    "<title>(500) days of rain</title><h1>(500) days of rain</h1>": ("(500) days of rain", "title"),
    # A short headline beside the name of the site, which is the first heading, or stands for a title.
    "<title>Rain again - Our Hills</title><h1>Our Hills</h1><h2>Rain again</h2>": (
        "Rain again",
        "title",
    ),
    "<title>Rain again - Our Hills</title><h1>Rain again</h1><meta property=og:title content='Our Hills'>"
    "<meta property=og:site_name content='Our Hills'>": ("Rain again", "title"),
    "<title>Our Hills - Rain</title><h1>Welcome</h1><meta property=og:title content='Our Hills'>"
    "<meta property=og:site_name content='Our Hills'>": ("Our Hills", "og"),
    # What editors call a page without a name.
    "<title>Untitled Document</title><h1>Rain again</h1>": ("Rain again", "h1"),
    "<title>无标题文档</title><p>x": (None, None),
    # What any site calls its first page, and programs a page, where there is something better.
    "<title>Home</title><h1>Rain again</h1>": ("Rain again", "h1"),
    "<title>Home</title><meta property=og:title content='Rain again'>": ("Rain again", "og"),
    "<title>Rain again</title><meta property=og:title content=Home>": ("Rain again", "title"),
    ld('{"@type": "Article", "headline": "Home"}') + "<title>Rain again</title>": (
        "Rain again",
        "title",
    ),
    **{
        f"<title>{name}</title><h1>Rain again</h1>": ("Rain again", "h1")
        for name in (
            *(
                "HOME",
                "Home Page",
                "Startseite",
                "Index",
                "index.html",
                "Welcome!",
                "Página Principal",
            ),
            *("Home | The Rain", "The Rain - Home", "Startseite – Der Regen", "Accueil : Pluie"),
            *(
                "首页_每日雨",
                "Home - Daily Example",
                "Úvod",
                "หน้าแรก",
                "React App",
                "Home | Welcome",
            ),
            *("ANASAYFA", "דף הבית", "Главная страница", "Document", "Bez tytułu", "» Home"),
        )
    },
    "<title>Home | Rain</title><h1>Home</h1>": ("Rain", "title"),
    "<title>Home - The Rain Blog</title><meta property=og:title content=Home>"
    "<meta property=og:site_name content='The Rain Blog'>": ("The Rain Blog", "title"),
    "<title>Rain - Home - Hills</title>": ("Rain - Home - Hills", "title"),
    # The way to a page, or a word of its name.
    "<title>Home » Hills » Rain again</title><h1>Our hills</h1>": ("Hills » Rain again", "title"),
    "<title>Home again</title><h1>Rain</h1>": ("Home again", "title"),
    "<title>Welcome to the hills</title><h1>Rain</h1>": ("Welcome to the hills", "title"),
    "<title>Rain | Home of the hills</title><h1>x</h1>": ("Rain | Home of the hills", "title"),
    # There is nothing better.
    "<title>Home</title><p>x": ("Home", "title"),
    "<title>Home</title><h1>Home</h1>": ("Home", "title"),
    "<h1>Startseite</h1>": ("Startseite", "h1"),
    "<title>Index - Rain 3 documentation</title><h1>Index</h1>": (
        "Index - Rain 3 documentation",
        "title",
    ),
    "<title>Rain: again</title><h1>Rain</h1>": ("Rain: again", "title"),
    # Nor is it a link to a topic, a line above the headline, or what the site says of itself.
    "<title>Rain in the year 2024 - Rain again in the hills, and no end</title><p>Rain in the year 2024": (
        "Rain in the year 2024 - Rain again in the hills, and no end",
        "title",
    ),
    "<title>Rain - The encyclopedia of all</title><h2>Rain</h2><p>The encyclopedia of all": (
        "Rain - The encyclopedia of all",
        "title",
    ),
    "<p>nothing": (None, None),
}


@pytest.mark.parametrize("source", TITLES)
def test_title(source):
    found = known(source)
    assert (found.title, found.title_source) == TITLES[source]


@pytest.mark.parametrize(
    ("title", "path", "expected"),
    [
        # A title of all pages, where the address has the words of the heading.
        ("Daily - Sharing weather", "/t/1/rain_again_in_the_north/", "Rain again: in the North!"),
        ("Sharing weather", "/rain-again-in.html", "Rain again: in the North!"),
        ("Sharing weather", "/rain-again-in-hills", "Sharing weather"),
        ("Sharing the weather", "/rain-again-in-the-north", "Sharing the weather"),
        ("Sharing weather", "/rain-again", "Sharing weather"),
        ("Sharing weather", "/rain-again-in-the-north/page/2", "Sharing weather"),
    ],
)
def test_title_of_all_pages(title, path, expected):
    source = f"<title>{title}</title><h1>Rain again: in the North!</h1><p>x"
    assert known(source, url=f"https://www.daily.example{path}").title == expected


def test_long_titles_are_cut_before_they_are_divided():
    assert len(without_first_page("Home | " * 50_000)) <= MAX_TITLE_CHARS
