"""The retrieval experiment: what a search gains from leaving out short text.

Every query is asked of every selection of blocks: at least so many words (1 is all text), at least such a
density, and what the crawl's cleaner kept. Each gives the mean P@10, NDCG_10 and average precision over the
judged queries (:mod:`pipelines.retrieval.measures`), the last over the first ``DEPTH`` pages.

*Source: Kohlschütter 2011, section 4.4.5 and figure 4.27*: 50 queries of TREC's blog track of 2006; minimum
density 1 to 20, minimum words 1 to 100, beside BTE. Run on a corpus folder, where a page is named by its URL::

    python -m pipelines.retrieval.experiment CORPUS --queries FILE --judgements FILE [--cleaned CORPUS_BY_BTE]

Other cleaners are compared by corpora that they cleaned, made of the same answers. Of them the pages of the first
corpus count; one that they have not, as its text was too short, is a page without a word. So all rankings are of the
same pages, and of the same number.

The text does not say what opinions, positive, negative and mixed, are worth to NDCG: ``--gains`` does.
"""

from __future__ import annotations

import json
import sys
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.errors import InputError, ModuleParser, run_module
from crawler.wording import counted
from pipelines.corpus.corpus import Corpus
from pipelines.retrieval.block_index import BlockIndex, IndexedPage, Selection
from pipelines.retrieval.measures import RankingScores, mean_scores, ranking_scores
from pipelines.retrieval.run_files import RunFiles
from pipelines.retrieval.topics import read_judgements, read_queries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    # The selection, the query's name, and the pages found.
    Told = Callable[[Selection, str, Sequence[str]], object]

MIN_WORDS = (1, 2, 3, 5, 8, 10, 11, 12, 15, 20, 30, 40, 60, 80, 100)
MIN_DENSITIES = tuple(range(1, 21))
K = 10
DEPTH = 1000


class SweepPoint(NamedTuple):
    """The mean scores of one selection; *method*: the cleaner of one that is of what was kept, where it is known."""

    selection: Selection
    scores: RankingScores
    method: str = ""


class CleanedPages:
    """The pages of the corpus in *folder* that are among *urls*, and pages without text for the others of these.

    ``method``: the cleaners that its documents name; ``n_missing``: those others. Both once all pages were given.
    """

    def __init__(self, folder: Path, urls: Iterable[str]) -> None:
        self._folder = folder
        self._urls = dict.fromkeys(urls, False)
        self.method = ""
        self.n_missing = 0

    def __iter__(self) -> Iterator[IndexedPage]:
        methods = set()
        for row in Corpus.open(self._folder).documents(["url", "blocks", "method"]):
            if row["url"] in self._urls:
                self._urls[row["url"]] = True
                methods.add(row["method"] or "")
                yield _indexed(row)
        missing = [url for url, is_given in self._urls.items() if not is_given]
        self.method, self.n_missing = ", ".join(sorted(methods)), len(missing)
        yield from (IndexedPage(url, [], [], [], []) for url in missing)


def corpus_pages(folder: Path) -> Iterator[IndexedPage]:
    """Give the pages of the corpus in *folder*, named by their URLs."""
    return map(_indexed, Corpus.open(folder).documents(["url", "blocks"]))


