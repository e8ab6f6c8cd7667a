"""``scrapy gold``: evaluation packages for ``scrapy evaluate``, made and changed, by subcommands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand
from crawler.commands.gold_changes import (
    ChangeDocument,
    ListDocuments,
    MergePackages,
    RemoveDocuments,
)
from crawler.commands.gold_making import AddPages, MakePackage
from crawler.commands.subcommand import add_subcommands, run_subcommand

if TYPE_CHECKING:
    import argparse

    from crawler.commands.subcommand import Subcommand

_SUBCOMMANDS: dict[str, Subcommand] = {
    "make": MakePackage(),
    "add": AddPages(),
    "change": ChangeDocument(),
    "remove": RemoveDocuments(),
    "merge": MergePackages(),
    "list": ListDocuments(),
}


class Command(WinnowCommand):
    """A subcommand, `_SUBCOMMANDS`, its arguments and options, among which Scrapy's may stand, too."""

    def syntax(self) -> str:
        return f"{'|'.join(_SUBCOMMANDS)} [options] PACKAGE ..."

    def short_desc(self) -> str:
        return "Make gold standards of your own for evaluate"

    def long_desc(self) -> str:
        return (
            "Make packages of pages with their main text, gold standards for `scrapy evaluate`, and change them. Gold "
            "texts are made by rules of sites, or given as files. A document's id is the name of its file, or its host "
            "with a number made of its address (Gottron 2008, 5.2.1, 5.3.2). `scrapy gold SUBCOMMAND --help` tells the "
            "options of each.\n"
            "\n"
            "Examples:\n"
            "  scrapy gold make mine.zip pages/ --rules rules.toml\n"
            "  scrapy gold add mine.zip crawl.warc.gz --texts texts/\n"
            "  scrapy gold merge all.zip mine.zip other.zip --pages 100\n"
            "  scrapy gold list mine.zip"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_subcommands(self, parser, _SUBCOMMANDS)

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        run_subcommand(self, _SUBCOMMANDS, args, opts)
