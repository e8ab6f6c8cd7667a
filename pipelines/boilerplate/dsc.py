"""Document slope curves: the regions of the page where the tags come slowly.

With B the token sequence (1 a tag, 0 a word), N tokens, the curve d(i) = sum of B up to i and the
slope of the page d(N - 1) / N, a window of l tokens from i on is low when::

    (d(i + l - 1) - d(i)) / l < page's slope / 2

    l = 8 up to 200 tokens, ceil(0.00875 N + 6.25) from there to 5,000, 50 beyond

Windows start every l // 2 tokens, from the first to the last that fits. A region of low slope
starts with the third low window in a row and is over with the third in a row that is not; a token
is in a region when the last window that covers it is. As an extractor (Gottron's) the method keeps
the words in such regions. As a classifier (Pinto's) it takes a page for an article when at least 10 %
of its tokens are in them, and their average slope is below half of the page's; with *articles_only* the
extractor keeps nothing of any other page.

*Source: Pinto et al. 2002; Gottron 2008, section 3.2.3, algorithm 3.2.* The slope of the page is the
algorithm's; the prose has (d(N - 1) - d(0)) / N (*prose_slope*). The windows' printed bound leaves out the last one
that fits (*literal_bound*). The first two windows of each region are lost, as is printed, though
the prose counts them in (*retroactive_start*). A page without tags has no slope to be below of, and
one that is no longer than a window has none: nothing is kept.

A block is kept when at least half of its words are. Cost: O(tokens).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.wording import counted
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.reasons import Reasons
from pipelines.boilerplate.token_stream import token_sequence, token_stream

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.token_stream import Tokens, TokenStream

    Bools = npt.NDArray[np.bool_]

SHORT_TOKENS, LONG_TOKENS = 200, 5000
SHORT_WINDOW, LONG_WINDOW = 8, 50
IN_A_ROW = 3
LOW_SLOPE = 0.5
MIN_LOW_SHARE = 0.1


class DSC:
    """Document slope curves as an extractor; the options are readings of the thesis, as the module tells.

    *script_tags*: whether the tags of ``script`` and ``style`` are tokens.
    """

    inline: Inline = "gap"

    def __init__(
        self,
        *,
        retroactive_start: bool = False,
        literal_bound: bool = False,
        prose_slope: bool = False,
        script_tags: bool = True,
        articles_only: bool = False,
    ):
        self.retroactive_start = retroactive_start
        self.literal_bound = literal_bound
        self.prose_slope = prose_slope
        self.script_tags = script_tags
        self.articles_only = articles_only

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        stream = token_stream(page)
        tokens, low = self._decide(stream)
        return labels_of(stream.kept(tokens.words_in(low), len(page.blocks)))

    def reasons(self, page: PageModel) -> Reasons:
        """Return what the regions of *page* hold that are kept; there is no more to say of its blocks."""
        tokens, low = self._decide(token_stream(page))
        if not low.any():
            why = ", or the page is no article" * self.articles_only
            return Reasons([f"Nowhere do the tags come slowly for long enough{why}."])
        starts = int((low & ~np.append(False, low[:-1])).sum())
        n_words, n_kept = int((~tokens.is_tag).sum()), int((low & ~tokens.is_tag).sum())
        note = (
            f"Kept is the text of {counted(starts, 'region')} where less than half as many of the words and tags "
            "are tags as on the page: "
            f"{tokens.is_tag[low].mean():.2f} in place of {tokens.is_tag.mean():.2f}; "
            f"{n_kept:,} of {n_words:,} words."
        )
        return Reasons([note])

    def _decide(self, stream: TokenStream) -> tuple[Tokens, Bools]:
        """Return the tokens, and which of them are in a region of low slope."""
        tokens = token_sequence(stream.counted_tags(self.script_tags), stream.words)
        low = low_slope(
            tokens.is_tag,
            retroactive_start=self.retroactive_start,
            literal_bound=self.literal_bound,
            prose_slope=self.prose_slope,
        )
        return tokens, low & (not self.articles_only or _has_article(tokens.is_tag, low))


def is_article(page: PageModel) -> bool:
    """Tell whether *page* holds an article, by its regions of low slope (QuASM)."""
    stream = token_stream(page)
    is_tag = token_sequence(stream.all_tags, stream.words).is_tag
    return _has_article(is_tag, low_slope(is_tag))


def _has_article(is_tag: Bools, low: Bools) -> bool:
    """Tell whether tokens, of which some are in regions of *low* slope, are those of an article."""
    n_low = int(low.sum())
    if n_low == 0 or n_low < MIN_LOW_SHARE * len(is_tag):
        return False
    return bool(is_tag[low].mean() < LOW_SLOPE * is_tag.mean())


def window_tokens(n_tokens: int) -> int:
    """Return the length of the window on a page of *n_tokens*.

    >>> [window_tokens(n) for n in (200, 201, 1000, 2000, 5000, 5001)]
    [8, 9, 15, 24, 50, 50]
    """
    if n_tokens < SHORT_TOKENS:
        return SHORT_WINDOW
    # In whole numbers: 0.00875 * 5000 + 6.25 is above 50 in floating point.
    return min((35 * n_tokens + 25_000 + 3_999) // 4_000, LONG_WINDOW)


def low_slope(
    is_tag: Bools,
    *,
    retroactive_start: bool = False,
    literal_bound: bool = False,
    prose_slope: bool = False,
) -> Bools:
    """Return which tokens are in a region of low slope, bool[N].

    *retroactive_start*: a region also has the two windows by which it was found. *literal_bound*:
    windows start up to N - 1 - l, not N - l. *prose_slope*: the first token is not of the page's slope.
    """
    n_tokens = len(is_tag)
    size = window_tokens(n_tokens)
    step = size // 2
    starts = np.arange(0, n_tokens - size + (not literal_bound), step)
    if n_tokens <= size or not len(starts):
        return np.zeros(n_tokens, np.bool_)
    curve = np.cumsum(is_tag)
    on_page = curve[-1] - (curve[0] if prose_slope else 0)
    # Compared as whole numbers: slope / l < half of the page's tags / N.
    in_window: npt.NDArray[np.int64] = curve[starts + size - 1] - curve[starts]
    in_region = _regions(2 * n_tokens * in_window < on_page * size)
    low = np.zeros(n_tokens, np.bool_)
    covered = np.arange(starts[-1] + size)
    low[: len(covered)] = in_region[np.minimum(covered // step, len(starts) - 1)]
    if retroactive_start:
        for first in np.flatnonzero(in_region & ~np.append(False, in_region[:-1])).tolist():
            low[starts[first - IN_A_ROW + 1] : starts[first]] = True
    return low


def _regions(is_low: Bools) -> Bools:
    """Return which windows are in a region: as the last three in a row that were alike say."""
    # Before the first there are windows that are not low, as the listing has it.
    padded = np.concatenate((np.zeros(IN_A_ROW - 1, np.bool_), is_low)).astype(np.int64)
    n_low = np.convolve(padded, np.ones(IN_A_ROW, np.int64), "valid")
    settled = np.where((n_low == 0) | (n_low == IN_A_ROW), np.arange(len(is_low)), -1)
    last = np.maximum.accumulate(settled)
    # Nothing settled yet: no region.
    inside: Bools = (last >= 0) & (n_low[last] == IN_A_ROW)
    return inside
