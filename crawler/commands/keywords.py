"""``scrapy keywords``: the words that a corpus has more often than another one."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crawler.commands.base import WinnowCommand, check_no_extras
from crawler.commands.corpus_folder import corpus_of
from crawler.commands.terminal import documents_line
from crawler.errors import InputError, tell
from pipelines.linguistics.language_codes import codes_asked

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from typing import Self

    from pipelines.jobs.word_counts import Counted
    from pipelines.linguistics.keyness import Frequencies, Measure

_SIMPLE_MATHS, _LOG_LIKELIHOOD = "simple-maths", "log-likelihood"

# name, default, help
_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    ("corpus", None, "corpus folder, or a frequency list (default: setting CORPUS_DIR)"),
    (
        "reference",
        None,
        "corpus folder of general language, or its frequency list, to compare with",
    ),
    ("ranks", None, "no comparison: the words of these ranks by frequency, such as 1001-6000"),
    ("language", None, "codes of ISO 639-1: texts of these languages only, such as de,en"),
    (
        "words",
        "1",
        "words of a term: a number, or the least and the most, such as 2-3; with stop words at neither end",
    ),
    ("number", "20", "keywords to print, 0 for all"),
    (
        "measure",
        _SIMPLE_MATHS,
        f"how words are scored: {_SIMPLE_MATHS}, or {_LOG_LIKELIHOOD}, which prefers common words",
    ),
    (
        "add",
        "1",
        f"with {_SIMPLE_MATHS}: added to both frequencies a million words before they are divided; more prefers common words",
    ),
    ("min-documents", "3", "documents that have the word, at least"),
    ("min-chars", "1", "characters of the word, at least"),
    (
        "without",
        None,
        "file of words that are left out, one a line, such as the keywords of before",
    ),
    ("around", None, "file of keywords, one a line: only terms that are or have one of them"),
)
_FLAGS = (
    ("counts", "no comparison: print all words, occurrences and documents, a frequency list"),
    ("json", "print an object a keyword, with its score and frequencies"),
)
# What the options that not all take go with.
_USERS = {
    "number": ("reference",),
    "measure": ("reference",),
    "add": ("reference",),
    "min-documents": ("reference",),
    "min-chars": ("reference", "ranks"),
    "without": ("reference", "ranks"),
    "around": ("reference", "ranks"),
}
_RANKS = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_LENGTHS = re.compile(r"([1-9])(?:-([1-9]))?")
_DECIMAL = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; the keywords on stdout, one a line, as ``crawl bootcat`` reads them."""

    values = _OPTIONS
    flags = _FLAGS

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Find the keywords of a corpus, seeds of the next"

    def long_desc(self) -> str:
        return (
            "Print the words that a corpus has more often than a reference of general language, the most "
            "typical first (Kilgarriff's simple maths, or --measure log-likelihood). `scrapy crawl "
            "bootcat` takes them as its keywords: so a corpus grows round by round (Pomikálek 2011, 1.3.2).\n"
            "\n"
            "--ranks prints words of middle frequency instead, seeds for a corpus of a language (1.3.3). "
            "--counts prints a frequency list, which may be the reference of another corpus.\n"
            "\n"
            "Counted are words with a letter: don't and well-known are one each; numbers, URLs and e-mail addresses are "
            "none; of Chinese and Japanese any two characters that stand together, of Thai, Lao, Khmer and Burmese any "
            "three. Counts differ from others: `scrapy explore`, `scrapy facets` and the programs for concordances and "
            "collocations divide at each sign and count numbers (don, t, well, known), and `scrapy report` and the column "
            "n_words count what stands between blanks and has a letter or a digit, or two characters of Chinese, or five of "
            "Thai.\n"
            "\n"
            "Examples:\n"
            "  scrapy keywords --corpus general --counts > general.tsv\n"
            "  scrapy keywords --corpus mine --reference general.tsv \\\n"
            "    --without words.txt > more.txt\n"
            "  scrapy keywords --corpus general --counts --words 2-3 > terms.tsv\n"
            "  scrapy keywords --corpus mine --reference terms.tsv --words 2-3 \\\n"
            "    --around more.txt\n"
            "  scrapy keywords --corpus mine --ranks 1001-6000 --min-chars 5"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        asked = [name for name in ("reference", "ranks", "counts") if getattr(opts, name)]
        if len(asked) != 1:
            raise InputError("give one of --reference CORPUS|FILE, --ranks FIRST-LAST and --counts")
        if opts.json and not opts.reference:
            raise InputError("--json goes with --reference; leave it out")
        _check_used(opts, asked[0])
        wanted = _Wanted.read(opts)
        from pipelines.jobs.word_counts import Counted, list_lines

        assert self.settings is not None
        wants = _wants(opts, wanted.min_chars)
        source = corpus_of(self.settings, opts)
        if wanted.languages and source.is_file():
            raise InputError(
                f"--language is for texts, and {source} is a list of words; leave it out"
            )
        counted = Counted(wanted.languages, wanted.lengths)
        corpus = _read(source, counted)
        if opts.counts:
            lines = list_lines(corpus.counts)
        elif wanted.ranks is not None:
            lines = _of_ranks(corpus, wanted, wants)
        else:
            reference = _read(Path(opts.reference), counted)
            lines = _scored(corpus, reference, wanted, wants, is_json=opts.json)
        sys.stdout.writelines(f"{line}\n" for line in lines)


def _read(path: Path, counted: Counted) -> Frequencies:
    """Return what is *counted* at *path*; tell of what was forgotten."""
    from pipelines.jobs.word_counts import read_frequencies

    with documents_line() as progress:
        found = read_frequencies(path, counted, progress=progress)
    if found.max_missed:
        tell(
            f"rare words of {path} were forgotten for want of room; counts fall short by at most {found.max_missed:,}"
        )
    return found


def _check_used(opts: argparse.Namespace, asked: str) -> None:
    """Raise `InputError` for an option that would do nothing beside what is *asked*."""
    for name, default, _ in _OPTIONS:
        users = _USERS.get(name, (asked,))
        if getattr(opts, name.replace("-", "_")) != default and asked not in users:
            raise InputError(f"--{name} goes with --{' and --'.join(users)}; leave it out")
    if opts.measure not in (_SIMPLE_MATHS, _LOG_LIKELIHOOD):
        raise InputError(
            f"--measure is {opts.measure!r}; give {_SIMPLE_MATHS} or {_LOG_LIKELIHOOD}"
        )
    if opts.measure != _SIMPLE_MATHS and opts.add != "1":
        raise InputError(f"--add goes with --measure {_SIMPLE_MATHS}; leave it out")


class _Wanted(NamedTuple):
    """The options that are numbers or lists, read."""

    ranks: tuple[int, int] | None
    languages: tuple[str, ...]
    lengths: range
    number: int
    measure: str
    add: float
    min_documents: int
    min_chars: int

    @classmethod
    def read(cls, opts: argparse.Namespace) -> Self:
        """Raise `InputError` for the first that is wrong."""
        ranks = None
        if opts.ranks:
            match = _RANKS.fullmatch(opts.ranks)
            ranks = (int(match[1]), int(match[2])) if match else (1, 0)
            if ranks[0] > ranks[1]:
                raise InputError(
                    f"--ranks is {opts.ranks!r}; give the first and the last, such as 1001-6000"
                )
        languages = codes_asked(opts.language)
        numbers = (_whole(opts, name) for name in ("number", "min-documents", "min-chars"))
        number, min_documents, min_chars = numbers
        if not _DECIMAL.fullmatch(opts.add) or not float(opts.add):
            raise InputError(f"--add is {opts.add!r}; give a number above 0")
        add = float(opts.add)
        return cls(
            ranks,
            languages,
            _lengths(opts.words),
            number,
            opts.measure,
            add,
            min_documents,
            min_chars,
        )


def _lengths(given: str) -> range:
    match = _LENGTHS.fullmatch(given)
    lengths = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
    if not lengths:
        raise InputError(
            f"--words is {given!r}; give a number of 1 to 9, or the least and the most, such as 2-3"
        )
    return lengths


def _wants(opts: argparse.Namespace, min_chars: int) -> Callable[[str], bool]:
    """Return what tells whether a word is wanted: long enough, not left out, with a keyword if there are some."""
    from crawler.seeds.keywords import read_keywords
    from pipelines.linguistics.keyness import units_of
    from pipelines.linguistics.word_sequences import parts_of

    without, around = (
        {unit for keyword in read_keywords(path) for unit in units_of(keyword)} if path else set()
        for path in (opts.without, opts.around)
    )

    def wants(word: str) -> bool:
        if len(word) < min_chars or word in without:
            return False
        return not around or not around.isdisjoint(parts_of(word))

    return wants


def _whole(opts: argparse.Namespace, name: str) -> int:
    value: str = getattr(opts, name.replace("-", "_"))
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise InputError(f"--{name} is {value!r}; give a whole number")
    return int(value)


def _of_ranks(corpus: Frequencies, wanted: _Wanted, wants: Callable[[str], bool]) -> Iterator[str]:
    """Yield the words of the ranks that are wanted; raise `InputError` where there are none."""
    assert wanted.ranks is not None
    words = list(filter(wants, corpus.at_ranks(*wanted.ranks)))
    if not words:
        raise InputError(
            f"no word of these ranks is wanted; there are {len(corpus.counts):,}, give others by --ranks"
        )
    yield from words


def _scored(
    corpus: Frequencies,
    reference: Frequencies,
    wanted: _Wanted,
    wants: Callable[[str], bool],
    *,
    is_json: bool,
) -> Iterator[str]:
    """Yield the lines of the keywords; raise `InputError` where there are none."""
    from pipelines.linguistics.keyness import SimpleMaths, keywords, log_likelihood

    is_simple = wanted.measure == _SIMPLE_MATHS
    measure: Measure = SimpleMaths(wanted.add) if is_simple else log_likelihood
    found = keywords(
        corpus,
        reference,
        measure=measure,
        min_documents=wanted.min_documents,
        wants=wants,
    )
    if not found:
        raise InputError(
            "no word that is wanted is in enough documents and more frequent than in the reference; give a smaller --min-documents"
        )
    for keyword in found[: wanted.number or None]:
        if is_json:
            entry = keyword._asdict() | {"measure": wanted.measure}
            yield json.dumps(entry, ensure_ascii=False)
        else:
            yield keyword.word
