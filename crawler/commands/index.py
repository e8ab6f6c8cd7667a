"""``scrapy index``: builds or updates the search index of a corpus folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand, check_no_extras
from crawler.commands.corpus_folder import A_COPY, check_writable, corpus_of
from crawler.commands.terminal import documents_line

if TYPE_CHECKING:
    import argparse


class Command(WinnowCommand):
    """Results on stdout, as a screen or with ``--json`` as an object; progress on a terminal."""

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Index the main text of a corpus for search"

    def long_desc(self) -> str:
        return (
            "Index the main text of the documents of a corpus folder for `scrapy facets` and `scrapy "
            "explore`, in index/ there. Texts are scored by BM25. Rank vectors of `scrapy pagerank` are "
            "taken along. Run it again to add what was crawled or ranked since; it may run while a crawl "
            "does.\n"
            "\n"
            "Example:\n"
            "  scrapy index --corpus mine"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--corpus", metavar="DIR", help="corpus folder (default: setting CORPUS_DIR)"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        from pipelines.jobs.index.run import index_corpus

        folder = corpus_of(self.settings, opts)
        if folder.is_dir():
            check_writable(folder / "index", A_COPY)
        with documents_line() as progress:
            report = index_corpus(folder, progress=progress)
        print(json.dumps(asdict(report)) if opts.json else report.screen())
