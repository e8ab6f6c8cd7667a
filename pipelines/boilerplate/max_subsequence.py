"""Maximum subsequence segmentation: the one stretch of tokens that is likeliest to be main content.

A naive Bayes classifier gives each word of the page its probability p of being main content; the
value of the word is p - 1/2, from -1/2 to 1/2, and the contiguous stretch with the largest sum of
values is kept::

    log p / (1 - p) = log prior odds + sum over the word's features f of log P(f | main) / P(f | other)

*Source: Pasternack and Roth 2009, as Pomikálek 2011, section 2.6.5, describes it.* He names no features.
Here a word has three: itself, the three tokens that begin with it, and the innermost tag around
it; a block's beginning is a token, too, its tag. Words are lower-cased, digits are alike. Features
are hashed into tables of log ratios in steps of 1/16 (``max_subsequence.npz``, written by
:mod:`pipelines.evaluation.training.max_subsequence`).

A block is kept when at least half of its words are in the stretch. Shapes: one value a word. Cost:
O(words). Ties: the stretch that ends first, then the shortest; nothing where no value is positive.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import xxhash

from crawler.page.words import evaluation_words
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.reasons import Reasons, of_blocks, signed

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

# Log ratios are stored as whole numbers of such steps.
STEP = 1 / 16
WORD_BITS, TRIGRAM_BITS, TAG_BITS = 15, 17, 8
_DIGIT = re.compile(r"\d")
# Odd numbers, one a place of a trigram (multiplicative hashing; Knuth 1973, section 6.4).
_MULTIPLIERS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64
)


class TokenFeatures(NamedTuple):
    """The places of each word's features in the tables; *block*: the block that it is in."""

    word: I64
    trigram: I64
    tag: I64
    block: I64


class MaxSubsequence:
    """Keeps the best stretch of words; *bias* is added to each value, to keep more or less."""

    inline: ClassVar[Inline] = "gap"

    def __init__(self, *, bias: float = 0.0):
        if not -0.5 <= bias <= 0.5:
            raise ValueError(f"bias must be between -0.5 and 0.5, got {bias}")
        self.bias = bias

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        features = token_features(page)
        start, end = best_run(token_values(features) + self.bias)
        n_blocks = len(page.blocks)
        n_words = np.bincount(features.block, minlength=n_blocks)
        n_kept = np.bincount(features.block[start:end], minlength=n_blocks)
        return labels_of((n_kept > 0) & (2 * n_kept >= n_words))

    def reasons(self, page: PageModel) -> Reasons:
        """Return what the words of each block of *page* are worth together."""
        features = token_features(page)
        worth = np.bincount(
            features.block, token_values(features) + self.bias, len(page.blocks)
        ).tolist()
        note = "Kept is the one stretch of words that is worth most; a word is worth −0.5 to 0.5."
        return of_blocks(note, [f"worth {signed(value)}" for value in worth])


def best_run(values: F64) -> tuple[int, int]:
    """Return start and end of the contiguous run of *values* with the largest sum.

    Of equal ones the one that ends first, then the shortest; (0, 0) when no sum is positive.

    >>> best_run(np.array([-1.0, 2.0, -1.0, 2.0, -3.0]))
    (1, 4)
    """
    if not len(values):
        return 0, 0
    sums = np.concatenate(([0.0], np.cumsum(values)))
    lowest = np.minimum.accumulate(sums)[:-1]
    gains = sums[1:] - lowest
    end = int(np.argmax(gains))
    if gains[end] <= 0:
        return 0, 0
    start = int(np.flatnonzero(sums[: end + 1] == lowest[end])[-1])
    return start, end + 1


def token_features(page: PageModel) -> TokenFeatures:
    """Return the features of the words of *page*, in page order."""
    blocks = page.blocks
    tags = [path.rpartition("/")[2] for path in blocks.paths.strings]
    hashes, word_block, word_tag = [], [], []
    for number, (text, path) in enumerate(
        zip(blocks.text, blocks.path_number.tolist(), strict=True)
    ):
        words = evaluation_words(_DIGIT.sub("0", text))
        hashes.append(_hash(f"<{tags[path]}>"))
        hashes += map(_hash, words)
        word_block += [-1] + [number] * len(words)
        word_tag += [0] + [_hash(tags[path])] * len(words)
    token = np.array([*hashes, 0, 0], np.uint64)
    block = np.array(word_block, np.int64)
    is_word = block >= 0
    tag = np.array(word_tag, np.uint64)
    trigram = sum(token[i : i + len(block)] * _MULTIPLIERS[i] for i in range(3))
    return TokenFeatures(
        word=_places(token[:-2], WORD_BITS)[is_word],
        trigram=_places(np.asarray(trigram, np.uint64), TRIGRAM_BITS)[is_word],
        tag=_places(tag, TAG_BITS)[is_word],
        block=block[is_word],
    )


def token_values(features: TokenFeatures) -> F64:
    """Return the value of each word, -1/2 to 1/2."""
    tables = _tables()
    logit = tables["prior"][0] + STEP * (
        tables["word"][features.word].astype(np.float64)
        + tables["trigram"][features.trigram]
        + tables["tag"][features.tag]
    )
    values: F64 = np.tanh(logit / 2) / 2
    return values


def _places(hashes: U64, bits: int) -> I64:
    return (hashes >> np.uint64(64 - bits)).astype(np.int64)


@lru_cache(maxsize=65536)
def _hash(token: str) -> int:
    return xxhash.xxh3_64_intdigest(token.encode())


@cache
def _tables() -> dict[str, npt.NDArray[Any]]:
    with np.load(Path(__file__).with_name("max_subsequence.npz")) as tables:
        return dict(tables)
