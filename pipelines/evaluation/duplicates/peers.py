"""The packages `datasketch` and `rensa` as scores of pairs, with 128 values as their guides show.

Both get the words, or word n-grams, of the lower-cased text. Default thresholds: .9 is that of
``datasketch.MinHashLSH``, .8 that of rensa's guide. ``lsh`` scores 1 what an index of the package
names as a candidate at its default threshold; the others score the package's own estimate.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.page.words import density_tokens
from pipelines.evaluation.duplicates.method import Method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pipelines.evaluation.duplicates.method import F64, I64, PairScores

    Sketch = Callable[[Sequence[str]], Any]

PEERS = ("datasketch", "rensa")
N_VALUES = 128
DATASKETCH_THRESHOLD = 0.9
RENSA_THRESHOLD = 0.8
_SHINGLE_WORDS = (1, 2, 3, 5)
_SEED = 42


def peer_methods() -> tuple[tuple[Method, ...], list[str]]:
    """Return the peers that are installed, and the names of those that are not."""
    found: list[Method] = []
    missing = []
    for name, make in (("datasketch", _datasketch), ("rensa", _rensa)):
        try:
            version(name)
        except PackageNotFoundError:
            missing.append(name)
        else:
            found += make()
    return tuple(found), missing


def ngrams(text: str, n: int) -> list[str]:
    """Return the word *n*-grams of *text*; all of it where it has fewer words."""
    words = density_tokens(text.lower())
    last = max(len(words) - n, 0) + 1 if words else 0
    return [" ".join(words[start : start + n]) for start in range(last)]


def _datasketch() -> Iterator[Method]:
    package = import_module("datasketch")

    def sketch(shingles: Sequence[str]) -> Any:
        made = package.MinHash(num_perm=N_VALUES)
        made.update_batch([shingle.encode("utf-8", "surrogatepass") for shingle in shingles])
        return made

    def values(made: Any) -> Any:
        return made.hashvalues

    for n in _SHINGLE_WORDS:
        score = _estimates(sketch, values, n)
        yield Method("peer/datasketch", f"w={n}", DATASKETCH_THRESHOLD, score)
    for n in (3, 5):
        found = _candidates(lambda: package.MinHashLSH(num_perm=N_VALUES), sketch, n)
        yield Method("peer/datasketch-lsh", f"w={n}", 1.0, found)


def _rensa() -> Iterator[Method]:
    package = import_module("rensa")

    def maker(name: str) -> Sketch:
        def sketch(shingles: Sequence[str]) -> Any:
            made = getattr(package, name)(num_perm=N_VALUES, seed=_SEED)
            made.update(list(shingles))
            return made

        return sketch

    def values(made: Any) -> Any:
        return made.digest()

    for name, kind in (("RMinHash", "rminhash"), ("CMinHash", "cminhash")):
        for n in _SHINGLE_WORDS:
            score = _estimates(maker(name), values, n)
            yield Method(f"peer/rensa-{kind}", f"w={n}", RENSA_THRESHOLD, score)


def _estimates(sketch: Sketch, values: Callable[[Any], Any], n: int) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        made = [values(sketch(ngrams(text, n))) for text in texts]
        table = np.array(made, dtype=np.uint64)
        # Both packages estimate by the share of equal values.
        same: F64 = np.concatenate(
            [
                (table[part[:, 0]] == table[part[:, 1]]).mean(axis=1)
                for part in np.array_split(pairs, len(pairs) // 10_000 + 1)
            ]
        )
        return same

    return scores


def _candidates(index: Callable[[], Any], sketch: Sketch, n: int) -> PairScores:
    def scores(texts: Sequence[str], pairs: I64) -> F64:
        made = [sketch(ngrams(text, n)) for text in texts]
        filled = index()
        for number, each in enumerate(made):
            filled.insert(number, each)
        near = [set(filled.query(each)) for each in made]
        return np.array([j in near[i] for i, j in pairs.tolist()], dtype=np.float64)

    return scores
