"""The documents of a corpus by site, each site's in an order that no crawl decides.

Memory: 16 bytes a document, and 100 a site.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.urls import registrable_domain
from pipelines.jobs.templates.answers import url_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from pipelines.corpus.corpus import Corpus

    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]

# What makes pages one site, of the name of their host.
SITES: dict[str, Callable[[str], str]] = {"domain": registrable_domain, "host": str}


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
    """Return the documents of *corpus* by their *site*, one of `SITES`."""
    urls, groups = array("Q"), array("q")
    places: dict[str, int] = {}
    for batch in corpus.batches("documents", ["url", "host"]):
        columns = (batch[name].to_pylist() for name in ("url", "host"))
        for url, host in zip(*columns, strict=True):
            urls.append(url_hash(url))
            groups.append(places.setdefault(SITES[site](host or ""), len(places)))
    return Groups(np.array(urls, np.uint64), np.array(groups, np.int64), list(places))
