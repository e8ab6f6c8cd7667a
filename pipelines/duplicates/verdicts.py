"""What makes two pages copies or near-duplicates: the rule, its measure, and the signature of a text.

Exact copies have the same normalised main text (:mod:`pipelines.duplicates.exact`). Near-duplicates,
by *method*, A and B being their sets of word shingles:

* ``mutual-containment``: |A & B| / max(|A|, |B|), the share that each at least has of the other, is
  *threshold* or more;
* ``resemblance``: |A & B| / |A | B| is;
* ``simhash``: their simhashes differ in *distance* bits or fewer.

The *signature* of a text, for the index of a crawl, is made of its min-wise sketch. Four bands of three
values are its keys: two pages of resemblance s have one in common with probability 1 - (1 - s^3)^4. The
64 bits of its *code* estimate how near two pages are: 56 are one bit each of other values, of which the
pages have (1 + s) / 2 in common; the lowest byte is 8 log2 of the number of hashes, rounded. By the rule
``simhash`` the code is the simhash, and the key is that of exact copies.

*Source:* Broder 1997, sections 2 and 3; Li and König 2010 (b-bit minwise hashing, b = 1); Charikar 2002.
Measured on CopyCat's pairs (`pipelines.evaluation.duplicates`): mutual containment of 3-shingles at .75
has F1 .812, resemblance at its best .796, simhash at its best .767; estimated from such codes .784. A
text without words is like no other; one of fewer words than a shingle has is one shingle.

Shapes: keys ``uint64[k]``, codes one uint64. Invariant: a signature is a function of the text and the
rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.duplicates.lsh import Bands, band_keys
from pipelines.duplicates.minhash import sketch
from pipelines.duplicates.near_index.index import N_CODE_BITS, SIZE_STEPS
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.duplicates.shingles import mutual_containment, resemblance
from pipelines.duplicates.simhash import simhash
from pipelines.duplicates.simhash_index import MAX_DISTANCE

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

NearMethod = Literal["mutual-containment", "resemblance", "simhash"]
METHODS = get_args(NearMethod)

# What an index of 40 bytes a document has room for. With two values a band, real pages of one site
# are candidates of each other by the thousand.
BANDS = Bands(4, 3)
_FIRST_CODE_VALUE = BANDS.n_bands * BANDS.n_rows
_N_VALUES = _FIRST_CODE_VALUE + N_CODE_BITS


class Signature(NamedTuple):
    """*digest* of the text, 8 bytes of it; *keys* of the index; *code*, which tells how near."""

    digest: int
    keys: U64
    code: int


@dataclass(frozen=True, slots=True)
class NearRule:
    """When two pages are near-duplicates; ValueError for values out of range, naming them.

    *threshold* is above 0 and at most 1, or 0 for exact copies only; *distance*, of simhashes, is 1 to
    8 bits, or 0 for exact copies only.
    """

    method: NearMethod = "mutual-containment"
    threshold: float = 0.75
    shingle_words: int = 3
    distance: int = 3

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, got {self.method}")
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must be between 0 and 1, got {self.threshold}")
        if self.shingle_words < 1:
            raise ValueError(f"shingle_words must be at least 1, got {self.shingle_words}")
        if not 0 <= self.distance <= MAX_DISTANCE:
            raise ValueError(f"distance must be 0 to {MAX_DISTANCE}, got {self.distance}")

    @property
    def finds_near(self) -> bool:
        """Whether anything but exact copies counts."""
        return bool(self.distance if self.method == "simhash" else self.threshold)

    @property
    def has_bands(self) -> bool:
        """Whether near-duplicates are found by bands of sketches."""
        return self.finds_near and self.method != "simhash"

    @property
    def has_simhashes(self) -> bool:
        """Whether near-duplicates are found by simhashes."""
        return self.finds_near and self.method == "simhash"

    @property
    def least_resemblance(self) -> float:
        """The least resemblance of two near-duplicates: that of sets of one size."""
        return self._least_resemblance(1.0)

    @property
    def n_keys(self) -> int:
        """Keys of a signature."""
        return BANDS.n_bands if self.has_bands else 1

    @property
    def name(self) -> str:
        """What signatures depend on: those of rules of one name compare."""
        if not self.finds_near:
            return "exact"
        if self.has_simhashes:
            return "simhash"
        return f"bands {BANDS.n_bands}x{BANDS.n_rows} of {self.shingle_words}-shingles"

    def least_equal(self) -> U8:
        """Return the equal bits of two codes that are near enough, by the difference of their sizes.

        uint8[256]; one more than a code has where none are. Of equal codes it is all bits, or fewer.
        """
        least = np.full(256, N_CODE_BITS + 1, dtype=np.uint8)
        least[0] = N_CODE_BITS
        if self.has_bands:
            for difference in range(256):
                s = self._least_resemblance(2 ** (-difference / SIZE_STEPS))
                if s <= 1:
                    least[difference] = ceil(N_CODE_BITS * (1 + s) / 2)
        return least

    def _least_resemblance(self, ratio: float) -> float:
        """Return the resemblance that sets of sizes 1 and *ratio* need."""
        if self.method == "resemblance":
            return self.threshold if ratio >= self.threshold else 2.0
        # Of sets of sizes 1 and q, |A & B| = s / (1 + s) (1 + q).
        share = self.threshold / (1 + ratio)
        return share / (1 - share) if share < 1 else 2.0

    def shingles(self, text: str) -> U64:
        """Return the shingles of *text* with repetitions, as a signature is made of them."""
        return text_ngram_hashes(text, self.shingle_words)

    def signature(self, text: str, digest: bytes, shingles: U64 | None = None) -> Signature:
        """Return the signature of *text*, *digest* being that of exact copies.

        *shingles*: what :meth:`shingles` returned, where it was asked already. Of a text without
        words, and of a rule for exact copies, keys and code are the digest's.
        """
        first, second = np.frombuffer(digest, dtype="<u8").tolist()
        if self.has_simhashes:
            return Signature(first, np.array([first], dtype=np.uint64), simhash(text))
        if shingles is None:
            shingles = self.shingles(text)
        if not shingles.size or not self.finds_near:
            return Signature(first, np.full(self.n_keys, first, dtype=np.uint64), second)
        values = sketch(shingles, _N_VALUES)
        return Signature(first, band_keys(values[None], BANDS)[0], code_of(values, shingles.size))

    def measure(self, a: U64, b: U64) -> float:
        """Return how like two sets of shingles, ascending and each once, are: 0 to 1."""
        if self.method == "resemblance":
            return resemblance(a, b)
        return mutual_containment(a, b)


def code_of(values: U32, n_hashes: int) -> int:
    """Return the code of a sketch of *n_hashes* shingles, 1 or more.

    The bit of a value is the highest of a hash of it: minima are small, so their own is 0.
    """
    size = min(round(SIZE_STEPS * log2(n_hashes)), 255)
    return int(_bits(values[_FIRST_CODE_VALUE:])) << 8 | size


@lean_kernel
def _bits(values: U32) -> np.uint64:
    bits = np.uint64(0)
    for i in range(values.size):
        # Knuth's multiplicative hash: times 2^32 over the golden ratio
        mixed = np.uint64(values[i]) * np.uint64(0x9E3779B1)
        bits |= ((mixed >> np.uint64(31)) & np.uint64(1)) << np.uint64(i)
    return bits
