"""``python -m pipelines.jobs.concordance CORPUS WORD …``: where words stand in a corpus, with what is around them.

Each line is a hit in its context (KWIC): the words in a row as one finds them, whatever their case and the signs
between them, within one block; ``mill*`` finds all words that begin so. The ends of blocks are shown as `BLOCK_END`.
Hits that overlap count each. Lines come as the corpus has them, at random, or sorted by what is on the right or on the
left, which brings together what was copied.

*Source:* Pomikálek 2011, 1.3.1, table 1.1 and appendix A, whose pages have 25 lines. ``--blocks all`` reads what the
cleaner dropped, too, as its figures A.1, A.3 and A.5 do.

Words are counted as they are found, as `pipelines.jobs.collocations` counts them, too; those of the documents'
``n_words`` are others, as of ``it's`` one in place of two.

Cost: one pass over the texts. Memory: the lines that are asked for.
"""

from __future__ import annotations

import heapq
import json
import random
import sys
import unicodedata
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.errors import InputError, ModuleParser, refused_option, run_module
from crawler.page.greek_letters import without_tonos
from crawler.page.words import (
    has_strokes,
    search_spans,
    search_words,
    small_letters,
    without_strokes,
)
from crawler.wording import counted
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.asked_words import WORDS_HELP, words_asked
from pipelines.jobs.corpus_languages import check_languages
from pipelines.jobs.searched_texts import BLOCKS, add_text_arguments, check_wanted, texts_of
from pipelines.linguistics.collocations import ANY_END, places_of
from pipelines.linguistics.language_codes import codes_asked

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

ORDERS = ("corpus", "random", "right", "left")
N_LINES = 25
CONTEXT_CHARS = 40
BLOCK_END = "¶"
# What is read for a character of context: whitespace is collapsed, and ends of blocks are made wider.
_READ_TIMES = 2


@dataclass(frozen=True, slots=True)
class Line:
    """A hit, and what is on either side of it, of the document *url*."""

    url: str
    left: str
    match: str
    right: str


@dataclass(slots=True)
class Concordance:
    """How often words were found, in how many of the documents, of how many words, and some *lines*."""

    hits: int
    hit_documents: int
    documents: int
    words: int
    lines: list[Line]

    def screen(self) -> str:
        """Return it as lines for people, the hits below each other."""
        rate = self.hits / self.words * 1e6 if self.words else 0.0
        head = (
            f"{counted(self.hits, 'hit')} in {self.hit_documents:,} of {counted(self.documents, 'document')}, "
            f"{rate:,.2f} in a million words"
        )
        widest = max((_columns(line.left) for line in self.lines), default=0)
        shown = [
            f"{' ' * (widest - _columns(line.left))}{line.left}  {line.match}  {line.right}  <{line.url}>"
            for line in self.lines
        ]
        return "\n".join([head, *([""] if shown else []), *shown])


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines: *n_lines* of them, 0 for all, in *order*, of texts in *languages*, all where there are none."""

    n_lines: int = N_LINES
    chars: int = CONTEXT_CHARS
    order: str = ORDERS[0]
    seed: int = 0
    languages: frozenset[str] = frozenset()
    blocks: str = BLOCKS[0]

    def __post_init__(self) -> None:
        known = {"order": ORDERS, "blocks": BLOCKS}
        check_wanted(self, known, {"n_lines": 0, "chars": 0, "seed": 0})


def concordance(corpus: Corpus, words: Sequence[str], wanted: Wanted | None = None) -> Concordance:
    """Return the hits of *words*, as `crawler.page.words.search_words` gives them, in the documents of *corpus*.

    Raises `InputError` when none is in a language that is wanted.
    """
    wanted = wanted or Wanted()
    check_languages(corpus, wanted.languages)
    found = Concordance(0, 0, 0, 0, [])
    found.lines = _CHOOSERS[wanted.order](_lines(corpus, words, wanted, found), wanted)
    return found


def find_words(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where in *text* each place begins and ends where *words* stand in a row, in one line, as `places_of` has it.

    >>> list(find_words("On, and on", ["on"])), list(find_words("so: so so", ["so", "so"]))
    ([(0, 2), (8, 10)], [(0, 6), (4, 9)])
    """
    small = small_letters(without_tonos(text))
    words = list(map(without_tonos, words))
    if not has_strokes(small) and not all(word.rstrip(ANY_END) in small for word in words):
        return
    spans = list(search_spans(text))
    found = [without_strokes(small[start:end]) for start, end in spans]
    for place in places_of(found, words):
        start, end = spans[place][0], spans[place + len(words) - 1][1]
        if "\n" not in text[start:end]:
            yield start, end


