"""``scrapy templates detect``: ``scrapy pagelets`` by the name of what it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.commands.pagelets import LONG, add_pagelet_options, found_pagelets
from crawler.commands.subcommand import Subcommand

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings


class DetectTemplates(Subcommand):
    """Options and results of ``scrapy pagelets``."""

    short = "find the template pagelets of linked pages, or of all"
    long = LONG

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_pagelet_options(parser)

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:
        return found_pagelets(settings, opts)
