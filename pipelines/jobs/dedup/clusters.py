"""Near-duplicate documents of a corpus: candidates by min-wise sketches, pairs by their shingles.

1. Every document gets a sketch of 128 values of its shingles; bands of it give the candidates
   (:mod:`pipelines.duplicates.lsh`), for missed pairs weigh nine times as much as compared ones.
2. The shingles of all candidates are compared: pairs of *resemblance* or more are near-duplicates.
3. Clusters are the connected components of the pairs. Of each the keep rule keeps one:
   ``first``: the one fetched first; ``rank``: that of the highest PageRank, of ``ranks/``;
   ``longest``: that of the most words; ``complete``: that of the most kept blocks. Ties go to the
   smallest URL. Nothing depends on ids or on the order of the corpus.

Texts of fewer words than a shingle has are one shingle. Memory: 40 bytes a document, and those of one
band of all candidates, 16 bytes a pair; sketches and shingles are in temporary files, 512 bytes a
document and 8 bytes a word of the candidates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.duplicates.broder import clusters
from pipelines.duplicates.lsh import Bands, band_keys, choose_bands, pairs_of_keys
from pipelines.duplicates.minhash import N_VALUES, sketch
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.duplicates.shingles import resemblance
from pipelines.jobs.dedup.spool import ArraySpool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.jobs.dedup.options import DedupOptions

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    Texts = Callable[[], Iterator[str]]

# A candidate costs a comparison, a pair that is missed a duplicate.
_WEIGHT_IN_VAIN = 0.1
_CHUNK = 100_000


class NearDuplicates(NamedTuple):
    """Pairs of documents, i < j, and the resemblance of each."""

    pairs: I64
    resemblances: F64


class Clusters(NamedTuple):
    """For each document the one that is kept of its cluster, itself when it is alone or kept."""

    kept: I64
    pairs: NearDuplicates


def near_duplicates(texts: Texts, options: DedupOptions, folder: Path | None) -> NearDuplicates:
    """Return the near-duplicates among *texts*, which are read twice."""
    w = options.shingle_words
    with ArraySpool(np.uint32, folder) as sketches:
        for text in texts():
            sketches.append(sketch(text_ngram_hashes(text.lower(), w)))
        candidates = _candidates(
            sketches, choose_bands(options.resemblance, N_VALUES, _WEIGHT_IN_VAIN)
        )
    is_wanted = np.zeros(len(sketches), dtype=np.bool_)
    is_wanted[candidates.ravel()] = True
    nothing = np.empty(0, dtype=np.uint64)
    with ArraySpool(np.uint64, folder) as shingles:
        for number, text in enumerate(texts()):
            found = np.unique(text_ngram_hashes(text.lower(), w)) if is_wanted[number] else nothing
            shingles.append(found)
        shared = np.array([resemblance(shingles[i], shingles[j]) for i, j in candidates.tolist()])
    is_near = shared >= options.resemblance
    return NearDuplicates(candidates[is_near], shared[is_near])


def _candidates(sketches: ArraySpool[np.uint32], bands: Bands) -> I64:
    """Return the pairs that share a band, one band of all documents in memory at a time."""
    n_documents = len(sketches)
    rows = sketches.whole().reshape(n_documents, N_VALUES)
    found = np.empty((0, 2), dtype=np.int64)
    for band in range(bands.n_bands):
        keys = np.empty(n_documents, dtype=np.uint64)
        columns = slice(band * bands.n_rows, (band + 1) * bands.n_rows)
        for start in range(0, n_documents, _CHUNK):
            part = np.array(rows[start : start + _CHUNK, columns])
            keys[start : start + _CHUNK] = band_keys(part, Bands(1, bands.n_rows))[:, 0]
        found = np.unique(np.concatenate((found, pairs_of_keys(keys))), axis=0)
    return found


def decide(
    n_documents: int, pairs: NearDuplicates, goodness: F64, urls: Mapping[int, str]
) -> Clusters:
    """Return the document that is kept of each cluster: of the highest *goodness*, then by URL."""
    component = clusters(n_documents, pairs.pairs)
    order = sorted(
        np.unique(pairs.pairs).tolist(), key=lambda number: (-goodness[number], urls[number])
    )
    best: dict[int, int] = {}
    kept = np.arange(n_documents, dtype=np.int64)
    for number in order:
        kept[number] = best.setdefault(int(component[number]), number)
    return Clusters(kept, pairs)
