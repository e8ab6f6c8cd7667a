"""Text density: how many words a line of a block holds when its text is wrapped.

The words of a block are wrapped greedily at w_max = 80 columns, one space between two; a word that
is longer stands alone on its line. The last line is left out unless it is the only one::

    density = n                              for 1 line
    density = (n - n_last) / (n_lines - 1)   otherwise

n: words of the block, n_last: words of its last line. *Source: Kohlschütter 2011, section 4.2.1;
Kohlschütter and Nejdl 2008, section 3.* Han and Kana characters take two columns (the paper leaves
full-width text open). Integers are kept, not the quotient: Block Fusion compares densities exactly.

Cost: O(n) in characters. Invariant: the words of all lines sum to n, and no line but that of a
long word is wider than w_max.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.words import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

# Kohlschütter 2011, section 4.2.1: a screen's traditional line.
W_MAX = 80


class LineCounts(NamedTuple):
    """Words, wrapped lines and words of the last line of n texts, uint32[n] each."""

    n_tokens: npt.NDArray[np.uint32]
    n_lines: npt.NDArray[np.uint32]
    last_line_tokens: npt.NDArray[np.uint32]


def line_counts(texts: Sequence[str], w_max: int = W_MAX) -> LineCounts:
    """Return what text density is made of for each of *texts*, wrapped at *w_max* columns."""
    from crawler.page.characters import character_classes
    from crawler.page.scanning.counts import N_LAST, N_LINES, N_WORDS, count

    # A mark or an end of text within a text would be taken for one of ours.
    whole = "\n".join(text.replace("\n", " ") for text in texts) + "\n" * bool(texts)
    data = whole.replace("\1", " ").replace("\2", " ").encode("utf-8", "replace")
    marked = np.frombuffer(bytearray(data), np.uint8)
    counts = np.empty((4, len(texts)), dtype=np.uint32)
    count(marked, len(data), w_max, character_classes(), np.empty_like(marked), counts)
    return LineCounts(counts[N_WORDS], counts[N_LINES], counts[N_LAST])


def wrap_counts(words: Sequence[str], *, full_width: bool, w_max: int = W_MAX) -> tuple[int, int]:
    """Return the number of lines that *words* fill, and the number of words on the last one.

    *full_width* says that some words may be wider than their number of characters. No words: (0, 0).

    >>> wrap_counts(["four"] * 17, full_width=False)
    (2, 1)
    """
    if full_width:
        return _wrap_columns([columns(word) for word in words], w_max)
    if not words:
        return 0, 0
    text = " ".join(words)
    size = len(text)
    if size <= w_max:
        return 1, len(words)
    start, n_lines = 0, 1
    while size - start > w_max:
        # A line ends at the last space that leaves at most w_max characters before it.
        cut = text.rfind(" ", start, start + w_max + 1)
        if cut < 0:
            cut = text.find(" ", start + w_max)
            if cut < 0:
                break
        start = cut + 1
        n_lines += 1
    return n_lines, text.count(" ", start) + 1


def _wrap_columns(widths: Sequence[int], w_max: int) -> tuple[int, int]:
    n_lines, n_last, used = 0, 0, w_max
    for width in widths:
        used += 1 + width
        if used > w_max:
            n_lines, n_last, used = n_lines + 1, 0, width
        n_last += 1
    return n_lines, n_last
