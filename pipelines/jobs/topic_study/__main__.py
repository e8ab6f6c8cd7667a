"""Runs the studies: ``python -m pipelines.jobs.topic_study tree CORPUS | labels FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.errors import ModuleParser, refused_option, run_module
from crawler.wording import counted
from pipelines.jobs.topic_study.labels import read_labelled, study_labels
from pipelines.jobs.topic_study.report import (
    FOLDER,
    as_json,
    label_table,
    precision_tables,
    screen,
    tree_tables,
    write_tree_study,
)
from pipelines.jobs.topic_study.tree import BEST, study_tree

if TYPE_CHECKING:
    import argparse

_PAIRS_SHOWN = 30


def main(arguments: list[str] | None = None) -> int:
    """Run the study that *arguments* name; return the exit code."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    try:
        sys.stdout.write(options.run(options) + "\n")
    except ValueError as error:
        raise refused_option(error, vars(options)) from error


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.jobs.topic_study",
        description="Study ranks by topic: how alike those of related categories are (Kohlschütter 2011, 3.3), or how "
        "well they tell labels.",
    )
    studies = parser.add_subparsers(required=True)
    tree = studies.add_parser("tree", help="rankings along the category tree of a corpus")
    tree.add_argument("folder", type=Path, help="corpus folder, after `scrapy pagerank --topics`")
    tree.add_argument("--best", type=int, default=BEST, help=f"length of the lists ({BEST})")
    tree.add_argument(
        "--queries",
        type=Path,
        help="file of CATEGORY<tab>QUERY lines: lists are their results, and not the best pages by rank",
    )
    tree.add_argument(
        "--judgements",
        type=Path,
        help="file of CATEGORY<tab>QUERY<tab>PAGE<tab>GRADE lines, and a judge's name behind them if there are "
        "several: how precise results are by the category's rank and by the unbiased one",
    )
    tree.set_defaults(run=_tree)
    labels = studies.add_parser("labels", help="membership against held-out labels")
    labels.add_argument(
        "folder", type=Path, help="folder of nodes.tsv.gz (id, name, label) and edges.tsv.gz"
    )
    labels.add_argument(
        "--share", type=float, default=0.1, help="labels shown, of each class, 0 to 1 (0.1)"
    )
    labels.add_argument("--draws", type=int, default=10, help="draws of those shown (10)")
    labels.add_argument(
        "--label-depth", type=int, default=1, help="parts of a label that count (1)"
    )
    labels.set_defaults(run=_labels)
    for each in (tree, labels):
        each.add_argument("--seed", type=int, default=1, help="of what is drawn (1)")
        each.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _tree(options: argparse.Namespace) -> str:
    study = study_tree(
        options.folder,
        best=options.best,
        queries=options.queries,
        judgements=options.judgements,
        seed=options.seed,
    )
    files = write_tree_study(study, options.folder / FOLDER)
    if options.json:
        return as_json(study)
    relations, pairs = tree_tables(study)
    written = "\n".join(f"written  {file}" for file in files)
    longest = [screen(table, most=_PAIRS_SHOWN) for table in (*precision_tables(study), pairs)]
    return "\n\n".join([screen(relations), *longest, written])


def _labels(options: argparse.Namespace) -> str:
    labelled = read_labelled(options.folder, label_depth=options.label_depth)
    study = study_labels(
        labelled,
        name=options.folder.name,
        share=options.share,
        draws=options.draws,
        seed=options.seed,
    )
    if options.json:
        return as_json(study)
    classes = ", ".join(f"{name} {n:,}" for name, n in study.classes.items())
    head = f"{study.graph}: {counted(study.pages, 'page')}, {counted(study.arcs, 'arc')}; {classes}"
    links = (
        f"{study.alike:.1%} of links within a class, {study.alike_by_chance:.1%} would be by chance"
    )
    how = f"{study.shown_share:.0%} of each class shown, {study.draws} draws"
    return f"{head}\n{links}\n{how}\n\n{screen(label_table(study))}"


if __name__ == "__main__":
    sys.exit(main())
