"""The near-duplicate methods of :mod:`pipelines.duplicates` as scores of pairs, in named settings.

Default thresholds: resemblance .5 is the thesis's (Pomikálek 2011, 3.2.1), two of six super-shingles
Broder's, simhash distance 3 Manku's, one list Pugh and Henzinger's, four of eight values Kohlschütter's.
Henzinger's combination takes those of Broder's pairs whose simhashes are near, too: in her study precision
rose from .38 and .50 to .79 (Henzinger 2006; Pomikálek 2011, 3.2.5).
Those of S80 to S84 publish none, and are compared at .5. Texts are lower-cased.

Measured on CopyCat's 253 judged pairs, 129 of them duplicates: F1 .812 by the default (.809 ± .010 by sketches of 128
values), .797 by datasketch and .796 by rensa at the best threshold on these pairs, .779 by resemblance .7, .36 by
simhash at distance 3. On McCormick's articles all find everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import density_tokens
from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.fingerprints.broder import N_SUPER_SHINGLES, modulo_sketch, super_shingles
from pipelines.duplicates.fingerprints.heintze import PrefixCounts, lowest_hashes
from pipelines.duplicates.fingerprints.i_match import NOTHING as NO_WORDS
from pipelines.duplicates.fingerprints.i_match import IMatch
from pipelines.duplicates.fingerprints.kohlschuetter import N_SHARED, N_VALUES, SHINGLE_TOKENS
from pipelines.duplicates.fingerprints.pugh_henzinger import (
    EMPTY,
    independent_lists,
    partition_lists,
)
from pipelines.duplicates.fingerprints.shivakumar_garcia_molina import line_fingerprint
from pipelines.duplicates.fingerprints.sif import sif_fingerprint
from pipelines.duplicates.fingerprints.winnowing import winnow
from pipelines.duplicates.lsh import Bands, band_keys, choose_bands
from pipelines.duplicates.minhash import NOTHING, sketch
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.duplicates.simhash import N_BITS, simhash_of_hashes
from pipelines.evaluation.duplicates import pair_scores
from pipelines.evaluation.duplicates.default_index import default_methods
from pipelines.evaluation.duplicates.method import Method
from pipelines.evaluation.duplicates.pair_scores import Sets
from pipelines.evaluation.duplicates.simhash_features import simhash_methods

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from pipelines.evaluation.duplicates.method import F64, I64, PairScores

    U64 = npt.NDArray[np.uint64]
    Fingerprint = Callable[[str], npt.NDArray[np.unsignedinteger]]

# Of the signature that the crawl stores.
SIGNATURE_VALUES = 128
SUPER_SHINGLE_VALUES = 84
# Broder, Glassman, Manasse, Zweig 1997, section 4: one shingle of 25.
MODULUS = 25
# Henzinger 2006: of 384 bits 355 are equal.
COMBINED_DISTANCE = 4
_NO_DIGEST = 0


def methods() -> tuple[Method, ...]:
    """Return all methods in all settings."""
    return (
        *default_methods(),
        Method("exact", "", 1.0, _exact),
        *_set_methods(),
        *_sketch_methods(),
        *simhash_methods(),
        *_fingerprint_methods(),
        *_list_methods(),
    )


def word_shingles(text: str, w: int) -> U64:
    """Return the word *w*-grams of *text*, lower-cased, with repetitions."""
    return text_ngram_hashes(text, w)


def sketches(texts: Sequence[str], w: int, k: int) -> npt.NDArray[np.uint32]:
    """Return the min-wise sketches of *k* values of word *w*-shingles, uint32[n, k]."""
    return np.stack([sketch(word_shingles(text, w), k) for text in texts])


def _exact(texts: Sequence[str], pairs: I64) -> F64:
    digests = np.array([int.from_bytes(text_digest(text)[:8]) for text in texts], dtype=np.uint64)
    equal: F64 = (digests[pairs[:, 0]] == digests[pairs[:, 1]]).astype(np.float64)
    return equal


def _of_sets(fingerprint: Fingerprint, measure: Callable[[Sets, I64], F64]) -> PairScores:
    return lambda texts, pairs: measure(Sets.of(fingerprint(text) for text in texts), pairs)


def _set_methods() -> Iterator[Method]:
    for w in (1, 2, 3, 4, 5, 8):
        shingles = _word_shingles(w)
        score = _of_sets(shingles, pair_scores.resemblances)
        yield Method("resemblance", f"w={w}", 0.5, score)
    for w in (2, 3, 5):
        score = _of_sets(_word_shingles(w), pair_scores.containments)
        yield Method("containment", f"w={w}", 0.5, score)
    for w in (1, 2, 3, 5):
        score = _of_sets(_word_shingles(w), pair_scores.mutual_containments)
        yield Method("mutual-containment", f"w={w}", 0.75, score)


def _word_shingles(w: int) -> Fingerprint:
    return lambda text: word_shingles(text, w)


def _sketch_methods() -> Iterator[Method]:
    for w in (1, 2, 3, 5, 8):
        yield Method("minhash", f"w={w} k=128", 0.5, _minhash(w))
    for w in (2, 3, 5):
        yield Method("minhash-mutual", f"w={w} k=128", 0.75, _minhash_mutual(w))
    for w, threshold in ((3, 0.5), (3, 0.7), (5, 0.5), (5, 0.7)):
        bands = choose_bands(threshold, SIGNATURE_VALUES)
        settings = f"w={w} {bands.n_bands}x{bands.n_rows}"
        yield Method("minhash-lsh", settings, 1 / bands.n_bands, _lsh(w, bands))
    for w in (3, 5):
        score = _of_sets(_modulo(w), pair_scores.resemblances)
        yield Method("broder-modulo", f"w={w} m={MODULUS}", 0.5, score)
        yield Method("broder-super-shingles", f"w={w} 6x14", 2 / N_SUPER_SHINGLES, _super(w))
        combined = f"w={w} 6x14 distance={COMBINED_DISTANCE}"
        yield Method("broder-and-simhash", combined, 2 / N_SUPER_SHINGLES, _combined(w))
    yield Method(
        "kohlschuetter",
        f"w={SHINGLE_TOKENS} k={N_VALUES}",
        N_SHARED / N_VALUES,
        lambda texts, pairs: pair_scores.equal_places(
            sketches(texts, SHINGLE_TOKENS, N_VALUES), pairs, NOTHING
        ),
    )


def _minhash(w: int) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        return pair_scores.equal_places(sketches(texts, w, SIGNATURE_VALUES), pairs, NOTHING)

    return scores


def _minhash_mutual(w: int) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        estimated = _minhash(w)(texts, pairs)
        sizes = np.array([np.unique(word_shingles(text, w)).size for text in texts])
        return pair_scores.mutual_of_resemblance(estimated, sizes[pairs].astype(np.float64))

    return scores


def _lsh(w: int, bands: Bands) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        signatures = sketches(texts, w, SIGNATURE_VALUES)
        keys = band_keys(signatures, bands)
        keys[(signatures == NOTHING).all(axis=1)] = _NO_DIGEST
        return pair_scores.equal_places(keys, pairs, _NO_DIGEST)

    return scores


def _modulo(w: int) -> Fingerprint:
    return lambda text: modulo_sketch(word_shingles(text, w), MODULUS)


def _super(w: int) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        found = super_shingles(sketches(texts, w, SUPER_SHINGLE_VALUES))
        return pair_scores.equal_places(found, pairs, _NO_DIGEST)

    return scores


def _combined(w: int) -> PairScores:
    """Return Broder's scores of pairs whose simhashes of words are near, 0 of others."""

    def scores(texts: Sequence[str], pairs: I64) -> F64:
        values = [simhash_of_hashes(word_shingles(text, 1)) for text in texts]
        equal = pair_scores.equal_bits(np.array(values, dtype=np.uint64), pairs)
        return np.where(equal >= 1 - COMBINED_DISTANCE / N_BITS, _super(w)(texts, pairs), 0.0)

    return scores


