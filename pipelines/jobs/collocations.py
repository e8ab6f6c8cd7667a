"""``python -m pipelines.jobs.collocations CORPUS WORD …``: the words that stand near a word more often than by chance.

Hits are those of `pipelines.jobs.concordance`; no window goes beyond a block. The collocates come by one of the
measures of `pipelines.linguistics.collocations`, those of equal score by their names; all four are shown.

The texts are read twice: for what stands near the hits, and for how often those words occur, which therefore is exact.
Texts without a hit are quickly passed over the first time; the second takes the time of a frequency list
(``scrapy keywords``), or less. Memory: a table of the words near hits, as `BoundedCounts` has it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.errors import ModuleParser, refused_option, run_module
from crawler.page.greek_letters import without_tonos
from crawler.page.words import has_strokes, search_words, small_letters
from crawler.wording import counted
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.asked_words import WORDS_HELP, words_asked
from pipelines.jobs.corpus_languages import check_languages
from pipelines.jobs.searched_texts import BLOCKS, add_text_arguments, check_wanted, texts_of
from pipelines.linguistics.collocations import (
    ANY_END,
    MEASURES,
    SIDE_WORDS,
    NearCounts,
    Pair,
    Window,
)
from pipelines.linguistics.language_codes import codes_asked

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

N_LINES = 25
# Of rarer pairs a measure says little: one of chance may have the highest MI-score.
MIN_TOGETHER = 3


@dataclass(frozen=True, slots=True)
class Collocate:
    """A *word*, how often it is *together* with the hits, its *occurrences*, and its scores by the names of
    `MEASURES`.
    """

    word: str
    together: int
    occurrences: int
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class Collocations:
    """The *hits* among so many *words*, and the *collocates* that were asked for, of *found*.

    *max_missed*: by how many `together` may fall short, 0 when nothing was forgotten for want of room.
    """

    hits: int
    words: int
    found: int
    max_missed: int
    collocates: list[Collocate]

    def screen(self) -> str:
        """Return it as lines for people."""
        head = f"{counted(self.hits, 'hit')} in {counted(self.words, 'word')}; {counted(self.found, 'collocate')}"
        if self.max_missed:
            head += f"; each may be together up to {self.max_missed:,} times more"
        if not self.collocates:
            return head
        names = ["together", "occurrences", *MEASURES]
        lines = ["".join(f"{name:>16}" for name in names) + "  word"]
        for each in self.collocates:
            scores = "".join(f"{each.scores[name]:16,.2f}" for name in MEASURES)
            lines.append(f"{each.together:16,}{each.occurrences:16,}{scores}  {each.word}")
        return "\n".join([head, "", *lines])


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which collocates: *n_lines*, 0 for all, of at least *min_together*, the highest of *measure* first; of which
    texts.
    """

    n_lines: int = N_LINES
    min_together: int = MIN_TOGETHER
    measure: str = "logdice"
    window: Window = field(default_factory=Window)
    languages: frozenset[str] = frozenset()
    blocks: str = BLOCKS[0]

    def __post_init__(self) -> None:
        known = {"measure": MEASURES, "blocks": BLOCKS}
        check_wanted(self, known, {"n_lines": 0, "min_together": 1})


def collocations(
    corpus: Corpus, words: Sequence[str], wanted: Wanted | None = None
) -> Collocations:
    """Return the collocates of *words* in a row, as `crawler.page.words.search_words` gives them, in *corpus*.

    Raises `InputError` when no document is in a language that is wanted.
    """
    wanted = wanted or Wanted()
    check_languages(corpus, wanted.languages)
    near = NearCounts(words, wanted.window)
    for text in _texts(corpus, wanted):
        small = small_letters(without_tonos(text))
        if has_strokes(small) or all(word.rstrip(ANY_END) in small for word in near.words):
            for line in text.split("\n"):
                near.add(search_words(line))
    together = {word: n for word, n in near.together().items() if n >= wanted.min_together}
    n_words, occurrences = 0, Counter[str]()
    for text in _texts(corpus, wanted):
        there = search_words(text)
        n_words += len(there)
        occurrences.update(filter(together.__contains__, there))
    found = [
        _scored(word, Pair(n, near.hits, occurrences[word], n_words))
        for word, n in together.items()
    ]
    found.sort(key=lambda each: (-each.scores[wanted.measure], each.word))
    shown = found[: wanted.n_lines or None]
    return Collocations(near.hits, n_words, len(found), near.max_missed, shown)


def _texts(corpus: Corpus, wanted: Wanted) -> Iterator[str]:
    return (text for _, text in texts_of(corpus, wanted.languages, wanted.blocks))


def _scored(word: str, pair: Pair) -> Collocate:
    scores = {name: measure(pair) for name, measure in MEASURES.items()}
    return Collocate(word, pair.together, pair.occurrences, scores)


def main(arguments: list[str] | None = None) -> int:
    """Print the collocations that *arguments* ask for; return the exit code."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    words = words_asked(options.words)
    try:
        wanted = Wanted(
            options.lines,
            options.min_together,
            options.measure,
            Window(options.left, options.right),
            frozenset(codes_asked(options.language)),
            options.blocks,
        )
    except ValueError as error:
        raise refused_option(error, vars(options)) from error
    found = collocations(Corpus.open(options.corpus), words, wanted)
    shown = json.dumps(asdict(found), ensure_ascii=False) if options.json else found.screen()
    sys.stdout.write(f"{shown}\n")


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.jobs.collocations",
        description="Show which words stand near a word, or several in a row, in the documents of a corpus folder.",
    )
    parser.add_argument("corpus", type=Path, metavar="CORPUS", help="corpus folder")
    parser.add_argument("words", nargs="+", metavar="WORD", help=WORDS_HELP)
    whole = (
        ("lines", N_LINES, "collocates shown, 0 for all"),
        ("left", SIDE_WORDS, "words on the left of a hit that are near it"),
        ("right", SIDE_WORDS, "words on the right"),
        ("min-together", MIN_TOGETHER, "how often a collocate is near a hit, at least"),
    )
    for name, default, text in whole:
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{text} ({default})")
    parser.add_argument(
        "--measure", default="logdice", help=f"{', '.join(MEASURES)}: by which they come (logdice)"
    )
    add_text_arguments(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
