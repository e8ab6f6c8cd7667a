"""What is measured: the kept text against the known main text, and the near-duplicates found.

Measured by ``make crawl``: the cleaner's word F1 is .91 to .95 by template; planted near-duplicates are all found from
resemblance .8 on, none at .5.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from crawler.page.words import evaluation_words
from pipelines.jobs.sample_answers.checks import EXACT, NEAR

if TYPE_CHECKING:
    from pipelines.jobs.sample_answers.answers import Answers, PageAnswer
    from pipelines.jobs.sample_answers.crawled import Crawled

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class TemplateScore:
    """Means over the *n* kept pages of a *template*."""

    template: str
    n: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class NearScore:
    """Near-duplicates at one *planted* resemblance.

    *recall*: of the *n* pairs planted at it, the share found. *precision*: of all pairs that the
    crawl called near-duplicates, the share planted at it or above. None where there are no pairs.
    """

    planted: float
    n: int
    recall: float | None
    precision: float | None


def word_scores(kept: str, main: str) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the bags of words of *kept* against *main*.

    Source: Kohlschütter 2011, 4.4.3 (token multisets a document). Nothing against nothing is 1.
    """
    found, known = Counter(evaluation_words(kept)), Counter(evaluation_words(main))
    n_found, n_known, n_both = found.total(), known.total(), (found & known).total()
    if not n_found or not n_known:
        same = float(n_found == n_known)
        return same, same, same
    return n_both / n_found, n_both / n_known, 2 * n_both / (n_found + n_known)


def template_scores(answers: Answers, crawled: Crawled) -> list[TemplateScore]:
    """Score the kept text of all documents but those of traps, by template."""
    scores: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for url, kept in crawled.texts:
        page = answers.truth(url)
        if page is not None and not page.trap:
            scores[page.template].append(word_scores(kept, page.main_text))
    return [
        TemplateScore(template, len(rows), *map(fmean, zip(*rows, strict=True)))
        for template, rows in sorted(scores.items())
    ]


def near_scores(answers: Answers, crawled: Crawled) -> list[NearScore]:
    """Score the near-duplicates found, for each planted resemblance, the highest first.

    Counted are the pairs of which both pages reached the duplicate filter.
    """
    compared, found = _compared_pages(answers, crawled)
    planted = {
        frozenset((page.url, page.partner)): page.planted
        for page in compared.values()
        if page.partner in compared
    }
    scores = []
    for level in sorted(set(planted.values()), reverse=True):
        pairs = {pair for pair, at in planted.items() if at == level}
        right = [pair for pair in found if planted.get(pair, 0.0) >= level]
        recall = len(pairs & found) / len(pairs)
        scores.append(
            NearScore(level, len(pairs), recall, len(right) / len(found) if found else None)
        )
    return scores


def _compared_pages(answers: Answers, crawled: Crawled) -> tuple[dict[str, PageAnswer], set[Pair]]:
    """Return the pages that reached the filter, by URL, and the near pairs that it found.

    A planted pair that came out exactly alike after cleaning is found too.
    """
    rows = [row for row in crawled.rejected if row["reason"] in (EXACT, NEAR)]
    pages = (answers.truth(row["url"]) for row in (*crawled.documents, *rows))
    compared = {page.url: page for page in pages if page is not None and not page.trap}
    found = set()
    for row in rows:
        page, other = compared.get(row["url"]), compared.get(row["duplicate_of"])
        if page is not None and other is not None and page.cluster != other.cluster:
            found.add(frozenset((page.url, other.url)))
    return compared, found