def _fingerprint_methods() -> Iterator[Method]:
    resemblances = pair_scores.resemblances
    for n_lines in (2, 4):
        lines = _of_sets(_lines(n_lines), resemblances)
        yield Method("shivakumar-garcia-molina", f"lines={n_lines}", 0.5, lines)
    yield Method("sif", "", 0.5, _of_sets(sif_fingerprint, resemblances))
    yield Method("heintze", "lowest", 0.5, _of_sets(lowest_hashes, resemblances))
    yield Method("heintze", "rarest", 0.5, _heintze_rarest)
    for t, k in ((50, 25), (100, 50)):
        yield Method(
            "winnowing", f"t={t} k={k}", 0.5, _of_sets(_winnowed(t, k), pair_scores.resemblances)
        )


def _lines(n_lines: int) -> Fingerprint:
    return lambda text: line_fingerprint(text, n_lines)


def _winnowed(t: int, k: int) -> Fingerprint:
    return lambda text: winnow(" ".join(text.lower().split()), t, k).hashes


def _heintze_rarest(texts: Sequence[str], pairs: I64) -> F64:
    counts = PrefixCounts()
    for text in texts:
        counts.add(text)
    return pair_scores.resemblances(Sets.of(map(counts.rarest, texts)), pairs)


def _list_methods() -> Iterator[Method]:
    for n in (4, 16):
        yield Method("pugh-henzinger-partition", f"n={n}", 1 / n, _lists(partition_lists, n))
        yield Method("pugh-henzinger-independent", f"n={n}", 1 / n, _lists(independent_lists, n))
    for n_random in (0, 10):
        yield Method("i-match", f"random={n_random}", 1 / (1 + n_random), _i_match(n_random))


def _lists(lists: Callable[[Sequence[str], int], U64], n: int) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        found = np.stack([lists(density_tokens(text.lower()), n) for text in texts])
        return pair_scores.equal_places(found, pairs, EMPTY)

    return scores


def _i_match(n_random: int) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        lexicon = IMatch(texts, n_random=n_random)
        digests = np.stack([lexicon.digests(text) for text in texts])
        return pair_scores.equal_places(digests, pairs, NO_WORDS)

    return scores
