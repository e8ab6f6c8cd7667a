"""Body Text Extraction: the one stretch of the page with most words in it and most tags outside.

With B the token sequence (1 a tag, 0 a word, :mod:`pipelines.boilerplate.token_stream`) the words
between i and j are kept that maximise::

    T(i, j) = sum of B before i + sum of 1 - B from i to j + sum of B behind j
            = all tags + S[j + 1] - S[i],   S[n] = words less tags among the first n tokens

That is a segment of maximum sum. Where several are best, ``definition`` takes the one with the first i, and of
those the first j; ``shortest`` the one that ends first, and of those the shortest (Pomikálek names no rule; so
Kadane's scan finds it).

*Source: Finn, Kushmerick, Smyth 2001; Gottron 2008, section 3.2.2, algorithm 3.1; Pomikálek 2011,
section 2.6.1.* Algorithm 3.1 as it is printed (``printed``) counts B twice at both ends, T + B[i] + B[j]. It keeps
the same words, unless the best stretch is a single word: then it may keep a lone tag, and no word. ``released`` is the
module that was released, which Gottron's tables score in a Java version (5.4.2): it reads from the tag of the body on,
its stretch begins and ends with a whole text, and never ends with the last text of the page.

A block is kept when at least half of its words are. Cost: O(tokens), where the listing is cubic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.wording import counted
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.max_subsequence import best_run
from pipelines.boilerplate.reasons import Reasons
from pipelines.boilerplate.token_stream import token_sequence, token_stream

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.token_stream import TokenStream

    Bools = npt.NDArray[np.bool_]
    I64 = npt.NDArray[np.int64]

MODES = ("definition", "shortest", "printed", "released")


class BTE:
    """Body Text Extraction by *mode*: ``definition``, ``shortest``, ``printed`` or ``released``.

    *script_tags*: whether the tags of ``script`` and ``style`` are tokens, of which no source tells.
    """

    inline: Inline = "gap"

    def __init__(self, *, mode: str = "definition", script_tags: bool = True):
        if mode not in MODES:
            raise ValueError(f"mode must be one of {', '.join(MODES)}, got {mode!r}")
        self.mode = mode
        self.script_tags = script_tags

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        stream = token_stream(page)
        return labels_of(stream.kept(self._picked(stream), len(page.blocks)))

    def reasons(self, page: PageModel) -> Reasons:
        """Return what the stretch of *page* that is kept holds; there is no more to say of its blocks."""
        stream = token_stream(page)
        picked = self._picked(stream)
        texts = np.flatnonzero(picked)
        if not len(texts):
            return Reasons(["No stretch of the page has more words than tags."])
        # Those before its first text stand outside of it.
        tags = stream.counted_tags(self.script_tags)
        n_within = int(tags[texts[0] + 1 : texts[-1] + 1].sum())
        n_tags, n_words = int(tags.sum()), int(stream.words.sum())
        note = (
            f"Kept is the one stretch with most words in it and most tags outside: {picked.sum():,} of "
            f"{counted(n_words, 'word')} and {n_within:,} of {counted(n_tags, 'tag')}."
        )
        return Reasons([note])

    def _picked(self, stream: TokenStream) -> I64:
        """Return how many words of each text are in the stretch."""
        tags = stream.counted_tags(self.script_tags)
        if self.mode == "released":
            return _released(stream, tags)
        tokens = token_sequence(tags, stream.words)
        if self.mode == "shortest":
            first, end = best_run(np.where(tokens.is_tag, -1.0, 1.0))
            last = end - 1
        else:
            first, last = best_stretch(tokens.is_tag, printed=self.mode == "printed")
        place = np.arange(len(tokens.is_tag))
        return tokens.words_in((first <= place) & (place <= last))


def best_stretch(is_tag: Bools, *, printed: bool = False) -> tuple[int, int]:
    """Return i and j, both included, of the best stretch of tokens; (0, -1) when there is none.

    *printed*: that of algorithm 3.1 as it is printed.

    >>> best_stretch(np.array([1, 0, 1, 0, 0, 0, 1, 1, 0], np.bool_))
    (1, 5)
    """
    if not len(is_tag):
        return 0, -1
    sums = np.concatenate(([0], np.cumsum(np.where(is_tag, -1, 1))))
    bonus = is_tag * np.int64(printed)
    first, last = _best_pair(sums[:-1] - bonus, sums[1:] + bonus)
    return first, last


def _best_pair(opening: I64, closing: I64) -> tuple[int, int]:
    """Return the first i, and j from i on, for which closing[j] - opening[i] is the largest."""
    best_closing = np.maximum.accumulate(closing[::-1])[::-1]
    first = int(np.argmax(best_closing - opening))
    return first, first + int(np.argmax(closing[first:] == best_closing[first]))


def _released(stream: TokenStream, all_tags: I64) -> I64:
    """Return the words of each text that the released module's rule keeps; *all_tags* stand before it."""
    picked = np.zeros(len(stream.words), np.int64)
    # All texts but the last; those without a tag between are one.
    is_first = (all_tags > 0) & (np.arange(len(picked)) >= stream.body)
    starts = np.flatnonzero(is_first[:-1] | (np.arange(len(picked) - 1) == stream.body))
    if len(starts) < 2:
        return picked
    words = np.add.reduceat(stream.words[:-1], starts)
    tags = all_tags[starts]
    ends = np.cumsum(words - tags)
    first, last = _best_pair(ends[:-1] - words[:-1], ends[:-1])
    kept = slice(starts[first], starts[last + 1])
    picked[kept] = stream.words[kept]
    return picked
