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
    from collections.abc import Iterator, Mapping, Sequence

_WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst")


def served_pages(names: Sequence[str]) -> Iterator[ServedPage]:
    """Give the pages of *names*; raise `InputError` for what is neither a page, nor a WARC file, nor a corpus."""
    warcs = [Path(name) for name in names if name.lower().endswith(_WARC_ENDINGS)]
    if warcs:
        check_warcs(warcs)
        yield from _answers(warcs)
    for name in names:
        if is_corpus(name):
            yield from corpus_pages(Path(name))
        elif not name.lower().endswith(_WARC_ENDINGS):
            yield from saved_pages([name])


def is_corpus(name: str) -> bool:
    """Tell whether *name* is the folder of a corpus."""
    return Path(name).is_dir() and bool(shards_of(Path(name)))


def corpus_pages(folder: Path) -> Iterator[ServedPage]:
    """Give the answers that the documents of the corpus in *folder* were made of, with their languages."""
    settings = Settings(PROJECT_DEFAULTS)
    paths = archive_files(settings, Namespace(corpus=str(folder), warc=None))
    rows = Corpus.open(folder).documents(["url", "language"])
    return _answers(paths, {row["url"]: row["language"] for row in rows})


def _answers(
    paths: list[Path], languages: Mapping[str, str | None] | None = None
) -> Iterator[ServedPage]:
    """Give the answers in the WARC files *paths* by their addresses; with *languages* those that it names."""
    answers = StoredAnswers(paths, limits_of(Settings(PROJECT_DEFAULTS)))
    last: dict[str, tuple[float, int]] = {}
    for place, (url, when) in enumerate(answers.urls()):
        if languages is None or url in languages:
            last[url] = max(last.get(url, (when, place)), (when, place))
    for url in sorted(last):
        page = answers.page(last[url][1])
        if page is not None:
            language = None if languages is None else languages[url]
            yield ServedPage(id_of_url(url), url, page.body, page.content_type, language)
