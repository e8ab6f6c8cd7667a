"""Whether a tag that hides is of what is folded up (`crawler.page.folded`), from its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.ascii_masks import first_bit
from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import cold_part, part
from crawler.page.folded import FOLDED, WITHHELD
from crawler.page.scanning.letters import matches

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.page.scanning.state import U8

    U32 = npt.NDArray[np.uint32]


class _Words(NamedTuple):
    """Words one behind the other, where each begins and the last ends, and as bits those with a byte at one of the first
    two places.
    """

    letters: U8
    starts: U32
    having: U32


def _words(words: Sequence[bytes]) -> _Words:
    having = np.zeros((2, 256), np.uint32)
    for number, word in enumerate(words):
        for place in range(2):
            for letter in {word[place], *word[place : place + 1].upper()}:
                having[place, letter] |= np.uint32(1 << number)
    starts = np.cumsum([0, *map(len, words)]).astype(np.uint32)
    return _Words(np.frombuffer(b"".join(words), np.uint8), starts, having)


_FOLDED_LETTERS, _FOLDED_STARTS, _FOLDED_HAVING = _words(FOLDED)
_WITHHELD_LETTERS, _WITHHELD_STARTS, _WITHHELD_HAVING = _words(WITHHELD)


@cold_part
def says_folded(source: U8, start: int, end: int) -> bool:
    """Tell whether the attributes from *start* to *end* are those of what is folded up."""
    return _holds(
        source, start, end, _FOLDED_LETTERS, _FOLDED_STARTS, _FOLDED_HAVING
    ) and not _holds(source, start, end, _WITHHELD_LETTERS, _WITHHELD_STARTS, _WITHHELD_HAVING)


@part
def _holds(source: U8, start: int, end: int, letters: U8, starts: U32, having: U32) -> bool:
    """Tell whether one of the words stands from *start* to *end*, in either case."""
    for at in range(start, end - 1):
        # Two bytes tell of most places that no word begins there.
        may_be: Any = having[0, byte_at(source, at)] & having[1, byte_at(source, at + 1)]
        while may_be:
            word = first_bit(np.uint64(may_be))
            if matches(source, at, end, letters[starts[word] : starts[word + 1]]):
                return True
            may_be &= may_be - np.uint32(1)
    return False
