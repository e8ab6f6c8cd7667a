"""``scrapy export``: hands documents and link graph of a corpus to other programs, and merges corpora."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, TypeVar

from crawler.commands.archived_pages import page_maker
from crawler.commands.base import WinnowCommand, add_flags, add_values, check_no_extras
from crawler.commands.corpus_folder import check_name, corpus_of, output_folder
from crawler.commands.terminal import documents_line, terminal_line
from crawler.errors import InputError, refused_option
from pipelines.jobs.graph_export.options import FORMATS, LEVELS, ORDERS, GraphExportOptions
from pipelines.jobs.text_export.options import DATES, TextExportOptions
from pipelines.jobs.text_export.options import FORMATS as TEXT_FORMATS
from pipelines.linguistics.language_codes import codes_asked

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import BinaryIO

    from pipelines.jobs.merge.archives import ArchivesReport
    from pipelines.jobs.merge.run import MergeReport
    from pipelines.jobs.text_export.dates import Days

Options = TypeVar("Options")
_FOLDER = "export"
_EVERY_FORMAT = {**TEXT_FORMATS, **FORMATS}
_OF_FORMATS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("language", "hosts", "since", "until", "dates", "min_words", "part_documents"),
        tuple(TEXT_FORMATS),
    ),
    "compress": tuple(name for name in TEXT_FORMATS if name != "parquet"),
    **dict.fromkeys(("warc", "links"), ("markdown",)),
    "sentences": ("vertical",),
    **dict.fromkeys(("top", "by"), ("graphml",)),
    "level": ("edges", "webgraph"),
    "nofollow": tuple(FORMATS),
}
# name, default, help
_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    ("corpus", None, "corpus folder (default: setting CORPUS_DIR); of a graph, also one with nodes.tsv.gz and edges.tsv.gz"),
    ("output", None, "folder for the files (default: export/ in the corpus folder); - is standard output, for documents"),
    ("language", None, "documents: ISO 639-1 codes of those to write, by commas (default: all)"),
    ("hosts", None, "documents: hosts of those to write, by commas, with all below them, such as si,example.org (default: all)"),
    ("since", None, "documents: the first day, month or year of those to write, such as 2024-03 (those without a date are left out)"),
    ("until", None, "documents: the last one, itself among them"),
    ("dates", DATES[0], "documents: what these two are of: published, as the page says, or fetched"),
    ("min-words", None, "documents: words of main text that those to write have at least"),
    ("part-documents", None, "documents: as many in a file at most, documents-00000 and so on (default: all in one)"),
    ("compress", "none", "documents, but for parquet: pack the files by gzip or zstd"),
    ("warc", None, "markdown: the WARC files of the pages, a glob (default: warc/ in the corpus folder)"),
    ("level", LEVELS[0], f"nodes of edges and webgraph: {', '.join(LEVELS)}"),
    ("top", "1000", "hosts in graphml, 0 for all"),
    ("by", ORDERS[0], f"which hosts come first in graphml: {', '.join(ORDERS)}"),
    ("nofollow", "drop", "nofollow links: drop, keep"),
)  # fmt: skip
_FLAGS = (
    ("links", "markdown: keep the links"),
    ("sentences", "vertical: mark sentences, as <s>, which are told by their signs alone"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as a screen or with ``--json`` as an object."""

    def syntax(self) -> str:
        return "--format FORMAT [options] | --merge --output DIR CORPUS…"

    def short_desc(self) -> str:
        return "Hand documents or the link graph to other programs; merge corpora"

    def long_desc(self) -> str:
        formats = [
            fill(f"{name:<9} {text}", 80, initial_indent="  ", subsequent_indent=" " * 12)
            for name, text in _EVERY_FORMAT.items()
        ]
        return (
            "Write the documents of a corpus folder, or its link graph, for other programs, to export/ "
            "there. With --merge, make one corpus of the folders of one crawl on several machines, or of "
            "crawls of WARC files.\n\n"
            "Formats:\n" + "\n".join(formats) + "\n\n"
            "Examples:\n"
            "  scrapy export --corpus mine --format text --language en\n"
            "  scrapy export --corpus mine --format vertical --hosts si,slovenia.example.org\n"
            "  scrapy export --corpus mine --format tei --since 2023-11 --until 2024\n"
            "  scrapy export --corpus mine --format jsonl --compress zstd \\\n"
            "    --part-documents 100000\n"
            "  scrapy export --corpus mine --format markdown --links\n"
            "  scrapy export --corpus mine --format webgraph --level host\n"
            "  scrapy export --merge --output all corpus-0 corpus-1"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--format", metavar="FORMAT", help=", ".join(_EVERY_FORMAT))
        add_values(parser, _OPTIONS)
        add_flags(parser, _FLAGS)
        parser.add_argument("--merge", action="store_true", help="merge the corpus folders given")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.merge:
            self._merge(args, opts)
            return
        check_no_extras(args, allowed=0)
        if opts.format not in _EVERY_FORMAT:
            given = "missing" if opts.format is None else repr(opts.format)
            raise InputError(f"--format is {given}; give one of {', '.join(_EVERY_FORMAT)}")
        _check_used(opts)
        corpus = corpus_of(self.settings, opts)
        is_named = opts.output and opts.output != "-"
        output = output_folder(opts.output) if is_named else corpus / _FOLDER
        if opts.format in {"edges", "parquet"}:
            check_name(output)
        if opts.format in TEXT_FORMATS:
            self._export_documents(corpus, output, opts)
            return
        options = _options(opts, _graph_options)
        from pipelines.jobs.graph_export.run import export_graph

        with terminal_line() as tell:
            report = export_graph(corpus, options, output=output, tell=tell)
        print(json.dumps(asdict(report)) if opts.json else report.screen())

    def _export_documents(self, corpus: Path, output: Path, opts: argparse.Namespace) -> None:
        options = _options(opts, _text_options)
        from pipelines.jobs.text_export.run import export_documents

        assert self.settings is not None
        pages = page_maker(self.settings, opts) if opts.format == "markdown" else None
        is_stream = opts.output == "-"
        to: Path | BinaryIO = sys.stdout.buffer if is_stream else output
        with documents_line() as progress:
            report = export_documents(corpus, options, output=to, progress=progress, pages=pages)
        shown = json.dumps(asdict(report)) if opts.json else report.screen()
        print(shown, file=sys.stderr if is_stream else sys.stdout)

    def _merge(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args or opts.output in {None, "", "-"}:
            raise InputError("--merge needs --output DIR and the corpus folders; see --help")
        for name, default in (
            ("format", None),
            *((name, False) for name, _ in _FLAGS),
            *((name, default) for name, default, _ in _OPTIONS),
        ):
            if name != "output" and getattr(opts, name.replace("-", "_")) != default:
                raise InputError(f"--{name} is nothing for --merge; leave it out")
        from crawler.durable.journals import unwritten
        from crawler.frontier.store.crawl_store import CrawlStore
        from pipelines.jobs.merge.archives import merge_archives, were_read_apart
        from pipelines.jobs.merge.run import merge_corpora

        folders, output = [Path(arg) for arg in args], Path(opts.output)
        report: ArchivesReport | MergeReport
        with unwritten(folders):
            if were_read_apart(folders):
                report = merge_archives(folders, output, CrawlStore)
            else:
                report = merge_corpora(folders, output)
        print(json.dumps(asdict(report)) if opts.json else report.screen())


def _options(opts: argparse.Namespace, read: Callable[[argparse.Namespace], Options]) -> Options:
    try:
        return read(opts)
    except ValueError as error:
        raise refused_option(error, vars(opts)) from error


def _check_used(opts: argparse.Namespace) -> None:
    """Raise :exc:`InputError` when an option is given that is for other formats."""
    defaults = {name.replace("-", "_"): default for name, default, _ in _OPTIONS}
    for name, formats in _OF_FORMATS.items():
        if opts.format not in formats and getattr(opts, name) != defaults.get(name, False):
            given = f"--{name.replace('_', '-')}"
            raise InputError(f"{given} is for --format {', '.join(formats)}; leave it out")


def _text_options(opts: argparse.Namespace) -> TextExportOptions:
    from crawler.urls.named_hosts import named_hosts

    least = _whole("min-words", opts.min_words or "0")
    most = _whole("part-documents", opts.part_documents or "0")
    if opts.output == "-" and (most or opts.compress != "none"):
        raise InputError("--part-documents and --compress are for files; leave them out for -")
    return TextExportOptions(
        opts.format,
        codes_asked(opts.language),
        least,
        hosts=tuple(named_hosts(opts.hosts.split(","), "--hosts")) if opts.hosts else (),
        with_links=opts.links,
        with_sentences=opts.sentences,
        part_documents=most,
        packing=opts.compress,
        days=_days(opts),
    )


def _days(opts: argparse.Namespace) -> Days | None:
    from pipelines.jobs.text_export.dates import days_asked

    if opts.dates not in DATES:
        raise InputError(f"--dates is {opts.dates!r}; give one of {', '.join(DATES)}")
    days = days_asked(opts.since, opts.until, opts.dates)
    if days is None and opts.dates != DATES[0]:
        raise InputError("--dates goes with --since or --until; leave it out")
    return days


def _graph_options(opts: argparse.Namespace) -> GraphExportOptions:
    if opts.output == "-":
        raise InputError(f"--format {opts.format} needs a folder; give one as --output")
    if opts.nofollow not in {"drop", "keep"}:
        raise InputError(f"--nofollow is {opts.nofollow!r}; give drop or keep")
    if opts.by not in ORDERS:
        raise InputError(f"--by is {opts.by!r}; give one of {', '.join(ORDERS)}")
    top = _whole("top", opts.top)
    return GraphExportOptions(opts.format, opts.level, top, opts.by, opts.nofollow == "keep")


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise InputError(f"--{name} is {text!r}; give a whole number of 0 or more")
    return int(text)
