"""How like a language a text is, by its triples of characters, and models of languages made of raw text.

``python -m pipelines.linguistics.trigram_models FILE … > MODEL`` writes the model of the language that the files are
in; ``--scores MODEL`` prints the score of each file in place of that. It is a language filter where the classifier does
not know the language: pages below `MIN_SCORE` are in another one, or are no running text, as scripts.

With C_x(t) the number of times that a text x has the triple t, the score of x by the model y is the cosine of the two::

    sum_t C_x(t) C_y(t) / (|C_x| |C_y|),   0 if either is empty

Triples are those of the text with each run of white space as one space, two spaces before it and one behind it, in the
letters' own case. *Source:* Pomikálek 2011, sections 1.3.4 and 3.6, where what scores below 0.6, found by looking at
texts sorted by their scores, is removed; the score itself he leaves to a recipe (ActiveState 326576), of which this is
the formula. Deviations: a text is read up to `READ_CHARS`, and a model has the most frequent triples.

*On disk.* The line `HEAD`, then a line a triple, the most frequent first: its three characters, a tab, its count;
UTF-8.

Shapes: keys uint64[n], three code points of 21 bits, ascending; counts int64[n]. Cost: a sort of the triples of a text,
0.25 ms for 6,000 characters; the stage takes a fifth of that without a model. Not handled: texts of a sentence or two
score low in any language; near relatives score high: look at ``--scores`` of both.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import (
    InputError,
    ModuleParser,
    cause,
    refused_option,
    run_module,
    standard_input,
)
from crawler.page.words import nfc

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    import numpy.typing as npt

    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

# Pomikálek 2011, section 1.3.4.
MIN_SCORE = 0.6
HEAD = "winnow trigram model 1"
# measured: the whole of 18 English pages of more than 30,000 characters changes their scores by 0.017 on average
READ_CHARS = 20_000
# Of the alphabets all that occur but for slips; of Chinese the most frequent ones, which are most of the cosine.
MODEL_TRIPLES = 50_000
# Characters of raw text whose triples are counted together.
_CHUNK_CHARS = 2**20
_POINT_BITS = 21


class TrigramCounts:
    """Counts the triples of lines; memory is bounded by the different ones."""

    def __init__(self) -> None:
        self._keys, self._counts = np.empty(0, np.uint64), np.empty(0, np.int64)
        self._waiting = ["  "]
        self._n_chars = 0

    def add(self, line: str) -> None:
        """Count *line*, of which white space that follows on some is no part."""
        words = line.split()
        if words:
            self._waiting.append(f"{' '.join(words)} ")
            self._n_chars += len(self._waiting[-1])
            if self._n_chars >= _CHUNK_CHARS:
                self._count()

    def counts(self) -> tuple[U64, I64]:
        """Return the different triples and how often each occurs."""
        self._count()
        return self._keys, self._counts

    def _count(self) -> None:
        text = "".join(self._waiting)
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        points = points.astype(np.uint64)
        first, second, third = points[:-2], points[1:-1], points[2:]
        packed = (first << np.uint64(2 * _POINT_BITS)) | (second << np.uint64(_POINT_BITS)) | third
        keys, counts = np.unique(packed, return_counts=True)
        self._waiting, self._n_chars = [text[-2:]], 0
        if not len(self._keys):
            self._keys, self._counts = keys, counts
            return
        joined, place = np.unique(np.concatenate([self._keys, keys]), return_inverse=True)
        summed = np.zeros(len(joined), np.int64)
        np.add.at(summed, place, np.concatenate([self._counts, counts]))
        self._keys, self._counts = joined, summed


@dataclass(frozen=True)
class TrigramModel:
    """The triples of a language, *keys*, ascending, and their *counts*."""

    keys: U64
    counts: I64

    @classmethod
    def of(cls, lines: Iterable[str], n_triples: int = MODEL_TRIPLES) -> TrigramModel:
        """Return the model of the *n_triples* most frequent triples of *lines*, of equal ones the first by code points.

        Raises ValueError for fewer than one.
        """
        if n_triples < 1:
            raise ValueError(f"size must be at least 1, got {n_triples}")
        found = TrigramCounts()
        for line in lines:
            found.add(line)
        keys, counts = found.counts()
        kept = np.sort(np.argsort(-counts, kind="stable")[:n_triples])
        return cls(keys[kept], counts[kept])

    def score(self, text: str) -> float:
        """Return how like the language *text* is, 0 to 1; 0 for no text.

        >>> model = TrigramModel.of(["a mill and a wheel"])
        >>> round(model.score("a mill and a wheel"), 6), model.score("Größe"), model.score(" ")
        (1.0, 0.0, 0.0)
        """
        found = TrigramCounts()
        found.add(text[:READ_CHARS])
        keys, counts = found.counts()
        if not len(keys) or not len(self.keys):
            return 0.0
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        shared = self._weights[places] * (self.keys[places] == keys)
        return min(float((_unit(counts) * shared).sum()), 1.0)

    @cached_property
    def _weights(self) -> npt.NDArray[np.float64]:
        return _unit(self.counts)

    def lines(self) -> list[str]:
        """Return the lines of the model's file, without line ends."""
        order = np.argsort(-self.counts, kind="stable").tolist()
        keys, counts = self.keys.tolist(), self.counts.tolist()
        return [HEAD, *(f"{_characters(keys[place])}\t{counts[place]}" for place in order)]


