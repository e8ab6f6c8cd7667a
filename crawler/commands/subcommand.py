"""What commands are made of that have subcommands, as ``scrapy templates``."""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from crawler.commands.base import check_no_extras, one_line_errors
from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings


class Subcommand(ABC):
    """A subcommand: its line in the list of all, its help, its arguments after the options, its options, its run."""

    short: ClassVar[str]
    long: ClassVar[str]
    arguments: ClassVar[str] = ""

    @abstractmethod
    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add its options and arguments to *parser*, which has Scrapy's options already."""

    @abstractmethod
    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:
        """Do the work; return what is printed. Raises :exc:`InputError` for a wrong call or file."""


def add_subcommands(
    command: ScrapyCommand,
    parser: argparse.ArgumentParser,
    subcommands: Mapping[str, Subcommand],
) -> None:
    """Add *subcommands* to *parser*, that of *command*; Scrapy's options may stand before and behind their names."""
    name_of_all = type(command).__module__.rpartition(".")[2]
    subparsers = parser.add_subparsers(dest="subcommand", title="subcommands")
    for name, subcommand in subcommands.items():
        added = subparsers.add_parser(
            name,
            usage=f"scrapy {name_of_all} {name} [options] {subcommand.arguments}".rstrip(),
            help=subcommand.short,
            description=subcommand.long,
            conflict_handler="resolve",
        )
        ScrapyCommand.add_options(command, added)
        for action in added._actions:
            # What is not given here must not undo what stands before the subcommand.
            action.default = argparse.SUPPRESS
        one_line_errors(added)
        subcommand.add_options(added)


def run_subcommand(
    command: ScrapyCommand,
    subcommands: Mapping[str, Subcommand],
    args: list[str],
    opts: argparse.Namespace,
) -> None:
    """Print what the one of *subcommands* returns that *opts* name."""
    if opts.subcommand is None:
        raise InputError(f"no subcommand; give one of {', '.join(subcommands)}")
    check_no_extras(args, allowed=0)
    assert command.settings is not None
    print(subcommands[opts.subcommand].run(command.settings, opts))
