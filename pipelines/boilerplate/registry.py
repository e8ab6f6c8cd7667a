"""The cleaning methods by name."""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipelines.boilerplate.labels import Cleaner

__all__ = ["DEFAULT_METHOD", "get", "methods"]


class _Method(NamedTuple):
    """Where a method is, loaded when it is asked for: some need models and libraries."""

    module: str
    cls: str
    options: Mapping[str, Any] = {}


_METHODS = {
    "winnow": _Method("winnow", "Winnow"),
    "keep-all": _Method("keep_all", "KeepAll"),
    "plain": _Method("keep_all", "KeepAll"),
    # Kohlschütter 2011
    "minimum-words": _Method("minimum_words", "MinimumWords"),
    "words-rule": _Method("single_feature_rules", "WordsRule"),
    "link-density-rule": _Method("single_feature_rules", "LinkDensityRule"),
    "text-density-rule": _Method("single_feature_rules", "TextDensityRule"),
    "densitometric-tree": _Method("densitometric_tree", "DensitometricTree"),
    "numwords-tree": _Method("numwords_tree", "NumWordsTree"),
    "cleaneval-rule": _Method("cleaneval_rule", "CleanEvalRule"),
    "largest-content": _Method("largest_content", "LargestContent"),
    "main-content": _Method("main_content", "MainContent"),
    "boilerpipe-default": _Method("boilerpipe.extractors", "DefaultExtractor"),
    "boilerpipe-article": _Method("boilerpipe.extractors", "ArticleExtractor"),
    "boilerpipe-largest-content": _Method("boilerpipe.extractors", "LargestContentExtractor"),
    "boilerpipe-canola": _Method("boilerpipe.extractors", "CanolaExtractor"),
    # Gottron 2008
    "bte": _Method("bte", "BTE"),
    "bte-released": _Method("bte", "BTE", {"mode": "released"}),
    "dsc": _Method("dsc", "DSC"),
    "ccb": _Method("content_code_blurring", "CCB"),
    "accb": _Method("content_code_blurring", "ACCB"),
    "tccb": _Method("content_code_blurring", "TCCB"),
    "lqf-25": _Method("link_quota", "SimpleLinkQuotaFilter", {"threshold": 0.25}),
    "lqf-50": _Method("link_quota", "SimpleLinkQuotaFilter", {"threshold": 0.5}),
    "lqf-75": _Method("link_quota", "SimpleLinkQuotaFilter", {"threshold": 0.75}),
    "lqf-crunch": _Method("link_quota", "CrunchLinkQuotaFilter"),
    "lqf-mantratzis": _Method("link_quota", "MantratzisLinkQuotaFilter"),
    "crunch-like": _Method("crunch", "CrunchLike"),
    "fe": _Method("debnath", "FeatureExtractor"),
    "kfe": _Method("debnath", "KFeatureExtractor"),
    "kfe-remainder": _Method("debnath", "KFeatureExtractor", {"keep_remainder": True}),
    "lsi": _Method("lsi", "LSI"),
    "lp-7": _Method("largest_pagelet", "LargestPagelet"),
    "hf": _Method("xwrap", "HighestFanout"),
    "ltc": _Method("xwrap", "LargestTagCount"),
    "elisa": _Method("elisa", "Elisa"),
    # Pomikálek 2011, and the systems that he compares
    "justext": _Method("justext", "JusText"),
    "justext-a": _Method("justext", "JusText"),
    "justext-b": _Method("justext", "JusText", {"length_low": 0, "length_high": 26}),
    "justext-c": _Method(
        "justext", "JusText", {"stopwords_low": 0.25, "length_high": 25, "stopwords_high": 0.25}
    ),
    "justext-d": _Method(
        "justext", "JusText", {"stopwords_low": 0.2, "length_high": 20, "stopwords_high": 0.25}
    ),
    # Scripts without spaces counted in units: ours
    "justext-units": _Method("justext", "JusText", {"spaceless": "units"}),
    "justext-released": _Method("justext", "ReleasedJusText"),
    "tc20-sw0.30": _Method("justext", "TokenStopWordFilter"),
    "victor": _Method("victor", "Victor"),
    "victor-canola": _Method("victor", "Victor", {"model": "canola"}),
    "ncleaner": _Method("ncleaner", "NCleaner"),
    "ncleaner-nonlexical": _Method("ncleaner", "NCleaner", {"lexical": False}),
    "max-subsequence": _Method("max_subsequence", "MaxSubsequence"),
    "htmlcleaner": _Method("htmlcleaner", "HtmlCleaner"),
    "fiasco-like": _Method("fiasco", "FiascoLike"),
    "genieknows-like": _Method("genieknows", "GenieKnowsLike"),
    "isotonic-like": _Method("isotonic", "IsotonicLike"),
}
# The setting CLEAN_METHOD says it too.
DEFAULT_METHOD = "winnow"


def methods() -> tuple[str, ...]:
    """Return the names of all methods."""
    return tuple(_METHODS)


def get(name: str, **options: Any) -> Cleaner:
    """Return the method called *name*, with its published defaults but for *options*.

    Raises ValueError for an unknown method, naming the nearest ones, or option, naming the known ones, and
    for a value that the method does not take.
    """
    method = _METHODS.get(name)
    if method is None:
        raise ValueError(f"unknown cleaning method {name!r}; {_nearest(name)}")
    cls = getattr(import_module(f"pipelines.boilerplate.{method.module}"), method.cls)
    known = [
        option for option in inspect.signature(cls).parameters if option not in {"args", "kwargs"}
    ]
    for option in options:
        if option not in known:
            takes = f"takes {', '.join(known)}" if known else "takes none"
            raise ValueError(f"{name} has no option {option!r}; it {takes}")
    # Which reads words, with numpy: the names alone, as a help has them, are there at once.
    from pipelines.boilerplate.option_values import option_value

    values = {option: option_value(cls, option, value) for option, value in options.items()}
    return cast("Cleaner", cls(**{**method.options, **values}))


def _nearest(name: str) -> str:
    return f"{nearest(name, _METHODS)}`scrapy clean --help` lists all {len(_METHODS)}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return what asks whether one of *known* was meant by *name*, "" where none is like it.

    >>> nearest("Winow", ["bte", "winnow"]), nearest("x", ["bte"])
    ('did you mean winnow? ', '')
    """
    near = get_close_matches(name.lower(), list(known))
    return f"did you mean {' or '.join(near)}? " if near else ""
