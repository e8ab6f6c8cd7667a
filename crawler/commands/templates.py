"""``scrapy templates``: what the templates of a corpus' pages are, by subcommands."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from crawler.commands.base import WinnowCommand, check_no_extras, one_line_errors
from crawler.commands.template_clusters import ClusterTemplates
from crawler.commands.template_detection import DetectTemplates
from crawler.commands.template_removal import RemoveTemplates
from crawler.commands.template_structure import SiteStructure
from crawler.errors import InputError

if TYPE_CHECKING:
    from crawler.commands.template_subcommand import TemplateSubcommand

_SUBCOMMANDS: dict[str, TemplateSubcommand] = {
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
        subparsers = parser.add_subparsers(dest="subcommand", title="subcommands")
        for name, subcommand in _SUBCOMMANDS.items():
            added = subparsers.add_parser(
                name,
                usage=f"scrapy templates {name} [options]",
                help=subcommand.short,
                description=subcommand.long,
                conflict_handler="resolve",
            )
            ScrapyCommand.add_options(self, added)
            for action in added._actions:
                # What is not given here must not undo what stands before the subcommand.
                action.default = argparse.SUPPRESS
            one_line_errors(added)
            subcommand.add_options(added)

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.subcommand is None:
            raise InputError(f"no subcommand; give one of {', '.join(_SUBCOMMANDS)}")
        check_no_extras(args, allowed=0)
        assert self.settings is not None
        print(_SUBCOMMANDS[opts.subcommand].run(self.settings, opts))
