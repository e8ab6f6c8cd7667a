"""The X-Robots-Tag header, and metas that say the same."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.robots_meta import meta_words
from crawler.page.robots_tag import robots_words

AT = datetime(2026, 1, 2, tzinfo=UTC)

TABLE = [
    (["noindex"], {"noindex"}),
    (["NoIndex , NOFOLLOW"], {"noindex", "nofollow"}),
    (["noindex", "nofollow"], {"noindex", "nofollow"}),  # two headers
    (["none"], {"none"}),
    (["winnow: noindex"], {"noindex"}),
    (["Winnow : noindex, nofollow"], {"noindex", "nofollow"}),
    (["otherbot: noindex, nofollow"], set()),
    (["otherbot: noindex, winnow: nofollow"], {"nofollow"}),
    (["noindex, otherbot: nofollow"], {"noindex"}),
    (["*: noindex"], {"noindex"}),
    (["otherbot: noindex", "nofollow"], {"nofollow"}),  # the name ends with its header
    (["max-snippet: 20, noindex"], {"noindex"}),
    (["max-image-preview:none"], set()),
    (["max-image-preview: none"], set()),
    (["max-image-preview : none , max-snippet: 0, NoFollow"], {"nofollow"}),
    (["max-snippet: 0 max-video-preview: -1 noindex nofollow"], {"noindex", "nofollow"}),
    (["noindex max-image-preview: none nofollow"], {"noindex", "nofollow"}),
    (["max-snippet:, noindex"], {"noindex"}),
    (["winnow: max-image-preview: none, noai; otherbot: noindex"], {"noai;"}),
    (["noindex nofollow"], {"noindex", "nofollow"}),
    (["otherbot: max-snippet: 20, noindex"], set()),
    (["winnow: max-snippet: 20, noindex"], {"noindex"}),
    (["noai, noimageai"], {"noai", "noimageai"}),
    (["unavailable_after: 25 Jun 2010 15:00:00 PST"], {"noindex"}),
    (["unavailable_after: Saturday, 25-Jun-10 15:00:00 GMT, nofollow"], {"noindex", "nofollow"}),
    (["unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT, nofollow"], {"nofollow"}),
    (["unavailable_after: June 25, 2010 15:00:00 PST, nofollow"], {"noindex", "nofollow"}),
    (["unavailable_after: Friday, June 25, 2010, 15:00:00 GMT, nofollow"], {"noindex", "nofollow"}),
    (["unavailable_after: 25 Jun 2027,15:00:00 GMT, nofollow"], {"nofollow"}),  # "15" is no robot
    (["unavailable_after: 2010-01-01, 360bot: nofollow"], {"noindex"}),
    (["unavailable_after: 1 Jan 2026 20:00:00 -0800"], set()),
    (
        ["unavailable_after: 25 Jun 2010 15:00:00 PST, max-image-preview: none, noai"],
        {"noindex", "noai"},
    ),
    (["unavailable_after: 2025-12-31"], {"noindex"}),
    (["unavailable_after: 2026-01-02T00:00:01+00:00"], set()),
    (["unavailable_after: 2026-01-02T00:30:00+01:00"], {"noindex"}),
    (["otherbot: unavailable_after: 2010-01-01"], set()),
    (["winnow: unavailable_after: 2010-01-01"], {"noindex"}),
    (["unavailable_after: some day"], set()),
    (["unavailable_after:"], set()),
    (["unavailable_after: Monday,"], set()),
    ([""], set()),
    ([",,: ,:"], {":"}),
]


@pytest.mark.parametrize(("headers", "words"), TABLE)
def test_table(headers, words):
    found = robots_words([header.encode() for header in headers], "winnow", at=AT)
    assert found - {":"} == words - {":"}


def test_without_a_time_nothing_ends():
    assert robots_words([b"unavailable_after: 2010-01-01, nofollow"], "winnow") == {"nofollow"}


METAS = [
    ("<meta name=winnow content=noindex>", {"noindex"}),
    ("<META CONTENT='NoIndex , NOFOLLOW' NAME=' Winnow '>", {"noindex", "nofollow"}),
    ('<meta\nname="winnow"\ncontent="noindex nofollow"/>', {"noindex", "nofollow"}),
    ("<meta name=googlebot content=noindex>", set()),
    ("<meta name=description content='winnow: noindex'>", set()),
    ("<meta name=winnower content=noindex><meta content=noindex property=winnow>", set()),
    ("<!-- <meta name=winnow content=noindex> --><script>'<meta name=winnow content=none>'</script>", set()),
    ("<meta name=winnow content='max-image-preview: none'>", set()),
    ("<meta name=winnow content='noai max-image-preview: none nofollow'>", {"noai", "nofollow"}),
    ("<meta name=winnow content=noai><p>x<meta name=winnow content=nofollow>", {"noai", "nofollow"}),
    ("<meta hidden name=winnow content=noindex>", {"noindex"}),
    ("<meta name=winnow><meta content=noindex><meta name=winnow name=x content=''>", set()),
    ("<meta name=robots content='unavailable_after: 25 Jun 2010 15:00:00 PST'>", {"noindex"}),
    ("<meta name=robots content='noarchive, Unavailable_After: 2010-01-01'>", {"noindex", "noarchive"}),
    ("<meta name=winnow content='unavailable_after: 2027-01-01'>", set()),
    ("<meta name=googlebot content='unavailable_after: 2010-01-01'>", set()),
    ("<meta name=robots content='unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, max-image-preview: none'>", {"noindex"}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "words"), METAS)
def test_metas_for_one_robot_and_ends(source, words):
    model = build_page(source.encode(), url="http://a.example/", content_type="text/html")
    assert meta_words(model, "winnow", at=AT) == words
    assert "nofollow" not in meta_words(model, "", at=AT)  # an agent without a product token


@pytest.mark.parametrize(
    "piece",
    ["a", " ", ",", "a: ", "max-snippet: ", "unavailable_after:", "unavailable_after:1,", "1, ", "a          "],
)  # fmt: skip
def test_a_long_header_takes_time_in_its_length(piece):
    header = (piece * 500_000)[:500_000].encode()
    start = time.process_time()
    robots_words([header], "winnow", at=AT)
    assert time.process_time() - start < 5  # up to half a second; what is quadratic takes minutes


@given(st.lists(st.binary(max_size=60), max_size=3))
def test_any_header_is_read(headers):
    robots_words(headers, "winnow", at=AT)
    robots_words([b"unavailable_after: " + header for header in headers], "winnow", at=AT)
