"""Signatures, duplicate n-grams and indexes, beside the packages that people use.

500-word documents of made-up words, Zipf-distributed; rounds are interleaved, times are of the process,
and a ratio is the median over rounds. Ours gets the text. So do the packages: their shingles are
made of it as their own examples do; ``…_of_shingles`` gives them ready-made, which no user has.

Asserted: values equal to the package's for the same features, estimates within five standard errors,
the number of planted 10-grams, and look-ups equal to those by comparison.

``--full`` adds 10^8 and 10^9 tokens and takes 10^7 values: 10 GB of memory, 8 GB of temporary files.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from pipelines.duplicates.hamming import near_slowly
from pipelines.duplicates.minhash import estimated_resemblance, sketch
from pipelines.duplicates.multi_index import MultiIndex
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.duplicates.ngram_partitions import NgramPartitions
from pipelines.duplicates.permuted_tables import PermutedTables
from pipelines.duplicates.simhash import NGRAM_WORDS, simhash
from pipelines.evaluation.duplicates.judged import read_judged
from pipelines.evaluation.duplicates.table import run
from tests.benchmarks.index_speed import index_rates
from tests.benchmarks.report import figure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BENCH = "duplicates"
N_WORDS = 500
SHINGLE_WORDS = 5
N_VALUES = 128
NGRAM = 10
DOCUMENT_TOKENS = 500
BLOCK_TOKENS = 10**7
NEARDUP = Path(__file__).resolve().parents[3] / "shared/data/neardup"


def made_documents(n: int, seed: int = 6) -> list[str]:
    """Return *n* texts of 500 words each."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    sizes = rng.integers(2, 10, size=8000).tolist()
    vocabulary = np.array(["".join(rng.choice(letters, size=size)) for size in sizes])
    ranks = np.minimum(rng.zipf(1.3, size=(n, N_WORDS)), len(vocabulary)) - 1
    return [" ".join(vocabulary[row]).capitalize() + "." for row in ranks]


def seconds(work: Callable[[Any], object], inputs: Sequence[Any]) -> float:
    """Return the process' seconds of *work* over all *inputs*."""
    start = time.process_time()
    for each in inputs:
        work(each)
    return time.process_time() - start


def ngrams_of(words: Sequence[str], n: int) -> list[str]:
    return [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)]


def shingles_of(text: str) -> list[str]:
    return ngrams_of(text.lower().split(), SHINGLE_WORDS)


def our_sketch(text: str) -> Any:
    return sketch(text_ngram_hashes(text.lower(), SHINGLE_WORDS), N_VALUES)


