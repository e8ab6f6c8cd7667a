"""Which lines hold one of a few words, anywhere and in either case of ASCII letters.

Three bytes tell at once which words may begin with them: a table a byte holds the bits of the words that have it there.

Shapes: bool[n] of lines. Cost: O(n) in their bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]

MAX_WORDS = 32
_TOLD = 3
_LINE_FEED, _CASE = 10, 32
_UPPER_A, _UPPER_Z = 65, 90


class Words(NamedTuple):
    """Words one behind the other, where each begins and the last ends, and the words with a byte at one of three
    places.
    """

    letters: U8
    starts: U32
    having: U32


def words_of(words: Sequence[bytes]) -> Words:
    """Return *words* as the kernel reads them: at most 32, of three bytes at least, their ASCII letters small."""
    assert len(words) <= MAX_WORDS
    assert min(map(len, words)) >= _TOLD
    having = np.zeros((_TOLD, 256), np.uint32)
    for number, word in enumerate(words):
        for place in range(_TOLD):
            letter = word[place : place + 1]
            having[place, [*letter, *letter.upper()]] |= np.uint32(1 << number)
    starts = np.cumsum([0, *map(len, words)]).astype(np.uint32)
    return Words(np.frombuffer(b"".join(words), np.uint8), starts, having)


def lines_with(joined: bytes, n_lines: int, words: Words) -> Bools:
    r"""Return which of the *n_lines* of *joined*, a line feed behind each, hold one of *words*.

    >>> lines_with(b"A Thread\nnone\n", 2, words_of([b"thread"]))
    array([ True, False])
    """
    found = np.zeros(n_lines, np.bool_)
    _mark(np.frombuffer(joined, np.uint8), words, found)
    return found


@lean_kernel
def _mark(lines: U8, words: Words, found: Bools) -> None:
    first, second, third = words.having[0], words.having[1], words.having[2]
    line = counted = 0
    for at in range(len(lines) - _TOLD + 1):
        # No test in between: which bytes words begin with cannot be foreseen.
        may_be = first[byte_at(lines, at)] & second[byte_at(lines, at + 1)]
        may_be &= third[byte_at(lines, at + 2)]
        if may_be and _is_one(lines, at, words, may_be):
            while counted < at:
                line += byte_at(lines, counted) == _LINE_FEED
                counted += 1
            found[line] = True


@part
def _is_one(lines: U8, at: int, words: Words, may_be: Any) -> bool:
    """Tell whether a word stands at *at*, of those whose bits *may_be* has."""
    for word in range(len(words.starts) - 1):
        if may_be >> np.uint32(word) & np.uint32(1) and _stands(lines, at, words, word):
            return True
    return False


@part
def _stands(lines: U8, at: int, words: Words, word: int) -> bool:
    start = words.starts[word]
    size = words.starts[word + 1] - start
    if at + size > len(lines):
        return False
    for i in range(size):
        letter = byte_at(lines, at + i)
        if _UPPER_A <= letter <= _UPPER_Z:
            letter += _CASE
        if letter != words.letters[start + i]:
            return False
    return True
