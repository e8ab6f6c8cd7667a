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
