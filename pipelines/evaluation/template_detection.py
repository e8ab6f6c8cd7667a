"""Template detectors against gold text: ``python -m pipelines.evaluation.template_detection DATASET...``

Each page of a site, the seed, is extracted by a detector that was fitted to the pages around it: those that it links
to, where the dataset holds linked pages (Gottron's packages), or else all gold pages of its site. Sites of fewer than
*min_pages* pages, seeds with fewer linked pages, are left out. Beside the detectors stand ``plain``, which keeps all,
and methods for single pages, on the same pages. Prints means over pages of the token F1, recall and precision with
their standard error, pages that were left to a fallback, and on how many sites a method's F1 is above that of
``plain``.

*Source: Gottron 2008, section 7.2.3*, where five packages of pages with what they link to say: F1 above plain on all of
them, recall about that of plain, precision limited. The packages are not published; of the sets that are, several pages
of a site stand for what a site crawl finds, but fewer, and not chosen by links. Nothing is tuned here.

Measured on daniel and wcxb-dev, 373 pages of 47 sites: F1 (error .007 for the last, else .012 to .015), recall,
precision, sites above plain::

    plain                    .466 .991 .338      ma-sections                .650 .986 .531 47
    bootstrapped, cp         .693 .980 .583 43   ma                         .500 .990 .373 18
    bootstrapped, cps        .696 .980 .587 45   ne-patterns                .578 .987 .454 43
    bootstrapped, ctss       .695 .980 .586 43   text-windows (10 pages)    .564 .988 .445  9
    bootstrapped, then accb  .706 .977 .599 46   info-discoverer-sections   .419 .866 .410 26
    document-frequency       .694 .980 .584 46   info-discoverer            .382 .753 .516 10
    page-partitioning        .735 .965 .654 47   accb                       .749 .913 .700 44
    dom-hash                 .732 .964 .645 46   dsc                        .774 .808 .803 44
    content-extractor        .678 .949 .595 44   winnow                     .881 .929 .879 46
    site-style-tree          .621 .988 .497 44   winnow, then bootstrapped  .905 .926 .917 45
    wisdom                   .691 .937 .608 44
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crawler.errors import InputError, ModuleParser, run_module
from crawler.page import PageRules
from crawler.urls import canonical_url, page_url
from pipelines.evaluation.measures.averages import macro, standard_error
from pipelines.evaluation.measures.significance import compare
from pipelines.evaluation.measures.token_f1 import token_f1
from pipelines.evaluation.readers import check_once, linked_pages, open_dataset
from pipelines.evaluation.template_methods import METHODS, Around, method_of, model_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from pipelines.evaluation.gold import GoldPage, Scores

PLAIN = "plain"


class Seeds(NamedTuple):
    """Seeds of one *site*, and the pages that a detector is fitted to before it extracts them."""

    site: str
    pages: list[GoldPage]
    around: list[Around]


class MethodScores(NamedTuple):
    """The scores of a method's texts by site, and how many pages it left to a fallback."""

    by_site: dict[str, list[Scores]]
    n_fallbacks: int

    @property
    def pages(self) -> list[Scores]:
        """The scores of all pages."""
        return [score for scores in self.by_site.values() for score in scores]


def seeds_of(path: Path, min_pages: int) -> Iterator[Seeds]:
    """Yield the seeds of the dataset at *path* that have enough pages around them, by site."""
    dataset = open_dataset(path)
    linked = {canonical_url(url) or url: body for url, body in linked_pages(path)}
    sites: defaultdict[str, list[GoldPage]] = defaultdict(list)
    for page in dataset:
        if page.gold is not None:
            sites[page.site or page.dataset].append(page)
    for site, pages in sorted(sites.items()):
        if linked:
            each = (Seeds(site, [page], _around(page, linked)) for page in pages)
            yield from (seeds for seeds in each if len(seeds.around) >= min_pages)
        elif len(pages) >= min_pages:
            yield Seeds(site, pages, list(map(_of_gold, pages)))


