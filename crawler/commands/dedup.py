"""``scrapy dedup``: finds the duplicates of a corpus folder, and writes a corpus without them."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.commands.base import WinnowCommand, check_no_extras
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

    from pipelines.jobs.dedup.options import DedupOptions

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}

# name, kind, help. Read as strings: a wrong value is one line then, not argparse's usage
_OPTIONS: tuple[tuple[str, type, str], ...] = (
    ("unit", str, "document: near-duplicate documents; block: blocks by duplicate n-grams"),
    ("resemblance", float, "of documents: share of word shingles that makes near-duplicates"),
    ("shingle-words", int, "of documents: words of a shingle"),
    ("keep", str, "of documents: which copy stays: first, rank, longest, complete"),
    ("coverage", float, "of blocks: share of words in n-grams kept elsewhere that removes one"),
    ("ngram-words", int, "of blocks: words of an n-gram"),
    ("commit", str, "of blocks: safe keeps a copy of everything; thesis as published"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as a screen or with ``--json`` as an object."""

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Find and remove duplicates in a corpus"

    def long_desc(self) -> str:
        return (
            "Find near-duplicate documents of a corpus folder, or blocks that stand elsewhere, and "
            "write what was found to duplicates/ there. With --output a corpus without them is "
            "written to a new folder; the old one is not changed."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        from pipelines.jobs.dedup.options import DedupOptions

        defaults = asdict(DedupOptions())
        parser.add_argument("--corpus", metavar="DIR", help="default: setting CORPUS_DIR")
        for name, _, text in _OPTIONS:
            default = defaults[name.replace("-", "_")]
            parser.add_argument(f"--{name}", metavar="VALUE", help=f"{text} (default {default})")
        parser.add_argument(
            "--memory", default="2G", metavar="SIZE", help="such as 500M (default 2G)"
        )
        parser.add_argument("--output", metavar="DIR", help="new folder for the cleaned corpus")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        options = _dedup_options(opts)
        from pipelines.jobs.dedup.run import dedup_corpus

        assert self.settings is not None
        report = dedup_corpus(
            Path(opts.corpus or self.settings["CORPUS_DIR"]),
            options,
            output=None if opts.output is None else Path(opts.output),
        )
        print(json.dumps(asdict(report)) if opts.json else report.screen())


def _dedup_options(opts: argparse.Namespace) -> DedupOptions:
    from pipelines.jobs.dedup.options import DedupOptions

    given: dict[str, Any] = {"memory": _bytes(opts.memory)}
    for name, kind, _ in _OPTIONS:
        field = name.replace("-", "_")
        value = getattr(opts, field)
        if value is not None:
            try:
                given[field] = kind(value)
            except ValueError as error:
                raise InputError(f"--{name} is {value!r}; give a number") from error
    try:
        return DedupOptions(**given)
    except ValueError as error:
        raise InputError(f"{error}; see --help") from error


def _bytes(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMG]?)B?", text.upper())
    if match is None:
        raise InputError(f"--memory is {text!r}; give a size such as 500M or 2G")
    return int(float(match[1]) * _UNITS[match[2]])
