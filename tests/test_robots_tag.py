"""The X-Robots-Tag header."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    (["otherbot: max-snippet: 20, noindex"], set()),
    (["winnow: max-snippet: 20, noindex"], {"noindex"}),
    (["noai, noimageai"], {"noai", "noimageai"}),
    (["unavailable_after: 25 Jun 2010 15:00:00 PST"], {"noindex"}),
    (["unavailable_after: Saturday, 25-Jun-10 15:00:00 GMT, nofollow"], {"noindex", "nofollow"}),
    (["unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT, nofollow"], {"nofollow"}),
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


@given(st.lists(st.binary(max_size=60), max_size=3))
def test_any_header_is_read(headers):
    robots_words(headers, "winnow", at=AT)
    robots_words([b"unavailable_after: " + header for header in headers], "winnow", at=AT)