def read_model(path: Path) -> TrigramModel:
    """Return the model in the file *path*; raise `InputError` where it is none."""
    made = "make one by python -m pipelines.linguistics.trigram_models"
    try:
        head, *lines = path.read_bytes().decode().removesuffix("\n").split("\n")
    except OSError as error:
        raise InputError(f"cannot read {path}: {cause(error)}; {made}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no model of triples, nor any UTF-8 text; {made}") from error
    if head != HEAD or not lines:
        raise InputError(f"{path} is no model of triples; {made}")
    counts: dict[int, int] = {}
    for number, line in enumerate(lines, 2):
        triple, count = line[:3], line[4:]
        is_count = count.isascii() and count.isdigit() and len(count) < 16 and int(count) > 0
        if line[3:4] != "\t" or not is_count or _key(triple) in counts:
            raise InputError(
                f"{path} line {number} ({line[:60]!r}) is no triple with a count; {made}"
            )
        counts[_key(triple)] = int(count)
    keys = np.array(sorted(counts), np.uint64)
    return TrigramModel(keys, np.array([counts[key] for key in keys.tolist()], np.int64))


def _unit(counts: I64) -> npt.NDArray[np.float64]:
    """Return *counts* divided by their length as a vector."""
    weights = counts.astype(np.float64)
    # No product of vectors: a crawl's process would start the threads of a BLAS for it.
    unit: npt.NDArray[np.float64] = weights / np.sqrt(np.square(weights).sum())
    return unit


def _key(triple: str) -> int:
    first, second, third = map(ord, triple)
    return first << 2 * _POINT_BITS | second << _POINT_BITS | third


def _characters(key: int) -> str:
    mask = (1 << _POINT_BITS) - 1
    return "".join(chr(key >> shift & mask) for shift in (2 * _POINT_BITS, _POINT_BITS, 0))


def main(arguments: list[str] | None = None) -> int:
    """Write the model, or the scores, that *arguments* ask for; return the exit code."""
    parser = ModuleParser(
        prog="python -m pipelines.linguistics.trigram_models",
        description="Write the model of a language's triples of characters, of raw text; LANGUAGE_MODEL names such a file.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="UTF-8 text, - the standard input")
    parser.add_argument(
        "-n", "--size", type=int, default=MODEL_TRIPLES, help=f"triples, at most ({MODEL_TRIPLES})"
    )
    parser.add_argument(
        "--scores", type=Path, metavar="MODEL", help="print the score of each file by this model"
    )
    options = parser.parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    if options.scores is not None:
        model = read_model(options.scores)
        for name in options.files:
            score = model.score("\n".join(_lines(name)))
            sys.stdout.write(f"{score:.3f}\t{name}\n")
        return
    try:
        model = TrigramModel.of(
            (line for name in options.files for line in _lines(name)), options.size
        )
    except ValueError as error:
        raise refused_option(error, vars(options)) from error
    if not len(model.keys):
        raise InputError(
            f"{' '.join(options.files)} holds no text; give running text of the language"
        )
    sys.stdout.buffer.write("".join(f"{line}\n" for line in model.lines()).encode())


def _lines(name: str) -> Iterable[str]:
    """Yield the lines of the file *name*, as the texts of pages are."""
    is_stdin = name == "-"
    try:
        with nullcontext(standard_input()) if is_stdin else open(name, "rb") as file:
            for number, line in enumerate(file):
                yield nfc(line.decode("utf-8-sig" if not number else "utf-8"))
    except UnicodeDecodeError as error:
        shown = "standard input" if is_stdin else name
        raise InputError(f"{shown} is no UTF-8 text; convert it") from error


if __name__ == "__main__":
    sys.exit(main())
