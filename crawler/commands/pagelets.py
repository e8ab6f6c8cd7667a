"""``scrapy pagelets``, or ``scrapy templates detect``: writes the pagelets' links and the templates of a crawl, for
``scrapy hits``.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from crawler.commands.archived_pages import (
    K_OPTION,
    PAGE_OPTIONS,
    archived_pages,
    crawled_folder,
    read_k,
)
from crawler.commands.base import WinnowCommand, add_flags, add_values, check_no_extras
from crawler.commands.corpus_folder import ranks_output
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

_OPTIONS = (
    *PAGE_OPTIONS,
    ("output", None, "folder for both files (default: ranks/ in the corpus folder)"),
    K_OPTION,
    (
        "same",
        "shingles",
        "what pagelets of one template, and duplicates, have in common: shingles, content",
    ),
)
_FLAGS = (
    ("local", "templates are on two pages at least, which need not be linked (figure 4)"),
    ("json", "print one JSON object"),
)
SHORT = "Find the pagelets and templates of a crawl"
LONG = (
    "Divide the pages of a corpus folder into pagelets, and find those that are templates: "
    "pagelets that are almost alike on pages that are linked (Bar-Yossef and Rajagopalan 2002, "
    "figure 5), or, with --local, on any two pages (figure 4). Duplicates of pages count once. "
    "Less than --k links in each child make an element a pagelet: with more, pagelets are fewer and larger. "
    "Prints the shares of pages with templates, and of links in them. Writes "
    "ranks/pagelets.parquet and ranks/templates.parquet for `scrapy hits`, or both into --output.\n"
    "\n"
    "Pages are read from WARC files: those that a crawl with WARC_ENABLED kept, or those that "
    "`crawl warc` read.\n"
    "\n"
    "Examples:\n"
    "  scrapy pagelets --corpus mine\n"
    "  scrapy pagelets --corpus mine --warc 'files/*.warc.gz' --local"
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as a screen or with ``--json`` as an object."""

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return SHORT

    def long_desc(self) -> str:
        return LONG

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_pagelet_options(parser)

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        assert self.settings is not None
        print(found_pagelets(self.settings, opts))


def add_pagelet_options(parser: argparse.ArgumentParser) -> None:
    """Add what :func:`found_pagelets` reads."""
    add_values(parser, _OPTIONS)
    add_flags(parser, _FLAGS)


def found_pagelets(settings: BaseSettings, opts: argparse.Namespace) -> str:
    """Find the pagelets and the templates, and write them; return the report."""
    if opts.same not in ("shingles", "content"):
        raise InputError(f"--same is {opts.same!r}; give shingles or content")
    k = read_k(opts)
    from crawler.page import PageRules
    from crawler.ranking.corpus.answers import MadeBy
    from crawler.ranking.corpus.pagelets import write_pagelets

    corpus = crawled_folder(settings, opts)
    output = ranks_output(corpus, opts.output)
    pages, limits = archived_pages(settings, opts)
    report = write_pagelets(
        corpus,
        pages,
        made_by=MadeBy(limits, PageRules(pagelet_links=k)),
        same=opts.same,
        local=opts.local,
        output=output,
    )
    return json.dumps(asdict(report)) if opts.json else report.screen()
