"""``scrapy templates``: what the templates of a corpus' pages are, by subcommands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand
from crawler.commands.subcommand import add_subcommands, run_subcommand
from crawler.commands.template_clusters import ClusterTemplates
from crawler.commands.template_detection import DetectTemplates
from crawler.commands.template_removal import RemoveTemplates
from crawler.commands.template_structure import SiteStructure

if TYPE_CHECKING:
    import argparse

    from crawler.commands.subcommand import Subcommand

_SUBCOMMANDS: dict[str, Subcommand] = {
    "detect": DetectTemplates(),
    "cluster": ClusterTemplates(),
    "remove": RemoveTemplates(),
    "structure": SiteStructure(),
}


class Command(WinnowCommand):
    """A subcommand, `_SUBCOMMANDS`, and its options, among which Scrapy's may stand, too."""

    def syntax(self) -> str:
        return f"{'|'.join(_SUBCOMMANDS)} [options]"

    def short_desc(self) -> str:
        return "Find the templates of a crawl's pages, or remove them"

    def long_desc(self) -> str:
        return (
            "Find the templates that the pages of a crawl were made from, remove them, or tell a site's "
            "pages of contents and articles by them. Pages are read from the answers that the crawl kept "
            "(WARC_ENABLED=1). `scrapy templates SUBCOMMAND --help` tells the options of each.\n"
            "\n"
            "Examples:\n"
            "  scrapy templates cluster --corpus mine --threshold gap --plots\n"
            "  scrapy templates remove --corpus mine --output clean\n"
            "  scrapy templates detect --corpus mine\n"
            "  scrapy templates structure --corpus mine --host www.example.org"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_subcommands(self, parser, _SUBCOMMANDS)

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        run_subcommand(self, _SUBCOMMANDS, args, opts)
