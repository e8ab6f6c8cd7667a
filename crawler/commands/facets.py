"""``scrapy facets QUERY``: searches a corpus, and names the facets of what was found."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, TypeVar

from crawler.commands.base import WinnowCommand, add_values, check_no_extras
from crawler.commands.corpus_folder import check_crawled, corpus_of
from crawler.errors import InputError, refused_option

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from pipelines.jobs.facets.search import FacetOptions, FacetSearch

_Number = TypeVar("_Number", int, float)

# name, default, help
_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    ("corpus", None, "corpus folder (default: setting CORPUS_DIR)"),
    ("results", "10", "results to print"),
    ("sample", "100", "best results of each ranking that facets are counted in"),
    (
        "theta",
        "0.1",
        "membership from which a page counts for a facet, a logarithm of its rank there, above 0",
    ),
    ("rounds", "1", "rounds in which facets that were found are sampled too"),
    ("new-share", "0.25", "share from which a found facet is sampled in the next round"),
    ("candidates", "10000", "best pages by text that are ranked"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as a screen or with ``--json`` as an object."""

    def syntax(self) -> str:
        return "[options] QUERY"

    def short_desc(self) -> str:
        return "Search a corpus and name the facets of the results"

    def long_desc(self) -> str:
        return (
            "Search the main text of a corpus folder (after `scrapy index`). Results are ranked by text "
            "score times PageRank. The topics that the best of them belong to are named with their "
            "shares; '*' marks those at 25 % or more. Topics come from `scrapy pagerank --topics`. Words "
            "in double quotes are a phrase.\n"
            "\n"
            "Examples:\n"
            "  scrapy facets --corpus mine 'sea bass'\n"
            "  scrapy facets --corpus mine --facet Top/Science/Biology '\"sea bass\" grill'\n"
            "  scrapy facets --corpus mine --facet Top/Sports --facet country:de \\\n"
            "    --weight country=2 bass"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_values(parser, _OPTIONS)
        parser.add_argument(
            "--facet",
            action="append",
            default=[],
            metavar="NAME",
            help="rank by this topic instead; several are mixed",
        )
        parser.add_argument(
            "--weight",
            action="append",
            default=[],
            metavar="DIMENSION=NUMBER",
            help="what mixed topics of a dimension (topic, importance, country of country:de ...) weigh together "
            "(default 1)",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        query = _query(args)
        n_results = _number(int, "results", opts.results)
        if n_results < 1:
            raise InputError(f"--results is {n_results}; give 1 or more")
        options = _facet_options(opts)
        from pipelines.jobs.facets.run import answer_with
        from pipelines.jobs.facets.search import FacetSearch
        from pipelines.jobs.index.run import TEXT

        folder = corpus_of(self.settings, opts)
        if not (folder / TEXT).exists():
            check_crawled(folder)
        search = FacetSearch(folder)
        _check_facets(search, opts.facet)
        found = answer_with(search, query, options, chosen=opts.facet, n_results=n_results)
        print(json.dumps(asdict(found)) if opts.json else found.screen())


def _query(args: list[str]) -> str:
    """Return the query in *args*; behind ``--`` it may begin with a hyphen, by the shell's custom."""
    end = args.index("--") if "--" in args else len(args)
    check_no_extras(args[:end], allowed=1)
    words = args[:end] + args[end + 1 :]
    if not words or not words[0].strip():
        raise InputError("no query; give one, in quotes if it is more than a word")
    if len(words) > 1:
        raise InputError(f"unexpected argument {words[1]!r}; see --help")
    return words[0]


def _check_facets(search: FacetSearch, names: list[str]) -> None:
    try:
        for name in names:
            search.number(name)
    except InputError as error:
        raise InputError(f"--facet: {error}") from error


def _facet_options(opts: argparse.Namespace) -> FacetOptions:
    from pipelines.jobs.facets.search import FacetOptions

    try:
        return FacetOptions(
            sample=_number(int, "sample", opts.sample),
            theta=_number(float, "theta", opts.theta),
            rounds=_number(int, "rounds", opts.rounds),
            new_share=_number(float, "new-share", opts.new_share),
            candidates=_number(int, "candidates", opts.candidates),
            weights=dict(_weight(text) for text in opts.weight),
        )
    except ValueError as error:
        raise refused_option(error, vars(opts)) from error


def _weight(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        if name:
            return name, float(number)
    except ValueError:
        pass  # told below
    raise InputError(f"--weight is {text!r}; give DIMENSION=NUMBER")


def _number(kind: Callable[[str], _Number], name: str, text: str) -> _Number:
    try:
        return kind(text)
    except ValueError as error:
        raise InputError(f"--{name} is {text!r}; give a number") from error
