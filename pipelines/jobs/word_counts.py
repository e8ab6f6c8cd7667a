"""The words of a corpus folder, or of a frequency list, and how often they occur.

*On disk.* A frequency list has a line a word: the word, a tab, its occurrences, and, after another tab, the documents that
have it (which may be missing: as many as the occurrences are taken then), the most frequent first, in UTF-8; as ``scrapy keywords --counts`` prints it.

Memory: as `pipelines.linguistics.keyness.count_words` has it, a list that is read whole besides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.errors import InputError, cause
from crawler.page.words import nfc
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.told_batches import told_batches
from pipelines.linguistics.keyness import Count, Frequencies, count_words
from pipelines.linguistics.term_typicality import as_counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pipelines.corpus.told_batches import Progress

_WANTED = "give a corpus folder, or a file with a word, a tab and a number a line"


def read_frequencies(
    path: Path, languages: tuple[str, ...] = (), *, progress: Progress | None = None
) -> Frequencies:
    """Return the frequencies of the corpus folder, or the list, at *path*; *progress* is told how far the reading is.

    Of a corpus the main texts of *languages* are read, of all where there are none. Raises `InputError` when it is
    neither, or has no words.
    """
    if path.is_dir():
        found = count_words(_texts(Corpus.open(path), languages, progress))
    else:
        found = _read_list(path)
    if not found.n_words:
        raise InputError(
            f"{path} has no words{' of these languages' if languages else ''}; {_WANTED}"
        )
    return found


def _texts(corpus: Corpus, languages: tuple[str, ...], progress: Progress | None) -> Iterator[str]:
    for batch in told_batches(corpus, ["text", "language"], progress):
        for row in batch.to_pylist():
            if not languages or (row["language"] or "und") in languages:
                yield row["text"]


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
    return Count(as_counted(nfc(word)), occurrences, documents)


def list_lines(counts: Iterable[Count]) -> Iterator[str]:
    """Yield the lines of the frequency list of *counts*, without line breaks."""
    for word, occurrences, documents in counts:
        yield f"{word}\t{occurrences}\t{documents}"
