"""Look-ups in the index of the crawl, and its bytes: called by ``bench_duplicates``."""

from __future__ import annotations

import time

import numpy as np

from pipelines.duplicates.near_index.index import NearIndex, next_capacity
from pipelines.duplicates.verdicts import NearRule

N_KEYS = NearRule().n_keys
N_ASKED = 20_000


def filled_index(n: int, seed: int = 8) -> tuple[NearIndex, np.ndarray, np.ndarray]:
    """Return an index of *n* random documents at its least room, their keys and their codes."""
    rng = np.random.default_rng(seed)
    index = NearIndex(N_KEYS, capacity=next_capacity(n))
    keys = rng.integers(0, 2**64, size=(n, N_KEYS), dtype=np.uint64)
    codes = rng.integers(0, 2**64, size=n, dtype=np.uint64)
    numbers = np.arange(n, dtype=np.uint64)
    index.add(numbers, numbers, codes, keys)
    return index, keys, codes


def index_rates(n: int, rounds: int) -> tuple[list[float], float]:
    """Return look-ups a second, one after the other as the crawl makes them, and bytes a document.

    Half of the documents that are asked for share one band with one of *n* that differs in
    three bits, half share nothing with any. Both are what the look-up says.
    """
    index, keys, codes = filled_index(n)
    rng = np.random.default_rng(9)
    asked = rng.integers(0, 2**64, size=(N_ASKED, N_KEYS), dtype=np.uint64)
    wanted = rng.integers(0, 2**64, size=N_ASKED, dtype=np.uint64)
    twins = rng.integers(0, n, size=N_ASKED // 2)
    asked[: len(twins), N_KEYS - 1] = keys[twins, N_KEYS - 1]
    wanted[: len(twins)] = codes[twins] ^ np.uint64(0b10101 << 8)
    rows, values = list(asked), wanted.tolist()
    least = NearRule().least_equal()
    rates = []
    for _ in range(rounds):
        start = time.process_time()
        found = [index.find(row, value, least, n) for row, value in zip(rows, values, strict=True)]
        rates.append(N_ASKED / (time.process_time() - start))
    numbers = [each.number for each in found]
    # Eight buckets hold nearly every key: at most one in a thousand found no place.
    assert np.mean(np.array(numbers[: len(twins)]) == twins) > 0.999
    assert numbers[len(twins) :].count(None) == N_ASKED - len(twins)
    return rates, index.n_bytes / n
