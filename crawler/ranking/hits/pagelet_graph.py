"""The graph of pagelets and pages, for HITS: hubs are pagelets, authorities pages.

There is a vertex for each pagelet of a page of the base set, and one for each page of the base set; an edge
goes from a pagelet to a page iff the pagelet holds a link to it. Template pagelets are left out, and their
links with them; so are links within a host (nepotistic ones), if that is asked for. *Source: Bar-Yossef and Rajagopalan
2002, section 4, case 1.* Without the query's words (their FNM) leaving templates out alone lowers precision (section
5): who ranks for a query leaves out the pagelets that do not match it too (`crawler.ranking.hits.query_pages`).

Pagelets without links into the base set are no vertices: their value is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.hits.hits import HubLinks
from crawler.ranking.hits.pagelet_links import (
    PageletLinks,
    TemplatePagelets,
    chosen_links,
    without_templates,
)

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class PageletGraph:
    """*links* from pagelets to pages. Hub i is pagelet ``pagelet[i]`` of page ``owner[i]``.

    ``pages: uint64[n]``, ascending, are the authorities.
    """

    links: HubLinks
    pages: npt.NDArray[np.uint64]
    owner: npt.NDArray[np.uint64]
    pagelet: npt.NDArray[np.uint32]


def pagelet_graph(
    links: PageletLinks,
    *,
    base: npt.NDArray[np.uint64] | None = None,
    templates: TemplatePagelets | None = None,
    nepotistic: bool = True,
) -> PageletGraph:
    """Return the graph of *links* between pages of *base*, without *templates*; those within a host if *nepotistic*.

    *base*: packed ids, any order; None are all pages that link or are linked to.
    """
    if base is None:
        base = np.concatenate([links.page, links.target])
    pages = np.unique(base)
    if templates is not None:
        links = without_templates(links, templates)
    inside = np.isin(links.page, pages) & np.isin(links.target, pages)
    if not nepotistic:
        inside &= links.page >> np.uint64(32) != links.target >> np.uint64(32)
    owner, pagelet, target = chosen_links(links, inside)
    first = np.ones(len(owner), dtype=np.bool_)
    first[1:] = (owner[1:] != owner[:-1]) | (pagelet[1:] != pagelet[:-1])
    hub = (np.cumsum(first) - 1).astype(np.uint32)
    place = np.searchsorted(pages, target)
    order = np.argsort(place, kind="stable")
    in_degree = np.bincount(place, minlength=len(pages))
    indptr = np.concatenate([[0], np.cumsum(in_degree)]).astype(np.int64)
    bipartite = HubLinks(indptr, hub[order], int(first.sum()))
    return PageletGraph(bipartite, pages, owner[first], pagelet[first])
