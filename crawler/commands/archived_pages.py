"""The pages that a command reads from WARC files, by default those of a corpus folder."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from crawler.commands.corpus_folder import check_crawled, corpus_of
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from crawler.page import PageLimits, PageRules
    from crawler.ranking.corpus.answers import StoredPage
    from pipelines.jobs.stored_answers import PageMaker

PAGE_OPTIONS = (
    ("corpus", None, "corpus folder (default: setting CORPUS_DIR)"),
    ("warc", None, "the WARC files of its pages, a glob (default: warc/ in the corpus folder)"),
)


def crawled_folder(settings: BaseSettings, opts: argparse.Namespace) -> Path:
    """Return the corpus folder that *opts* or *settings* name; raise :exc:`InputError` for one without a crawl."""
    folder = corpus_of(settings, opts)
    check_crawled(folder)
    return folder


def archived_pages(
    settings: BaseSettings, opts: argparse.Namespace
) -> tuple[Iterator[StoredPage], PageLimits]:
    """Return the pages of the WARC files that *opts* name, by `PAGE_OPTIONS`, and the limits they are read with.

    Raises :exc:`InputError` where there are none.
    """
    from crawler.stored_pages import stored_pages

    paths, limits = archive_files(settings, opts), limits_of(settings)
    return stored_pages(paths, limits), limits


def archive_files(
    settings: BaseSettings, opts: argparse.Namespace, *, mend: str = "give --warc"
) -> list[Path]:
    """Return the WARC files that *opts* name, all of which can be read; raise :exc:`InputError` for none.

    *mend*: what it says that can be done beside another crawl.
    """
    from crawler.seeds.named_warcs import check_warcs, find_warcs

    corpus = corpus_of(settings, opts)
    folder = corpus / "warc"
    if opts.warc:
        paths = find_warcs(opts.warc, given_as="--warc ")
    else:
        paths = sorted(folder.glob("*.warc.gz"))
    if not paths:
        check_crawled(corpus)
        raise InputError(f"no WARC files in {folder}; {mend}, or crawl with WARC_ENABLED=1")
    check_warcs(paths)
    return paths


def limits_of(settings: BaseSettings) -> PageLimits:
    """Return the limits that *settings* give; raise :exc:`InputError` for a wrong one."""
    from crawler.page import page_limits

    try:
        return page_limits(settings)
    except ValueError as error:
        raise InputError(f"setting PAGE_…: {error}") from error


# Of pagelets, `read_k`.
K_OPTION = ("k", "3", "an element is divided where a child has so many links, 1 or more")


def read_k(opts: argparse.Namespace) -> int:
    """Return what *opts* say of `K_OPTION`; raise :exc:`InputError` for none."""
    if not (opts.k.isdecimal() and len(opts.k) < 10 and int(opts.k)):
        raise InputError(f"--k is {opts.k!r}; give a whole number of 1 to 999999999")
    return int(opts.k)


def page_maker(
    settings: BaseSettings, opts: argparse.Namespace, *, k: int | None = None
) -> PageMaker:
    """Return what makes the pages of a corpus folder again, as its crawl made them, of the WARC files that *opts* name.

    *k*: of their pagelets, None for the published one.
    """
    from crawler.ranking.corpus.answers import MadeBy
    from crawler.stored_pages import StoredAnswers
    from pipelines.jobs.stored_answers import PageMaker

    corpus = crawled_folder(settings, opts)
    paths = archive_files(settings, opts)
    limits, rules = _made_by(corpus, settings)
    if k is not None:
        rules = replace(rules, pagelet_links=k)
    return PageMaker(StoredAnswers(paths, limits), MadeBy(limits, rules))


def _made_by(corpus: Path, settings: BaseSettings) -> tuple[PageLimits, PageRules]:
    """Return the limits and the rules that the last pages of *corpus* were made by."""
    from crawler.page import page_rules
    from pipelines.corpus.corpus import Corpus
    from pipelines.corpus.manifest import read_manifest

    Corpus.open(corpus)  # that there is one
    rules = read_manifest(corpus).rules
    of_crawl = settings.copy()
    if rules:
        of_crawl.setdict(rules[-1]["settings"], priority="cmdline")
    try:
        return limits_of(of_crawl), page_rules(of_crawl)
    except ValueError as error:
        raise InputError(f"setting PAGE_…: {error}") from error
