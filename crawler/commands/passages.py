"""``scrapy passages``: what two documents share, or what one shares with all of a corpus."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand, check_no_extras
from crawler.commands.corpus_folder import corpus_of
from crawler.commands.parsing import whole_number
from crawler.commands.terminal import documents_line
from crawler.errors import InputError, refused_option

if TYPE_CHECKING:
    import argparse

FORMATS = ("text", "json", "html")

# name, default, help. Read as strings: a wrong value is one line then, not argparse's usage
_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    ("ngram-words", "5", "words that must be equal in a row"),
    ("gap", "50", "words between equal parts of one passage, at most"),
    ("min-words", "15", "equal words of a passage, at least"),
    ("limit", None, "with --all: sources to report (default 20)"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; the report on stdout, as text, JSON or a page."""

    def syntax(self) -> str:
        return "[options] A B | --all A"

    def short_desc(self) -> str:
        return "Report the passages that documents share"

    def long_desc(self) -> str:
        return (
            "Show the passages that two documents share, or, with --all, those that one document shares "
            "with all others of a corpus folder. Documents are named by URL, or by the path of a text "
            "file.\n"
            "\n"
            "Examples:\n"
            "  scrapy passages --corpus mine http://a.example/1 http://b.example/2\n"
            "  scrapy passages --corpus mine --all essay.txt"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--all", action="store_true", help="compare A with the whole corpus")
        parser.add_argument(
            "--corpus", metavar="DIR", help="corpus folder (default: setting CORPUS_DIR)"
        )
        for name, default, text in _OPTIONS:
            shown = text if default is None else f"{text} (default {default})"
            parser.add_argument(f"--{name}", default=default, metavar="NUMBER", help=shown)
        parser.add_argument("--format", default="text", metavar="NAME", help=", ".join(FORMATS))
        parser.add_argument("--json", action="store_true", help="the same as --format json")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        n_wanted = 1 if opts.all else 2
        if len(args) < n_wanted:
            wanted = "one document" if opts.all else "two documents"
            raise InputError(f"{len(args)} named where {wanted} must be; give URLs or text files")
        check_no_extras(args, allowed=n_wanted)
        if opts.format not in FORMATS:
            raise InputError(f"--format is {opts.format!r}; give one of {', '.join(FORMATS)}")
        if opts.json and opts.format == "html":
            raise InputError("--json and --format html were both given; give one of them")
        if opts.limit is not None and not opts.all:
            raise InputError(
                "--limit without --all; leave it out, or compare with the whole corpus"
            )
        numbers = {
            name: whole_number(name, value)
            for name, *_ in _OPTIONS
            if (value := getattr(opts, name.replace("-", "_"))) is not None
        }
        from pipelines.duplicates.passages import PassageOptions
        from pipelines.jobs.passages import LIMIT, compare, find_sources, page, screen

        corpus_dir = corpus_of(self.settings, opts)
        try:
            options = PassageOptions(numbers["ngram-words"], numbers["gap"], numbers["min-words"])
            if opts.all:
                limit = numbers.get("limit", LIMIT)
                with documents_line() as progress:
                    report = find_sources(
                        corpus_dir, args[0], options, limit=limit, progress=progress
                    )
            else:
                report = compare(corpus_dir, args[0], args[1], options)
        except ValueError as error:
            raise refused_option(error, vars(opts)) from error
        if opts.json or opts.format == "json":
            print(json.dumps(asdict(report)))
        else:
            print(page(report) if opts.format == "html" else screen(report))
