"""What a page and its headers say of the use of its text."""

from __future__ import annotations

import pytest

from crawler.page import build_page
from crawler.page.signals import MAX_SIGNALS, header_signals, reservation, signal_words

SOURCES = [
    ("<meta name=robots content=noai>", {"noai"}),
    ("<META NAME='Robots' CONTENT='NoAI, NOIMAGEAI'>", {"noai", "noimageai"}),
    ("<meta name=robots content='noai,noindex'><p>x<meta name=robots content=noimageai>", {"noai", "noimageai"}),
    ("<meta name=robots content='noais ai noimageaix'>", set()),
    ("<meta name=googlebot content=noai>", set()),
    ("<!-- <meta name=robots content=noai> -->", set()),
    ("<meta name=tdm-reservation content=1>", {"tdm-reservation=1"}),
    ("<meta name=' TDM-Reservation ' content=' 1 '>", {"tdm-reservation=1"}),
    ("<meta name='tdm-reservation' content='0'/>", {"tdm-reservation=0"}),
    ("<meta name=tdm-reservation content=2><meta name=tdm-reservation content=10>", set()),
    ("<meta name=tdm-reservation content=''><meta name=tdm-reservation>", set()),
    ("<meta name=tdm-reservations content=1><meta name='tdm-reservation x' content=1>", set()),
    ("<meta content=noai>", set()),
    ("<p>noai</p>", set()),
]  # fmt: skip


@pytest.mark.parametrize(("source", "signals"), SOURCES)
def test_metas(source, signals):
    model = build_page(
        f"<p>text</p>{source}".encode(), url="http://a.com/", content_type="text/html"
    )
    assert model.signals == signals


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("ai-train=no", ["ai-train=no"]),
        ("search=yes, ai-train=no; ai-input = YES", ["search=yes", "ai-train=no", "ai-input=yes"]),
        ('train-ai="n"', ["train-ai=n"]),
        ("/ train-ai=n", ["train-ai=n"]),
        ("/private train-ai=n", []),
        ("no", []),
        ("=no,ai-train=,a=b=c, é=no", []),
        ("", []),
        ("a=1," * 10_000, ["a=1"] * MAX_SIGNALS),
        ("a" * 10_000 + "=no", []),
    ],
)
def test_content_signals(value, words):
    assert signal_words(value) == words


@pytest.mark.parametrize(
    ("value", "words"), [("1", ["tdm-reservation=1"]), (" 0", ["tdm-reservation=0"]), ("01", []), ("", [])]
)  # fmt: skip
def test_reservations(value, words):
    assert reservation(value) == words


def test_headers():
    headers = {
        "content-signal": ["ai-train=no", "search=yes"],
        "content-usage": ["train-ai=n"],
        "tdm-reservation": ["1"],
        "x-robots-tag": ["unread"],
    }
    found = header_signals(headers, {"noai", "noindex"})
    assert found == {"ai-train=no", "search=yes", "train-ai=n", "tdm-reservation=1", "noai"}
    assert header_signals({}, ()) == set()
