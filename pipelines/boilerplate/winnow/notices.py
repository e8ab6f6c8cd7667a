"""Notices of cookies: what a site says of them above or beside what a page is about, and asks consent for.

On a page with a main text the trees drop a notice. On one without they find nothing better, and a site's login forms,
carts and empty lists would each be a document of the same notice. Two rules, which no wanted block of the pages that
the trees were trained on meets, and blocks of one in ten of these pages do:

1. Blocks side by side whose nearest element with a name for notices (``features/keywords.py``) is the same, short of
   one that holds nearly the whole page, are a notice when some of them speak of cookies, and they say things of
   :data:`NAMED_KINDS` kinds that notices say (``notice_words.py``); when they are long, only if a third of their words
   stands in blocks that speak of cookies: all of a page may stand in an element named so.
2. So is a short block in no such element that says things of :data:`BARE_KINDS` kinds, if it is no surer main text
   than :data:`MOST_CHANCE`, stands in no ``main`` or ``article``, and is not of many: pages about cookies have many.

Shapes: bool[n] of blocks. Cost: O(n) in bytes of the text; expressions read the begins of at most :data:`MOST_READ`
texts that speak of cookies.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel
from crawler.kernels.line_words import lines_with, words_of
from pipelines.boilerplate.winnow.comments import MOST_OF_PAGE
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.notice_words import COOKIES, KINDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.boilerplate.winnow.notice_words import Kind
    from pipelines.boilerplate.winnow.trees import F32

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]

NAMED_KINDS, BARE_KINDS = 3, 4
# Words of what is short: of blocks in a named element, of one without, of all without.
NAMED_WORDS, BARE_WORDS, ALL_BARE_WORDS = 150, 120, 150
# Of a notice on a page with nothing else the trees are as sure as .987.
MOST_CHANCE = 0.99
# Blocks of a smaller chance are not kept anyhow.
LEAST_CHANCE = 0.05
_LONG_SHARE = 3
# Texts that are read on a page, and bytes of each: no page has so many notices, but for one that is made to hurt.
MOST_READ, MOST_BYTES = 100, 4000
_AROUND = FEATURE_NAMES.index("notice around")
_MAIN, _ARTICLE = FEATURE_NAMES.index("within main"), FEATURE_NAMES.index("within article")

_COOKIES = words_of([word.encode() for word in COOKIES])


def _expression(kind: Kind) -> re.Pattern[str]:
    """Return what finds words of *kind* in a text in small letters, for which it takes a third of the time."""
    said = kind.anywhere.split()
    if kind.begins:
        said.append(rf"\b(?:{'|'.join(kind.begins.split())})")
    if kind.whole:
        said.append(rf"\b(?:{'|'.join(kind.whole.split())})\b")
    return re.compile("|".join(said))


_EXPRESSIONS = [_expression(kind) for kind in KINDS.values()]


def notices(page: PageModel, x: F32, probability: F64) -> Bools | None:
    """Return which blocks of *page*, with the features *x*, are a notice of cookies; None if none is.

    *probability* is that of main text.

    >>> from crawler.page import build_page
    >>> from pipelines.boilerplate.winnow.features.matrix import features
    >>> source = b"<div class=consent><p>We use cookies.<p>Accept all</div><p>Your cart is empty.</p>"
    >>> page = build_page(source, url="http://a.example/", content_type="text/html")
    >>> notices(page, features(page), np.array([0.8, 0.1, 0.1]))
    array([ True,  True, False])
    """
    n = len(page.blocks)
    speak = lines_with(page.blocks.utf8, n, _COOKIES)
    if not np.count_nonzero(speak):
        return None
    may_be_kept = probability >= LEAST_CHANCE
    # Most pages that speak of cookies do so in a link below.
    if not np.count_nonzero(speak & (may_be_kept | (x[_AROUND] > 0))):
        return None
    found = np.zeros(n, np.bool_)
    _mark_named(page, x[_AROUND], speak, may_be_kept, found)
    may_be_bare = speak & may_be_kept & ~found & (probability < MOST_CHANCE)
    _mark_bare(page, may_be_bare & (x[_MAIN] + x[_ARTICLE] == 0), found)
    return found if np.count_nonzero(found) else None


def _mark_named(
    page: PageModel, around: F32, speak: Bools, may_be_kept: Bools, found: Bools
) -> None:
    """Mark the notices in elements named so, which hold a share *around* of the page each."""
    runs = np.empty((MOST_READ, 2), np.int64)
    n = _find_runs(around, page.blocks.n_words, speak, may_be_kept, runs)
    for begin, end in runs[:n].tolist():
        if _says(page, begin, end, NAMED_KINDS):
            found[begin:end] = True


@lean_kernel
def _find_runs(around: F32, n_words: U32, speak: Bools, may_be_kept: Bools, runs: I64) -> int:
    """Put down in *runs*, as many as there is room for, where each that may be a notice begins and ends."""
    n_runs = begin = words = speaking = 0
    is_kept = False
    for i in range(len(around)):
        words += n_words[i]
        speaking += n_words[i] * speak[i]
        is_kept |= may_be_kept[i]
        if i + 1 < len(around) and around[i + 1] == around[i]:
            continue
        is_short = words <= NAMED_WORDS or speaking * _LONG_SHARE >= words
        if 0 < around[i] < MOST_OF_PAGE and is_kept and speaking and is_short:
            runs[n_runs, 0], runs[n_runs, 1] = begin, i + 1
            n_runs += 1
            if n_runs == len(runs):
                break
        begin, words, speaking, is_kept = i + 1, 0, 0, False
    return n_runs


def _mark_bare(page: PageModel, speak: Bools, found: Bools) -> None:
    """Mark the notices among the blocks *speak*, which stand in no such element."""
    n_words = page.blocks.n_words
    short = np.flatnonzero(speak & (n_words <= BARE_WORDS))[:MOST_READ]
    said = [k for k in short.tolist() if _says(page, k, k + 1, BARE_KINDS)]
    if said and n_words[said].sum() <= ALL_BARE_WORDS:
        found[said] = True


def _says(page: PageModel, begin: int, end: int, n_kinds: int) -> bool:
    """Tell whether the blocks from *begin* to *end* say *n_kinds* of what notices say."""
    joined = b"\n".join(page.blocks.text.lines(begin, end))
    text = joined[:MOST_BYTES].decode(errors="ignore").lower()
    missing, left = n_kinds, len(_EXPRESSIONS)
    for kind in _EXPRESSIONS:
        if not 0 < missing <= left:
            break
        missing -= kind.search(text) is not None
        left -= 1
    return missing <= 0
