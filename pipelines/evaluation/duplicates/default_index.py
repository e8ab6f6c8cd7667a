"""What the crawl and ``scrapy dedup`` do by default, as scores of pairs, in three grades.

*exact*: the measure of :class:`pipelines.duplicates.verdicts.NearRule`, mutual containment of the sets
of word 3-shingles, of which its threshold decides. *signature*: that, from the resemblance that 128
min-wise values estimate and the sizes of the sets. *index*: what the signature of the rule can tell,
40 bytes a document with its place in the table: pairs that share a key, by the bits of their codes that
are equal, a share of (1 + r) / 2 for sets of resemblance r, and by their rounded sizes.

*Source:* Broder 1997; Indyk and Motwani 1998; b-bit values: Li and König 2010, with b = 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.minhash import NOTHING, sketch
from pipelines.duplicates.near_index.index import N_CODE_BITS, SIZE_STEPS
from pipelines.duplicates.verdicts import NearRule
from pipelines.evaluation.duplicates import pair_scores
from pipelines.evaluation.duplicates.method import Method
from pipelines.evaluation.duplicates.pair_scores import Sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.evaluation.duplicates.method import F64, I64

RULE = NearRule()
N_VALUES = 128
DEFAULT = "default"
_N_SIZE_BITS = 8


def default_methods() -> tuple[Method, ...]:
    """Return the default's grades: what decides comes first."""
    return (
        Method(DEFAULT, "exact", RULE.threshold, _exact_scores),
        Method(DEFAULT, "signature", RULE.threshold, _signature_scores),
        Method(DEFAULT, "index", RULE.threshold, _index_scores),
    )


def _exact_scores(texts: Sequence[str], pairs: I64) -> F64:
    sets = Sets.of(RULE.shingles(text) for text in texts)
    return pair_scores.mutual_containments(sets, pairs)


def _signature_scores(texts: Sequence[str], pairs: I64) -> F64:
    hashes = [np.unique(RULE.shingles(text)) for text in texts]
    sketches = np.stack([sketch(each, N_VALUES) for each in hashes])
    resemblances = pair_scores.equal_places(sketches, pairs, NOTHING)
    sizes = np.array([each.size for each in hashes], dtype=np.float64)
    return pair_scores.mutual_of_resemblance(resemblances, sizes[pairs])


def _index_scores(texts: Sequence[str], pairs: I64) -> F64:
    signatures = [RULE.signature(text, text_digest(text)) for text in texts]
    keys = np.stack([signature.keys for signature in signatures])
    codes = np.array([signature.code for signature in signatures], dtype=np.uint64)
    is_candidate = pair_scores.equal_places(keys, pairs, nothing=0) > 0
    differing = (codes[pairs[:, 0]] ^ codes[pairs[:, 1]]) >> np.uint64(_N_SIZE_BITS)
    equal = 1 - np.bitwise_count(differing) / N_CODE_BITS
    sizes = 2 ** ((codes & np.uint64(2**_N_SIZE_BITS - 1)) / SIZE_STEPS)
    estimated = pair_scores.mutual_of_resemblance(np.maximum(2 * equal - 1, 0), sizes[pairs])
    scores: F64 = estimated * is_candidate
    return scores
