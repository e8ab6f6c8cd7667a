"""Where a stretch of a page's source names an author or a date within a tag, 64 bytes at a time.

Shapes: *source* uint8[n]; *found* int64[2 * MAX_WORDS, 2], rows of (place, number of the word) in page order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.ascii_masks import SMALL, WIDTH, first_bit, small_pair_mask
from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import cold_part, lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    I64 = npt.NDArray[np.int64]

AUTHOR_WORDS = (b"author", b"byline", b'itemprop="creator')
DATE_WORDS = (b"datepublished", b"datecreated", b"<time", b'"published"')
WORDS = (*AUTHOR_WORDS, *DATE_WORDS)
# A page names no more than a few of them near its title.
MAX_WORDS = 30

_LETTERS = np.frombuffer(b"".join(WORDS), np.uint8)
_ENDS = np.cumsum([len(word) for word in WORDS])
_N_AUTHOR_WORDS = len(AUTHOR_WORDS)
# Not plain numbers, of which each would be a type of its own to a part, compiled once more.
_BEGINNINGS: Any = np.frombuffer(b"".join(sorted({word[:2] for word in WORDS})), np.uint8)


@cold_part
def _word_at(source: U8, place: int) -> int:
    """Return the number of the word that begins at *place*, in any case of letters; -1 for none."""
    start = 0
    for number in range(len(_ENDS)):
        end = _ENDS[number]
        same = 0
        while start + same < end and place + same < len(source):
            byte = byte_at(source, place + same)
            if (byte | SMALL if 65 <= byte <= 90 else byte) != _LETTERS[start + same]:
                break
            same += 1
        if start + same == end:
            return number
        start = end
    return -1


@part
def _next_beginning(source: U8, place: int) -> int:
    """Return the place from *place* on where a word may begin; len: none."""
    while place + WIDTH < len(source):
        found = np.uint64(0)
        for i in range(0, len(_BEGINNINGS), 2):
            found |= small_pair_mask(source, place, _BEGINNINGS[i], _BEGINNINGS[i + 1])
        if found:
            return place + first_bit(found)
        place += WIDTH
    return place


@lean_kernel
def find_words(source: U8, found: I64) -> int:
    """Write the first MAX_WORDS of AUTHOR_WORDS and of DATE_WORDS to *found*; return how many rows there are."""
    n_found = n_authors = n_dates = 0
    place = _next_beginning(source, 0)
    while place < len(source):
        number = _word_at(source, place)
        is_author = number < _N_AUTHOR_WORDS
        if number >= 0 and (n_authors if is_author else n_dates) < MAX_WORDS:
            n_authors += is_author
            n_dates += not is_author
            found[n_found, 0], found[n_found, 1] = place, number
            n_found += 1
        place = _next_beginning(source, place + 1)
    return n_found
