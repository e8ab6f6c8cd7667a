"""Which lines hold one of a few words, anywhere and in either case of ASCII letters.

Looked for 64 bytes at a time: of a word in ASCII two letters side by side that are seldom; of another the first two bytes
that are not, which tables know, one a byte, with the bits of the words that have it there.

Shapes: bool[n] of lines. Cost: O(n) in their bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.ascii_masks import SMALL, WIDTH, first_bit, lead_mask, small_pair_mask
from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import lean_kernel, part, with_first_types

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]

MAX_WORDS = 32
_LINE_FEED, _CASE = 10, 32
_UPPER_A, _UPPER_Z = 65, 90
# From the commonest on, in English; signs are commoner.
_BY_FREQUENCY = "etaoinshrdlcumwfgypbvkjxqz"
_ASCII = bytes(range(128))
# What masks read behind the last byte: those of a pair that far from the begin of its word.
_ROOM = bytes(2 * WIDTH + 1)


class Words(NamedTuple):
    """Words one behind the other, those in ASCII first, where each begins and the last ends; where in each what is looked
    for stands.

    *pairs* has that of those in ASCII, *leads* the words that have a byte in the first and the second place of it.
    """

    letters: U8
    starts: U32
    places: U32
    pairs: U8
    leads: U32


def words_of(words: Sequence[bytes]) -> Words:
    """Return *words* as the kernel reads them: at most 32, of 2 to 64 bytes in UTF-8, their ASCII letters small."""
    assert len(words) <= MAX_WORDS
    assert all(1 < len(word) <= WIDTH for word in words)
    plain = [word for word in words if word.isascii()]
    others = [word for word in words if not word.isascii()]
    places = [*map(_rarest, plain), *(len(word) - len(word.lstrip(_ASCII)) for word in others)]
    pairs = [
        [letter | SMALL for letter in word[at : at + 2]]
        for word, at in zip(plain, places, strict=False)
    ]
    leads = np.zeros((2, 256), np.uint32)
    for number, word in enumerate(others, len(plain)):
        for further in range(2):
            leads[further, word[places[number] + further]] |= np.uint32(1 << number)
    ordered = [*plain, *others]
    return Words(
        np.frombuffer(b"".join(ordered), np.uint8),
        np.cumsum([0, *map(len, ordered)]).astype(np.uint32),
        np.array(places, np.uint32),
        np.array(pairs, np.uint8).reshape(-1, 2),
        leads,
    )


def _rarest(word: bytes) -> int:
    """Return where the two letters of *word* begin that are the least common."""
    ranks = [_BY_FREQUENCY.find(letter) for letter in word.decode()]
    return max(range(len(word) - 1), key=lambda at: ranks[at] + ranks[at + 1])


def lines_with(joined: bytes, n_lines: int, words: Words) -> Bools:
    r"""Return which of the *n_lines* of *joined*, a line feed behind each, hold one of *words*.

    >>> lines_with(b"A Thread\nnone\n", 2, words_of([b"thread"]))
    array([ True, False])
    """
    found = np.zeros(n_lines, np.bool_)
    padded = np.frombuffer(joined + _ROOM, np.uint8)
    _mark_lines(padded, len(joined), words, np.zeros(2, np.int64), found)
    return found


@lean_kernel
def _mark(lines: U8, size: int, words: Words, counted: I64, found: Bools) -> None:
    """Mark the lines in the first *size* bytes of *lines*; *counted*: two zeros."""
    n_plain = len(words.pairs)
    for start in range(0, size, WIDTH):
        begins = np.uint64(0)
        for word in range(n_plain):
            place = start + int(words.places[word])
            begins |= small_pair_mask(lines, place, words.pairs[word, 0], words.pairs[word, 1])
        while begins:
            at = start + first_bit(begins)
            begins &= begins - np.uint64(1)
            for word in range(n_plain):
                _try(lines, size, start, at, words, word, counted, found)
        leads = lead_mask(lines, start)
        while leads:
            at = start + first_bit(leads)
            leads &= leads - np.uint64(1)
            may_be = words.leads[0, byte_at(lines, at)] & words.leads[1, byte_at(lines, at + 1)]
            while may_be:
                word = first_bit(np.uint64(may_be))
                may_be &= may_be - np.uint32(1)
                _try(lines, size, start, at - int(words.places[word]), words, word, counted, found)


_mark_lines = with_first_types(_mark)


@part
def _try(  # noqa: PLR0913, PLR0917 - parts of kernels hand their arrays on
    lines: U8,
    size: int,
    start: int,
    at: int,
    words: Words,
    word: int,
    counted: I64,
    found: Bools,
) -> None:
    """Mark the line of *at*, which is 64 bytes before *start* at most, if *word* stands there."""
    if _stands(lines, size, at, words, word):
        # Lines that end before any place that is still to come; and how far they are counted.
        while counted[1] < start - WIDTH:
            counted[0] += byte_at(lines, counted[1]) == _LINE_FEED
            counted[1] += 1
        line = counted[0]
        for place in range(counted[1], at):
            line += byte_at(lines, place) == _LINE_FEED
        found[line] = True


@part
def _stands(lines: U8, size: int, at: int, words: Words, word: int) -> bool:
    start = words.starts[word]
    n_bytes = words.starts[word + 1] - start
    if at < 0 or at + n_bytes > size:
        return False
    for i in range(n_bytes):
        letter = byte_at(lines, at + i)
        if _UPPER_A <= letter <= _UPPER_Z:
            letter += _CASE
        if letter != words.letters[start + i]:
            return False
    return True
