"""How the parsers of commands show help, and take options; values that are numbers."""

from __future__ import annotations

import argparse

from scrapy.commands import ScrapyHelpFormatter

from crawler.errors import InputError


class HelpFormatter(ScrapyHelpFormatter):
    """Scrapy's formatter, for which each line that ends in a colon is a heading, and a description one paragraph."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        """Return the lines of *text*; where one ends in a colon depends on the *width*."""
        lines = super()._split_lines(text, width)
        return [f"{line} " if line.endswith(":") else line for line in lines]

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Return *text*, each of whose lines is a paragraph; those that are indented, as examples, stay as they are."""
        fill = super()._fill_text
        lines = text.split("\n")
        return "\n".join(each if each[:1] == " " else fill(each, width, indent) for each in lines)


class GivenOnce(argparse.Action):
    """Stores a value, as argparse does by itself, of an option that is given once: the last alone would count.

    One that is empty is refused: of a variable that is not set, the default would take its place.
    """

    stored_in: argparse.Namespace | None = None  # the value may be the default

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        if option_string and namespace is self.stored_in:
            parser.error(f"{option_string} is given twice")
        if option_string and values == "":
            parser.error(f"{option_string} is empty; give it a value, or leave it out")
        setattr(namespace, self.dest, values)
        self.stored_in = namespace


def whole_number(name: str, text: str) -> int:
    """Return the value of the option ``--name``, given as *text*; raise InputError where it is no whole number."""
    try:
        return int(text)
    except ValueError as error:
        raise InputError(f"--{name} is {text!r}; give a whole number") from error


def number(name: str, text: str) -> float:
    """Return the value of the option ``--name``, given as *text*; raise InputError where it is no number."""
    try:
        return float(text)
    except ValueError as error:
        raise InputError(f"--{name} is {text!r}; give a number") from error
