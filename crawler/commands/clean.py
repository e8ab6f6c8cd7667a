"""``scrapy clean``: removes the boilerplate of pages on disk."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

_FORMATS = ("text", "json")


class Command(WinnowCommand):
    """Cleans files or standard input; the text goes to stdout, one block a line."""

    def syntax(self) -> str:
        return "[options] FILE|- ..."

    def short_desc(self) -> str:
        return "Clean pages from disk or standard input"

    def long_desc(self) -> str:
        return (
            "Print the main text of HTML or plain text files, or of standard input for '-'. "
            "With --format json one object a file, with every block, its label and its densities."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        from pipelines.boilerplate.registry import methods

        default = self.default_settings["CLEAN_METHOD"]
        known = ", ".join(methods())
        parser.add_argument(
            "--method", metavar="NAME", help=f"{known} (default: setting CLEAN_METHOD, {default})"
        )
        parser.add_argument(
            "--charset", metavar="NAME", help="what the server said; default: see the page itself"
        )
        parser.add_argument("--format", default="text", metavar="NAME", help="text (default), json")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise InputError("no file given; name one or more, or - for standard input")
        if opts.format not in _FORMATS:
            raise InputError(f"--format is {opts.format!r}; give one of {', '.join(_FORMATS)}")
        assert self.settings is not None
        method = opts.method or self.settings["CLEAN_METHOD"]
        from crawler.page import page_limits, page_rules
        from pipelines.boilerplate.registry import get
        from pipelines.jobs.clean_pages import check_inputs, clean_pages

        try:
            cleaner = get(method)
        except ValueError as error:
            raise InputError(f"--method: {error}") from error
        try:
            limits, rules = page_limits(self.settings), page_rules(self.settings)
        except ValueError as error:
            raise InputError(f"setting PAGE_…: {error}") from error
        check_inputs(args, opts.charset)
        pages = clean_pages(args, cleaner, charset=opts.charset, limits=limits, rules=rules)
        for place, page in enumerate(pages):
            if opts.format == "json":
                print(json.dumps({"method": method, **page}, ensure_ascii=False))
            else:
                text = f"{page['text']}\n" if page["text"] else ""
                sys.stdout.write(("\n" if place else "") + text)
