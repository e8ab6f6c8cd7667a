"""Cleaners by their names and options, as commands take them."""

from __future__ import annotations

import pytest

from crawler.errors import InputError
from pipelines.jobs import named_cleaner
from pipelines.jobs.named_cleaner import cleaner_of


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ("-0.5", -0.5), ("1e3", 1000.0), ("True", True), ("none", None), ("a=b", "a=b")],
)
def test_options_have_types(monkeypatch, text, value):
    taken = {}
    monkeypatch.setattr(named_cleaner, "get", lambda method, **options: taken.update(options))
    named_cleaner.cleaner_of("any", [f"some-name={text}"])
    assert taken == {"some_name": value}


def test_options_may_stand_behind_the_name():
    """As `scrapy evaluate` takes them, and names its rows."""
    cleaner = cleaner_of("dsc:prose_slope=true:literal_bound=true", ["script-tags=false"])
    assert (cleaner.prose_slope, cleaner.literal_bound, cleaner.script_tags) == (True, True, False)
    assert cleaner_of("lp-7:k=3", named_by="--fallback").k == 3


@pytest.mark.parametrize(
    ("method", "options", "said"),
    [
        ("lp-7:k=0", [], "^--method lp-7:k=0: k must be at least 1"),
        ("lp-9:k=3", [], "^--method lp-9:k=3: unknown cleaning method 'lp-9'; did you mean lp-7"),
        ("lp-7:k", [], "^--method: 'k' in 'lp-7:k' is no OPTION=VALUE"),
        ("lp-7:k=3", ["k=4"], "^--option k is in --method lp-7:k=3, too; give it once"),
        ("dsc:prose_slope=true", ["script-tags=5"], "^--option: script_tags must be true or false"),
        ("peer/justext:x=1", [], "peer/justext"),
    ],
)
def test_what_is_wrong_is_told_as_it_was_given(method, options, said):
    with pytest.raises(InputError, match=said):
        cleaner_of(method, options)


def test_a_setting_names_a_method_alone():
    with pytest.raises(InputError, match=r"^CLEAN_METHOD lp-7:k=3: unknown cleaning method"):
        cleaner_of("lp-7:k=3", named_by="CLEAN_METHOD")
