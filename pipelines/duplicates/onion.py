"""Marks or strips the duplicate paragraphs of a vertical file, with the options of the released onion.

``python -m pipelines.duplicates.onion [-s] [-m] [-n 5] [-t 0.5] [-d doc] [-p p] [-l 20] [FILE]``

By default every line is written with ``0`` and a tab before it, those of duplicates with ``1`` and a
tab. The file is read twice: once for the n-grams that occur twice, once to judge. Standard input, as any pipe,
goes to a temporary file first. *Source:* onion's manual and usage text; its ``-f`` (n-grams found before),
``-T`` and ``-b`` (bits of hashes, buffer) are not taken, for the first pass is part of the run.

Memory: that of :class:`pipelines.duplicates.ngram_partitions.NgramPartitions`, and 9 bytes a duplicate.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from crawler.durable.temporary_files import temporary_file
from crawler.errors import InputError, ModuleParser, run_module, standard_input
from crawler.wording import counted
from pipelines.duplicates.ngram_partitions import NgramPartitions, ngrams_of_documents
from pipelines.duplicates.onion_paragraphs import (
    MAX_COVERAGE,
    MAX_STUB_WORDS,
    NGRAM_WORDS,
    OnionParagraphs,
)
from pipelines.duplicates.onion_vertical import (
    DOCUMENT,
    PARAGRAPH,
    is_tag,
    marked,
    read_vertical,
    stripped,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from pipelines.duplicates.onion_vertical import VerticalDocument

# A document of more words fits no memory; kernels take 64 bits.
_MAX_WORDS = 2**31 - 1


@dataclass(frozen=True, slots=True)
class OnionOptions:
    """*n* words an n-gram, threshold *t*, names of structures, stubs of *max_stub* words (0: none)."""

    n: int = NGRAM_WORDS
    t: float = MAX_COVERAGE
    document: str = DOCUMENT
    paragraph: str = PARAGRAPH
    max_stub: int = MAX_STUB_WORDS
    strip: bool = False


@dataclass(slots=True)
class OnionCounts:
    """What a run has read and found."""

    documents: int = 0
    tokens: int = 0
    duplicate_paragraphs: int = 0
    duplicate_tokens: int = 0

    def line(self) -> str:
        """Return the counts as one line."""
        return (
            f"{counted(self.documents, 'document')}, {counted(self.tokens, 'token')}; duplicates: "
            f"{counted(self.duplicate_paragraphs, 'paragraph')}, "
            f"{counted(self.duplicate_tokens, 'token')}"
        )


def deduplicate_vertical(
    source: IO[bytes], options: OnionOptions, counts: OnionCounts | None = None
) -> Iterator[bytes]:
    """Yield the lines of *source*, which can be read twice, marked or stripped.

    *counts* is added to. Raises ValueError for options out of range.
    """
    counts = OnionCounts() if counts is None else counts
    with NgramPartitions(options.n) as partitions:
        for document in _documents(source, options):
            partitions.add(document.tokens, _bounds(document))
        onion = OnionParagraphs(
            partitions.duplicates(), n=options.n, t=options.t, max_stub=options.max_stub
        )
    for document in _documents(source, options):
        ngrams = ngrams_of_documents(document.tokens, _bounds(document), options.n)
        is_duplicate = onion.judge(ngrams, document.bounds)
        counts.documents += 1
        counts.tokens += len(document.tokens)
        counts.duplicate_paragraphs += int(is_duplicate.sum())
        counts.duplicate_tokens += int(np.diff(document.bounds)[is_duplicate].sum())
        yield from (stripped if options.strip else marked)(document, is_duplicate)


def _documents(source: IO[bytes], options: OnionOptions) -> Iterator[VerticalDocument]:
    source.seek(0)
    return read_vertical(source, document=options.document, paragraph=options.paragraph)


def _bounds(document: VerticalDocument) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([0, len(document.tokens)], dtype=np.int64)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; raise `InputError` when the call is wrong. Returns the exit code."""
    given = _parser().parse_args(arguments)
    _check(given)
    options = OnionOptions(
        given.n, given.t, given.d, given.p, 0 if given.m else given.l, strip=given.s
    )
    counts = OnionCounts()
    with _opened(given.file) as source:
        sys.stdout.buffer.writelines(deduplicate_vertical(source, options, counts))
    if not given.q:
        sys.stderr.write(f"{counts.line()}\n")
    return 0


def _check(given: argparse.Namespace) -> None:
    """Raise `InputError` for an option of *given* that is out of its range: nothing is written then."""
    for name, least in (("n", 1), ("l", 0)):
        value = getattr(given, name)
        if not least <= value <= _MAX_WORDS:
            raise InputError(f"-{name} must be {least} to {_MAX_WORDS}, got {value}; see --help")
    if not 0 <= given.t <= 1:
        raise InputError(f"-t must be 0 to 1, got {given.t}; see --help")
    for name in ("d", "p"):
        tag = getattr(given, name)
        if not is_tag(tag):
            raise InputError(f"-{name} must be a tag such as doc, got {tag!r}; see --help")


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog=f"python -m {__spec__.name}",
        description="Mark or strip the duplicate paragraphs of a vertical file, with the options of onion. "
        "By default every line is written with 0 and a tab before it, those of duplicates with 1 and a tab.",
    )
    add = parser.add_argument
    add("file", nargs="?", default="-", help="a vertical file, - is standard input")
    add("-n", type=int, default=NGRAM_WORDS, help="words of an n-gram (%(default)s)")
    add("-t", type=float, default=MAX_COVERAGE, help="share of covered words (%(default)s)")
    add("-d", default=DOCUMENT, help="tag of documents (%(default)s)")
    add("-p", default=PARAGRAPH, help="tag of paragraphs (%(default)s)")
    add("-s", action="store_true", help="strip duplicates rather than mark them")
    add("-m", action="store_true", help="no smoothing: stubs stay")
    add("-l", type=int, default=MAX_STUB_WORDS, help="words of the longest stub (%(default)s)")
    add("-q", action="store_true", help="write no counts to standard error")
    return parser


def _opened(name: str) -> IO[bytes]:
    if name == "-":
        return _spooled(standard_input())
    path = Path(name)
    if not path.is_fifo():
        return path.open("rb")
    with path.open("rb") as pipe:  # such as <(zcat FILE) of a shell
        return _spooled(pipe)


def _spooled(stream: IO[bytes]) -> IO[bytes]:
    spooled = temporary_file()
    shutil.copyfileobj(stream, spooled)
    return spooled


if __name__ == "__main__":
    sys.exit(run_module(main))