def _around(page: GoldPage, linked: Mapping[str, bytes]) -> list[Around]:
    """Return *page*, and the *linked* pages that it names, each once."""
    keys = model_of(page, PageRules()).links.key
    urls = dict.fromkeys(page_url(key) for key in keys)
    return [_of_gold(page), *(Around(url, linked[url]) for url in urls if url in linked)]


def _of_gold(page: GoldPage) -> Around:
    return Around(page.url, page.body, page.content_type)


def scored(seeds: Sequence[Seeds], name: str) -> MethodScores:
    """Return the scores of the method called *name* on *seeds*."""
    method = method_of(name)
    by_site: defaultdict[str, list[Scores]] = defaultdict(list)
    for group in seeds:
        method.fit(group.around)
        for page in group.pages:
            model = model_of(page, method.rules)
            text = "\n".join(compress(model.blocks.text, method.kept(model).tolist()))
            by_site[group.site].append(token_f1(text, page.gold or ""))
    return MethodScores(dict(by_site), method.n_fallbacks)


def row_of(name: str, found: MethodScores, plain: MethodScores) -> dict[str, Any]:
    """Return the figures of the method called *name*: means, their errors, and how it stands to *plain*."""
    mean, pages = macro(found.pages), found.pages
    better = sum(
        macro(scores).f1 > macro(plain.by_site[site]).f1 for site, scores in found.by_site.items()
    )
    difference = compare([s.f1 for s in pages], [s.f1 for s in plain.pages])
    return {
        "method": name,
        "pages": len(pages),
        "sites": len(found.by_site),
        "f1": mean.f1,
        "f1_error": standard_error([score.f1 for score in pages]),
        "recall": mean.recall,
        "precision": mean.precision,
        "f1_above_plain": [difference.low, difference.high],
        "sites_above_plain": better,
        "fallbacks": found.n_fallbacks,
    }


def table_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return *rows* as a table for people."""
    head = f"{'method':<26} {'F1':>6} {'±':>5} {'recall':>6} {'prec.':>6}"
    lines = [f"{head}  {'F1 - plain, 95 %':>16} {'sites above':>11} {'fallback':>8}"]
    for row in rows:
        low, high = row["f1_above_plain"]
        lines.append(
            f"{row['method']:<26} {row['f1']:6.3f} {row['f1_error']:5.3f} {row['recall']:6.3f} "
            f"{row['precision']:6.3f}  {low:+7.3f} to {high:+.3f} "
            f"{row['sites_above_plain']:>4} of {row['sites']:>3} {row['fallbacks']:>8}"
        )
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = ModuleParser(
        prog="python -m pipelines.evaluation.template_detection",
        description="Scores template detectors on sites of which a gold standard has several pages.",
    )
    parser.add_argument("dataset", type=Path, nargs="+")
    parser.add_argument(
        "--methods", default=",".join(METHODS), help="detectors, bootstrapped-cps, "
        "bootstrapped+CLEANER, cleaners, and what A&B both keep, apart by commas (default %(default)s)",
    )  # fmt: skip
    parser.add_argument("--min-pages", type=int, default=3, help="of a site (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a method")
    return parser.parse_args()


def main() -> None:
    """Score the methods that the command line names, and print the table."""
    arguments = _arguments()
    if arguments.min_pages < 1:
        raise InputError(f"--min-pages must be at least 1, got {arguments.min_pages}")
    check_once(arguments.dataset)
    seeds = [each for path in arguments.dataset for each in seeds_of(path, arguments.min_pages)]
    if sum(len(each.pages) for each in seeds) < 2:
        raise InputError(
            f"no site with {arguments.min_pages} pages in the dataset; give a lower --min-pages"
        )
    plain = scored(seeds, PLAIN)
    rows = []
    for name in dict.fromkeys((PLAIN, *map(str.strip, arguments.methods.split(",")))):
        try:
            rows.append(row_of(name, scored(seeds, name), plain))
        except ValueError as error:
            raise InputError(f"--methods {name}: {error}") from error
    shown = "\n".join(map(json.dumps, rows)) if arguments.json else table_of(rows)
    sys.stdout.write(f"{shown}\n")


if __name__ == "__main__":
    sys.exit(run_module(main))
