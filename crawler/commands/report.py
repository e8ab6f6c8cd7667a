"""``scrapy report``: writes what is in a corpus folder as one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand, check_no_extras, print_report
from crawler.commands.corpus_folder import check_takes_files, corpus_of
from crawler.commands.terminal import documents_line
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    ("corpus", None, "corpus folder (default: setting CORPUS_DIR)"),
    ("output", None, "file of the page (default: report.html in the corpus folder)"),
    ("samples", "10", "documents shown with the beginning of their text"),
    ("hosts", "20", "hosts shown, those with most words"),
)
_FLAGS = (
    ("no-page", "print the tables and write nothing"),
    ("json", "print one JSON object"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as tables or with ``--json`` as an object."""

    values = _OPTIONS
    flags = _FLAGS

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Report what is in a corpus, as one page"

    def long_desc(self) -> str:
        return (
            "Count what a corpus folder holds: documents, words, languages, hosts, lengths, years, "
            "encodings, labels, sources of metadata, and what became of the other pages. Prints it, and "
            "writes it with plots and a sample of the texts to report.html there, a page that needs no "
            "other file. It may run while a crawl goes on.\n"
            "\n"
            "Example:\n"
            "  scrapy report --corpus mine --samples 20"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        if opts.output and opts.no_page:
            raise InputError("--no-page writes nothing; leave it or --output out")
        n_samples, n_hosts = (_number(name, getattr(opts, name)) for name in ("samples", "hosts"))
        from pipelines.jobs.report.gather import gather
        from pipelines.jobs.report.run import PAGE, write_report
        from pipelines.jobs.report.tables import screen

        corpus = corpus_of(self.settings, opts)
        page = _page_file(opts.output) if opts.output else corpus / PAGE
        if opts.output or (corpus.is_dir() and not opts.no_page):
            check_takes_files(page.parent)
        with documents_line() as progress:
            facts = gather(corpus, n_samples=n_samples, n_hosts=n_hosts, progress=progress)
        if not opts.no_page:
            write_report(facts, page)
        print_report(facts, lambda: screen(facts), is_json=opts.json)


def _page_file(output: str) -> Path:
    if output == "-":
        raise InputError("--output is '-', but standard output has the tables; name a file")
    if Path(output).is_dir():
        raise InputError(f"--output is {output!r}, a folder; name a file")
    if Path(output).exists() and not Path(output).is_file():
        raise InputError(f"--output is {output!r}, a device or a pipe; name a file")
    return Path(output)


def _number(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise InputError(f"--{name} is {text!r}; give a whole number, 0 to 999999")
    return int(text)
