"""Which share of a page's references leads to threads, by words that programs of forums have in addresses.

A forum links to its other boards, threads and members; a blog with a long discussion does not. With n references,
f of them with one of :data:`WORDS` in their address, whatever its case, the share is ``f / (n + 5)``: of few
references it says little.

Shapes: a number from 0 to 1. Cost: O(n) in bytes of addresses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.line_words import lines_with, words_of

if TYPE_CHECKING:
    from crawler.page.links import References

# As in showthread.php, viewtopic.php, /forums/, and the paths of Stack Exchange and Discourse.
WORDS = (b"forum", b"thread", b"topic", b"/question/", b"/questions/", b"/t/")
_FEW = 5
_WORDS = words_of(WORDS)


def thread_link_share(references: References) -> float:
    """Return the share of *references* that lead to threads; 0 for none."""
    n_all = len(references)
    n_found = np.count_nonzero(lines_with(references.hrefs.utf8, n_all, _WORDS))
    return n_found / (n_all + _FEW)
