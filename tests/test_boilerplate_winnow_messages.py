"""Pages that are a message and no page: nothing of them is kept; and pages that look like one, of which all is."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.page import PageRules, build_page
from pipelines.boilerplate.registry import get
from pipelines.boilerplate.renderers import extract
from pipelines.boilerplate.winnow.decision import Course
from pipelines.boilerplate.winnow.features.matrix import features
from pipelines.boilerplate.winnow.message_words import MESSAGES, WHOLE_MESSAGES
from pipelines.boilerplate.winnow.messages import is_message

APOLOGY = (
    "<p>We are very sorry, but the page that you are looking for has been moved, or it was never here at all. "
    "You may want to search for it, or to begin again at our front page. If you think that something is broken, "
    "please write to us and say which link brought you here, so that we can mend it soon.</p>"
)
MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("News", "About", "Shop", "Contact"))
VERSE = "<p>" + "And all that we had lost in the long grass was there in the morning light. " * 8


def model(html):
    return build_page(
        html.encode(),
        url="http://a.sample/",
        content_type="text/html; charset=utf-8",
        rules=PageRules("phrasing", "drop"),
    )


def text_of(html, **options):
    page = model(html)
    return extract(page, get("winnow", **options).label(page))


def page_of(title, body, *, heading=""):
    return f"<title>{title}</title><ul>{MENU}</ul><main>{heading}{body}</main><footer>© A Site</footer>"


@pytest.mark.parametrize(
    "title",
    [
        "404 Not Found",
        "403 Forbidden",
        "Access Denied",
        "Page not found &#8211; My Blog",
        "My Blog | Page Not Found",
        "404: This page could not be found",
        "Error 404 (Not Found)!!1",
        "404",
        "404 | My Blog",
        "Error 500",
        "Oops! That page can&rsquo;t be found. - Site",
        "503 Service Unavailable",
        "Just a moment...",
        "Attention Required! | Cloudflare",
        "Welcome to nginx!",
        "Apache2 Ubuntu Default Page: It works",
        "Fehler 404 - Seite nicht gefunden | Laden",
        "Page introuvable : erreur 404",
        "P\u00e1gina no encontrada",
        "\u0421\u0442\u0440\u0430\u043d\u0438\u0446\u0430 \u043d\u0435 \u043d\u0430\u0439\u0434\u0435\u043d\u0430 \u2014 404",
        "404\u9519\u8bef_\u9875\u9762\u4e0d\u5b58\u5728",
        "\u30da\u30fc\u30b8\u304c\u898b\u3064\u304b\u308a\u307e\u305b\u3093\u3067\u3057\u305f | \u4f1a\u793e",
    ],
)
def test_a_message_is_no_main_text(title):
    assert text_of(page_of("A Site", APOLOGY)), "the text must be one that the trees would keep"
    for preset in ("precision", "balanced", "recall"):
        assert text_of(page_of(title, APOLOGY), preset=preset) == ""


def test_a_heading_says_it_where_the_title_is_that_of_the_site():
    assert text_of(page_of("A Site", APOLOGY, heading="<h1>Sorry, page not found</h1>")) == ""
    # The others may stand over a box that waits for a search.
    assert text_of(page_of("A Site", APOLOGY, heading="<h2>Nothing found</h2>"))
    assert text_of(page_of("A Site", APOLOGY, heading="<h1>One</h1><h1>Nothing found</h1>"))
    assert text_of(page_of("A Site", APOLOGY, heading="<h1>Loading</h1>"))
    assert text_of(page_of("Loading...", APOLOGY)) == ""


@pytest.mark.parametrize(
    "title",
    [
        "How to fix a 404 Page not found error in WordPress",
        "HTTP 404 basics - Docs",
        "Not Found - Poems of a Site",
        "Forbidden | Films",
        "Access Denied - Lyrics",
        "Peugeot 404",
        "Peugeot | 404",
        "500 | Fiat",
        "503",
        "Top 500",
        "Volume 26 (3): 487",
        "Log in",
        "The page cannot be found in any library, say researchers",
    ],
)
def test_what_has_such_words_in_its_title_is_a_page(title):
    assert text_of(page_of(title, APOLOGY)) == text_of(page_of("A Site", APOLOGY)) != ""


def test_a_page_with_more_text_is_about_something():
    assert "morning light" in text_of(page_of("404 Not Found", VERSE * 2))


ROWS = "".join(
    f"<tr><td><a href=f{n}>farm-{n}.tar.gz</a><td>2019-04-02 12:{n}<td>{n}M<td>harvest {n}"
    for n in range(10, 99)
)
FILES = {
    "apache": "<h1>Index of /pub</h1><table>"
    + ROWS
    + "</table><address>Apache/2.4.10 (Debian) Port 80",
    "nginx": "<h1>Index of /pub</h1><hr><pre>" + "<a href=f>a.txt</a>  2019 1M\n" * 99 + "</pre>",
    "plain": "<h1>Index of /pub</h1><ul>" + "<li><a href=f>a file.txt</a>" * 99 + "</ul>",
}


@pytest.mark.parametrize("server", FILES)
def test_a_list_of_files_is_no_main_text(server):
    files = FILES[server]
    assert len(text_of(f"<title>Index of farms</title>{files}").split()) > 150
    assert text_of(f"<title>Index of /pub</title>{files}") == ""
    # What a folder says of itself below is a text.
    assert "morning light" in text_of(f"<title>Index of /pub</title>{files}{VERSE * 2}")
    about = "<pre>" + VERSE.removeprefix("<p>") + "</pre>"
    assert "morning light" in text_of(f"<title>Index of /pub</title>{about}{files}")
    assert text_of(f"<title>Index of /pub</title>{files.replace('h1', 'h2')}") != ""


@pytest.mark.parametrize(
    "title",
    [
        "Index of /",
        "Directory listing for /a/",
        "Directory: /a/",
        "Directory Listing For [/]",
        "a.sample - /files/",
    ],
)
def test_servers_call_lists_of_files_so(title):
    assert text_of(f"<title>{title}</title><h1>{title}</h1><table>{ROWS}</table>") == ""


def test_a_domain_for_sale_has_no_main_text():
    offer = (
        "<div>a.sample</div><div>This domain is for sale! The owner offers it for an asking price of 4,999 dollars, "
        "and answers within a day to whoever writes to the address that is given below.</div><h2>Related searches</h2>"
    )
    for title in ("<title>a.sample</title>", "<title>A.sample</title>", ""):
        assert text_of(title + offer) == "", title
        assert "morning light" in text_of(title + offer + VERSE * 2)
        assert text_of(title + offer.replace("for sale", "for all")) != ""
    assert text_of("<title>How to sell a name</title>" + offer) != ""


@pytest.mark.parametrize(
    "asked",
    [
        "You need to enable JavaScript to run this app.",
        "We have detected that JavaScript is disabled. Please enable JavaScript to go on, or take another browser.",
        "a.sample needs to review the security of your connection before proceeding.",
        "You are using an outdated browser. Please upgrade your browser.",
        "Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.",
        "\u8bf7\u542f\u7528JavaScript\u540e\u91cd\u8bd5\u3002",
    ],
)
def test_what_asks_for_a_browser_is_no_main_text(asked):
    body = f"<noscript><p>{asked}</p></noscript><div id=root></div><p>Help, terms and notices. \u00a9 A Site</p>"
    for preset in ("precision", "balanced", "recall"):
        assert text_of(f"<title>A Site</title>{body}", preset=preset) == ""
    # Comments ask for it below a text.
    assert "morning light" in text_of(f"<title>A Site</title>{VERSE}{body}")
    short = (
        "<p>" + "And all that we had lost in the long grass was there in the morning light. " * 3
    )
    assert "morning light" in text_of(f"<title>A Site</title><article>{short}</article>{body}")
    # Who says it within a text says more.
    game = short.replace("<p>", "<p>The game on this page requires JavaScript. ")
    assert "morning light" in text_of(f"<title>A Game</title><article>{game}</article>")


def test_its_inspector_says_why():
    page = model(page_of("404 Not Found", APOLOGY))
    winnow = get("winnow")
    assert winnow.decide(features(page), page).course is Course.MESSAGE
    assert "an error, a guard or a list of files" in winnow.reasons(page).page[0]


def test_words_are_as_titles_are_read():
    for phrase in MESSAGES | WHOLE_MESSAGES:
        page = model(f"<title>{phrase.upper()}</title><p>word")
        assert is_message(page, np.array([True])), phrase


def test_titles_take_linear_time():
    for sign in ("-", " - ", ": ", "|", "x ", "4", ". "):
        page = model(f"<title>{sign * 400_000}</title><h1>{sign * 400_000}</h1><p>word")
        assert not is_message(page, np.ones(len(page.blocks), np.bool_))
