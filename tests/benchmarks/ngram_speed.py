"""Duplicate 10-grams, in memory and through a temporary file: called by ``bench_duplicates``."""

from __future__ import annotations

import ctypes
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pipelines.duplicates.ngram_partitions import NgramPartitions
from tests.benchmarks.report import figure

if TYPE_CHECKING:
    from collections.abc import Iterator

BENCH = "duplicates"
NGRAM = 10
DOCUMENT_TOKENS = 500
BLOCK_TOKENS = 10**7


def made_tokens(n_tokens: int, seed: int = 7) -> np.ndarray:
    """Return tokens by Zipf's law, every thousandth of them in a 10-gram that stands twice."""
    rng = np.random.default_rng(seed)
    words = np.random.default_rng(7).integers(1, 2**63, size=200_000, dtype=np.uint64)
    tokens = words[np.minimum(rng.zipf(1.2, size=n_tokens), len(words)) - 1]
    return with_planted(tokens, rng)


def with_planted(tokens: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Plant 10-grams: random words of Zipf's law have few equal ones in different documents."""
    n_planted = len(tokens) // 1000
    planted = rng.integers(1, 2**63, size=n_planted, dtype=np.uint64)
    tokens[:n_planted] = tokens[-n_planted:] = planted
    return tokens


def token_blocks(n_tokens: int) -> Iterator[np.ndarray]:
    """Yield *n_tokens* in blocks, all of one law, so that memory holds hashes and no tokens."""
    sample = made_tokens(min(n_tokens, BLOCK_TOKENS))
    rng = np.random.default_rng(8)
    for start in range(0, n_tokens, len(sample)):
        drawn = rng.integers(0, len(sample), min(len(sample), n_tokens - start), dtype=np.uint32)
        yield with_planted(sample[drawn], rng)


def bench_many_ngrams(sizes: tuple[int, int], rounds: int) -> None:
    """Time duplicate 10-grams of two numbers of tokens, in memory and with a byte of it a token.

    A virtual machine gets memory from its host when it is first touched, at more than all of the
    work costs (measured: 16 ns for 8 bytes that the host has to find, 2 ns for others). The first
    round is therefore told apart, and the process keeps its memory for those after it.
    """
    keep_memory()
    rates: dict[str, list[float]] = {"": [], "_from_disk": []}
    for n_tokens in sizes:
        data = f"{n_tokens:,} tokens in documents of {DOCUMENT_TOKENS}"
        for name, memory in (("", 9 * n_tokens + 2**28), ("_from_disk", n_tokens)):
            found = [n_tokens / secs_of_ngrams(n_tokens, memory) / 1e6 for _ in range(rounds + 1)]
            rate, unit = f"ngram_tokens_per_s_wall{name}", "million a second"
            if not name:
                figure(BENCH, f"{rate}_new_memory", found[:1], unit=unit, data=data)
            rates[name].append(figure(BENCH, rate, found[1:], unit=unit, data=data))
    data = f"{sizes[0]:,} tokens to {sizes[1]:,}"
    for name, (less, more) in rates.items():
        figure(BENCH, f"ngram_rate_kept{name}", [more / less], unit="ratio", data=data, goal=0.8)


def keep_memory() -> None:
    """Let this process keep what it frees (mallopt(3): M_MMAP_MAX, M_TRIM_THRESHOLD), with glibc."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(-4, 0)
        mallopt(-1, -1)


def secs_of_ngrams(n_tokens: int, memory: int) -> float:
    """Return the seconds, without the making of tokens, of the duplicate 10-grams of *n_tokens*."""
    secs = 0.0
    with (
        tempfile.TemporaryDirectory() as folder,
        NgramPartitions(NGRAM, memory=memory, folder=Path(folder)) as partitions,
    ):
        for tokens in token_blocks(n_tokens):
            starts = np.append(np.arange(0, len(tokens), DOCUMENT_TOKENS), len(tokens))
            start = time.perf_counter()
            partitions.add(tokens, starts)
            secs += time.perf_counter() - start
        start = time.perf_counter()
        found = partitions.duplicates()
        secs += time.perf_counter() - start
        # at most 9 in 500 words of a document begin no 10-gram
        assert len(found) >= n_tokens // 1000 * 0.9
        assert partitions.n_bytes <= 12 * n_tokens + 2**28
    return secs


def bench_ngrams(n_tokens: int, rounds: int) -> None:
    """Time duplicate 10-grams, in memory and through a temporary file."""
    tokens = made_tokens(n_tokens)
    starts = np.append(np.arange(0, n_tokens, DOCUMENT_TOKENS), n_tokens)
    with NgramPartitions(NGRAM) as first:
        # compiled before it is timed
        first.add(tokens[:1000], np.array([0, 1000]))
        first.duplicates()
    rates: dict[str, list[float]] = {"": [], "_from_disk": []}
    bytes_an_entry, file_bytes = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for name, memory in (("", 12 * n_tokens + 2**28), ("_from_disk", max(n_tokens, 2**21))):
                start = time.perf_counter() if name else time.process_time()
                with NgramPartitions(NGRAM, memory=memory, folder=Path(folder)) as partitions:
                    partitions.add(tokens, starts)
                    found = partitions.duplicates()
                    if name:
                        file_bytes.append(partitions.n_file_bytes / n_tokens)
                    else:
                        bytes_an_entry.append(partitions.n_bytes / partitions.n_distinct)
                end = time.perf_counter() if name else time.process_time()
                rates[name].append(n_tokens / (end - start) / 1e6)
                assert len(found) >= n_tokens // 1000 * 0.9
    data = f"{n_tokens:,} tokens in documents of {DOCUMENT_TOKENS}"
    for name, goal in (("", 30), ("_from_disk", 5)):
        figure(
            BENCH,
            f"ngram_tokens_per_s{name}",
            rates[name],
            unit="million a second",
            data=data,
            goal=goal,
        )
    figure(BENCH, "ngram_bytes_per_entry", bytes_an_entry, unit="bytes", data=data, goal=12)
    figure(BENCH, "ngram_file_bytes_per_token", file_bytes, unit="bytes", data=data, goal=8)
