"""Patterns of URLs: classes of segments, levels, and what patterns leave out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.frontier.steering.url_patterns import (
    is_id,
    local_part,
    segment_class,
    url_pattern,
    without,
)
from crawler.urls import page_key


@pytest.mark.parametrize(
    ("segment", "kind"),
    [
        ("17", "n"),
        ("2024-05-17", "n"),
        ("12:30:00", "n"),
        ("9f86d081884c", "x"),
        ("deadbeef", "x"),  # hexadecimal without a digit
        ("cabbages", "w"),
        ("A1B2C3D4E5", "x"),
        ("a1b2", "w"),  # too short for an id
        ("red-shoes", "s"),
        ("red%20shoes", "s"),
        ("Über", "w"),
        ("", ""),
    ],
)
def test_classes_of_segments(segment, kind):
    assert segment_class(segment) == kind


@pytest.mark.parametrize(
    ("local", "shape", "plan", "section", "script"),
    [
        ("0/", "0/", "0/", "", ""),
        ("1/about", "1/w", "1/w", "", ""),
        ("0/about.html", "0/w.html", "0/w.html", "", ""),
        ("0/a/b", "0/a/w", "0/w/w", "0/a/", ""),
        ("0/a/b?y=1&x=2&x=3", "0/a/w?x&y", "0/w/w?", "0/a/", "0/a/b?"),
        ("0/?id=7", "0/?id", "0/?", "", "0/?"),
        ("0/2024/05/a-b.php", "0/2024/n/s.php", "0/n/n/s.php", "0/2024/", ""),
        ("0//x", "0//w", "0//w", "", ""),
    ],
)
def test_levels(local, shape, plan, section, script):
    pattern = url_pattern(local)
    assert (pattern.shape, pattern.plan, pattern.section, pattern.script) == (
        shape, plan, section, script,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("local", "repeats"),
    [
        ("0/a/b/a/b/a/b/", True),
        ("0/a/b/a/b/", False),  # /de/produkte/de/ happens
        ("0/2024/01/01/x", False),
        ("0/" + "/".join("abcdefghijklmn"), True),
    ],
)
def test_segments_that_repeat(local, repeats):
    assert url_pattern(local).is_repeat is repeats


def test_what_patterns_leave_out():
    assert url_pattern("0/a?b=1").variable == "b=1"
    assert url_pattern("0/a/17").variable == "0/a/17"
    assert without("0/a?b=1&c&b=2", {"b"}) == "0/a?c"
    assert [is_id(value) for value in ("5f2a9c01", "20240517", "2024", "red")] == [
        True, True, False, False,
    ]  # fmt: skip


@settings(max_examples=50)
@given(st.text(max_size=80), st.text(max_size=40))
def test_any_url_has_patterns(path, query):
    key = page_key(f"http://a.sample/{path}?{query}")
    if key is not None:
        pattern = url_pattern(key.local)
        assert pattern.shape.startswith(pattern.scheme)
        assert local_part(f"http://a.sample{key.local[1:]}") == key.local
        assert without(key.local, set()).partition("?")[0] == key.local.partition("?")[0]