def _indexed(row: Mapping[str, Any]) -> IndexedPage:
    blocks = row["blocks"] or []
    return IndexedPage(
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
    told: Told | None = None,
) -> list[SweepPoint]:
    """Return the scores of every selection of *index*, over the *queries* that were judged; *told* of each ranking.

    Raises ValueError when none was.
    """
    judged = {name: query for name, query in queries.items() if name in judgements}
    if not judged:
        raise ValueError("none of the queries was judged")
    points = []
    for selection in index.selections:
        scores = []
        for name, query in judged.items():
            ranking = index.ranking(query, selection, max(k, DEPTH))
            scores.append(ranking_scores(ranking, judgements[name], k=k, gains=gains))
            if told is not None:
                told(selection, name, ranking)
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
    names = [f"kept by {each.method}" if each.method else each.selection.kind for each in points]
    width = max([12, *(len(name) + 1 for name in names)])
    lines = [f"{'selection':<{width}}{'minimum':>8}{f'P@{k}':>9}{f'NDCG@{k}':>9}{'MAP':>9}"]
    for name, ((kind, minimum), scores, _) in zip(names, points, strict=True):
        columns = "".join(f"{score:9.4f}" for score in scores)
        lines.append(f"{name:<{width}}{'' if kind == 'kept' else minimum:>8}{columns}")
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
    runs = RunFiles(options.runs) if options.runs is not None else None
    for folder in options.cleaned:
        Corpus.open(folder)  # before the first index is made
    _check_judged(options.corpus, judgements)
    index = BlockIndex(
        corpus_pages(options.corpus),
        selections(options.min_words, options.min_density, with_kept=True),
        options.index,
    )
    points = swept(index, queries, judgements, gains=gains, told=_told(runs))
    for number, folder in enumerate(options.cleaned, 1):
        pages = CleanedPages(
            folder, (row["url"] for row in Corpus.open(options.corpus).documents(["url"]))
        )
        place = None if options.index is None else options.index / f"cleaned_{number}"
        other = BlockIndex(pages, [Selection("kept")], place)
        name = _method(pages, other.n_pages, options.corpus, folder)
        found = swept(other, queries, judgements, gains=gains, told=_told(runs, number))
        points += [point._replace(method=name) for point in found]
    _write(points, index.n_pages, is_json=options.json)


def _told(runs: RunFiles | None, number: int = 0) -> Told | None:
    """Return what writes *runs* of the corpus, or of the cleaned one of that *number*."""
    if runs is None:
        return None

    def told(selection: Selection, query: str, ranking: Sequence[str]) -> None:
        kind, minimum = selection
        which = number if kind == "kept" else minimum
        runs.add(f"{kind}-{which}" if which else kind, query, ranking)

    return told


def _method(pages: CleanedPages, n_pages: int, corpus: Path, folder: Path) -> str:
    """Return who cleaned *pages* of *folder*; tell how many of the *n_pages* of *corpus* are not among them."""
    if pages.n_missing == n_pages:
        raise InputError(f"{folder} has no page of {corpus}; give one of the same pages")
    if pages.n_missing:
        n_missing = counted(pages.n_missing, "page")
        sys.stderr.write(
            f"winnow: {n_missing} of {corpus} not in {folder}, taken for pages without text\n"
        )
    return pages.method or "no method"


def _write(points: Sequence[SweepPoint], n_pages: int, *, is_json: bool) -> None:
    if is_json:
        rows = [
            {**point.selection._asdict(), "method": point.method, **point.scores._asdict()}
            for point in points
        ]
        sys.stdout.write(f"{json.dumps(rows)}\n")
    else:
        sys.stdout.write(f"{counted(n_pages, 'page')}\n{shown(points)}\n")


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
        usage="%(prog)s corpus\n       --queries QUERIES --judgements JUDGEMENTS [options]",
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
    parser.add_argument(
        "--cleaned", action="append", type=Path, default=[], metavar="FOLDER",
        help="corpus folder of the same answers that another method cleaned, as by `scrapy crawl warc -a "
        "paths='CORPUS/warc/*' -s CORPUS_DIR=FOLDER -s CLEAN_METHOD=bte`; what it kept is searched, too; may be "
        "given again",
    )  # fmt: skip
    parser.add_argument(
        "--runs", type=Path, metavar="FOLDER",
        help="new folder for the rankings, TREC's run files: words-10.run and so on, kept.run, kept-1.run of the first "
        "--cleaned",
    )  # fmt: skip
    parser.add_argument("--index", type=Path, help="new folder for the index (in memory)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


if __name__ == "__main__":
    sys.exit(run_module(main))
