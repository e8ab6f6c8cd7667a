"""What the subcommands of ``scrapy templates`` are made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings


class TemplateSubcommand(ABC):
    """A subcommand: its line in the list of all, its help, its options, its run."""

    short: ClassVar[str]
    long: ClassVar[str]

    @abstractmethod
    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add its options to *parser*, which has Scrapy's already."""

    @abstractmethod
    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:
        """Do the work; return what is printed. Raises :exc:`InputError` for a wrong call or file."""
