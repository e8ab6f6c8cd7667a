from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.linguistics.quality import QualityRules, repeated_line_share

OFF = {
    "min_page_bytes": 0,
    "min_words": 0,
    "min_kept_share": 0.0,
    "max_replacement_share": 0.0,
    "max_repeated_line_share": 0.0,
}
GOOD = {
    "text": "one\ntwo",
    "n_bytes": 9000,
    "n_words": 100,
    "n_page_words": 100,
    "replacement_share": 0.0,
}


@pytest.mark.parametrize(
    ("rule", "page", "reason"),
    [
        ({"min_page_bytes": 5000}, {"n_bytes": 4999}, "small_page"),
        ({"min_page_bytes": 5000}, {"n_bytes": 5000}, None),
        ({"min_words": 25}, {"n_words": 24}, "short_text"),
        ({"min_words": 25}, {"n_words": 25}, None),
        ({"min_words": 1}, {"n_words": 0}, "short_text"),
        ({"min_kept_share": 0.07}, {"n_words": 6}, "low_kept_share"),
        # 0.07 * 100 is above 7 in floating point
        ({"min_kept_share": 0.07}, {"n_words": 7}, None),
        ({"min_kept_share": 0.5}, {"n_words": 0, "n_page_words": 0}, None),
        ({"max_replacement_share": 0.02}, {"replacement_share": 0.021}, "replacement_characters"),
        ({"max_replacement_share": 0.02}, {"replacement_share": 0.02}, None),
        ({"max_repeated_line_share": 0.3}, {"text": "abcdefghaa"}, None),
        # three of ten lines repeat; 1 - 0.7 is above 0.3 in floating point
        ({"max_repeated_line_share": 0.3}, {"text": "\n".join("abcdefgaaa")}, None),
        ({"max_repeated_line_share": 0.3}, {"text": "\n".join("abcdefaaaa")}, "repeated_lines"),
        ({"max_repeated_line_share": 0.3}, {"text": " \n\n \n"}, None),
    ],
)
def test_each_rule_at_its_bound(rule, page, reason):
    assert QualityRules(**{**OFF, **rule}).judge(**{**GOOD, **page}) == reason


def test_rules_are_asked_in_the_stated_order():
    rules = QualityRules(5000, 25, 0.5, 0.1, 0.1)
    page = {
        "text": "a\na\na",
        "n_bytes": 90,
        "n_words": 3,
        "n_page_words": 100,
        "replacement_share": 0.9,
    }
    reasons = []
    for name in OFF:
        reasons.append(rules.judge(**page))
        rules = QualityRules(**{key: getattr(rules, key) if key != name else 0 for key in OFF})
    assert reasons == [
        "small_page",
        "short_text",
        "low_kept_share",
        "replacement_characters",
        "repeated_lines",
    ]
    assert rules.judge(**page) is None


@settings(deadline=None)
@given(
    text=st.text(),
    n_words=st.integers(0, 1000),
    n_page_words=st.integers(0, 1000),
    replacement_share=st.floats(0, 1),
)
def test_rules_that_are_off_keep_everything(text, n_words, n_page_words, replacement_share):
    page = {"n_bytes": n_words, "n_words": n_words, "n_page_words": n_page_words}
    rules = QualityRules(**OFF)
    assert rules.judge(text=text, replacement_share=replacement_share, **page) is None


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", " a ", "b", "", "  ", "c\u2028c"])))
def test_repeated_line_share_is_that_of_a_plain_count(lines):
    seen: list[str] = []
    repeated = 0
    for line in lines:
        if line.strip():
            repeated += line.strip() in seen
            seen.append(line.strip())
    assert repeated_line_share("\n".join(lines)) == (repeated / len(seen) if seen else 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_page_bytes", -1),
        ("min_words", -1),
        ("min_kept_share", 1.01),
        ("max_replacement_share", -0.1),
        ("max_repeated_line_share", 2),
        ("max_repeated_line_share", math.nan),
    ],
)
def test_bounds_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} must be .*, got {value}"):
        QualityRules(**{**OFF, name: value})
