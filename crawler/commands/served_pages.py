"""The pages that a program is given, as they were served: saved ones, those of WARC files, and documents of corpora.

Of the answers of an address the last one counts. Memory: 28 bytes an answer in WARC files and corpora.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scrapy.settings import Settings

from crawler.commands.archived_pages import archive_files, limits_of
from crawler.commands.base import PROJECT_DEFAULTS
from crawler.durable.layout import shards_of
from crawler.seeds.named_warcs import check_warcs
from crawler.stored_pages import StoredAnswers
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.gold_packages.making import ServedPage, id_of_url, saved_pages
from pipelines.jobs.stored_answers import AnswerIndex, url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from crawler.ranking.corpus.answers import StoredPage

# Of archives that are none, `check_warcs` tells how they become WARC files.
_WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".wacz", ".arc", ".arc.gz")


def is_corpus(name: str) -> bool:
    """Tell whether *name* is the folder of a corpus."""
    return Path(name).is_dir() and bool(shards_of(Path(name)))


class LastAnswers:
    """The last answer of each address in the WARC files *paths*."""

    def __init__(self, paths: list[Path]) -> None:
        self._answers = StoredAnswers(paths, limits_of(Settings(PROJECT_DEFAULTS)))
        self._index = AnswerIndex(self._answers)

    @classmethod
    def of_corpus(cls, folder: Path) -> LastAnswers:
        """Return those of the corpus in *folder*; raise `InputError` where it has no WARC files."""
        asked = Namespace(corpus=str(folder), warc=None)
        mend = "put those of its crawl there"
        return cls(archive_files(Settings(PROJECT_DEFAULTS), asked, mend=mend))

    def get(self, url: str) -> StoredPage | None:
        """Return the answer of the canonical *url*, None without one."""
        place = int(self._index.places(np.array([url_hash(url)], np.uint64))[0])
        return None if place < 0 else self._answers.page(place)

    def __iter__(self) -> Iterator[StoredPage]:
        """Give the answers as they stand in the files."""
        return filter(None, map(self._answers.page, self._index))


class ServedPages:
    """The pages of *names*, given once; raises `InputError` for what is neither a page, nor a WARC file, nor a
    corpus.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._warcs = [Path(name) for name in names if name.lower().endswith(_WARC_ENDINGS)]
        check_warcs(self._warcs)
        others = [name for name in names if not name.lower().endswith(_WARC_ENDINGS)]
        self._corpora = [Path(name) for name in others if is_corpus(name)]
        self._saved = saved_pages([name for name in others if not is_corpus(name)])
        self._answers: list[LastAnswers] = []

    def __iter__(self) -> Iterator[ServedPage]:
        if self._warcs:
            yield from map(_served, self._known(LastAnswers(self._warcs)))
        for folder in self._corpora:
            yield from corpus_pages(folder, self._known(LastAnswers.of_corpus(folder)))
        yield from self._saved

    def _known(self, answers: LastAnswers) -> LastAnswers:
        self._answers.append(answers)
        return answers

    def body(self, url: str) -> bytes | None:
        """Return the answer of *url* in the WARC files and corpora that pages were given of, None without one."""
        found: Iterable[StoredPage | None] = (answers.get(url) for answers in self._answers)
        return next((page.body for page in found if page is not None), None)


def corpus_pages(folder: Path, answers: LastAnswers) -> Iterator[ServedPage]:
    """Give those of *answers* that the documents of the corpus in *folder* were made of, with their languages."""
    for row in Corpus.open(folder).documents(["url", "language"]):
        page = answers.get(row["url"])
        if page is not None:
            yield _served(page)._replace(language=row["language"])


def _served(page: StoredPage) -> ServedPage:
    return ServedPage(id_of_url(page.url), page.url, page.body, page.content_type)
