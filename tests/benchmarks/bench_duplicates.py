"""Signatures, duplicate n-grams and indexes, beside the packages that people use.

500-word documents of made-up words, Zipf-distributed; rounds are interleaved, times are of the process,
and a ratio is the median over rounds. Ours gets the text. So do the packages: their shingles are
made of it as their own examples do; ``…_of_shingles`` gives them ready-made, which no user has.

Asserted: values equal to the package's for the same features, estimates within five standard errors,
the number of planted 10-grams, and look-ups equal to those by comparison.

``--full`` adds 10^8 and 10^9 tokens and takes 10^7 values: 10 GB of memory, 8 GB of temporary files.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from crawler.errors import ModuleParser
from pipelines.duplicates.minhash import estimated_resemblance, sketch
from pipelines.duplicates.multi_index import MultiIndex
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.duplicates.permuted_tables import PermutedTables
from pipelines.duplicates.simhash import NGRAM_WORDS, simhash
from pipelines.evaluation.duplicates.judged import read_judged
from pipelines.evaluation.duplicates.table import run
from tests.benchmarks.index_speed import index_rates
from tests.benchmarks.ngram_speed import bench_many_ngrams, bench_ngrams
from tests.benchmarks.report import figure
from tests.hamming_slowly import near_slowly

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BENCH = "duplicates"
N_WORDS = 500
SHINGLE_WORDS = 5
N_VALUES = 128
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
    return sketch(text_ngram_hashes(text, SHINGLE_WORDS), N_VALUES)


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
    indexes: dict[str, PermutedTables | MultiIndex] = {
        "permuted_tables": PermutedTables(values, 3),
        "multi_index": MultiIndex(values, 3),
    }
    asked = (values[:1000] ^ np.uint64(0b10101)).tolist()
    for name, index in indexes.items():
        expected = [near_slowly(values, value, 3) for value in asked[:5]]
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
    parser = ModuleParser(description=__doc__)
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
