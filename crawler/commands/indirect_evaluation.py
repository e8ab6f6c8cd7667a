"""``python -m crawler.commands.indirect_evaluation PAGES``: how well categories are told by the texts of cleaning methods.

PAGES is the folder of a corpus that was crawled from category lists with WARC_ENABLED=1, whose pages have the category of
the seeds of their host (those of several are left out), or a folder with a folder of saved pages for each category. Prints,
for each method and for ``plain``, which keeps the whole page: accuracy and F1 of naive Bayes, F1 of k-means, their standard
errors, and by how much the accuracy is above plain's (95 %, the same pages).

A high score does not say that the main text was found. Menus and templates often name the category of a page; then
whatever keeps them is best, and a good method below plain. --by-site keeps the pages of a site in one fold. For how much of the main
text a method finds, see ``scrapy evaluate``. *Source: Gottron 2008, sections 3.3.4, 3.4.3 and 5.1; Yi, Liu, Li 2003.*

Methods are cleaners, and template detectors, which are fitted to the pages of each site: ``site-style-tree`` and ``page-partitioning`` were
compared so. A page that a browser saved has its address; those without one count as of one site.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.commands.served_pages import LastAnswers, corpus_pages, is_corpus
from crawler.errors import InputError, ModuleParser, run_module
from crawler.wording import counted
from pipelines.corpus.corpus import Corpus
from pipelines.evaluation.indirect.study import (
    PLAIN,
    CategoryPage,
    Judged,
    StudyOptions,
    enough_pages,
    figures_of,
    judge,
    labels_of,
    texts_by,
)
from pipelines.evaluation.template_methods import Around, method_of
from pipelines.jobs.gold_packages.making import saved_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

METHODS = ("site-style-tree", "page-partitioning", "winnow")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the study that *arguments* ask for; return the exit code."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    for name in ("min_pages", "max_pages", "depth"):
        if getattr(options, name) < 1:
            raise InputError(f"--{name.replace('_', '-')} must be at least 1")
    try:
        how = StudyOptions(
            options.folds, options.by_site, options.runs, options.starts, options.seed
        )
    except ValueError as error:
        raise InputError(f"--{error}") from error
    asked = map(str.strip, options.methods.split(","))
    names = dict.fromkeys((PLAIN, *filter(None, asked)))
    for name in names:
        _check_method(name)
    found = _pages(options.pages, options.depth)
    pages, n_left_out = enough_pages(found, options.min_pages, options.max_pages)
    sizes = Counter(page.category for page in pages)
    if len(sizes) < 2:
        raise InputError(
            f"{options.pages} has {counted(len(sizes), 'category')} of {options.min_pages} pages or more; "
            "two are needed: give a lower --min-pages, or another --depth"
        )
    judged = [_judged(name, pages, how) for name in names]
    rows = [figures_of(each, judged[0], labels_of(pages)) for each in judged]
    told = {"categories": dict(sizes), "left_out": n_left_out, "methods": rows}
    print(json.dumps(told, ensure_ascii=False) if options.json else screen(told))


def _check_method(name: str) -> None:
    try:
        method_of(name)
    except ValueError as error:
        raise InputError(f"--methods {name}: {error}") from error


def _judged(name: str, pages: Sequence[CategoryPage], how: StudyOptions) -> Judged:
    texts = texts_by(name, pages)
    try:
        return judge(name, texts, pages, how)
    except ValueError as error:
        raise InputError(f"--by-site: {error}; leave it out") from error


def _pages(folder: Path, depth: int) -> Iterator[CategoryPage]:
    if is_corpus(str(folder)):
        yield from _corpus_pages(folder, depth)
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; give that of a corpus, or of a folder a category")
    for inner in sorted(folder.iterdir()):
        if inner.is_dir() and not inner.name.startswith("."):
            for page in saved_pages([str(inner)]):
                around = Around(page.url, page.body or b"", page.content_type)
                yield CategoryPage(inner.name, page.page_id, around)


def _corpus_pages(folder: Path, depth: int) -> Iterator[CategoryPage]:
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
    sizes = told["categories"]
    width = max(8, *(len(row["method"]) for row in told["methods"]))
    lines = [
        f"{counted(sum(sizes.values()), 'page')} of {len(sizes)} categories; {told['left_out']:,} left out",
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


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m crawler.commands.indirect_evaluation",
        description=(__doc__ or "").replace("``", "").replace("*", ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pages", type=Path, help="a corpus, or a folder with a folder a category")
    parser.add_argument(
        "--methods",
        default=",".join(METHODS),
        help="cleaners and detectors, by commas (%(default)s)",
    )
    parser.add_argument(
        "--depth",
        type=int,
        default=2,
        help="parts of a corpus' categories that count (%(default)s)",
    )
    for name, value, told in (
        ("min-pages", 10, "of a category; others are left out"),
        ("max-pages", 500, "of a category, the first by their names"),
        ("folds", 10, "of naive Bayes"),
        ("runs", 5, "of k-means"),
        ("starts", 10, "of each run, of which the best counts"),
        ("seed", 0, "of folds and runs"),
    ):
        parser.add_argument(f"--{name}", type=int, default=value, help=f"{told} (%(default)s)")
    parser.add_argument("--by-site", action="store_true", help="no site in two folds")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


if __name__ == "__main__":
    sys.exit(main())
