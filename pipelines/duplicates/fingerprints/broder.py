"""Broder's near-duplicates: features of sketches, and the pairs and clusters that share enough.

* The *modulo sketch* of a set of shingles are those that are 0 modulo m: on average a share 1/m.
* *Super-shingles*: a min-wise sketch of k s values is cut into k groups of s, and each group, in its
  order, is hashed to one value. Two documents of resemblance rho have at least r of k in common
  with the probability (Pomikálek 2011, equation 3.1) ::

      P(k, s, r) = sum over i = r..k of C(k, i) rho^(s i) (1 - rho^s)^(k - i)

* *Features to pairs*: (feature, document) sorted, the documents of each feature paired, the pairs
  sorted and counted. Lists grow quadratically: those of more than *max_list* documents are skipped,
  and counted.
* *Clusters* are the connected components of the pairs. At low thresholds they chain: a like b like c
  says nothing of a and c.

*Source:* Broder 1997, sections 3.1 and 4; Broder, Glassman, Manasse, Zweig 1997, section 4;
Pomikálek 2011, 3.2.1 and 3.5.

Shapes: features ``uint64[n, k]``, place being part of a feature, `NO_FEATURE` those of an empty set, which are
shared with none; pairs ``int64[p, 2]``, i < j.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.duplicates.lsh import Bands, band_keys
from pipelines.duplicates.minhash import NOTHING

if TYPE_CHECKING:
    import numpy.typing as npt

    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

# Broder, Glassman, Manasse, Zweig 1997: 6 super-shingles of 14 values, 2 of them shared.
N_SUPER_SHINGLES = 6
NO_FEATURE = 0
MAX_LIST = 1000


class SharedFeatures(NamedTuple):
    """Pairs of documents, the features they share, and the lists that were too long to pair."""

    pairs: I64
    n_shared: I64
    n_skipped: int


def modulo_sketch(shingles: U64, m: int) -> U64:
    """Return those of *shingles* that are 0 modulo *m*; ValueError for *m* below 1.

    It is a set of shingles too: resemblance and containment of sketches estimate those of the sets.
    """
    if m < 1:
        raise ValueError(f"m must be at least 1, got {m}")
    multiples: U64 = shingles[shingles % np.uint64(m) == 0]
    return multiples


def super_shingles(sketches: U32, k: int = N_SUPER_SHINGLES) -> U64:
    """Return *k* super-shingles of each of *sketches*, of as many values as go into each.

    ValueError unless *k* is from 1 to the values of a sketch.
    """
    n_values = sketches.shape[1]
    if not 1 <= k <= n_values:
        raise ValueError(f"k must be from 1 to {n_values}, the values of a sketch, got {k}")
    found = band_keys(sketches, Bands(k, n_values // k))
    found[(sketches == NOTHING).all(axis=1)] = NO_FEATURE
    return found


def shared_probability(k: int, s: int, r: int, rho: float) -> float:
    """Return P(k, s, r) for resemblance *rho*.

    >>> round(shared_probability(6, 14, 2, 0.95), 4)
    0.8786
    """
    p = rho**s
    return sum(comb(k, i) * p**i * (1 - p) ** (k - i) for i in range(r, k + 1))


def shared_features(features: U64, min_shared: int, *, max_list: int = MAX_LIST) -> SharedFeatures:
    """Return the pairs of documents with at least *min_shared* equal features at equal places."""
    n_documents, k = features.shape
    counted: list[I64] = []
    n_skipped = 0
    for place in range(k):
        order = np.argsort(features[:, place], kind="stable")
        order = order[np.count_nonzero(features[:, place] == NO_FEATURE) :]
        column = features[order, place]
        starts = np.flatnonzero(np.concatenate(([True], column[1:] != column[:-1])))
        sizes = np.diff(np.concatenate((starts, [len(column)])))
        n_skipped += int((sizes > max_list).sum())
        for size in np.unique(sizes[(sizes > 1) & (sizes <= max_list)]).tolist():
            groups = order[starts[sizes == size][:, None] + np.arange(size)]
            i, j = np.triu_indices(size, 1)
            counted.append((groups[:, i] * n_documents + groups[:, j]).ravel())
    numbers, n_shared = np.unique(
        np.concatenate([np.empty(0, dtype=np.int64), *counted]), return_counts=True
    )
    numbers, n_shared = numbers[n_shared >= min_shared], n_shared[n_shared >= min_shared]
    pairs = np.stack((numbers // max(n_documents, 1), numbers % max(n_documents, 1)), axis=1)
    return SharedFeatures(pairs, n_shared.astype(np.int64), n_skipped)


def clusters(n_documents: int, pairs: I64) -> I64:
    """Return for each document the first one of its connected component, int64[n].

    >>> clusters(5, np.array([[1, 2], [2, 4]])).tolist()
    [0, 1, 1, 3, 1]
    """
    first = np.arange(n_documents, dtype=np.int64)
    _unite(first, np.ascontiguousarray(pairs, dtype=np.int64))
    return first


@lean_kernel
def _unite(first: I64, pairs: I64) -> None:
    for pair in range(pairs.shape[0]):
        i, j = pairs[pair, 0], pairs[pair, 1]
        while first[i] != i:
            first[i] = first[first[i]]
            i = first[i]
        while first[j] != j:
            first[j] = first[first[j]]
            j = first[j]
        if i < j:
            first[j] = i
        else:
            first[i] = j
    for i in range(first.size):
        first[i] = first[first[i]]
