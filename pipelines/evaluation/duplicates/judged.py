"""Pairs of texts of which it is known whether they are near-duplicates.

*On disk.* ``copycat-canonical-pairs/pairs.jsonl.gz``: an object a line, ``text_a``, ``text_b`` and
``label``, which is ``unknown`` (left out), 0.5 (not near-duplicates), or 1 and above (Fröbe and
others 2021, pairs of web pages with one canonical URL; texts are stemmed and stop-worded).
``mccormick-articles/articles_N.train``: an article a line, its id first;
``articles_N.truth``: two ids a line. Every other pair of articles is none.
"""

from __future__ import annotations

import gzip
import itertools
import json
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

COPYCAT = "copycat-canonical-pairs"
MCCORMICK = "mccormick-articles"
MCCORMICK_SIZES = (100, 1000)
_MIN_DUPLICATE_LABEL = 1


class JudgedPairs(NamedTuple):
    """A set: texts, pairs of their places ``int64[p, 2]``, and whether each is of near-duplicates."""

    name: str
    texts: list[str]
    pairs: I64
    is_duplicate: Bools


def read_judged(folder: Path) -> list[JudgedPairs]:
    """Return the sets in *folder*; InputError when there is none, or one is broken."""
    sets = []
    try:
        if (folder / COPYCAT).is_dir():
            sets.append(_copycat(folder / COPYCAT / "pairs.jsonl.gz"))
        for size in MCCORMICK_SIZES:
            path = folder / MCCORMICK / f"articles_{size}.train"
            if path.is_file():
                sets.append(_mccormick(path, size))
    except (OSError, EOFError, ValueError, KeyError) as error:
        raise InputError(f"{folder} cannot be read ({error}); fetch it anew") from error
    if not sets:
        raise InputError(f"{folder} has neither {COPYCAT} nor {MCCORMICK}; name the folder of both")
    return sets


def all_pairs(n: int) -> I64:
    """Return the pairs i < j of *n* things, int64[n (n - 1) / 2, 2]."""
    return np.stack(np.triu_indices(n, 1), axis=1).astype(np.int64)


def _copycat(path: Path) -> JudgedPairs:
    texts: list[str] = []
    labels: list[float] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            if pair["label"] != "unknown":
                texts += pair["text_a"], pair["text_b"]
                labels.append(float(pair["label"]))
    pairs = np.arange(len(texts), dtype=np.int64).reshape(-1, 2)
    return JudgedPairs("copycat", texts, pairs, np.array(labels) >= _MIN_DUPLICATE_LABEL)


def _mccormick(path: Path, size: int) -> JudgedPairs:
    ids, texts = zip(*(line.split(" ", 1) for line in _lines(path)), strict=True)
    place = {article: number for number, article in enumerate(ids)}
    pairs = all_pairs(len(texts))
    is_duplicate = np.zeros(len(pairs), dtype=np.bool_)
    first_of_row = np.append(0, np.cumsum(np.arange(len(texts) - 1, 0, -1)))
    for line in _lines(path.with_suffix(".truth")):
        for a, b in itertools.combinations(line.split(), 2):
            i, j = sorted((place[a], place[b]))
            is_duplicate[first_of_row[i] + j - i - 1] = True
    return JudgedPairs(f"mccormick-{size}", list(texts), pairs, is_duplicate)


def _lines(path: Path) -> list[str]:
    # Not splitlines(), which parts texts at U+0085 and U+2028, too.
    with path.open(encoding="utf-8") as lines:
        return [line.rstrip("\n") for line in lines]
