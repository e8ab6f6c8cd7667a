"""How well pages can be told apart by their categories, by the texts that each method leaves.

The texts of all pages are made by each method; a template detector is fitted to the pages of each site first. Of the
bags of words of these texts, naive Bayes tells the category by stratified folds (`accuracy`, and `f1`, the mean over
categories), and k-means makes as many clusters as there are categories (`clusters_f1`), several times by other seeds.

Standard errors: of accuracy and F1 by bootstrap over pages, of k-means over its runs alone.

What it does not tell (Gottron 2008, sections 3.4.3 and 5.1): whether the main text was found. Pages of a category are
often of one site or one part of it, and its menus, templates and advertisements name the category. Then a method that
keeps nothing but the menu scores best, and a good one worse than the whole page. With *by_site* no site is in two
folds, so that what only its own pages have is no help.

Memory: the bodies of the pages that are judged, and k centres of all words. Pages without an address count as of one
site.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import compress
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pipelines.evaluation.indirect.bags import tf_idf, word_counts
from pipelines.evaluation.indirect.clustering import clusters_f1, k_means
from pipelines.evaluation.indirect.naive_bayes import judged_by_folds, stratified_folds
from pipelines.evaluation.measures.averages import N_SAMPLES, samples, standard_error
from pipelines.evaluation.measures.significance import compare
from pipelines.evaluation.readers.files import site_of
from pipelines.evaluation.template_methods import Around, method_of, model_of
from pipelines.evaluation.training.cross_validation import folds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]

PLAIN = "plain"


class CategoryPage(NamedTuple):
    """A page of a *category*, "" where it is of several; *name* tells it from others, for the order in which they are
    drawn.
    """

    category: str
    name: str
    page: Around


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """Folds of naive Bayes, whole sites in each if *by_site*; runs of k-means and starts of each; the seed of all."""

    n_folds: int = 10
    by_site: bool = False
    n_runs: int = 5
    n_starts: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("n_folds", 2), ("n_runs", 2), ("n_starts", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise ValueError(
                    f"{name.removeprefix('n_')} must be at least {least}, got {getattr(self, name)}"
                )


class Judged(NamedTuple):
    """What a method's texts are taken for, int64[n], and the F1 of each run of k-means; *empty*: texts without a
    word.
    """

    method: str
    answer: I64
    cluster_scores: list[float]
    n_empty: int


def enough_pages(
    pages: Iterable[CategoryPage], min_pages: int, max_pages: int
) -> tuple[list[CategoryPage], int]:
    """Return *pages* of the categories that have *min_pages*, of each the first *max_pages* by name, sorted.

    And how many others there are.
    """
    n_pages = Counter[str]()
    kept: defaultdict[str, list[CategoryPage]] = defaultdict(list)
    for page in pages:
        n_pages[page.category] += 1
        if page.category:
            insort(kept[page.category], page, key=lambda each: each.name)
            # Let go as they come: a corpus may have more than memory holds.
            del kept[page.category][max_pages:]
    enough = [
        page
        for category, of_category in sorted(kept.items())
        if n_pages[category] >= min_pages
        for page in of_category
    ]
    return enough, n_pages.total() - len(enough)


def labels_of(pages: Sequence[CategoryPage]) -> I64:
    """Return the number of each page's category, in the order of their names."""
    return np.unique([page.category for page in pages], return_inverse=True)[1].astype(np.int64)


def texts_by(name: str, pages: Sequence[CategoryPage]) -> list[str]:
    """Return what the method called *name* leaves of *pages*; raise ValueError for an unknown one."""
    method = method_of(name)
    sites: defaultdict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(pages):
        sites[site_of(each.page.url)].append(place)
    texts = [""] * len(pages)
    for _, places in sorted(sites.items()):
        method.fit([pages[place].page for place in places])
        for place in places:
            model = model_of(pages[place].page, method.rules)
            texts[place] = "\n".join(compress(model.blocks.text, method.kept(model).tolist()))
    return texts


def judge(
    name: str, texts: Sequence[str], pages: Sequence[CategoryPage], options: StudyOptions
) -> Judged:
    """Return what *texts* of *pages*, by the method called *name*, are taken for.

    Raises ValueError when whole sites are wanted for folds and there is but one.
    """
    label = labels_of(pages)
    counts = word_counts(texts)
    if options.by_site:
        sites = np.unique([site_of(each.page.url) for each in pages], return_inverse=True)[1]
        fold = folds(sites.astype(np.int64), options.n_folds, options.seed)
    else:
        fold = stratified_folds(label, options.n_folds, options.seed)
    rows, k = tf_idf(counts), int(label.max()) + 1
    clusters = [
        k_means(rows, k, n_starts=options.n_starts, seed=options.seed + run)
        for run in range(options.n_runs)
    ]
    return Judged(
        name,
        judged_by_folds(counts, label, fold),
        [clusters_f1(each, label) for each in clusters],
        int((np.diff(counts.indptr) == 0).sum()),
    )


def mean_f1(answer: I64, label: I64) -> float:
    """Return the mean over the categories of *label* of their F1 in *answer*."""
    k = int(max(label.max(), answer.max())) + 1
    right = np.bincount(label[answer == label], minlength=k)
    both = np.bincount(label, minlength=k) + np.bincount(answer, minlength=k)
    is_there = np.bincount(label, minlength=k) > 0
    return float((2 * right[is_there] / both[is_there]).mean())


def figures_of(judged: Judged, plain: Judged, label: I64) -> dict[str, Any]:
    """Return the figures of a method beside those of the whole page, *plain*."""
    is_right, is_plain_right = judged.answer == label, plain.answer == label
    rng = np.random.default_rng(0)
    drawn = [
        mean_f1(judged.answer[places], label[places])
        for places in samples(len(label), N_SAMPLES, rng)
    ]
    rights = is_right.astype(np.float64)
    versus = compare(rights.tolist(), is_plain_right.astype(np.float64).tolist())
    scores = judged.cluster_scores
    return {
        "method": judged.method,
        "accuracy": float(rights.mean()),
        "accuracy_error": standard_error(rights.tolist()),
        "f1": mean_f1(judged.answer, label),
        "f1_error": float(np.std(drawn, ddof=1)),
        "clusters_f1": fmean(scores),
        "clusters_f1_error": stdev(scores) / sqrt(len(scores)),
        "accuracy_above_plain": [versus.low, versus.high],
        "empty_texts": judged.n_empty,
    }
