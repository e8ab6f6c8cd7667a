"""Which share of a page's references leads to threads, by words that programs of forums have in addresses.

A forum links to its other boards, threads and members; a blog with a long discussion does not. With n references,
f of them with one of :data:`WORDS` in their address, whatever its case, the share is ``f / (n + 5)``: of few
references it says little.

Shapes: a number from 0 to 1. Cost: O(n) in bytes of addresses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.links import References

    U8 = npt.NDArray[np.uint8]

# As in showthread.php, viewtopic.php, /forums/, and the paths of Stack Exchange and Discourse.
WORDS = (b"forum", b"thread", b"topic", b"/question/", b"/questions/", b"/t/")
_FEW = 5
_LETTERS = np.frombuffer(b"".join(WORDS), np.uint8)
_STARTS = np.cumsum([0, *map(len, WORDS)]).astype(np.uint32)
# Whether a word may begin with a byte.
_BEGINS = np.isin(
    np.arange(256), [letter for word in WORDS for letter in word[:1] + word[:1].upper()]
)
_LINE_FEED, _CASE = 10, 32
_UPPER_A, _UPPER_Z = 65, 90


def thread_link_share(references: References) -> float:
    """Return the share of *references* that lead to threads; 0 for none."""
    n_found = _count(np.frombuffer(references.hrefs.utf8, np.uint8)) if len(references) else 0
    return n_found / (len(references) + _FEW)


@lean_kernel
def _count(lines: U8) -> int:
    """Return how many *lines*, a line feed behind each, hold a word."""
    n_found = 0
    is_found = False
    for at in range(len(lines)):
        if lines[at] == _LINE_FEED:
            n_found += is_found
            is_found = False
        elif not is_found and _BEGINS[lines[at]]:
            for word in range(len(_STARTS) - 1):
                is_found |= _stands(lines, at, word)
    return n_found


@part
def _stands(lines: U8, at: int, word: int) -> bool:
    start = _STARTS[word]
    size = _STARTS[word + 1] - start
    if at + size > len(lines):
        return False
    for i in range(size):
        letter = lines[at + i]
        if _UPPER_A <= letter <= _UPPER_Z:
            letter += _CASE
        if letter != _LETTERS[start + i]:
            return False
    return True
