"""``scrapy hits``: finds the hubs and authorities of a corpus folder's graph, and writes ``ranks/``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.commands.archived_pages import archived_pages, crawled_folder
from crawler.commands.base import WinnowCommand, check_no_extras, is_keep
from crawler.commands.corpus_folder import corpus_of, ranks_output
from crawler.commands.parsing import number
from crawler.errors import InputError, refused_option
from crawler.ranking.options import HITS_WEIGHTS

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

    from crawler.ranking.corpus.hits import HitsReport
    from crawler.ranking.corpus.related import RelatedReport
    from crawler.ranking.hits.anchor_weights import WeighedAnchors
    from crawler.ranking.hits.hits import HitsOptions
    from crawler.ranking.hits.query_pages import QueryMatches

# name, default, help
_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    (
        "corpus",
        None,
        "corpus folder; of links between pages, also one with nodes.tsv.gz and edges.tsv.gz (default: setting CORPUS_DIR)",
    ),
    ("output", None, "folder for the ranks (default: ranks/ in the corpus folder)"),
    ("nepotistic", "keep", "links within a host: keep, drop"),
    ("nofollow", "drop", "nofollow links: drop, keep"),
    ("pagelets", None, "file of the links of pagelets, which are the hubs then"),
    ("templates", None, "file of the pagelets that are templates, which are left out"),
    (
        "query",
        None,
        "words: only pages, or with --pagelets pagelets, whose text has them in a row",
    ),
    (
        "weights",
        HITS_WEIGHTS[0],
        "what a link counts: equal, or anchor-entropy, less the more pages of the host have its anchor's words",
    ),
    (
        "warc",
        None,
        "with --query or --weights: the WARC files of the pages, a glob (default: warc/ in the corpus folder)",
    ),
    ("related", None, "a URL: find the pages cited beside it in its pagelets instead"),
    ("same-page", "0", "with --related: what other pagelets of the same page count, 0 to 1"),
    ("tolerance", "1e-9", "change of an iteration (L2) to stop at"),
    ("max-iterations", "10000", "iterations to fail after"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as a screen or with ``--json`` as an object."""

    values = _OPTIONS
    flags = (("json", "print one JSON object"),)

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Find hubs and authorities by HITS"

    def long_desc(self) -> str:
        return (
            "Find the hubs and authorities of the link graph of a corpus folder by HITS, and write "
            "ranks/hits.parquet there, or hits.parquet into --output. With --pagelets the hubs are pagelets, in the file of `scrapy "
            "pagelets`, and ranks/hits_pagelets.parquet is written, too. --templates leaves out pagelets "
            "that are templates (Bar-Yossef and Rajagopalan 2002). --query leaves out what has not its words, "
            "read from WARC files as `scrapy pagelets` does: without templates the best for a search "
            "(section 5). --weights anchor-entropy reads WARC files, too: a link counts less, the more pages of its "
            "host have the words of its anchor, as in menus, so that hubs are pages of contents, and "
            "authorities articles (LAMIS, Kao et al. 2004). --related prints the pages that "
            "pagelets cite together with a URL instead (section 4, case 3).\n"
            "\n"
            "Examples:\n"
            "  scrapy hits --corpus mine\n"
            "  scrapy hits --corpus mine --weights anchor-entropy\n"
            "  scrapy hits --corpus mine --pagelets mine/ranks/pagelets.parquet \\\n"
            "    --templates mine/ranks/templates.parquet --query 'classical guitar'\n"
            "  scrapy hits --corpus mine --pagelets mine/ranks/pagelets.parquet \\\n"
            "    --related http://a.example/"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        nepotistic, nofollow = is_keep(opts, "nepotistic"), is_keep(opts, "nofollow")
        _check_used(opts, nepotistic=nepotistic, nofollow=nofollow)
        _check_files(opts)
        options, same_page = _hits_options(opts), _same_page(opts)
        corpus = corpus_of(self.settings, opts)
        report: HitsReport | RelatedReport
        if opts.related:
            from crawler.ranking.corpus.related import related_pages

            report = related_pages(
                corpus,
                opts.related,
                pagelets=Path(opts.pagelets),
                templates=Path(opts.templates) if opts.templates else None,
                same_page=same_page,
            )
        else:
            report = self._ranked(corpus, options, opts, nepotistic=nepotistic, nofollow=nofollow)
        print(json.dumps(asdict(report)) if opts.json else report.screen())

    def _ranked(
        self,
        corpus: Path,
        options: HitsOptions,
        opts: argparse.Namespace,
        *,
        nepotistic: bool,
        nofollow: bool,
    ) -> HitsReport:
        from crawler.ranking.corpus.hits import (
            CountedLinks,
            PageletFiles,
            rank_pagelets,
            rank_pages,
        )

        output = ranks_output(corpus, opts.output)
        matches, anchors = _read(self.settings, opts)
        if opts.pagelets:
            templates = Path(opts.templates) if opts.templates else None
            return rank_pagelets(
                corpus,
                options,
                files=PageletFiles(Path(opts.pagelets), templates),
                nepotistic=nepotistic,
                matches=matches,
                output=output,
            )
        return rank_pages(
            corpus,
            options,
            counted=CountedLinks(nepotistic, nofollow, anchors),
            matches=matches,
            output=output,
        )


def _check_used(opts: argparse.Namespace, *, nepotistic: bool, nofollow: bool) -> None:
    """Raise :exc:`InputError` for an option that would do nothing beside the others."""
    for name in ("templates", "related"):
        if getattr(opts, name) and not opts.pagelets:
            raise InputError(f"--{name} without --pagelets; give the links of pagelets too")
    if opts.pagelets and nofollow:
        raise InputError(
            "--nofollow keep is not for --pagelets, which have no nofollow links; leave it out"
        )
    if opts.weights not in HITS_WEIGHTS:
        raise InputError(f"--weights is {opts.weights!r}; give {' or '.join(HITS_WEIGHTS)}")
    if opts.pagelets and opts.weights != HITS_WEIGHTS[0]:
        raise InputError("--weights is not for --pagelets; leave it out")
    if opts.warc and opts.query is None and opts.weights == HITS_WEIGHTS[0]:
        raise InputError("--warc without --query or --weights; give one, or leave it out")
    if opts.related and opts.query is not None:
        raise InputError("--query is not for --related; leave it out")
    if opts.related and opts.output:
        raise InputError("--output is not for --related, which writes no file; leave it out")
    if opts.related and not nepotistic:
        raise InputError("--nepotistic drop is not for --related; leave it out")


def _check_files(opts: argparse.Namespace) -> None:
    """Raise :exc:`InputError` for an option whose file is not there."""
    for name in ("pagelets", "templates"):
        given = getattr(opts, name)
        if given and not Path(given).is_file():
            raise InputError(
                f"--{name} is {given!r}, which is no file; give one that `scrapy pagelets` wrote"
            )


def _read(
    settings: BaseSettings | None, opts: argparse.Namespace
) -> tuple[QueryMatches | None, WeighedAnchors | None]:
    """Read the pages' answers once, for what the options ask of them."""
    with_anchors = opts.weights != HITS_WEIGHTS[0]
    if opts.query is None and not with_anchors:
        return None, None
    from crawler.page import PageRules
    from crawler.ranking.corpus.answers import MadeBy
    from crawler.ranking.hits.pagelet_links import k_of_files
    from crawler.ranking.hits.read_pages import read_pages

    assert settings is not None
    corpus = crawled_folder(settings, opts)
    pages, limits = archived_pages(settings, opts)
    rules = PageRules()
    if opts.pagelets:
        # the numbers of pagelets that match are those of the file
        rules = PageRules(pagelet_links=k_of_files(Path(opts.pagelets)))
    made_by = MadeBy(limits, rules)
    return read_pages(corpus, pages, made_by, query=opts.query, with_anchors=with_anchors)


def _same_page(opts: argparse.Namespace) -> float:
    weight = number("same-page", opts.same_page)
    if not 0 <= weight <= 1:
        raise InputError(f"--same-page is {opts.same_page}; give 0 to 1")
    if weight and not opts.related:
        raise InputError("--same-page without --related; give a URL to that")
    return weight


def _hits_options(opts: argparse.Namespace) -> HitsOptions:
    from crawler.ranking.hits.hits import HitsOptions

    tolerance = number("tolerance", opts.tolerance)
    if not opts.max_iterations.isdecimal():
        raise InputError(f"--max-iterations is {opts.max_iterations!r}; give a whole number")
    try:
        return HitsOptions(tolerance, int(opts.max_iterations))
    except ValueError as error:
        raise refused_option(error, vars(opts)) from error
