"""``scrapy categories``: how well categories of pages are told by the texts of cleaning methods.

*Source: Gottron 2008, sections 3.3.4, 3.4.3 and 5.1; Yi, Liu, Li 2003.*
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.commands.base import WinnowCommand, check_no_extras
from crawler.commands.parsing import whole_number
from crawler.errors import InputError
from crawler.wording import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from pipelines.evaluation.indirect.study import CategoryPage, Judged, StudyOptions

# name, default, help; but for the methods whole numbers
_METHODS = (
    "methods", "site-style-tree,page-partitioning,winnow", "cleaners and detectors; by commas"
)  # fmt: skip
_NUMBERS = (
    ("depth", 2, "parts of a corpus' categories that count"),
    ("min-pages", 10, "of a category; others are left out"),
    ("max-pages", 500, "of a category, the first by their names"),
    ("folds", 10, "of naive Bayes"),
    ("runs", 5, "of k-means"),
    ("starts", 10, "of each run, of which the best counts"),
    ("seed", 0, "of folds and runs"),
)


class Command(WinnowCommand):
    """Options as above; results as a table or with ``--json`` as an object."""

    values = (_METHODS, *_NUMBERS)
    flags = (("by-site", "no site in two folds"), ("json", "print one JSON object"))

    def syntax(self) -> str:
        return "[options] PAGES"

    def short_desc(self) -> str:
        return "Score cleaning methods by how well categories are told by their texts"

    def long_desc(self) -> str:
        return (
            "Score cleaning methods without gold texts: how well the categories of pages are told by what each method "
            "leaves of them. PAGES is the folder of a corpus that was crawled from category lists with WARC_ENABLED=1, "
            "whose pages have the category of the seeds of their host (those of several are left out), or a folder "
            "with a folder of saved pages for each category. Prints, for each method and for plain, which keeps the "
            "whole page: accuracy and F1 of naive Bayes, F1 of k-means, their standard errors, and by how much the "
            "accuracy is above plain's (95 %, the same pages).\n"
            "\n"
            "A high score does not say that the main text was found. Menus and templates often name the category of a "
            "page; then whatever keeps them is best, and a good method below plain (Gottron 2008, 5.1). --by-site "
            "keeps the pages of a site in one fold. For how much of the main text a method finds, see `scrapy "
            "evaluate`.\n"
            "\n"
            "Methods are cleaners, and template detectors, which are fitted to the pages of each site: site-style-tree "
            "and page-partitioning were compared so. A page that a browser saved has its address; those without one "
            "count as of one site.\n"
            "\n"
            "Examples:\n"
            "  scrapy categories mycorpus --methods winnow,bte\n"
            "  scrapy categories pages/ --by-site --min-pages 20"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=1)
        if not args:
            raise InputError("no pages given; name a corpus, or a folder with a folder a category")
        numbers = {name: _number(opts, name) for name, _, _ in _NUMBERS}
        told = _study(Path(args[0]), _names(opts.methods), numbers, by_site=opts.by_site)
        print(json.dumps(told, ensure_ascii=False) if opts.json else screen(told))


def _number(opts: argparse.Namespace, name: str) -> int:
    number = whole_number(name, getattr(opts, name.replace("-", "_")))
    if name in {"depth", "min-pages", "max-pages"} and number < 1:
        raise InputError(f"--{name} must be at least 1")
    return number


def _names(methods: str) -> list[str]:
    """Return the names of *methods* with that of the whole page before them; raise :exc:`InputError` for an unknown
    one.
    """
    from pipelines.evaluation.indirect.study import PLAIN
    from pipelines.evaluation.template_methods import method_of

    asked = map(str.strip, methods.split(","))
    names = list(dict.fromkeys((PLAIN, *filter(None, asked))))
    for name in names:
        try:
            method_of(name)
        except ValueError as error:
            raise InputError(f"--methods {name}: {error}") from error
    return names


def _study(
    folder: Path, names: Sequence[str], numbers: dict[str, int], *, by_site: bool
) -> dict[str, Any]:
    """Return what `screen` shows of the methods *names* on the pages of *folder*."""
    from pipelines.evaluation.indirect.study import (
        StudyOptions,
        enough_pages,
        figures_of,
        labels_of,
    )

    folds, runs, starts, seed = (numbers[name] for name in ("folds", "runs", "starts", "seed"))
    try:
        how = StudyOptions(folds, by_site, runs, starts, seed)
    except ValueError as error:
        raise InputError(f"--{error}") from error
    empty: list[str] = []
    found = _pages(folder, numbers["depth"], empty)
    pages, n_left_out = enough_pages(found, numbers["min-pages"], numbers["max-pages"])
    sizes = Counter(page.category for page in pages)
    if len(sizes) < 2:
        none = "".join(f"; {line}" for line in _told_empty(empty))
        raise InputError(
            f"{folder} has {counted(len(sizes), 'category')} of {counted(numbers['min-pages'], 'page')} or more{none}; "
            "two are needed: give a lower --min-pages, or another --depth"
        )
    judged = [_judged(name, pages, how) for name in names]
    rows = [figures_of(each, judged[0], labels_of(pages)) for each in judged]
    return {
        "categories": dict(sizes),
        "left_out": n_left_out,
        "empty_categories": empty,
        "methods": rows,
    }


def _judged(name: str, pages: Sequence[CategoryPage], how: StudyOptions) -> Judged:
    from pipelines.evaluation.indirect.study import judge, texts_by

    texts = texts_by(name, pages)
    try:
        return judge(name, texts, pages, how)
    except ValueError as error:
        raise InputError(f"--by-site: {error}; leave it out") from error


def _pages(folder: Path, depth: int, empty: list[str]) -> Iterator[CategoryPage]:
    """Give the pages of *folder*; add to *empty* the names of folders that have no file of a page."""
    from crawler.commands.served_pages import is_corpus
    from pipelines.evaluation.indirect.study import CategoryPage
    from pipelines.evaluation.template_methods import Around
    from pipelines.jobs.gold_packages.making import saved_pages
    from pipelines.jobs.page_files import has_pages

    if is_corpus(str(folder)):
        yield from _corpus_pages(folder, depth)
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; give that of a corpus, or of a folder a category")
    for inner in sorted(folder.iterdir()):
        if not inner.is_dir() or inner.name.startswith("."):
            continue
        if not has_pages(str(inner)):
            empty.append(inner.name)
            continue
        for page in saved_pages([str(inner)]):
            around = Around(page.url, page.body or b"", page.content_type)
            yield CategoryPage(inner.name, page.page_id, around)


def _corpus_pages(folder: Path, depth: int) -> Iterator[CategoryPage]:
    from crawler.commands.served_pages import LastAnswers, corpus_pages
    from pipelines.corpus.corpus import Corpus
    from pipelines.evaluation.indirect.study import CategoryPage
    from pipelines.evaluation.template_methods import Around

    rows = Corpus.open(folder).documents(["url", "category"])
    categories = {
        row["url"]: _one_of({"/".join(path.split("/")[:depth]) for path in row["category"]})
        for row in rows
        if row["category"]
    }
    if not categories:
        raise InputError(f"no document of {folder} has a category; crawl odp from category lists")
    for page in corpus_pages(folder, LastAnswers.of_corpus(folder)):
        if page.url in categories and page.body is not None:
            around = Around(page.url, page.body, page.content_type)
            yield CategoryPage(categories[page.url], page.page_id, around)


def _one_of(categories: set[str]) -> str:
    return categories.pop() if len(categories) == 1 else ""


def screen(told: dict[str, Any]) -> str:
    """Return the study as a table for people."""
    from pipelines.evaluation.indirect.study import PLAIN

    sizes = told["categories"]
    width = max(8, *(len(row["method"]) for row in told["methods"]))
    lines = [
        f"{counted(sum(sizes.values()), 'page')} of {len(sizes)} categories; {told['left_out']:,} left out",
        *_told_empty(told["empty_categories"]),
        f"{'':<{width}} {'naive Bayes':>12} {'':>12} {'k-means':>12}  {'accuracy - plain':>17} {'empty':>6}",
        f"{'method':<{width}} {'accuracy ±':>12} {'F1 ±':>12} {'F1 ±':>12}  {'95 %':>17} {'texts':>6}",
    ]
    for row in told["methods"]:
        columns = "".join(
            f" {row[name]:6.3f} {row[f'{name}_error']:5.3f}"
            for name in ("accuracy", "f1", "clusters_f1")
        )
        low, high = row["accuracy_above_plain"]
        versus = "" if row["method"] == PLAIN else f"{low:+.3f} to {high:+.3f}"
        lines.append(f"{row['method']:<{width}}{columns}  {versus:>17} {row['empty_texts']:6,}")
    lines.append("Menus that name the category help whatever keeps them; see --help.")
    return "\n".join(lines)


def _told_empty(names: Sequence[str]) -> list[str]:
    """Return the line that names the categories without a page, of which there may be none."""
    if not names:
        return []
    return [f"{counted(len(names), 'category')} without a page: {', '.join(names)}"]
