"""``scrapy templates remove``: a corpus without the text that all pages of a site have."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import TYPE_CHECKING

from crawler.commands.archived_pages import (
    K_OPTION,
    PAGE_OPTIONS,
    crawled_folder,
    page_maker,
    read_k,
)
from crawler.commands.base import add_flags, add_values
from crawler.commands.corpus_folder import output_folder
from crawler.commands.parsing import whole_number
from crawler.commands.subcommand import Subcommand
from crawler.errors import InputError, refused_option

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

    from pipelines.jobs.templates.remove import RemovalOptions

_SAMPLE = re.compile("[1-9][0-9]{0,8}")


class RemoveTemplates(Subcommand):
    """Results as a screen or with ``--json`` as an object."""

    short = "remove the text that pages of a site have in common"
    long = (
        "Find the text that pages of a site have in common, by a template detector that learns from "
        "some of them. What each site has lost is counted in templates/removed.tsv of the corpus "
        "folder. --output writes a corpus without it, and that file, to a new folder, where such blocks have "
        "the label 'template' and a document of nothing else is rejected; the old one is only read. "
        "What the crawl's cleaner dropped stays dropped: a crawl with CLEAN_METHOD=keep-all leaves "
        "all to the detector.\n"
        "\n"
        "Detectors, what they remove, and their options:\n"
        "- bootstrapped: text nodes on more than a third (df) of the pages of one template, a cluster "
        "by common paths (distance=cp|cps|ctss, threshold). Of clusters of fewer than min_train=3 "
        "pages nothing goes, or what --fallback METHOD drops (Gottron 2008, 7.2).\n"
        "- document-frequency: text nodes on more than a third (df) of the site's pages.\n"
        "- page-partitioning: pagelets that two pages have almost alike, linked or not (Bar-Yossef "
        "and Rajagopalan 2002, local detection).\n"
        "- ma: text between tr and td tags on more than a third of the pages (Ma and others 2003); "
        "ma-sections: also of div and the like.\n"
        "- ne-patterns: what is in the pattern of the page's template, the trees of pages that are 80 "
        "% alike (similarity), combined; with news=true all but title and body of the news (Reis and "
        "others 2004).\n"
        "- info-discoverer: tables whose words are spread evenly over the pages, without stop words, "
        "and stemmed where a page declares its language (stem=false: not; Lin and Ho 2002); "
        "info-discoverer-sections: also div and the like.\n"
        "- wisdom: all but the parts of a page whose words are on few pages (by an entropy of threshold=.7 at most), "
        "and that have enough of its information (coverage; after Kao and others 2005).\n"
        "- content-extractor: blocks that another page has within a cosine of .9 (Debnath and others "
        "2005).\n"
        "- site-style-tree: elements that look and say the same (Yi, Liu and Li 2003).\n"
        "- dom-hash: elements alike on a tenth of the pages, two at least (Gibson and others 2005).\n"
        "- text-windows: text in windows of 32 characters (window) that ten (min_count) of 200 pages have; of a "
        "sample of hashes (sample), or of windows (every; the same).\n"
        "\n"
        "The pages to learn from are the first by a hash of their URLs, the same whatever the order "
        "of the crawl. Pages are read from WARC files: those that a crawl with WARC_ENABLED kept, or "
        "those that `crawl warc` read.\n"
        "\n"
        "Examples:\n"
        "  scrapy templates remove --corpus mine --output clean\n"
        "  scrapy templates remove --corpus mine --output clean --fallback accb \\\n"
        "    --option df=0.5"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from pipelines.templates.detectors.registry import DEFAULT_METHOD, methods

        options = (
            *PAGE_OPTIONS,
            ("method", DEFAULT_METHOD, f"a template detector: {', '.join(methods())}"),
            (
                "site",
                "domain",
                "domain, host: learn from its pages; cluster: those of `templates cluster`; links: those that a page links to",
            ),
            ("sample", None, "pages of a site that the detector learns from (default its own)"),
            (
                "min-pages",
                None,
                "a site with fewer pages stays as it is (default 3; 1 with --fallback)",
            ),
            (
                "fallback",
                None,
                "of bootstrapped: how pages with too few of their template are cleaned",
            ),
            (K_OPTION[0], K_OPTION[1], f"of page-partitioning: {K_OPTION[2]}"),
            ("output", None, "new folder for the corpus without templates"),
        )
        add_values(parser, options)
        parser.add_argument(
            "--option", metavar="NAME=VALUE", action="append", default=[],
            help="an option of the method; may be given again",
        )  # fmt: skip
        add_flags(parser, (("json", "print one JSON object"),))

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:
        from pipelines.jobs.templates.remove import remove_templates

        options, k = _options(opts), _k(opts)
        output = None if opts.output is None else output_folder(opts.output)
        corpus = crawled_folder(settings, opts)
        pages = page_maker(settings, opts, k=k)
        report = remove_templates(corpus, pages, options, output=output)
        return json.dumps(asdict(report)) if opts.json else report.screen()


def _k(opts: argparse.Namespace) -> int:
    if opts.k != K_OPTION[1] and opts.method != "page-partitioning":
        raise InputError(f"--k is for page-partitioning, not {opts.method}; leave it out")
    return read_k(opts)


def _options(opts: argparse.Namespace) -> RemovalOptions:
    from pipelines.jobs.templates.detector_of import detector_of
    from pipelines.jobs.templates.remove import RemovalOptions

    given = opts.option
    if opts.sample is not None:
        if not _SAMPLE.fullmatch(opts.sample):
            raise InputError(f"--sample is {opts.sample!r}; give a whole number of 1 or more")
        given = [*given, f"max_pages={opts.sample}"]
    detector = detector_of(opts.method, given, fallback=opts.fallback)
    least = ("3" if opts.fallback is None else "1") if opts.min_pages is None else opts.min_pages
    n_pages = whole_number("min-pages", least)
    try:
        return RemovalOptions(opts.method, detector, site=opts.site, min_pages=n_pages)
    except ValueError as error:
        raise refused_option(error, vars(opts)) from error
