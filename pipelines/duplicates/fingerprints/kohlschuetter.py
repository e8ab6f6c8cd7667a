"""Kohlschütter's near-duplicate test: shingles of the largest text segment of a page.

The segments of a page, by any segmentation, of which less than half of the tokens are linked are
candidates; the one of most tokens is the main segment. Its windows of six tokens are hashed, and the
least value of each of eight permutations kept. Pages with four or more of the eight equal are
near-duplicates.

*Source:* Kohlschütter and Nejdl 2008, section 4.4; Kohlschütter 2011, 4.2.4, table 4.3. Stated choices:
tokens are lower-cased density tokens; of equally large segments the first; fewer than six tokens
are one shingle; a page without a candidate has no signature and is like no other. WordWrap's lines
hold words of several blocks: there a word counts as linked by the share of its block.

Shapes: a signature is ``uint32[8]``, equality is by position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import density_tokens
from pipelines.duplicates.minhash import sketch
from pipelines.duplicates.ngram_hashes import text_ngram_hashes

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    main = _main_segment(segments, blocks.n_words, blocks.linked_words)
    return None if main is None else _sketch(blocks.text[place] for place in main)


def signature_by_words(blocks: Blocks, labels: npt.NDArray[np.uint32]) -> U32 | None:
    """Return the signature of a page whose density tokens belong to the segments *labels*."""
    if not len(blocks):
        return None
    linked = np.repeat(blocks.link_density, blocks.n_words)
    main = _main_segment(labels, np.ones(len(labels)), linked)
    words = [word for text in blocks.text for word in density_tokens(text)]
    return None if main is None else _sketch(words[place] for place in main)


def _main_segment(
    segments: npt.NDArray[np.uint32],
    tokens: npt.NDArray[np.number],
    linked: npt.NDArray[np.number],
) -> list[int] | None:
    """Return the units of the main segment, given the segment, tokens and linked tokens of each."""
    sizes = np.bincount(segments, weights=tokens)
    linked_sizes = np.bincount(segments, weights=linked)
    candidates = np.where(linked_sizes < MAX_LINKED_SHARE * sizes, sizes, 0)
    main = int(candidates.argmax())
    return np.flatnonzero(segments == main).tolist() if candidates[main] else None


def _sketch(texts: Iterable[str]) -> U32:
    return sketch(text_ngram_hashes(" ".join(texts), SHINGLE_TOKENS), N_VALUES)


def is_near_duplicate(a: U32 | None, b: U32 | None) -> bool:
    """Tell whether two signatures are equal at four places or more."""
    return a is not None and b is not None and int((a == b).sum()) >= N_SHARED
