"""``scrapy dedup``: finds the duplicates of a corpus folder, and writes a corpus without them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from crawler.commands.base import PROJECT_DEFAULTS, WinnowCommand, check_no_extras
from crawler.commands.corpus_folder import check_writable, corpus_of, output_folder
from crawler.commands.terminal import documents_line
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse


class Command(WinnowCommand):
    """Options as in `ARGUMENTS`; results on stdout, as a screen or with ``--json`` as an object."""

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Find and remove duplicates in a corpus"

    def long_desc(self) -> str:
        return (
            "Find the duplicates of a corpus folder and write them to duplicates/ there. --unit document "
            "finds near-duplicate documents. --unit block finds blocks whose words stand elsewhere, by "
            "duplicate n-grams (Pomikálek 2011, algorithm 3.1); with --stop-words exclude --ngram-words 10 as the "
            "thesis made its corpora.\n"
            "\n"
            "With --output a corpus without them is written to a new folder, with the duplicates/ that "
            "were found; the old one is only read. "
            "--close decides the duplicates of a crawl that was stopped, in the corpus itself, as the end "
            "of the crawl would have done. --engine spark finds the same on a Spark master (extra "
            "[spark], Java 17).\n"
            "\n"
            "Examples:\n"
            "  scrapy dedup --corpus mine\n"
            "  scrapy dedup --corpus mine --unit block --output clean\n"
            "  scrapy dedup --corpus mine --close"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        from pipelines.jobs.dedup.arguments import ARGUMENTS, default_of

        parser.add_argument(
            "--corpus", metavar="DIR", help="corpus folder (default: setting CORPUS_DIR)"
        )
        for name, _, _, text in ARGUMENTS:
            default = default_of(name, PROJECT_DEFAULTS)
            if name == "memory":
                default = f"{default / 2**30:g}G"
            parser.add_argument(f"--{name}", metavar="VALUE", help=f"{text} (default {default})")
        parser.add_argument("--output", metavar="DIR", help="new folder for the cleaned corpus")
        parser.add_argument("--close", action="store_true", help="decide in the corpus itself")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        from pipelines.jobs.dedup.arguments import changed_options
        from pipelines.jobs.dedup.run import close_corpus, dedup_corpus
        from pipelines.stages.deduplicate import dedup_options

        assert self.settings is not None
        options = changed_options(dedup_options(self.settings), vars(opts))
        if opts.close and (opts.output is not None or options.unit == "block"):
            raise InputError("--close takes neither --output nor --unit block; leave one out")
        folder = corpus_of(self.settings, opts)
        output = None if opts.output is None else output_folder(opts.output)
        if output is None and not opts.close and folder.is_dir():
            check_writable(
                folder / "duplicates", "give a new folder, of a cleaned corpus, as --output"
            )
        with documents_line() as progress:
            report = (
                close_corpus(folder, options, progress=progress)
                if opts.close
                else dedup_corpus(folder, options, output=output, progress=progress)
            )
        print(json.dumps(asdict(report)) if opts.json else report.screen())
