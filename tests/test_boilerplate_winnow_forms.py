"""Pages that are a form and no text: nothing of them is kept; and pages that have forms beside their text, which is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import PageRules, build_page
from pipelines.boilerplate.registry import get
from pipelines.boilerplate.renderers import extract
from pipelines.boilerplate.winnow.decision import Course
from pipelines.boilerplate.winnow.features.matrix import features
from pipelines.boilerplate.winnow.form_words import AMBIGUOUS, LOGINS, LOST_PASSWORDS
from pipelines.boilerplate.winnow.forms import is_form

MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("News", "About", "Shop", "Contact"))
HINT = (
    "<p>Please give the name and the password that you chose when you joined us. Have you lost it? We send a new one "
    "to the address that we know, within a few minutes.</p>"
)
VERSE = "<p>" + "And all that we had lost in the long grass was there in the morning light. " * 4
PASSWORD = "<p><label>Password <input class=x type='password' name=p></label>"
LOGIN = f"<form><p><label>Name <input name=n></label>{PASSWORD}<button>Go</button></form>"
LABELS = (
    "Given name",
    "Family name",
    "Your company, if any",
    "Electronic mail",
    "Telephone",
    "City",
)
LETTER = "".join(f"<tr><td>{label}<td><input type=text name=f{label[:2]}>" for label in LABELS)


def model(html, url="http://a.sample/x"):
    return build_page(
        html.encode(),
        url=url,
        content_type="text/html; charset=utf-8",
        rules=PageRules("phrasing", "drop"),
    )


def page_of(title, body):
    return f"<title>{title}</title><ul>{MENU}</ul><main>{body}</main><footer>© A Site</footer>"


def text_of(title, body, url="http://a.sample/x", **options):
    page = model(page_of(title, body), url)
    return extract(page, get("winnow", **options).label(page))


def is_form_if_all_is_kept(title, body, url="http://a.sample/x", *, is_forum=False):
    page = model(f"<title>{title}</title>{body}", url)
    return is_form(page, np.ones(len(page.blocks), np.bool_), is_forum=is_forum)


@pytest.mark.parametrize("preset", ["precision", "balanced", "recall"])
def test_a_login_is_no_main_text_whatever_it_is_called(preset):
    assert text_of("A Site", HINT, preset=preset), "the text must be one that the trees would keep"
    assert text_of("A Site", HINT + LOGIN, preset=preset) == ""


def test_a_form_of_labels_is_none():
    assert is_form_if_all_is_kept("A Site", f"<table>{LETTER}</table><textarea></textarea>")
    # Two fields stand in a head or a foot; and what asks for more is text.
    assert not is_form_if_all_is_kept("A Site", "<p>Name <input><p>Mail <input>")
    assert not is_form_if_all_is_kept("A Site", VERSE + f"<table>{LETTER}</table>")
    assert not is_form_if_all_is_kept("A Site", LETTER.replace("type=text", "type=checkbox"))


def test_a_text_beside_a_form_is_one():
    comment = "<h3>Leave a comment</h3><p>Name <input><p>Mail <input><p>Site <input><p><textarea></textarea>"
    caption = (
        "<p>A heron in the reeds of the lower lake, on a morning in March, before the rain came."
    )
    for body in (LOGIN + VERSE, VERSE + LOGIN, caption + comment, LOGIN + VERSE + comment):
        assert not is_form_if_all_is_kept("A Site", body)
    # Of two forms, a head and a comment, none holds the text between.
    assert not is_form_if_all_is_kept("A Site", LOGIN + caption * 3 + comment + LOGIN)


@pytest.mark.parametrize(
    "address",
    [
        "http://a.sample/login",
        "http://a.sample/user/register/",
        "http://a.sample/ForgotPassword.aspx?back=/",
        "http://a.sample/wp-login.php?action=lostpassword",
        "http://a.sample/forum/ucp.php?sid=a1&mode=register",
        "http://a.sample/users/sign_in",
        "http://a.sample/customer/account/create/",
        "http://a.sample/de/passwort-vergessen.html#top",
        "http://a.sample/mot-de-passe-oublie",
    ],
)
def test_an_address_names_it(address):
    asks = HINT + "<p>Mail <input name=m>"
    assert text_of("A Site", asks) != ""
    assert text_of("A Site", asks, address) == ""
    assert is_form_if_all_is_kept("A Site", asks, address, is_forum=True)
    assert not is_form_if_all_is_kept("A Site", HINT, address), "it has no field"
    assert not is_form_if_all_is_kept("A Site", asks + VERSE * 3, address), "it has a text"


@pytest.mark.parametrize(
    "address",
    [
        "http://a.sample/",
        "http://a.sample/wiki/Login_theory",
        "http://a.sample/news/how-to-reset-a-lost-password-in-three-steps",
        "http://a.sample/register-of-ships",
        "http://a.sample/search?q=login",
        "http://login.sample/x",
        "http://a.sample/x#login",
        "mailto:login",
        "",
    ],
)
def test_an_address_with_such_words_does_not(address):
    assert not is_form_if_all_is_kept("A Site", HINT + "<p>Mail <input name=m>", address)


def test_a_title_names_it():
    name, more = "<p>Mail <input name=m>", "<p>Name <input name=n>"
    assert is_form_if_all_is_kept("Log In - A Site", HINT + name + more)
    assert is_form_if_all_is_kept("A Site | Lost Password", HINT + name)
    assert is_form_if_all_is_kept("A Site", "<h1>Reset password</h1>" + HINT + name)
    # One field more may be that of a letter of news.
    assert not is_form_if_all_is_kept("Registration - A Meeting", HINT + name)
    assert not is_form_if_all_is_kept("Log In - A Site", HINT)
    assert not is_form_if_all_is_kept("How to log in - A Site", HINT + name + more)
    assert "morning light" in text_of("Log In - A Site", LOGIN + VERSE * 4)


FIELDS = "".join(f"<p>{label} <input>" for label in LABELS[:3])
MEETING = (
    "<h1>Bees</h1><p>On 12 June we meet at the old mill to look at the hives. Bring boots and a hat. Lunch is included, "
    "and children under ten come for free.</p>"
)


@pytest.mark.parametrize(
    ("title", "body", "address"),
    [
        ("Bees - Registration", MEETING + FIELDS, "http://a.sample/meetings/bees"),
        ("Bees", MEETING + FIELDS, "http://a.sample/meetings/bees/register"),
        ("Bees - Registration", MEETING + FIELDS, "http://a.sample/meetings/bees/register"),
        # A box to log in stands beside it.
        ("Accesso | Museo", MEETING * 4 + LOGIN, "http://a.sample/museo/orario"),
        ("Inscription", MEETING * 7 + "<p>a<p>b<p>c<p>d<p>e" + LOGIN, "http://a.sample/inscription"),
        ("Login - A Dictionary", MEETING * 2 + LOGIN, "http://a.sample/dictionary/login"),
        ("Register - A Dictionary", MEETING * 2 + LOGIN, "http://a.sample/wiki/Register"),
        # A field for a search is of no form.
        ("Register | A Museum", MEETING + "<p>Find: <input name=q>", "http://a.sample/register"),
        ("Register | A Museum", MEETING + "<p><input placeholder='Search ...'>", "http://a.sample/register"),
        # What stands behind a box to log in is not of it.
        ("A Site", LOGIN + "<p>Nothing is so painful to the human mind as a great and sudden change.", "http://a.sample/"),
    ],
)  # fmt: skip
def test_what_is_called_as_forms_are_is_a_page(title, body, address):
    assert not is_form_if_all_is_kept(title, body, address)


def test_words_are_as_titles_are_read():
    for phrase in LOGINS - AMBIGUOUS | LOST_PASSWORDS:
        assert is_form_if_all_is_kept(phrase.upper(), "<p>a<p>b<p>c" * 9 + PASSWORD), phrase
    assert AMBIGUOUS < LOGINS


def test_its_inspector_says_why():
    page = model(page_of("A Site", HINT + LOGIN))
    winnow = get("winnow")
    assert winnow.decide(features(page), page).course is Course.FORM
    assert "it is a form" in winnow.reasons(page).page[0]


def test_fields_take_linear_time():
    page = model("<title>login</title><p>word" + "<input>" * 100_000 + "<p>more")
    assert is_form(page, np.ones(len(page.blocks), np.bool_), is_forum=False)
    # Hours, when the blanks of a tag were divided in all ways.
    page = model(
        "<title>login</title><p>word<input type=" + " " * 500_000 + "><input type=password>"
    )
    assert is_form(page, np.ones(len(page.blocks), np.bool_), is_forum=False)


_PIECES = st.sampled_from(
    [
        "<p>a b c",
        "<h1>Log in</h1>",
        "<input>",
        PASSWORD,
        "<textarea></textarea>",
        VERSE,
        "<p>" + "w " * 9,
    ]
)


@given(st.lists(_PIECES, max_size=30), st.data())
def test_of_what_is_no_form_more_is_none_either(pieces, data):
    page = model(
        "<title>A</title>" + "".join(pieces),
        data.draw(st.sampled_from(["http://a.sample/", "http://a.sample/login"])),
    )
    more = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(page.blocks), max_size=len(page.blocks))),
        np.bool_,
    )
    less = more & np.array(
        data.draw(st.lists(st.booleans(), min_size=len(more), max_size=len(more))), np.bool_
    )
    is_forum = data.draw(st.booleans())
    if less.any() and is_form(page, more, is_forum=is_forum):
        assert is_form(page, less, is_forum=is_forum)
