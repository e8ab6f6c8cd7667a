"""Clustering pages by their templates: what the distances cost, beside plain sets and the dynamic program.

500 pages as in Gottron 2008, table 7.1: five sites of five sections of 20 pages. Each site has a frame of random
elements, each section a box of its own, each page paragraphs, lists and related links in numbers of its own. Computing
times are ratios of rounds of ours and the peer's in turn; a figure above 1 says that ours is as many times faster.

- ``matrix_…``: all distances of all pages from their features, against Python's frozensets of the same numbers, each
  pair once;
- ``lcts``: against the dynamic program with one row, compiled as ours is;
- ``components_ctss``: clusters at the published threshold, against the matrix and scipy's connected components;
- ``features``: one page to all its features, its tree parsed already, in ms;
- ``clusters_…`` and ``threshold_…``: whether single linkage finds the five sites, by k and at the thresholds of the
  thesis.

Measured: all distances of CP, CPS and CTSS take 1/19 to 1/27, 1/31 to 1/34 and 1/34 of the time of Python's sets (15,
22 and 51 ms; the thesis found CPS 1.5 times CP, CTSS twice CPS), LCTS 1/8 to 1/9 of that of the compiled dynamic
program; of a fifth of the pages LCTS takes .17 s, RTDM 5.0 s. Single linkage finds the five sites by each of them. On
real pages thresholds fare worse, see `tests.quality.template_scores`.
"""

from __future__ import annotations

import random
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from scipy.sparse.csgraph import connected_components

from crawler.errors import ModuleParser
from crawler.page import build_page
from pipelines.templates.cluster_measures import (
    average_purity,
    contingency,
    dunn_index,
    rand_index,
)
from pipelines.templates.distances import DISTANCES, distance_matrix
from pipelines.templates.documents import document
from pipelines.templates.lcts import LctsRows
from pipelines.templates.set_distances import SET_FEATURES
from pipelines.templates.set_rows import SetRows
from pipelines.templates.single_linkage import cut_at_clusters, spanning_tree
from pipelines.templates.threshold_graph import components
from tests.benchmarks.report import figure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipelines.templates.documents import Document

BENCH = "templates"
SITES, SECTIONS, PAGES = 5, 5, 20
_BOXES = ("div", "div", "div", "ul", "table", "form", "section", "dl")
_INNER = {"ul": "li", "table": "tr", "dl": "dt"}
_LEAVES = ("a", "span", "img", "b", "p", "input", "em", "h3", "br")