def _lines(
    corpus: Corpus, words: Sequence[str], wanted: Wanted, found: Concordance
) -> Iterator[Line]:
    """Yield all hits, counted in *found*."""
    for url, text in texts_of(corpus, wanted.languages, wanted.blocks):
        n_before = found.hits
        for start, end in find_words(text, words):
            found.hits += 1
            yield _line(url, text, start, end, wanted.chars)
        found.hit_documents += found.hits > n_before
        found.documents += 1
        found.words += len(search_words(text))


def _line(url: str, text: str, start: int, end: int, chars: int) -> Line:
    read = _READ_TIMES * chars
    left, right = (
        _on_one_line(text[max(start - read, 0) : start]),
        _on_one_line(text[end : end + read]),
    )
    # As much as stands beside the hit; none of 0 characters.
    return Line(
        url,
        left[len(left) - min(chars, len(left)) :].lstrip(),
        text[start:end],
        right[:chars].rstrip(),
    )


def _on_one_line(text: str) -> str:
    return " ".join(text.replace("\n", f" {BLOCK_END} ").split())


def _first(lines: Iterator[Line], wanted: Wanted) -> list[Line]:
    chosen = list(islice(lines, wanted.n_lines or None))
    for _ in lines:  # which counts them
        pass
    return chosen


def _at_random(lines: Iterator[Line], wanted: Wanted) -> list[Line]:
    """Return lines drawn with equal chances (Vitter 1985, algorithm R), in an order that is drawn, too."""
    rng = random.Random(wanted.seed)
    chosen: list[Line] = []
    for n, line in enumerate(lines):
        if not wanted.n_lines or n < wanted.n_lines:
            chosen.append(line)
        elif (place := rng.randrange(n + 1)) < wanted.n_lines:
            chosen[place] = line
    rng.shuffle(chosen)
    return chosen


def _sorted_by(key: Callable[[Line], list[str]]) -> Callable[[Iterator[Line], Wanted], list[Line]]:
    def chosen(lines: Iterator[Line], wanted: Wanted) -> list[Line]:
        if not wanted.n_lines:
            return sorted(lines, key=key)
        return heapq.nsmallest(wanted.n_lines, lines, key=key)

    return chosen


_CHOOSERS: dict[str, Callable[[Iterator[Line], Wanted], list[Line]]] = {
    "corpus": _first,
    "random": _at_random,
    "right": _sorted_by(lambda line: search_words(line.right)),
    "left": _sorted_by(lambda line: search_words(line.left)[::-1]),
}


def _columns(text: str) -> int:
    """Return the columns that *text* fills on a terminal."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def main(arguments: list[str] | None = None) -> int:
    """Print the concordance that *arguments* ask for; return the exit code."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    words = words_asked(options.words)
    languages = frozenset(codes_asked(options.language))
    if options.seed is not None and options.order != "random":
        raise InputError("--seed is for --order random; leave it out")
    seed = options.seed or 0
    try:
        wanted = Wanted(
            options.lines, options.chars, options.order, seed, languages, options.blocks
        )
    except ValueError as error:
        raise refused_option(error, vars(options)) from error
    found = concordance(Corpus.open(options.corpus), words, wanted)
    shown = json.dumps(asdict(found), ensure_ascii=False) if options.json else found.screen()
    sys.stdout.write(f"{shown}\n")


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.jobs.concordance",
        description="Show where words stand in a row in the documents of a corpus folder, with what is around them.",
    )
    parser.add_argument("corpus", type=Path, metavar="CORPUS", help="corpus folder")
    parser.add_argument("words", nargs="+", metavar="WORD", help=WORDS_HELP)
    parser.add_argument(
        "--lines", type=int, default=N_LINES, help=f"hits shown, 0 for all ({N_LINES})"
    )
    parser.add_argument(
        "--chars",
        type=int,
        default=CONTEXT_CHARS,
        help=f"characters on either side ({CONTEXT_CHARS})",
    )
    parser.add_argument("--order", default=ORDERS[0], help=f"{', '.join(ORDERS)} ({ORDERS[0]})")
    parser.add_argument("--seed", type=int, help="of --order random (0)")
    add_text_arguments(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
