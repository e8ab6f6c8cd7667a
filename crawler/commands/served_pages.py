"""The pages that a program is given, as they were served: saved ones, those of WARC files, and documents of corpora.

Of the answers of an address the last one counts. Memory: about 200 bytes an address of WARC files and corpora.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.settings import Settings

from crawler.commands.archived_pages import archive_files, limits_of
from crawler.commands.base import PROJECT_DEFAULTS
from crawler.durable.layout import shards_of
from crawler.seeds.named_warcs import check_warcs
from crawler.stored_pages import StoredAnswers
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.gold_packages.making import ServedPage, id_of_url, saved_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from crawler.ranking.corpus.pagelets import StoredPage

# Of archives that are none, `check_warcs` tells how they become WARC files.
_WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".wacz", ".arc", ".arc.gz")


def is_corpus(name: str) -> bool:
    """Tell whether *name* is the folder of a corpus."""
    return Path(name).is_dir() and bool(shards_of(Path(name)))


class LastAnswers:
    """The last answer of each address in the WARC files *paths*."""

    def __init__(self, paths: list[Path]) -> None:
        self._answers = StoredAnswers(paths, limits_of(Settings(PROJECT_DEFAULTS)))
        self._last: dict[str, tuple[float, int]] = {}
        for place, (url, when) in enumerate(self._answers.urls()):
            self._last[url] = max(self._last.get(url, (when, place)), (when, place))

    @classmethod
    def of_corpus(cls, folder: Path) -> LastAnswers:
        """Return those of the corpus in *folder*; raise `InputError` where it has no WARC files."""
        settings = Settings(PROJECT_DEFAULTS)
        return cls(archive_files(settings, Namespace(corpus=str(folder), warc=None)))

    def get(self, url: str) -> StoredPage | None:
        """Return the answer of the canonical *url*, None without one."""
        place = self._last.get(url)
        return None if place is None else self._answers.page(place[1])

    def pages(self, languages: Mapping[str, str | None] | None = None) -> Iterator[ServedPage]:
        """Give the answers by their addresses; with *languages* those that it names."""
        for url in sorted(self._last):
            page = self.get(url) if languages is None or url in languages else None
            if page is not None:
                language = None if languages is None else languages[url]
                yield ServedPage(id_of_url(url), url, page.body, page.content_type, language)


class ServedPages:
    """The pages of *names*, given once; raises `InputError` for what is neither a page, nor a WARC file, nor a corpus."""

    def __init__(self, names: Sequence[str]) -> None:
        self._warcs = [Path(name) for name in names if name.lower().endswith(_WARC_ENDINGS)]
        check_warcs(self._warcs)
        others = [name for name in names if not name.lower().endswith(_WARC_ENDINGS)]
        self._corpora = [Path(name) for name in others if is_corpus(name)]
        self._saved = saved_pages([name for name in others if not is_corpus(name)])
        self._answers: list[LastAnswers] = []

    def __iter__(self) -> Iterator[ServedPage]:
        if self._warcs:
            yield from self._known(LastAnswers(self._warcs)).pages()
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
    rows = Corpus.open(folder).documents(["url", "language"])
    return answers.pages({row["url"]: row["language"] for row in rows})
