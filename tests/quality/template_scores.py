"""The scores of template detectors and of clusterings by templates, in the form that floors have.

Pages are those of ``../shared/data/extraction/dev/daniel``, of news hosts with three pages or more. *Detectors*,
``token-f1`` and ``recall``: the mean over pages, each cleaned by what the gold pages of its host have
(`pipelines.evaluation.template_detection`). *Clusterings*, ``rand`` and ``purity`` with the hosts as the truth: by
single linkage cut at as many clusters as hosts, below the published threshold, and below the widest gap of merges.
RTDM, which takes minutes, is left out.

Measured, with 354 pages of 43 hosts, whose newspapers are others than those of the thesis: the published threshold of
CTSS, .85, makes 54 clusters (Rand .998, purity .995), but CP at .7 27 (.540, .954) and CPS at .6 13 (.375, .920), for
some hosts have more in common than pages of others. The widest gap makes 70, 78 and 69 by CP, CPS and CTSS (.998, .996,
.997), but merges most hosts by LCTS, TV, TFDA, DFT and parametric functions; by XAS it makes 68 (.997, .997). Cut at 43
clusters, single linkage gives .902, .941 and .988, .966 by XAS, .958 by parametric functions and .511 by DFT; k-median
.942, .950 and .949, .946, .960 and .948, and .799 with RTDM, which it is best for in the thesis. Pages of some twenty
paths, as those of the sample web, are all linked at any published threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from crawler.page import build_page
from pipelines.evaluation.measures.averages import macro, standard_error
from pipelines.evaluation.readers import open_dataset
from pipelines.evaluation.template_detection import scored, seeds_of
from pipelines.templates.cluster_measures import average_purity, contingency, rand_index
from pipelines.templates.detectors import registry
from pipelines.templates.distances import DISTANCES
from pipelines.templates.documents import document
from pipelines.templates.single_linkage import (
    cut_at_clusters,
    cut_at_threshold,
    gap_threshold,
    spanning_tree,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.evaluation.gold import GoldPage
    from pipelines.templates.documents import Document

    I64 = npt.NDArray[np.int64]

NAME = "daniel"
_MIN_PAGES = 3
_DISTANCES = tuple(name for name in DISTANCES if name != "rtdm")
_DIGITS = 4


def take_templates(
    shared: Path, *, progress: Callable[[str, int], None] | None = None
) -> dict[str, Any]:
    """Return the scores of today, and a digest of the pages."""
    path = shared / "data" / "extraction" / "dev" / NAME
    pages = list(open_dataset(path))
    digest = xxhash.xxh3_128()
    for page in pages:
        digest.update(page.body + (page.gold or "").encode("utf-8", "surrogatepass"))
    taken: dict[str, Any] = {}
    seeds = list(seeds_of(path, _MIN_PAGES))
    for name in registry.methods():
        taken[name] = _detector_scores(scored(seeds, name).pages)
        if progress is not None:
            progress(name, len(pages))
    clustered = [page for group in seeds for page in group.pages]
    return {"digests": {NAME: digest.hexdigest()}, "methods": taken | _clusterings(clustered)}


def _detector_scores(scores: Sequence[Any]) -> dict[str, Any]:
    mean = macro(scores)
    error = standard_error([score.f1 for score in scores]) or 0.0
    return {"token-f1": _floor(mean.f1, error), "recall": _floor(mean.recall)}


def _floor(value: float, error: float = 0.0) -> dict[str, Any]:
    return {"macro": round(value, _DIGITS), "error": round(error, _DIGITS), "sets": {}}


def _clusterings(pages: Sequence[GoldPage]) -> dict[str, Any]:
    hosts = np.unique([page.site for page in pages], return_inverse=True)[1]
    documents = [
        document(build_page(page.body, url=page.url, content_type=page.content_type))
        for page in pages
    ]
    found: dict[str, Any] = {}
    for name in _DISTANCES:
        for cut, clusters in _cuts(name, documents, int(hosts.max()) + 1).items():
            table = contingency(clusters, hosts)
            found[f"{name}, {cut}"] = {
                "rand": _floor(rand_index(table)),
                "purity": _floor(average_purity(table)),
            }
    return found


def _cuts(name: str, documents: Sequence[Document], n_hosts: int) -> dict[str, I64]:
    distance = DISTANCES[name]
    tree = spanning_tree(distance.rows([distance.feature(each) for each in documents]))
    cuts = {"as many clusters as hosts": cut_at_clusters(tree, n_hosts)}
    if distance.threshold is not None:
        cuts["below the published threshold"] = cut_at_threshold(tree, distance.threshold)
    gap = gap_threshold(tree)
    if gap is not None:
        cuts["below the gap"] = cut_at_threshold(tree, gap)
    return cuts
