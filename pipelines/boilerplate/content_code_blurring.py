"""Content code blurring: texts in whose surroundings there is much content and little code.

The page is a vector of elements, 1 for content and 0 for code. It is blurred with the weights of a
Gauss distribution of sigma = delta / 2, cut at delta and scaled to sum to 1, again and again until
the selection settles; a text is kept whole when any element of it, or of the texts that no code
parts it from, has a value above the threshold t.

======== =========================================== ================== ===== =====
CCB      characters but whitespace                   every tag is code  40    0.75
ACCB     characters but whitespace                   tags of ``a`` are  40    0.75
TCCB     words and tags                              neither            25    0.75
======== =========================================== ================== ===== =====

Neither content nor code are comments, and ``script`` and ``style`` with their tags; declarations and
instructions are code by characters, and nothing by words.

*Source: Gottron 2008, section 6.4, algorithm 6.3; parameters 6.5.1.* Where the thesis is silent: at the
ends of the page the weights are scaled to those within (a page of nothing but text is kept); the
selection has settled when less than 2 % of the content changes sides in a pass, after 10 passes at
most. *extend_blocks* False picks element by element, as the listing does.

A block is kept when at least half of its elements are: characters, in TCCB words. Cost:
O(elements), times delta and passes; stretches of one value are copied, not computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.boilerplate.blur_kernels import blur_once, count_above
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.option_ranges import check_least, check_shares
from pipelines.boilerplate.picked import kept_blocks
from pipelines.boilerplate.reasons import Reasons, comparisons, of_blocks
from pipelines.boilerplate.token_stream import token_stream

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.token_stream import TokenStream

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

THRESHOLD = 0.75
CHARACTER_RANGE, TOKEN_RANGE = 40, 25
# The thesis gives no number; measured there by eye, three or four passes (figure 6.3).
MAX_CHANGE = 0.02
MAX_PASSES = 10


class Elements(NamedTuple):
    """Atomic elements: how many of code stand before each text, and how many are in it; int64[n]."""

    code: I64
    content: I64


class Blurred(NamedTuple):
    """What the last of *n_passes* left: the elements *picked* of each text, int64[n]; *values* of all elements."""

    picked: I64
    n_passes: int
    values: F64


class CCB:
    """The basic form, by characters.

    *delta*: range of the neighbourhood in elements, at least 1. *threshold*: 0 to 1. *max_change*:
    share of the content that may change sides in the last pass; 0 makes *max_passes* of them
    unless nothing changes.
    """

    inline: Inline = "gap"
    _range = CHARACTER_RANGE

    def __init__(
        self,
        *,
        delta: int | None = None,
        threshold: float = THRESHOLD,
        max_change: float = MAX_CHANGE,
        max_passes: int = MAX_PASSES,
        extend_blocks: bool = True,
    ):
        delta = self._range if delta is None else delta
        check_least(1, delta=delta, max_passes=max_passes)
        check_shares(threshold=threshold, max_change=max_change)
        self.delta = delta
        self.threshold = threshold
        self.max_change = max_change
        self.max_passes = max_passes
        self.extend_blocks = extend_blocks

    def elements(self, stream: TokenStream) -> Elements:
        """Return the elements of code and content that the variant sees."""
        return Elements(stream.tag_chars + stream.a_chars + stream.code_chars, stream.chars)

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        stream = token_stream(page)
        elements = self.elements(stream)
        picked = self.blur(elements).picked
        kept = kept_blocks(stream.block, picked, elements.content, len(page.blocks))
        return labels_of(kept)

    def reasons(self, page: PageModel) -> Reasons:
        """Return the largest value in each block of *page*, or beside it without code between, and the limit."""
        stream = token_stream(page)
        elements = self.elements(stream)
        _, n_passes, values = self.blur(elements)
        of_text = _largest(values, elements)
        if self.extend_blocks:
            of_run = np.zeros(len(of_text) + 1)
            run = np.cumsum(elements.code > 0)
            np.maximum.at(of_run, run, of_text)
            of_text = of_run[run]
        largest = np.zeros(len(page.blocks))
        has_block = stream.block >= 0
        np.maximum.at(largest, stream.block[has_block], of_text[has_block])
        note = f"Passes of blurring: {n_passes}; kept are texts with an element above {self.threshold:.2f}."
        told = comparisons("largest value", largest.tolist(), self.threshold)
        return of_blocks(note, told)

    def blur(self, elements: Elements) -> Blurred:
        """Return what is picked of *elements*, and the values by which it is."""
        code, content = elements
        n_elements = int(code.sum() + content.sum())
        if not n_elements or not content.any():
            return Blurred(np.zeros(len(content), np.int64), 0, np.zeros(n_elements))
        counts = np.stack((code, content), axis=1).ravel()
        ends = np.cumsum(counts)[1::2]
        # No neighbourhood reaches farther than the page; there its weights are scaled to those within.
        reach = min(self.delta, n_elements)
        values, blurred = np.zeros((2, n_elements + 2 * reach))
        inner = slice(reach, reach + n_elements)
        is_content = np.repeat(np.arange(len(counts)) % 2 == 1, counts)
        values[inner] = is_content
        weights = gauss_weights(self.delta, reach)
        sides = np.zeros(0, np.int64)
        for number in range(1, self.max_passes + 1):
            blur_once(values, weights, blurred)
            values, blurred = blurred, values
            picked = self._select(values[inner], code, content, ends)
            before, sides = sides, self._sides(picked, values[inner], is_content)
            change = np.abs(sides - before).sum() if number > 1 else n_elements
            if change == 0 or change < self.max_change * content.sum():
                break
        return Blurred(picked, number, values[inner])

    def _sides(self, picked: I64, values: F64, is_content: Bools) -> I64:
        """Return what tells, by its differences, how many elements changed sides: of whole texts what is picked."""
        if self.extend_blocks:
            return picked
        return ((values > self.threshold) & is_content).astype(np.int64)

    def _select(self, values: F64, code: I64, content: I64, ends: I64) -> I64:
        """Return how many elements of each text are above the threshold, or in a text run of one."""
        found = np.empty(len(content), np.int64)
        count_above(values, ends, content, self.threshold, found)
        if not self.extend_blocks:
            return found
        # Texts without code between are one.
        run = np.cumsum(code > 0)
        has_any = np.bincount(run, found) > 0
        return np.where(has_any[run], content, 0)


class ACCB(CCB):
    """The adapted form: the tags of links are neither content nor code."""

    def elements(self, stream: TokenStream) -> Elements:
        """Return the elements of code and content that the variant sees."""
        return Elements(stream.tag_chars + stream.code_chars, stream.chars)


class TCCB(CCB):
    """The form by words and tags; those of links are neither content nor code."""

    _range = TOKEN_RANGE

    def elements(self, stream: TokenStream) -> Elements:
        """Return the elements of code and content that the variant sees."""
        return Elements(stream.tags, stream.words)


def _largest(values: F64, elements: Elements) -> F64:
    """Return the largest of *values* in each text, float64[n], 0 where it has no element."""
    largest = np.zeros(len(elements.content))
    has_any = elements.content > 0
    if has_any.any():
        ends = np.cumsum(elements.code + elements.content)
        bounds = np.stack((ends - elements.content, ends), axis=1)[has_any].ravel()
        # What stands between two texts is every other range; a last bound at the end is none.
        bounds = bounds[:-1] if bounds[-1] == len(values) else bounds
        largest[has_any] = np.maximum.reduceat(values, bounds)[::2]
    return largest


def gauss_weights(delta: int, reach: int | None = None) -> F64:
    """Return the weights from the middle outwards to *reach*, *delta* if None, float64[reach + 1]; all sum to 1."""
    weights = np.exp(-2 * (np.arange((delta if reach is None else reach) + 1) / delta) ** 2)
    scaled: F64 = weights / (2 * weights[1:].sum() + weights[0])
    return scaled
