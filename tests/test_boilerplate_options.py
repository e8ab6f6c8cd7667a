"""The options of every method: wrong values are refused at once, and no other fails on a page."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from crawler.errors import FormatError
from crawler.page import PageRules, build_page
from pipelines.boilerplate import registry
from pipelines.boilerplate.option_values import option_value

PAGE = (
    b"<title>T</title><ul><li><a href=/>Home</a></ul><table><tr><td>The words of a cell of a table"
    b"<td><a href=/x>a link</a></table><p>The words of a paragraph that is as long as one may be."
)
VALUES = (
    *("abc", -1, -0.5, float("nan"), float("inf"), 1e9, 10**9, 1e308, -1e308, 10**400),
    *(None, True, 0.5, 3),
)


def class_of(name):
    method = registry._METHODS[name]
    return getattr(import_module(f"pipelines.boilerplate.{method.module}"), method.cls)


def methods_with_options():
    # One name a class; the largest models are loaded by other tests.
    names = {class_of(name): name for name in reversed(registry.methods())}
    return sorted(name for cls, name in names.items() if inspect.signature(cls).parameters)


@pytest.mark.parametrize("name", methods_with_options())
def test_a_value_is_refused_or_works(name):
    for option in inspect.signature(class_of(name)).parameters:
        for value in VALUES:
            try:
                method = registry.get(name, **{option: value})
            except (ValueError, FormatError):
                continue
            page = build_page(
                PAGE,
                url="http://a.sample/",
                content_type=None,
                rules=PageRules(inline=method.inline),
            )
            assert len(method.label(page).kept) == len(page.blocks)


@pytest.mark.parametrize(
    ("name", "option", "value", "said"),
    [
        ("minimum-words", "min_words", "ten", "min_words must be a whole number, got 'ten'"),
        ("minimum-words", "min_words", True, "must be a whole number, got True"),
        ("link-density-rule", "max_link_density", float("nan"), "must be a finite number, got nan"),
        ("ncleaner", "bias", 1e308, r"^bias must be between -1e9 and 1e9, got 1e\+308$"),
        ("genieknows-like", "max_words", 10**400, r"max_words must be between .*, got 10{23}$"),
        ("dsc", "retroactive_start", "yes", "must be true or false, got 'yes'"),
        ("ccb", "delta", 2.5, "delta must be a whole number or none, got 2.5"),
        ("justext", "stop_list", 3, "stop_list must be words or none, got 3"),
        ("justext-released", "stopwords_low", 30, "stopwords_low must be from 0 to 1, got 30"),
        ("justext-released", "length_low", -1, "length_low must be at least 0, got -1"),
        ("tc20-sw0.30", "language", "Klingon", "no stop list for 'Klingon'"),
        ("lqf-crunch", "cells", " , ", "cells must be words"),
        ("justext", "spaceless", ["units"], r"spaceless must be a single value, got \['units'\]"),
    ],
)
def test_wrong_values(name, option, value, said):
    with pytest.raises(ValueError, match=said):
        registry.get(name, **{option: value})


def test_words_may_be_one_text():
    method = registry.get("lqf-crunch", cells="div, td li")
    assert method.cells == {"div", "td", "li"}
    assert registry.get("justext", stop_list="the of").stop_list == {"the", "of"}
    with pytest.raises(ValueError, match=r"has '/tmp/stops.txt', which is no word; .* is @FILE"):
        registry.get("justext", stop_list="/tmp/stops.txt")
    with pytest.raises(ValueError, match=r"stop_list has one word alone, 'German'; .* is @FILE"):
        registry.get("justext", stop_list="German")
    assert registry.get("lqf-crunch", cells="td").cells == {"td"}
    # Words of Persian have a joiner within them, which is not shown.
    assert registry.get("justext", stop_list="می\u200cشود را").stop_list == {"می\u200cشود", "را"}
    # As JSON has them, in CLEAN_OPTIONS.
    page = build_page(b"<p>the house of the cat", url="http://a.sample/", content_type=None)
    for name in ("justext", "justext-released", "tc20-sw0.30"):
        method_of_list = registry.get(name, stop_list=["the", "of", "the"])
        assert method_of_list.stop_list == frozenset({"the", "of"})
        assert len(method_of_list.label(page).kept) == 1
        with pytest.raises(ValueError, match=r"stop_list must be words or none, got \['the', 5\]"):
            registry.get(name, stop_list=["the", 5])
    cells = frozenset({"td"})
    assert option_value(type(method), "cells", cells) is cells


def test_words_may_be_those_of_a_file(tmp_path):
    words = tmp_path / "stops.txt"
    words.write_text("the\nof\n", encoding="utf-8")
    assert registry.get("justext", stop_list=f"@{words}").stop_list == {"the", "of"}
    words.write_text("the\nof\n", encoding="utf-8-sig")
    assert registry.get("justext", stop_list=f"@{words}").stop_list == {"the", "of"}
    words.write_text("fu\u0308r\nund\n", encoding="utf-8")  # decomposed, as no text of a page is
    assert registry.get("justext", stop_list=f"@{words}").stop_list == {"f\u00fcr", "und"}
    for data, said in (
        (b"caf\xe9", "is no UTF-8 text; convert it"),
        (b" \n", "holds no word; give"),
        (b"the;of;and\n", "has one word alone, 'the;of;and'; give a file of words"),
        (
            b"PK\x03\x04 the of\x00\x00",
            r"has 'PK\\x03\\x04', which is no word; give a file of words",
        ),
        (b"<p>the of</p>", "has 'of</p>', which is no word; give a file of words"),
    ):
        words.write_bytes(data)
        with pytest.raises(ValueError, match=rf"stop_list: .*stops.txt {said}"):
            registry.get("justext", stop_list=f"@{words}")
    with pytest.raises(ValueError, match=r"stop_list: cannot read .*: Is a directory"):
        registry.get("justext", stop_list=f"@{tmp_path}")
