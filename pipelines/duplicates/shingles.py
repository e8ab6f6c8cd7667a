"""Broder's w-shingling of a text, and how much of it two texts share.

The shingles S(D, w) of a document are the set of its sequences of w words; as values, xxh3-64 of
each (:mod:`pipelines.duplicates.ngram_hashes`). With A and B two such sets::

    resemblance = |A & B| / |A | B|        containment of A in B = |A & B| / |A|
    mutual containment = |A & B| / max(|A|, |B|), the containment of either in the other at least

Mutual containment of m or more takes a resemblance of m / (2 - m) or more. It is what tells pages
that are the same from pages of which one quotes the other best of the three
(``python -m pipelines.evaluation.duplicates``).

*Source:* Broder 1997, sections 2 and 3; Pomikálek 2011, 3.2.1; mutual containment is the lower of
Broder's two containments. A document of fewer than w words has no shingles; what it shares with
any other is 0 (undefined there).

Shapes: a set is ``uint64[m]``, ascending, without repetitions. Cost: a sort of the document's words
for the set, linear for the comparison.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.duplicates.ngram_hashes import ngram_hashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    U64 = npt.NDArray[np.uint64]


def shingles(words: Sequence[str], w: int) -> U64:
    """Return the set of *w*-shingles of *words*; ValueError for *w* below 1.

    >>> what = "what shall we do with the drunken sailor".split()
    >>> len(shingles(what, 6))
    3
    """
    if w < 1:
        raise ValueError(f"w must be at least 1, got {w}")
    if len(words) < w:
        return np.empty(0, dtype=np.uint64)
    return np.unique(ngram_hashes(words, w))


def resemblance(a: U64, b: U64) -> float:
    """Return the share of all shingles of *a* and *b* that are in both, 0 to 1."""
    if not a.size or not b.size:
        return 0.0
    n_common = int(_n_common(a, b))
    return n_common / (a.size + b.size - n_common)


def containment(a: U64, b: U64) -> float:
    """Return the share of the shingles of *a* that are in *b*, 0 to 1."""
    return int(_n_common(a, b)) / a.size if a.size else 0.0


def mutual_containment(a: U64, b: U64) -> float:
    """Return the share of the shingles of the larger set that are in both, 0 to 1.

    >>> a, b = (shingles(text.split(), 1) for text in ("a b c d", "a b c"))
    >>> mutual_containment(a, b)
    0.75
    """
    return int(_n_common(a, b)) / max(a.size, b.size) if a.size and b.size else 0.0


@lean_kernel
def _n_common(a: U64, b: U64) -> int:
    i = j = n_common = 0
    while i < a.size and j < b.size:
        x, y = a[i], b[j]
        n_common += x == y
        i += x <= y
        j += y <= x
    return n_common
