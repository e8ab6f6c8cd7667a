"""``scrapy locality``: tells how the links of a corpus stay on their host, and draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand, check_no_extras, is_keep, print_report
from crawler.commands.corpus_folder import corpus_of, output_folder
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

# name, default, help
_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    (
        "corpus",
        None,
        "corpus folder, or one with nodes.tsv.gz and edges.tsv.gz (default: setting CORPUS_DIR)",
    ),
    ("output", None, "folder for the plots and locality.html (default: locality/ in that folder)"),
    ("nofollow", "drop", "nofollow links: drop, keep"),
    ("seed", "0", "of the random order of hosts"),
)
_FLAGS = (
    ("no-plots", "print the tables and write nothing"),
    ("json", "print one JSON object"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as tables or with ``--json`` as an object."""

    values = _OPTIONS
    flags = _FLAGS

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Show how links stay on their host"

    def long_desc(self) -> str:
        return (
            "Count the links within and between hosts and partitions of hosts (Kohlschütter 2011, section "
            "3.2), and fit power laws to degrees and host sizes. Dot-plots of the link matrix, the "
            "figures as JSON, and locality.html with all of it, go to locality/ in the corpus folder.\n"
            "\n"
            "Example:\n"
            "  scrapy locality --corpus mine"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        if opts.output and opts.no_plots:
            raise InputError("--no-plots writes nothing; leave it or --output out")
        nofollow = is_keep(opts, "nofollow")
        if not opts.seed.isdecimal():
            raise InputError(f"--seed is {opts.seed!r}; give a whole number of 0 or more")
        from pipelines.jobs.locality.run import FOLDER, measure_folder, write_report

        corpus = corpus_of(self.settings, opts)
        output = output_folder(opts.output) if opts.output else corpus / FOLDER
        report = measure_folder(corpus, nofollow=nofollow, seed=int(opts.seed))
        if not opts.no_plots:
            write_report(report, output)
        print_report(report, report.screen, is_json=opts.json)
