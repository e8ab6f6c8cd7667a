"""The words of a text as places in its bytes: ``density_tokens`` without a string a word.

The words are written one after the other, a space behind each, as hashing of n-grams needs them.
Shapes: ``data: uint8[bytes]``, ``ends: int64[m]``, the place behind each of m words. Cost: O(bytes),
one pass. Invariant: the words are those of :func:`crawler.page.words.density_tokens`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.ascii_masks import WIDTH
from crawler.page.characters import character_classes
from crawler.page.scanning.word_spans import split_words

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]

# The kernel reads and writes 64 bytes at a time.
_ROOM = bytes(WIDTH)


class WordSpans(NamedTuple):
    """Words in UTF-8, a space behind each, and the place of that space."""

    data: npt.NDArray[np.uint8]
    ends: I64

    @property
    def starts(self) -> I64:
        """Where each word begins, int64[m]."""
        starts = np.zeros(len(self.ends), dtype=np.int64)
        starts[1:] = self.ends[:-1] + 1
        return starts


def utf8_word_spans(encoded: bytes | bytearray) -> WordSpans:
    """Return the density tokens of a text that is *encoded* in UTF-8.

    >>> spans = utf8_word_spans(b"Hello, world - 42 times")
    >>> bytes(spans.data)
    b'Hello, world 42 times '
    >>> spans.ends.tolist()
    [6, 12, 15, 21]
    """
    source = np.frombuffer(b"".join((encoded, _ROOM)), dtype=np.uint8)
    # A unit of a script without spaces has at least three bytes, and a space is new behind it; a word
    # of one byte has a space in the text, but at the end.
    data = np.empty(2 * len(encoded) + 2 * WIDTH, dtype=np.uint8)
    ends = np.empty(len(encoded) + 1, dtype=np.int64)
    size, n_words = split_words(source, len(encoded), character_classes(), data, ends)
    return WordSpans(data[:size], ends[:n_words])
