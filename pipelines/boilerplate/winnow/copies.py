"""Paragraphs that stand on a page once more: in a copy of the article for print, or for small screens.

A main text says a paragraph once, or, as a refrain, again beside the first. So of blocks of the same words, a
paragraph's number of them at least, one that stands in another element than the likeliest is its copy, and not kept.
In places for comments it is a quotation.

Shapes: bool[n] of blocks. Cost: O(n), and O(k log k) in repeated paragraphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.boilerplate.winnow.trees import F32

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]

PARAGRAPH_WORDS = 20
_TIMES = FEATURE_NAMES.index("repeated text")
# Ring 0 is the largest element without other text, or the one that it stands in beside such; ring 1 the next around.
_SIZE = FEATURE_NAMES.index("blocks of ring 1")
_PLACE = FEATURE_NAMES.index("place in it of ring 1")


def copies(page: PageModel, x: F32, places: Bools, probability: F64) -> Bools | None:
    """Return which blocks of *page* are copies of one with a larger *probability*; None: no paragraph is repeated.

    *x* are the features of the blocks, *places* those where comments may stand. Of equal ones the first is no copy.

    >>> from crawler.page import build_page
    >>> from pipelines.boilerplate.winnow.features.matrix import features
    >>> text = f"<p>{'the same words and more ' * 5}"
    >>> source = f"<div>{text}<p>Verse{text}</div><div>For print:{text}</div>"
    >>> page = build_page(source.encode(), url="http://a.example/", content_type="text/html")
    >>> no_places = np.zeros(5, np.bool_)
    >>> copies(page, features(page), no_places, np.array([0.7, 0.1, 0.8, 0.2, 0.3]))
    array([False, False, False, False,  True])
    """
    n_words = page.blocks.n_words
    (repeated,) = ((x[_TIMES] > 1) & (n_words >= PARAGRAPH_WORDS)).nonzero()
    repeated = repeated[~places[repeated]]
    if not len(repeated):
        return None
    repeated = repeated[np.argsort(-probability[repeated], kind="stable")]
    texts = page.blocks.text.strings
    first: dict[str, int] = {}
    likeliest = np.array([first.setdefault(texts[k], k) for k in repeated.tolist()], np.intp)
    size = x[_SIZE]
    start = np.arange(len(size)) - np.rint(x[_PLACE] * size)
    found = np.zeros(len(size), np.bool_)
    found[repeated] = (size[repeated] != size[likeliest]) | (start[repeated] != start[likeliest])
    return found
