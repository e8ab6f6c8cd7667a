"""Kohlschütter's near-duplicate test: shingles of the largest text segment of a page.

The segments of a page, by any segmentation, of which less than half of the tokens are linked are
candidates; the one of most tokens is the main segment. Its windows of six tokens are hashed, and the
least value of each of eight permutations kept. Pages with four or more of the eight equal are
near-duplicates.

*Source:* Kohlschütter and Nejdl 2008, section 4.4; Kohlschütter 2011, 4.2.4, table 4.3. Stated choices:
tokens are lower-cased density tokens; of equally large segments the first; fewer than six tokens
are one shingle; a page without a candidate has no signature and is like no other.

Shapes: a signature is ``uint32[8]``, equality is by position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.duplicates.minhash import sketch
from pipelines.duplicates.ngram_hashes import text_ngram_hashes

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import Blocks

    U32 = npt.NDArray[np.uint32]

N_VALUES = 8
N_SHARED = 4
SHINGLE_TOKENS = 6
MAX_LINKED_SHARE = 0.5


def signature(blocks: Blocks, segments: npt.NDArray[np.uint32]) -> U32 | None:
    """Return the signature of a page whose *blocks* belong to *segments*; None when it has none."""
    if not len(blocks):
        return None
    n_segments = int(segments.max()) + 1
    tokens = np.bincount(segments, weights=blocks.n_words, minlength=n_segments)
    linked = np.bincount(segments, weights=blocks.linked_words, minlength=n_segments)
    candidates = np.where(linked < MAX_LINKED_SHARE * tokens, tokens, 0)
    main = int(candidates.argmax())
    if not candidates[main]:
        return None
    places = np.flatnonzero(segments == main).tolist()
    text = " ".join(blocks.text[place] for place in places)
    return sketch(text_ngram_hashes(text.lower(), SHINGLE_TOKENS), N_VALUES)


def is_near_duplicate(a: U32 | None, b: U32 | None) -> bool:
    """Tell whether two signatures are equal at four places or more."""
    return a is not None and b is not None and int((a == b).sum()) >= N_SHARED