def frame(dice: random.Random, n: int) -> str:
    """Return a random element with some *n* within it."""
    tag = dice.choice(_BOXES)
    inner = _INNER.get(tag, "")
    parts, left = [], n - 1
    while left > 0:
        if left > 6 and dice.random() < 0.5:
            size = dice.randint(3, max(3, left // 2))
            part = frame(dice, size)
        else:
            size, part = 1, f"<{dice.choice(_LEAVES)}>"
            part = part if part in {"<br>", "<img>", "<input>"} else f"{part}x</{part[1:]}"
        parts.append(f"<{inner}>{part}</{inner}>" if inner else part)
        left -= size
    return f"<{tag}>{''.join(parts)}</{tag}>"


def made_pages() -> tuple[list[str], list[int]]:
    """Return the pages and their sites."""
    pages, sites = [], []
    for site in range(SITES):
        dice = random.Random(site)
        before, after = frame(dice, 260), frame(dice, 200)
        entry = frame(dice, 8)
        for section in range(SECTIONS):
            box = frame(random.Random(100 * site + section), 25)
            for page in range(PAGES):
                own = random.Random(10_000 * site + 100 * section + page)
                text = "<p>text <a>link</a></p>" * own.randint(3, 15) + entry * own.randint(0, 12)
                extra = frame(own, own.randint(3, 15))
                pages.append(
                    f"<html><body>{before}{box}<div id=main>{text}{extra}</div>{after}</body></html>"
                )
                sites.append(site)
    return pages, sites


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    started = time.process_time()
    found = function()
    return time.process_time() - started, found


def ratios(
    ours: Callable[[], Any], peer: Callable[[], Any], n_rounds: int
) -> tuple[list[float], Any, Any]:
    """Return the peer's time over ours in each round, and what both found."""
    ours(), peer()  # compiles
    found = []
    for _ in range(n_rounds):
        mine, theirs = timed(ours), timed(peer)
        found.append(theirs[0] / mine[0])
    return found, mine[1], theirs[1]


def set_matrix(sets: Sequence[frozenset[int]]) -> np.ndarray:
    """Return the distances of *sets*, as one would write it."""
    matrix = np.zeros((len(sets), len(sets)))
    for i, a in enumerate(sets):
        for j in range(i + 1, len(sets)):
            b = sets[j]
            matrix[i, j] = matrix[j, i] = 1 - len(a & b) / max(len(a), len(b), 1)
    return matrix


@numba.njit
def dynamic_program(a: np.ndarray, b: np.ndarray) -> int:
    """Return the length of the longest common subsequence."""
    row = np.zeros(len(b) + 1, np.int64)
    for i in range(len(a)):
        diagonal = 0
        for j in range(len(b)):
            above = row[j + 1]
            row[j + 1] = diagonal + 1 if a[i] == b[j] else max(above, row[j])
            diagonal = above
    return row[-1]


def matrix_of_sets(arrays: Sequence[np.ndarray]) -> np.ndarray:
    return distance_matrix(SetRows(arrays))


def compare_sets(documents: Sequence[Document], data: str, n_rounds: int) -> None:
    for name, feature in SET_FEATURES.items():
        arrays = [feature.of(each) for each in documents]
        sets = [frozenset(each.tolist()) for each in arrays]
        found, ours, theirs = ratios(
            partial(matrix_of_sets, arrays),
            partial(set_matrix, sets),
            n_rounds,
        )
        assert np.array_equal(ours, theirs)
        figure(BENCH, f"matrix_{name}", found, unit="ratio", data=data)


def compare_components(documents: Sequence[Document], data: str, n_rounds: int) -> None:
    feature = SET_FEATURES["ctss"]
    arrays = [feature.of(each) for each in documents]
    found, ours, theirs = ratios(
        lambda: components(SetRows(arrays), feature.threshold),
        lambda: connected_components(distance_matrix(SetRows(arrays)) < feature.threshold)[1],
        n_rounds,
    )
    # The same clusters, numbered otherwise.
    assert len(set(zip(ours.tolist(), theirs.tolist(), strict=True))) == len(set(theirs.tolist()))
    figure(BENCH, "components_ctss", found, unit="ratio", data=data)


def compare_lcts(documents: Sequence[Document], data: str, n_rounds: int) -> None:
    tags = [each.tags for each in documents[:: len(documents) // 20]]
    others = np.arange(len(tags))
    found, ours, theirs = ratios(
        lambda: LctsRows(tags).lengths(0, others).tolist(),
        lambda: [dynamic_program(tags[0], each) for each in tags],
        n_rounds,
    )
    assert ours == theirs
    figure(BENCH, "lcts", found, unit="ratio", data=data)


def find_sites(documents: Sequence[Document], sites: np.ndarray, data: str, names: str) -> None:
    """Print what clusters have to do with sites."""
    for name in names.split():
        each = DISTANCES[name]
        rows = each.rows([each.feature(found) for found in documents])
        secs, matrix = timed(partial(distance_matrix, rows))
        figure(BENCH, f"matrix_{name}_secs", [secs], unit="s", data=data)
        figure(BENCH, f"dunn_{name}", [dunn_index(matrix, sites)], unit="score", data=data)
        tree = spanning_tree(rows)
        table = contingency(cut_at_clusters(tree, SITES), sites)
        figure(BENCH, f"clusters_{name}_rand", [rand_index(table)], unit="score", data=data)
        figure(BENCH, f"clusters_{name}_purity", [average_purity(table)], unit="score", data=data)
        if isinstance(rows, SetRows):
            # As in table 7.4.
            assert rand_index(table) == 1
            assert each.threshold is not None
            at_threshold = contingency(components(rows, each.threshold), sites)
            rand = rand_index(at_threshold)
            figure(BENCH, f"threshold_{name}_rand", [rand], unit="score", data=data)
            # As in table 7.5; frames of random elements have more paths in common than those of newspapers.
            assert rand == 1 or name != "ctss"


def main() -> None:
    parser = ModuleParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, without RTDM")
    quick = parser.parse_args().quick
    n_rounds = 2 if quick else 5
    pages, numbers = made_pages()
    sites = np.array(numbers)
    models = [
        build_page(each.encode(), url="http://a.sample/", content_type="text/html; charset=utf-8")
        for each in pages
    ]
    for model in models:
        assert model.tree.elements
    document(models[0])
    secs, documents = timed(lambda: [document(model) for model in models])
    data = f"{len(pages)} made pages, {np.mean([len(each.tags) for each in documents]):.0f} tags"
    figure(BENCH, "features", [1000 * secs / len(pages)], unit="ms a page", data=data)
    compare_sets(documents, data, n_rounds)
    compare_components(documents, data, n_rounds)
    compare_lcts(documents, data, n_rounds)
    find_sites(documents, sites, data, "cp cps ctss tv")
    if not quick:
        # One page in five: RTDM takes milliseconds for a pair of these.
        some = f"{len(pages[::5])} of {data}"
        find_sites(documents[::5], sites[::5], some, "lcts rtdm")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
