"""User comments: where on a page they may stand, and whether they are what the page is for.

A block may be a comment when it stands within an element whose class or id says so, short of one that holds
nearly the whole page. Beside a main text such blocks are comments; on a forum, by the trees' reading of the
page as a whole and of what its blocks are likely to be, they are the main text.

Shapes: *x* float32[n_features, n]; bool[n] of blocks; ``page_kind`` float32[len(KIND_NAMES), 1].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.winnow.features import FEATURE_NAMES

if TYPE_CHECKING:
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    F32 = npt.NDArray[np.float32]
    F64 = npt.NDArray[np.float64]

COMMENTS = ("auto", "keep", "cut")
_AROUND = FEATURE_NAMES.index("comment around")
_WORDS, _LINK_SHARE = FEATURE_NAMES.index("words"), FEATURE_NAMES.index("link share")
_FORUM_AROUND = FEATURE_NAMES.index("forum around")
_ARTICLE_AROUND = FEATURE_NAMES.index("main_text around")
# What trees for forums ask; none of it is how much is said in comments, which is much on some blogs, too.
# A rise speaks for a forum (1) or against one (-1).
_OF_PAGE = {
    "page is article": -1,
    "page is forum": 1,
    "page is blog program": -1,
    "page is forum program": 1,
    "page has article": -1,
    "page has main_text": -1,
}
_OF_PLACES = {
    "text elsewhere": -1,
    "longest elsewhere": -1,
    "text in forum": 1,
    "text in article": -1,
    "text before": -1,
}
# By the probabilities of the blocks, in words that are expected. 0: trees may take it either way.
_OF_EXPECTED = {
    "expected elsewhere": -1,
    "expected in places": 0,
    "share expected elsewhere": -1,
    "main share of places": 1,
    "long blocks expected elsewhere": 0,
    "longest main elsewhere": -1,
}
KIND_NAMES = (*_OF_PAGE, *_OF_PLACES, *_OF_EXPECTED)
KIND_SIGNS = (*_OF_PAGE.values(), *_OF_PLACES.values(), *_OF_EXPECTED.values())
_PLACES_OF_PAGE = [FEATURE_NAMES.index(name) for name in _OF_PAGE]
# An element that holds a larger share of the page's words is the page.
MOST_OF_PAGE = 0.95
# Words of main text elsewhere that make blocks in such places comments on it.
MAIN_WORDS = 100
_LONG_WORDS, _FEW_LINKS = 10, 0.35
_PARAGRAPH_WORDS = 20


def may_be_comments(x: F32) -> Bools:
    """Return which blocks stand where comments stand, by their features *x*."""
    around = x[_AROUND]
    return np.asarray((around > 0) & (around < MOST_OF_PAGE), np.bool_)


def are_comments(places: Bools, wanted: Bools, n_words: npt.NDArray[np.float64]) -> bool:
    """Tell whether blocks in *places* for comments stand beside enough other *wanted* text."""
    return bool(n_words[wanted & ~places].sum() >= MAIN_WORDS)


def page_kind(x: F32, places: Bools, main: F64, full: F64) -> F32:
    """Return what the trees for forums ask of a page of one block at least.

    *main* and *full* are the probabilities of its blocks, *full* of those in *places*.
    """
    words = x[_WORDS].astype(np.float64)
    is_text = (words >= _LONG_WORDS) & (x[_LINK_SHARE] < _FEW_LINKS)
    text = words * is_text
    all_text = max(text.sum(), 1.0)
    # Comments of blogs stand in threads, too: there one element says both.
    in_forum = (x[_FORUM_AROUND] > 0) & (x[_FORUM_AROUND] != x[_AROUND])
    first = int(places.argmax()) if places.any() else len(places)
    values = [
        text[~places].sum(),
        text[~places].max(initial=0.0),
        text[in_forum].sum() / all_text,
        text[(x[_ARTICLE_AROUND] > 0) & ~places].sum() / all_text,
        text[:first].sum() / all_text,
        *_expected(words, places, main, full),
    ]
    page = x[_PLACES_OF_PAGE, 0]
    return np.concatenate((page, np.array(values, np.float32)))[:, None]


def _expected(words: F64, places: Bools, main: F64, full: F64) -> list[float]:
    elsewhere = float(words[~places] @ main[~places])
    in_places = float(words[places] @ full[places])
    return [
        elsewhere,
        in_places,
        elsewhere / (elsewhere + in_places + 1.0),
        float(words[places] @ main[places]) / max(words[places].sum(), 1.0),
        float(main[~places & (words >= _PARAGRAPH_WORDS)].sum()),
        float(words[~places & (main > 0.5)].max(initial=0.0)),
    ]
