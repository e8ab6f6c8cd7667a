"""``scrapy templates cluster``: groups pages by their templates."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeVar

from crawler.commands.archived_pages import PAGE_OPTIONS, archived_pages
from crawler.commands.base import add_flags, add_values
from crawler.commands.corpus_folder import A_COPY, check_writable, corpus_of
from crawler.commands.subcommand import Subcommand
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

_Number = TypeVar("_Number", int, float)

_OPTIONS = (
    *PAGE_OPTIONS,
    ("distance", "cp", "of pages: cp, cps, ctss, tv, lcts, rtdm, bop, tfda, parametric, dft, xas"),
    (
        "threshold",
        None,
        "link pages below it, or gap, below the widest gap of merges (default: as published, .7 cp, .6 cps, .85 ctss)",
    ),
    ("clusters", None, "how many clusters to make, in place of a threshold"),
    ("method", "single-linkage", "single-linkage, k-median"),
    ("seed", "0", "of k-median's random starts"),
    (
        "truth",
        None,
        "known templates to measure the clusters by: host, domain, or a file of lines URL, tab, name",
    ),
)
_FLAGS = (
    (
        "shrink",
        "take images for their alt texts, no elements: of rtdm, cp, cps, bop",
    ),
    ("plots", "draw distances and pages (of 500 at most) into templates/clusters.html, too"),
    ("json", "print one JSON object"),
)


class ClusterTemplates(Subcommand):
    """Options as in `_OPTIONS`; prints a table of clusters, or with ``--json`` an object."""

    short = "group pages by their templates"
    long = (
        "Group pages by the templates that they were made from: by distances of their paths, tags or "
        "trees, and single linkage (Gottron 2008, section 7.1). Prints the clusters, each with the "
        "page in its middle, and writes templates/clusters.parquet into the corpus folder.\n"
        "\n"
        "The published thresholds are those of newspapers of 2008. Where pages are made differently, "
        "--threshold gap cuts at the widest gap between merges, --clusters makes so many, and --plots "
        "draws a histogram to choose by. lcts and dft compare the first 20,000 tags of a page, rtdm the "
        "first 10,000 elements, xas the first 100,000 tags, attributes and texts; pages that have more "
        "are counted.\n"
        "\n"
        "Pages are read from WARC files: those that a crawl with WARC_ENABLED kept, or those that "
        "`crawl warc` read.\n"
        "\n"
        "--truth tells how well clusters are known templates: Rand index, purity, mutual information, "
        "and the Dunn index of the distance (section 7.1.3).\n"
        "\n"
        "Examples:\n"
        "  scrapy templates cluster --corpus mine --threshold gap --plots\n"
        "  scrapy templates cluster --corpus mine --distance ctss --clusters 12 \\\n"
        "    --truth domain"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_values(parser, _OPTIONS)
        add_flags(parser, _FLAGS)

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:
        from pipelines.jobs.templates.options import ClusterOptions

        is_gap = opts.threshold == "gap"
        options = ClusterOptions(
            distance=opts.distance,
            method=opts.method,
            threshold=None if is_gap else _read(opts, "threshold", float),
            is_gap=is_gap,
            n_clusters=_read(opts, "clusters", int),
            seed=_read(opts, "seed", int) or 0,
            is_shrunk=opts.shrink,
        )
        from pipelines.jobs.templates.truth import known_templates

        truth = None if opts.truth is None else known_templates(opts.truth)
        corpus = corpus_of(settings, opts)
        if corpus.is_dir():
            check_writable(corpus / "templates", A_COPY)
        pages, limits = archived_pages(settings, opts)
        from pipelines.jobs.templates.run import write_corpus_clusters

        report = write_corpus_clusters(
            corpus,
            pages,
            options,
            limits=limits,
            is_drawn=opts.plots,
            truth=truth,
        )
        return json.dumps(report.as_json(), ensure_ascii=False) if opts.json else report.screen()


def _read(opts: argparse.Namespace, name: str, kind: type[_Number]) -> _Number | None:
    """Return the option *name* as a number of its *kind*, None where it is not given."""
    text = getattr(opts, name)
    try:
        return None if text is None else kind(text)
    except ValueError as error:
        what = "a whole number" if kind is int else "a number, or gap"
        raise InputError(f"--{name} is {text!r}; give {what}") from error
