"""The documents of a corpus by site or by cluster, each group's in an order that no crawl decides.

Clusters are those of ``templates/clusters.parquet`` (:mod:`pipelines.jobs.templates.cluster_file`); a document in none
is one by itself.

Memory: 16 bytes a document, and 100 a site; of clusters 100 a page.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.durable.parquet import read_parquet
from crawler.errors import InputError
from crawler.urls import registrable_domain
from pipelines.jobs.stored_answers import url_hash
from pipelines.jobs.templates.cluster_file import FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from pipelines.corpus.corpus import Corpus

    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

# What makes pages one site, of the name of their host; by their links pages are told by domain.
_SITES: dict[str, Callable[[str], str]] = {
    "domain": registrable_domain,
    "host": str,
    "links": registrable_domain,
}
_COLUMNS = ("url", "cluster")
CLUSTER, LINKS = "cluster", "links"
SITES = ("domain", "host", CLUSTER, LINKS)


class Groups(NamedTuple):
    """The documents by number: *urls* uint64[n], :func:`url_hash` of each; *group* int64[n], a place in *names*."""

    urls: U64
    group: I64
    names: list[str]

    def members(self) -> Iterator[tuple[str, I64]]:
        """Yield the sites by name, each with the numbers of its documents, ascending by :func:`url_hash`."""
        order = np.lexsort((self.urls, self.group))
        bounds = np.searchsorted(self.group[order], np.arange(len(self.names) + 1))
        for place in sorted(range(len(self.names)), key=self.names.__getitem__):
            yield self.names[place], order[bounds[place] : bounds[place + 1]]


def groups_of(corpus: Corpus, site: str) -> Groups:
    """Return the documents of *corpus* by their *site*, one of `SITES`.

    Raises `InputError` when there are no clusters.
    """
    clusters = _clusters(corpus.corpus_dir) if site == CLUSTER else {}
    urls, groups = array("Q"), array("q")
    places: dict[str, int] = {}
    for batch in corpus.batches("documents", ["url", "host"]):
        columns = (batch[name].to_pylist() for name in ("url", "host"))
        for url, host in zip(*columns, strict=True):
            urls.append(url_hash(url))
            if site == CLUSTER:
                number = clusters.get(urls[-1])
                name = url if number is None else f"cluster {number}"
            else:
                name = _SITES[site](host or "")
            groups.append(places.setdefault(name, len(places)))
    return Groups(np.array(urls, np.uint64), np.array(groups, np.int64), list(places))


def _clusters(folder: Path) -> dict[int, int]:
    """Return the cluster of each page by :func:`url_hash`."""
    path = folder / FILE
    if not path.is_file():
        raise InputError(f"no file {path}; run `scrapy templates cluster` first")
    found: dict[int, int] = {}
    for batch in read_parquet(path, _COLUMNS):
        if batch.schema.names != list(_COLUMNS):
            raise InputError(
                f"{path} has no columns {' and '.join(_COLUMNS)}; run `scrapy templates cluster` anew"
            )
        columns: list[list[Any]] = [batch[name].to_pylist() for name in _COLUMNS]
        found |= zip(map(url_hash, columns[0]), columns[1], strict=True)
    return found
