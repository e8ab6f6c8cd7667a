"""Nasty pages by hypothesis: what holds for every page, and what changes nothing.

`make test-long` tries many more of them; :mod:`tests.fuzz_page` is led by coverage.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from crawler.page import PageLimits
from tests.page_fragments import SNIPPETS, TAG_NAMES
from tests.page_fuzzing import bodies, content_types, soup, texts
from tests.page_invariants import check, outcome, outcome_of_blocks, outcome_of_links, page

MANY = settings(max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FEW = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# What fuzzing found, smallest first, and what real parsers stumbled over.
FOUND: list[tuple[bytes, str | None]] = [
    # The longest reference that is kept ended within a character.
    (b"<a href='" + "数".encode() * 3000 + b"'>x</a>", None),
    (b"<a href='" + "é".encode() * 5000 + b"'>x</a>", None),
    (b"<a href='" + "x😀".encode() * 3000 + b"'>x</a>", None),
    # An attribute with a name that no tree takes.
    (b"<E\x1d{<\xe2>", None),
    (b"<div {{attributes}}>x", None),
]


@pytest.mark.parametrize(("body", "content_type"), FOUND)
def test_what_was_found(body, content_type):
    check_twice(body, content_type)
    check_tree(body, content_type)


def test_anchor_at_its_limit_that_nfc_makes_longer():
    """U+0344 is two characters in NFC, in one of the eight letters that are kept."""
    body = "<a href=x>с\u0344сыset".encode()
    model = page(body, None, max_anchor_chars=6)
    check(model, PageLimits(max_anchor_chars=6))
    assert model.references.anchor == ["с\u0308\u0301сыs"]


def check_tree(body, content_type):
    model = page(body, content_type)
    assert model.reject or model.tree.root is not None


def check_twice(body, content_type):
    """A page holds its invariants and comes out the same after another one was built."""
    model = page(body, content_type)
    check(model)
    page(SNIPPETS[0] + SNIPPETS[2])
    assert outcome(page(body, content_type)) == outcome(model)


@given(bodies(), content_types())
@FEW
@example(b"<a href=x>" + b"<td>" * 70 + b"x", None)
def test_any_page(body, content_type):
    check_twice(body, content_type)


@pytest.mark.long
@given(bodies(), content_types())
@MANY
def test_any_page_long(body, content_type):
    check_twice(body, content_type)
    check_tree(body, content_type)


def check_limited(body, numbers):
    limits = PageLimits(*numbers)
    names = PageLimits.__slots__
    check(page(body, **dict(zip(names, numbers, strict=True))), limits)


LIMITS = st.tuples(
    st.integers(1, 400),
    *(st.integers(1, 6) for _ in range(2)),
    st.integers(1, 40),
    *(st.integers(1, 6) for _ in range(3)),
)


@given(bodies(), LIMITS)
@FEW
def test_any_limits(body, numbers):
    check_limited(body, numbers)


@pytest.mark.long
@given(bodies(), LIMITS)
@MANY
def test_any_limits_long(body, numbers):
    check_limited(body, numbers)


# Elements that hide what is in them or end by themselves are left to the tests of blocks: a comment
# within one is text.
RAW = {"script", "style", "template", "iframe", "noembed", "textarea", "xmp", "title", "option"}
ORDINARY = [name for name in TAG_NAMES if name not in RAW]
ATTRIBUTES = ["", " href=x", " class='a b'", ' href="/y?a=1&amp;b"', " name=n", " rel=nofollow"]
TOKENS = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["<{}{}>", "</{}>"]),
            st.sampled_from(ORDINARY),
            st.sampled_from(ATTRIBUTES),
        ).map(lambda parts: parts[0].format(*parts[1:])),
        texts().map(lambda text: re.sub("[<\0\ufeff]", "", text)),
    ),
    max_size=25,
).map(lambda tokens: re.findall(r"<[^<>]*>|[^<]+", "".join(tokens)))


def reading(source):
    """What is read from *source*; its mark leaves no doubt about the encoding."""
    model = page(b"\xef\xbb\xbf" + source.encode())
    return (
        model.title,
        *outcome_of_blocks(model.blocks),
        *outcome_of_links(model.links),
    )


def check_same_reading(tokens):
    """What is no tag and no text changes nothing, nor does the case of names, nor the encoding."""
    source = "".join(tokens)
    expected = reading(source)
    assert reading("\n".join(["", *lines(tokens), ""])) == expected
    assert reading("<!-- c -->".join(["", *tokens, ""])) == expected
    assert reading("".join(upper(token) for token in tokens)) == expected
    assert reading(source.replace(">", "\0>")) == expected
    blocks = page(b"\xff\xfe" + source.encode("utf-16-le")).blocks
    assert outcome_of_blocks(blocks) == expected[1 : 1 + len(outcome_of_blocks(blocks))]


def lines(tokens):
    """*tokens*, those put together between which a line may not break: text and ``a``."""
    joined = [""]
    was_free = False
    for token in tokens:
        is_free = token.startswith("<") and token.strip("</")[:2] not in {"a>", "a "}
        if is_free and was_free:
            joined.append(token)
        else:
            joined[-1] += token
        was_free = is_free
    return joined


def upper(token):
    if not token.startswith("<"):
        return token
    name, space, rest = token.partition(" ")
    return name.upper() + space + rest


@given(TOKENS)
@FEW
def test_what_changes_nothing(tokens):
    check_same_reading(tokens)


@pytest.mark.long
@given(TOKENS)
@MANY
def test_what_changes_nothing_long(tokens):
    check_same_reading(tokens)


@given(soup())
@FEW
def test_words_are_kept_behind_any_page(source):
    """Whatever a page was, the next one is read from its own bytes alone."""
    page(source.encode())
    model = page(b"<h1>one</h1><p><a href=/x>two</a> three")
    assert model.blocks.text == ["one", "two three"]
    assert model.blocks.path == ["body/h1", "body/p"]
    assert model.links.anchor == ["two"]