def bench_simhash(documents: Sequence[str], rounds: int) -> None:
    """Time simhash beside the package, of the same texts and of their words."""
    package: Any = import_module("simhash").Simhash
    words = [text.lower().split() for text in documents]
    for text, split in zip(documents[:20], words, strict=False):
        features = ngrams_of(split, NGRAM_WORDS)
        assert simhash(text) == package(features, hashfunc=xxhash.xxh3_64_intdigest).value
    few = documents[: max(len(documents) // 10, 5)]
    ratios: dict[str, list[float]] = {"strings": [], "words": []}
    for _ in range(rounds):
        ours = seconds(simhash, documents) / len(documents)
        ratios["strings"].append(seconds(package, few) / len(few) / ours)
        ratios["words"].append(seconds(package, words[: len(few)]) / len(few) / ours)
    data = f"{len(documents)} documents of {N_WORDS} words"
    figure(
        BENCH,
        "simhash_speedup_to_package_strings",
        ratios["strings"],
        unit="ratio",
        data=data,
        goal=100,
    )
    figure(
        BENCH, "simhash_speedup_to_package_words", ratios["words"], unit="ratio", data=data, goal=25
    )


def bench_minhash(documents: Sequence[str], rounds: int) -> None:
    """Time sketches of 128 values of word 5-grams beside rensa's and datasketch's."""
    half = " ".join(documents[0].split()[:250] + documents[1].split()[250:])
    estimate = estimated_resemblance(our_sketch(documents[0]), our_sketch(half))
    assert abs(estimate - 1 / 3) < 5 * (2 / 9 / N_VALUES) ** 0.5
    shingles = [shingles_of(text) for text in documents]
    peers: dict[str, tuple[Callable[[Any], object], Sequence[Any], float | None]] = {}
    if find_spec("rensa"):
        rensa = import_module("rensa")

        def rensa_sketch(document: list[str]) -> object:
            peer = rensa.RMinHash(num_perm=N_VALUES, seed=1)
            peer.update(document)
            return peer.digest()

        peers["rensa"] = (lambda text: rensa_sketch(shingles_of(text))), documents, 6
        peers["rensa_of_shingles"] = rensa_sketch, shingles, None
    if find_spec("datasketch"):
        datasketch = import_module("datasketch")

        def datasketch_sketch(text: str) -> object:
            peer = datasketch.MinHash(num_perm=N_VALUES)
            peer.update_batch([each.encode() for each in shingles_of(text)])
            return peer.hashvalues

        peers["datasketch"] = datasketch_sketch, documents[: len(documents) // 5], 30
    for missing in {"rensa", "datasketch"} - set(peers):
        print(f"{missing} is not installed: no figure", file=sys.stderr)
    ratios: dict[str, list[float]] = {name: [] for name in peers}
    for _ in range(rounds):
        ours = seconds(our_sketch, documents) / len(documents)
        for name, (work, inputs, _) in peers.items():
            ratios[name].append(seconds(work, inputs) / len(inputs) / ours)
    data = f"{len(documents)} documents of {N_WORDS} words, {N_VALUES} values"
    for name, (_, _, goal) in peers.items():
        figure(
            BENCH, f"minhash_speedup_to_{name}", ratios[name], unit="ratio", data=data, goal=goal
        )


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
    bytes_an_entry = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for name, memory in (("", 12 * n_tokens + 2**28), ("_from_disk", max(n_tokens, 2**21))):
                start = time.perf_counter() if name else time.process_time()
                with NgramPartitions(NGRAM, memory=memory, folder=Path(folder)) as partitions:
                    partitions.add(tokens, starts)
                    found = partitions.duplicates()
                    if not name:
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


def bench_index(n_values: int, rounds: int) -> None:
    """Time look-ups in the index of the crawl; figures of :mod:`tests.benchmarks.index_speed`."""
    rates, n_bytes = index_rates(n_values, rounds)
    data = f"{n_values:,} documents"
    figure(BENCH, "index_lookups_per_s", rates, unit="a second", data=data, goal=200_000)
    figure(BENCH, "index_bytes_per_document", [n_bytes], unit="bytes", data=data, goal=40)


def bench_hamming(n_values: int, rounds: int) -> None:
    """Time both published indexes of simhashes, distance 3, beside a comparison with all values."""
    rng = np.random.default_rng(8)
    values = rng.integers(0, 2**64, size=n_values, dtype=np.uint64)
    indexes = {
        "permuted_tables": PermutedTables(values, 3),
        "multi_index": MultiIndex(values, 3),
    }
    asked = (values[:1000] ^ np.uint64(0b10101)).tolist()
    for name, index in indexes.items():
        expected = [near_slowly(values, value, 3).tolist() for value in asked[:5]]
        assert [index.near(value).tolist() for value in asked[:5]] == expected
        rates = [len(asked) / seconds(index.near, asked) for _ in range(rounds)]
        data = f"{n_values:,} values, distance 3"
        figure(BENCH, f"{name}_lookups_per_s", rates, unit="a second", data=data)


def bench_quality() -> None:
    """Score the default beside the peers on judged pairs, where the data are."""
    if not NEARDUP.is_dir():
        print(f"{NEARDUP} is missing: no figures of quality", file=sys.stderr)
        return
    quality = run(read_judged(NEARDUP), "[dp]e[fe][ar]*")  # default and peer/
    for comparison in quality.comparisons():
        figure(
            BENCH,
            f"f1_minus_best_peer_{comparison.dataset.replace('-', '_')}",
            [comparison.difference.difference],
            unit="F1",
            data=f"{comparison.peer} at its best threshold, the default at its own",
            goal=0,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small, under a minute")
    parser.add_argument("--full", action="store_true", help="10^8 and 10^9 tokens, 10^7 values")
    options = parser.parse_args()
    rounds = 2 if options.quick else 5
    documents = made_documents(200 if options.quick else 1000)
    bench_simhash(documents, rounds)
    bench_minhash(documents, rounds)
    n_tokens = 10**6 if options.quick else 10**8 if options.full else 2 * 10**7
    bench_ngrams(n_tokens, 2 if options.quick else 3)
    if options.full:
        bench_many_ngrams((10**8, 10**9), 2)
    bench_hamming(10**5 if options.quick else 10**6, rounds)
    if not options.quick:
        bench_quality()
    bench_index(10**5 if options.quick else 10**7 if options.full else 10**6, rounds)


if __name__ == "__main__":
    main()
