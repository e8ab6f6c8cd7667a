"""User comments: where on a page they may stand, and whether they are what the page is for.

A block may be a comment when it stands within an element whose class or id says so, short of one that holds
nearly the whole page. Beside a main text such blocks are comments; on a forum, by the trees' reading of the
page as a whole, of where it links to and of what its blocks are likely to be, they are the main text.

Shapes: *x* float32[n_features, n]; bool[n] of blocks; ``page_kind`` float32[len(KIND_NAMES), 1].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.thread_links import thread_link_share

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.links import References

    Bools = npt.NDArray[np.bool_]
    F32 = npt.NDArray[np.float32]
    F64 = npt.NDArray[np.float64]
    U32 = npt.NDArray[np.uint32]

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
_OF_LINKS = {"links to threads": 1}
KIND_NAMES = (*_OF_PAGE, *_OF_PLACES, *_OF_EXPECTED, *_OF_LINKS)
KIND_SIGNS = (
    *(*_OF_PAGE.values(), *_OF_PLACES.values()),
    *(*_OF_EXPECTED.values(), *_OF_LINKS.values()),
)
_PLACES_OF_PAGE = np.array([FEATURE_NAMES.index(name) for name in _OF_PAGE], np.uint32)
_N_OF_PLACES = len(_OF_PLACES)
# An element that holds a larger share of the page's words is the page.
MOST_OF_PAGE = 0.95
# Words of main text elsewhere that make blocks in such places comments on it.
MAIN_WORDS = 100
_LONG_WORDS, _FEW_LINKS = 10, np.float32(0.35)
_PARAGRAPH_WORDS = 20
# Words of a form for a comment; one that holds more holds the comments.
_FORM_WORDS = 200
_WITHIN_FORM = FEATURE_NAMES.index("within form")


def may_be_comments(x: F32) -> Bools:
    """Return which blocks stand where comments stand, by their features *x*."""
    around = x[_AROUND]
    return np.asarray((around > 0) & (around < MOST_OF_PAGE), np.bool_)


def are_comments(places: Bools, wanted: Bools, n_words: npt.NDArray[np.float64]) -> bool:
    """Tell whether blocks in *places* for comments stand beside enough other *wanted* text."""
    return bool(n_words[wanted & ~places].sum() >= MAIN_WORDS)


def of_comment_forms(x: F32, places: Bools, wanted: Bools, n_words: F64) -> Bools:
    """Return which blocks in *places* are of the form for a new comment: "Your email address will not be published".

    None where forms hold text of the page, which is *wanted*, or all the comments.
    """
    in_forms = x[_WITHIN_FORM] > 0
    found = np.asarray(places & in_forms, np.bool_)
    if np.any(wanted & in_forms) or n_words[found].sum() > _FORM_WORDS:
        return np.zeros(len(places), np.bool_)
    return found


def with_others_alike(wanted: Bools, places: Bools, n_words: F64, paths: U32) -> Bools:
    """Return the *wanted* blocks in *places*, and with them the others there of their tag paths.

    Comments of a page are made alike: where at least half of the words in *places* below one of the *paths*,
    uint32[n], are wanted, all of them are.
    """
    found = wanted & places
    all_words, its_words = (np.bincount(paths, n_words * its) for its in (places, found))
    return found | (places & (2 * its_words >= all_words)[paths] & (its_words > 0)[paths])


def page_kind(x: F32, places: Bools, main: F64, full: F64, *, links: References) -> F32:
    """Return what the trees for forums ask of a page of one block at least, with *links*.

    *main* and *full* are the probabilities of its blocks, *full* of those in *places*.
    """
    kind = np.empty((len(KIND_NAMES), 1), np.float32)
    kind[-1] = thread_link_share(links)
    _fill_kind(np.ascontiguousarray(x), places, main, full, kind[:, 0])
    return kind


@lean_kernel
def _fill_kind(x: F32, places: Bools, main: F64, full: F64, kind: F32) -> None:
    for k in range(len(_PLACES_OF_PAGE)):
        kind[k] = x[_PLACES_OF_PAGE[k], 0]
    at = len(_PLACES_OF_PAGE)
    _read_places(x, places, kind[at : at + _N_OF_PLACES])
    _expect(x[_WORDS], places, main, full, kind[at + _N_OF_PLACES : -1])


@part
def _read_places(x: F32, places: Bools, kind: F32) -> None:
    all_text = elsewhere = longest = in_forum = in_article = before = 0.0
    is_before = True
    for i in range(len(places)):
        is_before &= not places[i]
        if x[_WORDS, i] < _LONG_WORDS or x[_LINK_SHARE, i] >= _FEW_LINKS:
            continue
        words = np.float64(x[_WORDS, i])
        forum = x[_FORUM_AROUND, i]
        all_text += words
        # Comments of blogs stand in threads, too: there one element says both.
        in_forum += words * (forum > 0 and forum != x[_AROUND, i])
        before += words * is_before
        if not places[i]:
            elsewhere += words
            longest = max(longest, words)
            in_article += words * (x[_ARTICLE_AROUND, i] > 0)
    all_text = max(all_text, 1.0)
    kind[0], kind[1], kind[2] = elsewhere, longest, in_forum / all_text
    kind[3], kind[4] = in_article / all_text, before / all_text


@part
def _expect(n_words: F32, places: Bools, main: F64, full: F64, kind: F32) -> None:
    elsewhere = in_places = main_in_places = words_in_places = n_long = longest = 0.0
    for i in range(len(places)):
        words = np.float64(n_words[i])
        if places[i]:
            in_places += words * full[i]
            main_in_places += words * main[i]
            words_in_places += words
        else:
            elsewhere += words * main[i]
            n_long += main[i] * (words >= _PARAGRAPH_WORDS)
            longest = max(longest, words * (main[i] > 0.5))
    kind[0], kind[1] = elsewhere, in_places
    kind[2] = elsewhere / (elsewhere + in_places + 1.0)
    kind[3] = main_in_places / max(words_in_places, 1.0)
    kind[4], kind[5] = n_long, longest
