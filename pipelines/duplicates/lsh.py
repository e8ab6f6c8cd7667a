"""Bands of a min-wise sketch: which pairs of documents are worth a comparison.

A sketch of k values is cut into b bands of r values each. Two documents are candidates when they
have a whole band in common; with resemblance s that happens with the probability ::

    P(s) = 1 - (1 - s^r)^b

*Source:* Indyk and Motwani 1998; Gionis, Indyk, Motwani 1999; Leskovec, Rajaraman, Ullman, section
3.4. :func:`choose_bands` takes the b and r, b r <= k, with the least expected error for a threshold
t on resemblance, all resemblances being equally likely::

    error = u * integral of P from 0 to t  +  (1 - u) * integral of 1 - P from t to 1

where u weighs a pair that is compared in vain against one that is missed. Ties go to fewer bands.

Shapes: ``sketches: uint32[n, k]``; keys of bands ``uint64[n, b]``, a hash of the band's place and
its values in their order; pairs ``int64[p, 2]``, each once, i < j, ascending. Memory: 8 n bytes a
band at a time, and 16 bytes a pair. A band that more than `MAX_GROUP` documents share (templates,
empty texts) joins each of them with the first only, so that there are no quadratic groups; the
clusters stay the same, as what is equal to the first is equal to the rest.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

_N_STEPS = 1000
MAX_GROUP = 64
# xxhash.h: XXH_PRIME64_1 to _3
_PRIME_1 = np.uint64(0x9E3779B185EBCA87)
_PRIME_2 = np.uint64(0xC2B2AE3D27D4EB4F)
_PRIME_3 = np.uint64(0x165667B19E3779F9)


class Bands(NamedTuple):
    """How a sketch is cut: *n_bands* of *n_rows* values each."""

    n_bands: int
    n_rows: int


def candidate_probability(s: float, bands: Bands) -> float:
    """Return the probability that two documents of resemblance *s* share a band.

    >>> round(candidate_probability(0.8, Bands(20, 5)), 5)
    0.99964
    """
    return float(1 - (1 - s**bands.n_rows) ** bands.n_bands)


@lru_cache(maxsize=64)
def choose_bands(threshold: float, k: int, in_vain: float = 0.5) -> Bands:
    """Return the bands of *k* values with the least expected error for *threshold*.

    *in_vain* is the weight u. Raises ValueError for a threshold or weight outside 0 to 1.
    """
    for name, value in (("threshold", threshold), ("in_vain", in_vain)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be between 0 and 1, got {value}")
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    below = (np.arange(_N_STEPS) + 0.5) / _N_STEPS * threshold
    above = threshold + (np.arange(_N_STEPS) + 0.5) / _N_STEPS * (1 - threshold)
    best, least = Bands(1, k), np.inf
    for n_bands in range(1, k + 1):
        for n_rows in range(1, k // n_bands + 1):
            found_below = 1 - (1 - below**n_rows) ** n_bands
            missed_above = (1 - above**n_rows) ** n_bands
            error = in_vain * threshold * found_below.mean()
            error += (1 - in_vain) * (1 - threshold) * missed_above.mean()
            if error < least - 1e-12:
                best, least = Bands(n_bands, n_rows), error
    return best


def band_keys(sketches: U32, bands: Bands) -> U64:
    """Return the key of each band of each of *sketches*; ValueError when they are too short."""
    if bands.n_bands * bands.n_rows > sketches.shape[1]:
        raise ValueError(f"{bands} needs more than the {sketches.shape[1]} values of a sketch")
    keys = np.empty((len(sketches), bands.n_bands), dtype=np.uint64)
    _band_keys(np.ascontiguousarray(sketches), bands.n_rows, keys)
    return keys


def pairs_of_keys(column: U64) -> I64:
    """Return the pairs of documents that share their key in one band, i < j."""
    order = np.argsort(column, kind="stable")
    column = column[order]
    starts = np.flatnonzero(np.concatenate(([True], column[1:] != column[:-1])))
    sizes = np.diff(np.concatenate((starts, [column.size])))
    pairs = []
    # Groups of one size at a time: few sizes, many groups.
    for size in np.unique(sizes[sizes > 1]).tolist():
        groups = order[starts[sizes == size][:, None] + np.arange(size)]
        if size > MAX_GROUP:
            i, j = np.zeros(size - 1, dtype=np.int64), np.arange(1, size)
        else:
            i, j = np.triu_indices(size, 1)
        pairs.append(np.stack((groups[:, i].ravel(), groups[:, j].ravel()), axis=1))
    return np.concatenate([np.empty((0, 2), dtype=np.int64), *pairs])


@lean_kernel
def _band_keys(sketches: U32, n_rows: int, keys: U64) -> None:
    for document in range(keys.shape[0]):
        for band in range(keys.shape[1]):
            key = (np.uint64(band) + np.uint64(1)) * _PRIME_1
            for row in range(band * n_rows, (band + 1) * n_rows):
                key = (key ^ np.uint64(sketches[document, row])) * _PRIME_2
                key ^= key >> np.uint64(29)
            key *= _PRIME_3
            keys[document, band] = key ^ (key >> np.uint64(32))
