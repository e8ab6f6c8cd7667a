"""``scrapy export``: hands the link graph of a corpus to other programs, and merges corpora."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand, add_values, check_no_extras
from crawler.errors import InputError
from pipelines.jobs.graph_export.options import FORMATS, LEVELS, ORDERS, GraphExportOptions

if TYPE_CHECKING:
    import argparse

# name, default, help
_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    ("corpus", None, "corpus folder, or one with nodes.tsv.gz and edges.tsv.gz"),
    ("output", None, "folder for the files (default: export/ in the corpus folder)"),
    ("level", LEVELS[0], f"nodes of edges and webgraph: {', '.join(LEVELS)}"),
    ("top", "1000", "hosts in graphml, 0 for all"),
    ("by", ORDERS[0], f"which hosts come first in graphml: {', '.join(ORDERS)}"),
    ("nofollow", "drop", "nofollow links: drop, keep"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as a screen or with ``--json`` as an object."""

    def syntax(self) -> str:
        return "--format FORMAT [options] | --merge --output DIR CORPUS…"

    def short_desc(self) -> str:
        return "Hand the link graph to other programs; merge corpora"

    def long_desc(self) -> str:
        return (
            "Write the link graph of a corpus folder for other programs. "
            + "; ".join(f"{name}: {text}" for name, text in FORMATS.items())
            + ". With --merge, write the corpus folders of one crawl on several machines to one folder."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--format", metavar="FORMAT", help=", ".join(FORMATS))
        add_values(parser, _OPTIONS)
        parser.add_argument("--merge", action="store_true", help="merge the corpus folders given")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.merge:
            self._merge(args, opts)
            return
        check_no_extras(args, allowed=0)
        options = _export_options(opts)
        from pipelines.jobs.graph_export.run import FOLDER, export_graph

        assert self.settings is not None
        corpus = Path(opts.corpus or self.settings["CORPUS_DIR"])
        output = Path(opts.output) if opts.output else corpus / FOLDER
        report = export_graph(corpus, options, output=output)
        print(json.dumps(asdict(report)) if opts.json else report.screen())

    def _merge(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args or not opts.output:
            raise InputError("--merge needs --output DIR and the corpus folders; see --help")
        from pipelines.jobs.merge.run import merge_corpora

        report = merge_corpora([Path(arg) for arg in args], Path(opts.output))
        print(json.dumps(asdict(report)) if opts.json else report.screen())


def _export_options(opts: argparse.Namespace) -> GraphExportOptions:
    if opts.format not in FORMATS:
        given = "missing" if opts.format is None else repr(opts.format)
        raise InputError(f"--format is {given}; give one of {', '.join(FORMATS)}")
    if opts.nofollow not in {"drop", "keep"}:
        raise InputError(f"--nofollow is {opts.nofollow!r}; give drop or keep")
    if not opts.top.isdecimal():
        raise InputError(f"--top is {opts.top!r}; give a whole number of 0 or more")
    if opts.by not in ORDERS:
        raise InputError(f"--by is {opts.by!r}; give one of {', '.join(ORDERS)}")
    try:
        return GraphExportOptions(
            opts.format, opts.level, int(opts.top), opts.by, opts.nofollow == "keep"
        )
    except ValueError as error:
        raise InputError(f"{error}; see --help") from error
