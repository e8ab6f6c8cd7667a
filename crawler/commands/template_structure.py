"""``scrapy templates structure``: tells a site's pages of contents and articles by LAMIS."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from crawler.commands.archived_pages import (
    PAGE_OPTIONS,
    archive_files,
    crawled_folder,
    limits_of,
)
from crawler.commands.base import add_flags, add_values
from crawler.commands.subcommand import Subcommand
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

_OPTIONS = (
    *PAGE_OPTIONS,
    ("host", None, "the site, as www.example.org (default: the host with most pages)"),
    ("hub-share", "0.1", "of the best hub's value, what a page of contents needs, up to 1"),
    (
        "method",
        "info-discoverer-sections",
        "what tells informative blocks: info-discoverer-sections, info-discoverer (tables)",
    ),
)
_FLAGS = (("json", "print one JSON object, with all pages"),)


class SiteStructure(Subcommand):
    """Options as in `_OPTIONS`; prints the best pages of both kinds, or with ``--json`` all."""

    short = "tell a site's pages of contents and its articles"
    long = (
        "Tell which pages of a site are tables of contents, and which are the articles that they lead to "
        "(LAMIS, Kao et al. 2004, after Gottron 2008, section 3.3.7): HITS by links that count less, the "
        "more pages have the words of their anchors; its best hubs are the pages of contents, and what "
        "their informative blocks (InfoDiscoverer) link to are articles. An advertisement that all pages "
        "link to is neither. Writes nothing.\n"
        "\n"
        "Pages are read from WARC files: those that a crawl with WARC_ENABLED kept, or those that "
        "`crawl warc` read.\n"
        "\n"
        "Examples:\n"
        "  scrapy templates structure --corpus mine\n"
        "  scrapy templates structure --corpus mine --host www.example.org --json"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_values(parser, _OPTIONS)
        add_flags(parser, _FLAGS)

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:
        try:
            hub_share = float(opts.hub_share)
        except ValueError as error:
            raise InputError(f"--hub-share is {opts.hub_share!r}; give a number") from error
        from crawler.stored_pages import stored_pages
        from pipelines.jobs.templates.lamis import LamisOptions, informative_structure

        options = LamisOptions(opts.host, hub_share, opts.method)
        corpus = crawled_folder(settings, opts)
        paths, limits = archive_files(settings, opts), limits_of(settings)
        report = informative_structure(
            corpus, lambda: stored_pages(paths, limits), options, limits=limits
        )
        return json.dumps(asdict(report)) if opts.json else report.screen()
