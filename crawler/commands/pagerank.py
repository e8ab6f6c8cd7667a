"""``scrapy pagerank``: ranks the pages of a corpus folder's graph, and writes ``ranks/``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from crawler.commands.base import WinnowCommand, check_no_extras
from crawler.errors import InputError
from crawler.ranking.options import DANGLING_POLICIES, DEFAULTS, METHODS, RankOptions

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

_Number = TypeVar("_Number", int, float)

# name, default, help. Read as strings: a wrong value is one line then, not argparse's usage
_OPTIONS: tuple[tuple[str, object, str], ...] = (
    ("corpus", None, "corpus folder (default: setting CORPUS_DIR)"),
    ("alpha", DEFAULTS.alpha, "damping factor, 0 to below 1"),
    ("tolerance", DEFAULTS.tolerance, "bound on the L1 error of the ranks, their sum being 1"),
    ("max-iterations", None, "iterations to fail after (default: what any graph needs)"),
    ("method", METHODS[0], ", ".join(METHODS)),
    # Kohlschütter 2011, section 3.2.3: eight partitions
    ("partitions", 8, "partitions of whole hosts, for the method of that name"),
    ("dangling", DEFAULTS.dangling, f"pages without links: {', '.join(DANGLING_POLICIES)}"),
    ("nofollow", "drop", "nofollow links: drop, keep"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as a screen or with ``--json`` as an object."""

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Rank the pages of a corpus by PageRank"

    def long_desc(self) -> str:
        return (
            "Rank every page of the link graph of a corpus folder by PageRank, fetched or only "
            "linked to, and write ranks/pagerank.parquet there: host_id, local_id, url, rank "
            "(the mean rank is 1)."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        for name, default, text in _OPTIONS:
            shown = text if default is None else f"{text} (default {default})"
            value = None if default is None else str(default)
            parser.add_argument(f"--{name}", default=value, metavar="VALUE", help=shown)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        options = _rank_options(opts)
        n_partitions = _number(int, "partitions", opts.partitions)
        if n_partitions < 1:
            raise InputError(f"--partitions is {n_partitions}; give 1 or more")
        if opts.nofollow not in {"drop", "keep"}:
            raise InputError(f"--nofollow is {opts.nofollow!r}; give drop or keep")
        if opts.method not in METHODS:
            raise InputError(f"--method is {opts.method!r}; give one of {', '.join(METHODS)}")
        from crawler.ranking.corpus_ranks import rank_corpus

        assert self.settings is not None
        report = rank_corpus(
            Path(opts.corpus or self.settings["CORPUS_DIR"]),
            options,
            method=opts.method,
            n_partitions=n_partitions,
            with_nofollow=opts.nofollow == "keep",
        )
        print(json.dumps(asdict(report)) if opts.json else report.screen())


def _rank_options(opts: argparse.Namespace) -> RankOptions:
    limit = opts.max_iterations
    try:
        return RankOptions(
            alpha=_number(float, "alpha", opts.alpha),
            tolerance=_number(float, "tolerance", opts.tolerance),
            dangling=opts.dangling,
            max_iterations=None if limit is None else _number(int, "max-iterations", limit),
        )
    except ValueError as error:
        raise InputError(f"{error}; see --help") from error


def _number(kind: Callable[[str], _Number], name: str, text: str) -> _Number:
    try:
        return kind(text)
    except ValueError as error:
        raise InputError(f"--{name} is {text!r}; give a number") from error
