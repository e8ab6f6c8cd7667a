"""Whether a tag that hides is of what is folded up (`crawler.page.folded`), from its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part, part
from crawler.page.folded import FOLDED, WITHHELD
from crawler.page.scanning.letters import lower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawler.page.scanning.state import U8


def _joined(words: Sequence[bytes]) -> U8:
    """Return *words*, a zero behind each."""
    return np.frombuffer(b"".join(word + b"\0" for word in words), np.uint8)


_FOLDED, _WITHHELD = _joined(FOLDED), _joined(WITHHELD)


@cold_part
def says_folded(source: U8, start: int, end: int) -> bool:
    """Tell whether the attributes from *start* to *end* are those of what is folded up."""
    return _holds(source, start, end, _FOLDED) and not _holds(source, start, end, _WITHHELD)


@part
def _holds(source: U8, start: int, end: int, words: U8) -> bool:
    """Tell whether one of *words* stands from *start* to *end*, in either case."""
    for at in range(start, end):
        place, is_same = at, True
        for letter in words:
            if letter == 0:
                if is_same:
                    return True
                place, is_same = at, True
            elif is_same:
                is_same = place < end and lower(source[place]) == letter
                place += 1
    return False
