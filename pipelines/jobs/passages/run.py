"""Finds shared passages: between two documents, or between one and all others of a corpus.

A document is named by its URL in the corpus, or by the path of a text file, which is read in NFC, as
the corpus is. The sources of one are
found in two steps: of every other document the n-grams are counted that the one has too, each once;
those with *min_ngrams* or more are compared word by word, the best *limit* of them.

Memory: the texts of the one and of *limit* sources, and 8 bytes an n-gram of the one. Time of the first
step: one pass over the texts of the corpus.
"""

from __future__ import annotations

import heapq
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.errors import InputError
from crawler.page.words import HAN_KANA_UNIT_CHARS, has_spaceless_script, nfc
from crawler.urls import canonical_url
from pipelines.corpus.corpus import Corpus
from pipelines.duplicates.ngram_hashes import ngram_hashes, text_ngram_hashes
from pipelines.duplicates.passages import PassageOptions, shared_passages, words_of
from pipelines.jobs.passages.report import Copied, PassageReport, Source, n_covered

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from pipelines.corpus.corpus import Progress

    U64 = npt.NDArray[np.uint64]

# Pomikálek 2011, 3.2.6, takes pairs with 20 common 5-grams; a sentence of MIN_WORDS words with one
# of them changed has no more than 6, and those beside punctuation may differ.
MIN_NGRAMS = 4
LIMIT = 20
MAX_FILE_BYTES = 2**26


class _Candidate(NamedTuple):
    """What the heap orders: few n-grams first, then the last URL."""

    n_ngrams: int
    order: tuple[int, ...]
    url: str
    text: str


def compare(
    corpus_dir: Path, first: str, second: str, options: PassageOptions | None = None
) -> PassageReport:
    """Return the passages that the documents *first* and *second* share.

    Raises InputError when one is neither a document of the corpus nor a text file.
    """
    a, b = _texts(corpus_dir, [first, second])
    return _report(first, a, [(second, b)], options or PassageOptions())


def find_sources(
    corpus_dir: Path,
    name: str,
    options: PassageOptions | None = None,
    *,
    limit: int = LIMIT,
    progress: Progress | None = None,
) -> PassageReport:
    """Return the documents of the corpus that share passages with *name*, the most words first.

    *progress* is told how many documents it was compared with. Raises InputError as :func:`compare`, and ValueError for
    a *limit* below 1.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1, got {limit}")
    options = options or PassageOptions()
    (text,) = _texts(corpus_dir, [name])
    wanted = np.unique(_ngrams(text, options.ngram_words))
    best: list[_Candidate] = []
    n_more = 0
    own_url = canonical_url(name) or name
    for url, other in _documents(corpus_dir, progress):
        if url == own_url:
            continue
        n_shared = _n_shared(wanted, _ngrams(other, options.ngram_words))
        if n_shared < min(MIN_NGRAMS, len(wanted)) or not n_shared:
            continue
        candidate = _Candidate(n_shared, tuple(-ord(letter) for letter in url), url, other)
        if len(best) < limit:
            heapq.heappush(best, candidate)
        else:
            heapq.heappushpop(best, candidate)
            n_more += 1
    sources = [(each.url, each.text) for each in sorted(best, reverse=True)]
    return replace(_report(name, text, sources, options), n_more=n_more)


def _report(
    name: str, text: str, others: list[tuple[str, str]], options: PassageOptions
) -> PassageReport:
    sources = []
    for url, other in others:
        copied = tuple(
            Copied(
                start=passage.a.start,
                end=passage.a.end,
                source_start=passage.b.start,
                source_end=passage.b.end,
                n_words=passage.n_words,
                text=text[passage.a.start : passage.a.end],
                source_text=other[passage.b.start : passage.b.end],
            )
            for passage in shared_passages(text, other, options)
        )
        if copied:
            n_words = sum(each.n_words for each in copied)
            sources.append(Source(url, len(words_of(other).words), n_words, copied))
    sources.sort(key=lambda source: (-source.shared_words, source.name))
    spans = [(each.start, each.end) for source in sources for each in source.passages]
    words = words_of(text)
    return PassageReport(
        name, text, len(words.words), n_covered(words.spans, spans), tuple(sources)
    )


def _ngrams(text: str, n: int) -> U64:
    """Return the hashes of what texts that share a passage have in common."""
    hashes = text_ngram_hashes(text, n)
    if not has_spaceless_script(text):
        return hashes
    # Units of such scripts are counted from the beginning of a run, and a quotation may begin anywhere in it.
    of_characters = ngram_hashes(words_of(text).words, HAN_KANA_UNIT_CHARS * n)
    return np.concatenate((hashes, of_characters))


def _n_shared(wanted: U64, hashes: U64) -> int:
    """Return how many of *wanted*, ascending, are among *hashes*."""
    if not len(wanted) or not len(hashes):
        return 0
    places = np.minimum(np.searchsorted(wanted, hashes), len(wanted) - 1)
    return int(np.unique(places[wanted[places] == hashes]).size)


def _texts(corpus_dir: Path, names: list[str]) -> list[str]:
    """Return the texts of *names*, files first."""
    found = {name: text for name in names if (text := _file_text(name)) is not None}
    # As people read and write it, an address may have other letters than in the corpus.
    urls = {name: canonical_url(name) or name for name in names if name not in found}
    if urls:
        wanted = set(urls.values())
        of_url = {url: text for url, text in _documents(corpus_dir) if url in wanted}
        found |= {name: of_url[url] for name, url in urls.items() if url in of_url}
    for name in names:
        if name not in found:
            raise InputError(_not_found(corpus_dir, name, urls[name]))
    return [found[name] for name in names]


def _not_found(corpus_dir: Path, name: str, url: str) -> str:
    for batch in Corpus.open(corpus_dir).batches("rejected", ["url", "reason", "duplicate_of"]):
        for row in batch.to_pylist():
            if row["url"] == url:
                copy = f" of {row['duplicate_of']}" if row["duplicate_of"] else ""
                return f"{name} was rejected as {row['reason']}{copy}, without its text; give a page that was kept"
    return f"{name} is neither a document of {corpus_dir} nor a text file; give its URL, or a path"


def _file_text(name: str) -> str | None:
    try:
        path = Path(name)
        if not path.is_file():
            return None
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InputError(f"{name} has more than {MAX_FILE_BYTES >> 20} MB; give a part of it")
        return nfc(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:  # what it shares would not be found
        raise InputError(f"{name} is no UTF-8 text; convert it") from error
    except (OSError, ValueError):
        return None


def _documents(corpus_dir: Path, progress: Progress | None = None) -> Iterator[tuple[str, str]]:
    corpus = Corpus.open(corpus_dir).told(progress)
    for batch in corpus.batches("documents", ["url", "text"]):
        for url, text in zip(batch["url"].to_pylist(), batch["text"].to_pylist(), strict=True):
            yield str(url), text or ""
