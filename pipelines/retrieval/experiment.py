"""The retrieval experiment: what a search gains from leaving out short text.

Every query is asked of every selection of blocks: at least so many words (1 is all text), at least such a
density, and what the crawl's cleaner kept. Each gives the mean P@10, NDCG_10 and average precision over the
judged queries (:mod:`pipelines.retrieval.measures`), the last over the first ``DEPTH`` pages.

*Source: Kohlschütter 2011, section 4.4.5 and figure 4.27*: 50 queries of TREC's blog track of 2006; minimum
density 1 to 20, minimum words 1 to 100. Run on a corpus folder, where a page is named by its URL::

    python -m pipelines.retrieval.experiment CORPUS --queries FILE --judgements FILE

The text does not say what opinions, positive, negative and mixed, are worth to NDCG: ``--gains`` does.
"""

from __future__ import annotations

import json
import sys
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crawler.errors import InputError, ModuleParser, run_module
from crawler.wording import counted
from pipelines.corpus.corpus import Corpus
from pipelines.retrieval.block_index import BlockIndex, IndexedPage, Selection
from pipelines.retrieval.measures import RankingScores, mean_scores, ranking_scores
from pipelines.retrieval.topics import read_judgements, read_queries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MIN_WORDS = (1, 2, 3, 5, 8, 10, 11, 12, 15, 20, 30, 40, 60, 80, 100)
MIN_DENSITIES = tuple(range(1, 21))
K = 10
DEPTH = 1000


class SweepPoint(NamedTuple):
    """The mean scores of one selection."""

    selection: Selection
    scores: RankingScores


def corpus_pages(folder: Path) -> Iterator[IndexedPage]:
    """Give the pages of the corpus in *folder*, named by their URLs."""
    for row in Corpus.open(folder).documents(["url", "blocks"]):
        blocks = row["blocks"] or []
        yield IndexedPage(
            row["url"],
            [block["text"] for block in blocks],
            [block["words"] for block in blocks],
            [block["text_density"] for block in blocks],
            [block["kept"] is not False for block in blocks],
        )


def swept(
    index: BlockIndex,
    queries: Mapping[str, str],
    judgements: Mapping[str, Mapping[str, int]],
    *,
    k: int = K,
    gains: Mapping[int, float] | None = None,
) -> list[SweepPoint]:
    """Return the scores of every selection of *index*, over the *queries* that were judged.

    Raises ValueError when none was.
    """
    judged = {name: query for name, query in queries.items() if name in judgements}
    if not judged:
        raise ValueError("none of the queries was judged")
    points = []
    for selection in index.selections:
        scores = [
            ranking_scores(
                index.ranking(query, selection, max(k, DEPTH)), judgements[name], k=k, gains=gains
            )
            for name, query in judged.items()
        ]
        points.append(SweepPoint(selection, mean_scores(scores)))
    return points


def selections(
    min_words: Iterable[int] = MIN_WORDS,
    min_densities: Iterable[int] = MIN_DENSITIES,
    *,
    with_kept: bool = False,
) -> list[Selection]:
    """Return the selections of a sweep."""
    return [
        *(Selection("words", minimum) for minimum in min_words),
        *(Selection("density", minimum) for minimum in min_densities),
        *([Selection("kept")] if with_kept else []),
    ]


def shown(points: Sequence[SweepPoint], k: int = K) -> str:
    """Return *points* as a table."""
    lines = [f"{'selection':<12}{'minimum':>8}{f'P@{k}':>9}{f'NDCG@{k}':>9}{'MAP':>9}"]
    for (kind, minimum), scores in points:
        columns = "".join(f"{score:9.4f}" for score in scores)
        lines.append(f"{kind:<12}{'' if kind == 'kept' else minimum:>8}{columns}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the experiment on a corpus folder, and print its table."""
    options = _parser().parse_args(arguments)
    queries, judgements = read_queries(options.queries), read_judgements(options.judgements)
    if queries.keys().isdisjoint(judgements):
        raise InputError(f"{options.judgements} judges none of the queries of {options.queries}")
    for name in ("min_words", "min_density"):
        if any(minimum < 1 for minimum in getattr(options, name)):
            raise InputError(f"--{name.replace('_', '-')} must be 1 and more; 1 is all text")
    if options.index is not None and options.index.exists() and any(options.index.iterdir()):
        raise InputError(f"{options.index} is not empty; give a new folder for the index")
    gains = _gains(options.gains)
    _check_judged(options.corpus, judgements)
    index = BlockIndex(
        corpus_pages(options.corpus),
        selections(options.min_words, options.min_density, with_kept=True),
        options.index,
    )
    points = swept(index, queries, judgements, gains=gains)
    if options.json:
        rows = [{**point.selection._asdict(), **point.scores._asdict()} for point in points]
        sys.stdout.write(f"{json.dumps(rows)}\n")
    else:
        sys.stdout.write(f"{counted(index.n_pages, 'page')}\n{shown(points)}\n")


def _check_judged(corpus: Path, judgements: Mapping[str, Mapping[str, int]]) -> None:
    judged = {page for grades in judgements.values() for page in grades}
    if not any(row["url"] in judged for row in Corpus.open(corpus).documents(["url"])):
        raise InputError(f"none of the judged pages is in {corpus}; name them by their URLs there")


def _gains(given: Sequence[str]) -> dict[int, float]:
    """Return the gain of each grade, *given* as ``GRADE=GAIN``."""
    gains: dict[int, float] = {}
    for each in given:
        grade, _, gain = each.partition("=")
        try:
            number, value = int(grade), float(gain)
        except ValueError:
            number, value = 0, inf
        if not 0 <= value < inf or number in gains:
            raise InputError(
                f"--gains has {each!r}; give GRADE=GAIN once a grade, a gain of 0 or more"
            )
        gains[number] = value
    return gains


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.retrieval.experiment",
        # The folder first: an option that takes several values would take it, too.
        usage="%(prog)s corpus --queries QUERIES --judgements JUDGEMENTS [options]",
        description="Measure what a search gains from leaving out short text (Kohlschütter 2011, 4.4.5): P@10, "
        "NDCG@10 and MAP over least words and least densities of blocks.",
    )
    parser.add_argument("corpus", type=Path, help="corpus folder")
    parser.add_argument("--queries", type=Path, required=True, help="TREC topics or NAME<tab>QUERY")
    parser.add_argument(
        "--judgements", type=Path, required=True, help="TREC qrels or QUERY<tab>PAGE<tab>GRADE"
    )
    for name, minima, what in (
        ("words", MIN_WORDS, "words"),
        ("density", MIN_DENSITIES, "text densities"),
    ):
        parser.add_argument(
            f"--min-{name}", nargs="*", type=int, default=minima, metavar="N",
            help=f"least {what} of the blocks that are searched ({' '.join(map(str, minima))})",
        )  # fmt: skip
    parser.add_argument(
        "--gains", nargs="+", default=(), metavar="GRADE=GAIN",
        help="what a grade is worth to NDCG (the grade itself, 0 below 0)",
    )  # fmt: skip
    parser.add_argument("--index", type=Path, help="new folder for the index (in memory)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


if __name__ == "__main__":
    sys.exit(run_module(main))
