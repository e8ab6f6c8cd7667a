"""The words of a corpus folder, or of a frequency list, and how often they occur; sequences of words, too.

*On disk.* A frequency list has a line a word: the word, a tab, its occurrences, and, after another tab, the documents
that have it (which may be missing: as many as the occurrences are taken then), the most frequent first, in UTF-8; as
``scrapy keywords --counts`` prints it. The words of a sequence stand apart by blanks; of a list those lines are read
that have as many words as are counted.

Memory: as `pipelines.linguistics.keyness.count_lists` has it, a list that is read whole besides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from crawler.errors import InputError, cause
from crawler.page.words import nfc
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.corpus_languages import check_languages
from pipelines.linguistics.keyness import Count, Frequencies, count_lists, words_of
from pipelines.linguistics.language_codes import UNDETERMINED
from pipelines.linguistics.term_typicality import as_counted
from pipelines.linguistics.word_sequences import FrequentWords, listed_stop_words, sequences_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pipelines.corpus.corpus import Progress

    StopWords = Mapping[str, frozenset[str]]

_WANTED = "give a corpus folder, or a file with a word, a tab and a number a line"


class Counted(NamedTuple):
    """Texts of which *languages*, codes, are counted, all where there are none; and sequences of how many words."""

    languages: tuple[str, ...] = ()
    lengths: range = range(1, 2)


ALL_WORDS = Counted()


def read_frequencies(
    path: Path, counted: Counted = ALL_WORDS, *, progress: Progress | None = None
) -> Frequencies:
    """Return the frequencies of the corpus folder, or the list, at *path*; *progress* is told how far the reading is.

    Of a corpus the main texts are read. Raises `InputError` when it is neither, or has nothing that is *counted*, and
    for a list without sequences of one of the lengths.
    """
    if not path.is_dir():
        return _of_lengths(_read_list(path), counted.lengths, path)
    corpus = Corpus.open(path)
    check_languages(corpus, counted.languages)
    found = count_lists(_units(corpus, counted, progress))
    if not found.n_words:
        of_these = " of these languages" if counted.languages else ""
        if counted.lengths[0] == 1:
            raise InputError(f"{path} has no words{of_these}; {_WANTED}")
        raise InputError(
            f"{path} has no sequences of words{of_these}, which texts without spaces do not have; give fewer --words"
        )
    return found


def _units(corpus: Corpus, counted: Counted, progress: Progress | None) -> Iterator[list[str]]:
    """Yield the words and sequences of each text that are counted."""
    lengths = range(max(counted.lengths[0], 2), counted.lengths[-1] + 1)
    stop = _stop_words(corpus, counted) if lengths else {}
    for text, language in _texts(corpus, counted, progress):
        units = words_of(text) if counted.lengths[0] == 1 else []
        yield units + sequences_of(text, lengths, stop[language]) if lengths else units


def _stop_words(corpus: Corpus, counted: Counted) -> StopWords:
    """Return the stop words of each language; the texts of those without a list are read to find theirs."""
    rows = (
        batch.column("language").to_pylist() for batch in corpus.batches("documents", ["language"])
    )
    languages = {language or UNDETERMINED for row in rows for language in row}
    if counted.languages:
        languages.intersection_update(counted.languages)
    listed = {language: listed_stop_words(language) for language in languages}
    found = {language: FrequentWords() for language, words in listed.items() if words is None}
    if found:
        for text, language in _texts(corpus, counted, None):
            if language in found:
                found[language].add(text)
    frequent = {language: words.stop_words() for language, words in found.items()}
    return {language: words for language, words in listed.items() if words is not None} | frequent


def _texts(
    corpus: Corpus, counted: Counted, progress: Progress | None
) -> Iterator[tuple[str, str]]:
    """Yield each text in a wanted language, and its language."""
    for batch in corpus.told(progress).batches("documents", ["text", "language"]):
        for row in batch.to_pylist():
            language = row["language"] or UNDETERMINED
            if not counted.languages or language in counted.languages:
                yield row["text"], language


def _of_lengths(found: Frequencies, lengths: range, path: Path) -> Frequencies:
    """Return what *found* has of *lengths*; raise `InputError` for one that it has not."""
    if not found.n_words:
        raise InputError(f"{path} has no words; {_WANTED}")
    n_words = [count.word.count(" ") + 1 for count in found.counts]
    missing = sorted(set(lengths) - set(n_words))
    if missing:
        what = "words" if missing[0] == 1 else f"sequences of {missing[0]} words"
        raise InputError(f"{path} has no {what}; give the --words that it was made with")
    counts = [count for count, n in zip(found.counts, n_words, strict=True) if n in lengths]
    return Frequencies(counts, sum(count.occurrences for count in counts))


def _read_list(path: Path) -> Frequencies:
    counts: dict[str, Count] = {}
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    count = _read_line(line)
                    if count is None:
                        shown = line.strip()[:60]
                        raise InputError(
                            f"{path} line {number} ({shown!r}) has no count; {_WANTED}"
                        )
                    _, occurrences, documents = counts.get(
                        count.word, count._replace(occurrences=0, documents=0)
                    )
                    counts[count.word] = Count(
                        count.word, count.occurrences + occurrences, max(count.documents, documents)
                    )
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 ({error.reason}); save it as UTF-8") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {cause(error)}; {_WANTED}") from error
    ranked = sorted(counts.values(), key=lambda count: (-count.occurrences, count.word))
    return Frequencies(ranked, sum(count.occurrences for count in ranked))


def _read_line(line: str) -> Count | None:
    """Return the count that *line* has; None for a line that has none."""
    word, *rest = (part.strip() for part in line.split("\t"))
    numbers = rest[:2]
    are_numbers = all(part.isascii() and part.isdigit() and len(part) < 19 for part in numbers)
    if not word or not numbers or not are_numbers:
        return None
    occurrences, documents = int(numbers[0]), int(numbers[-1])
    return Count(as_counted(nfc(" ".join(word.split()))), occurrences, documents)


def list_lines(counts: Iterable[Count]) -> Iterator[str]:
    """Yield the lines of the frequency list of *counts*, without line breaks."""
    for word, occurrences, documents in counts:
        yield f"{word}\t{occurrences}\t{documents}"
