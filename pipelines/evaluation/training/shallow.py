"""The table of shallow classifiers: ``python -m pipelines.evaluation.training.shallow FOLDER...``

Reads gold pages, cross-validates each classifier of the table on the two-class and the four-class
problem, prints precision, recall, F1, rate of false positives, area under the curve and leaves, the
scores weighted by words; by ``--tree``, what a row learned from all pages; and, by ``--gains``, the features in
order of their information gain (figure 4.20).

*Source: Kohlschütter 2011, table 4.9*; the rows are its rows. ``element flags`` stands for "Element
Frequency (P/C/N)" of three dimensions, which the text does not explain: the flags of all three blocks.
"""

from __future__ import annotations

import sys
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.errors import InputError, ModuleParser, run_module
from pipelines.boilerplate.shallow_features import ALL, ENCLOSING, LOCAL, NEIGHBOURS, QUOTIENTS
from pipelines.evaluation.training.classifiers import OneR, ZeroR
from pipelines.evaluation.training.cross_validation import N_FOLDS, cross_validated
from pipelines.evaluation.training.decision_tree import MIN_WEIGHT, DecisionTree
from pipelines.evaluation.training.information_gain import information_gains
from pipelines.evaluation.training.linear_svm import LinearSvm
from pipelines.evaluation.training.shallow_examples import (
    FOUR_CLASSES,
    NAMES,
    TWO_CLASSES,
    read_examples,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from pipelines.evaluation.training.classifiers import Classifier
    from pipelines.evaluation.training.cross_validation import ClassScores
    from pipelines.evaluation.training.shallow_examples import Examples


def _around(*names: str) -> tuple[str, ...]:
    """Return *names* for the previous, the current and the next block."""
    return tuple(f"{place}{name}" for place in ("previous.", "", "next.") for name in names)


class Row(NamedTuple):
    """A row of the table: how a classifier is made for a least weight, and its features."""

    make: Callable[[float], Classifier]
    names: tuple[str, ...]


def _zero_r(_: float) -> Classifier:
    return ZeroR()


def _one_r(min_weight: float) -> Classifier:
    return OneR(min_weight=min_weight)


def _tree(min_weight: float) -> Classifier:
    return DecisionTree(min_weight=min_weight)


def _simplified(min_weight: float) -> Classifier:
    return DecisionTree(min_weight=min_weight, reduced_error=True)


def _svm(_: float) -> Classifier:
    return LinearSvm()


ROWS = {
    "zeror": Row(_zero_r, ("words",)),
    "1r-sentence-length": Row(_one_r, ("sentence_length",)),
    "element-flags": Row(_tree, _around(*ENCLOSING, "a")),
    "1r-word-length": Row(_one_r, ("word_length",)),
    "1r-words": Row(_one_r, ("words",)),
    "1r-link-density": Row(_one_r, ("link_density",)),
    "1r-text-density": Row(_one_r, ("text_density",)),
    "1r-all": Row(_one_r, LOCAL),
    "link-density": Row(_tree, _around("link_density")),
    "words": Row(_tree, _around("words")),
    "local": Row(_tree, LOCAL),
    "words-links-simplified": Row(_simplified, _around("words", "link_density")),
    "density-links-simplified": Row(_simplified, _around("text_density", "link_density")),
    "local-quotients": Row(_tree, LOCAL + QUOTIENTS),
    "density-links": Row(_tree, _around("text_density", "link_density")),
    "local-around": Row(_tree, NEIGHBOURS),
    "local-around-frequency": Row(_tree, ALL),
    "svm-local-around-frequency": Row(_svm, ALL),
}


class Line(NamedTuple):
    """One line of the table."""

    row: str
    n_features: int
    n_classes: int
    scores: ClassScores
    n_leaves: int | None


def table_line(
    row: str,
    examples: Examples,
    *,
    n_classes: int = 2,
    by_site: bool = False,
    min_weight: float = MIN_WEIGHT,
    seed: int = 0,
) -> Line:
    """Return the line of the row called *row*, cross-validated on *examples*."""
    _, names = ROWS[row]
    instances = examples.instances(names, n_classes=n_classes, by_site=by_site)
    make = partial(ROWS[row].make, min_weight)
    scores = cross_validated(make, instances, n_folds=N_FOLDS, seed=seed)
    whole = make()
    whole.fit(instances)
    return Line(row, len(names) if row != "zeror" else 0, n_classes, scores, whole.n_leaves)


def learned(row: str, examples: Examples, *, n_classes: int = 2, min_weight: float) -> str:
    """Return, as text, what the row called *row* learns from all *examples*."""
    make, names = ROWS[row]
    classifier = make(min_weight)
    classifier.fit(examples.instances(names, n_classes=n_classes))
    return classifier.text(names, TWO_CLASSES if n_classes == 2 else FOUR_CLASSES)


HEADER = f"{'classifier':<28}{'dim':>4}{'classes':>8}{'P':>7}{'R':>7}{'F1':>7}{'FP':>7}{'AUC':>7}{'leaves':>7}"


def shown(line: Line) -> str:
    """Return *line* in columns, scores in percent."""
    scores = "".join(f"{100 * score:7.1f}" for score in line.scores)
    leaves = "-" if line.n_leaves is None else line.n_leaves
    return f"{line.row:<28}{line.n_features:>4}{line.n_classes:>8}{scores}{leaves:>7}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    options = _parser().parse_args(arguments)
    _check(options)
    rows = options.rows or (() if options.tree or options.gains else ROWS)
    examples = read_examples(options.folders)
    groups = examples.site if options.by_site else examples.page
    if rows and len(np.unique(groups)) < 2:
        kind = "site" if options.by_site else "page"
        raise InputError(f"all gold text is of one {kind}; give folders of more, for the folds")
    write = sys.stdout.write
    write(
        f"{examples.page[-1] + 1} pages, {len(set(examples.site.tolist()))} sites, "
        f"{len(examples.label)} blocks, {examples.n_words.sum():.0f} words\n{HEADER}\n"
    )
    for row in rows:
        for n_classes in options.classes:
            line = table_line(
                row,
                examples,
                n_classes=n_classes,
                by_site=options.by_site,
                min_weight=options.min_weight,
                seed=options.seed,
            )
            write(f"{shown(line)}\n")
            sys.stdout.flush()
    for row in options.tree:
        for n_classes in options.classes:
            text = learned(row, examples, n_classes=n_classes, min_weight=options.min_weight)
            write(f"\n{row}, {n_classes} classes:\n{text}\n")
    for n_classes in options.classes if options.gains else ():
        instances = examples.instances(NAMES, n_classes=n_classes)
        write(f"\ninformation gain in bits, {n_classes} classes:\n")
        for name, gain in information_gains(instances, NAMES, min_weight=options.min_weight):
            write(f"{name:<30}{gain:7.4f}\n")


def _check(options: argparse.Namespace) -> None:
    unknown = [row for row in (*options.rows, *options.tree) if row not in ROWS]
    if unknown:
        raise InputError(f"row {unknown[0]!r} is unknown; give some of {', '.join(ROWS)}")
    if not 0 < options.min_weight < inf:
        raise InputError(f"--min-weight is {options.min_weight:g}; give a finite number above 0")
    if options.seed < 0:
        raise InputError(f"--seed is {options.seed}; give a whole number of at least 0")


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.evaluation.training.shallow",
        # The folders first: an option that takes several values would take them, too.
        usage="%(prog)s folders ... [options]",
        description="Train the shallow classifiers of Kohlschütter 2011, table 4.9, on gold pages, "
        "cross-validate them, and print the table.",
    )
    parser.add_argument("folders", nargs="+", type=Path, help="folders of gold pages")
    parser.add_argument("--rows", nargs="*", default=(), help=f"of {', '.join(ROWS)} (all)")
    parser.add_argument(
        "--tree", nargs="+", default=(), help="rows of which to print what is learned"
    )
    parser.add_argument(
        "--classes", nargs="+", type=int, choices=(2, 4), default=(2, 4),
        help="boilerplate and content, or boilerplate, full text, headline, supplemental (both)",
    )  # fmt: skip
    parser.add_argument(
        "--gains", action="store_true", help="print the information gain of each feature"
    )
    parser.add_argument("--by-site", action="store_true", help="no site in two folds (pages)")
    parser.add_argument("--min-weight", type=float, default=MIN_WEIGHT, help="words a leaf (1000)")
    parser.add_argument("--seed", type=int, default=0, help="draws the folds (0)")
    return parser


if __name__ == "__main__":
    sys.exit(run_module(main))
