"""Template pagelets: the same pagelet on several pages, of global detection on pages that are linked together.

A template is a set of pagelets (1) of equal content (2) whose pages are one component, links between
these very pages taken in both directions. *Source: Bar-Yossef and Rajagopalan 2002, definition 4 and
figure 5 (global template detection).* Local detection (figure 4)
leaves (2) out, for pages that are a small part of their web, where the links between them may be missing. They take an
equal shingle for equal content: one number of each pagelet (`crawler.page.pagelet_prints`). Where a pagelet has
several, it is in a template by any of them.

Ours in figure 4: two different pages at least have it, or a page that repeats its menu had a template.

Cost, for each of these numbers: O(k log k) for k pagelets, and O(m d log k) for m links, d being the pagelets of a page
that may be templates; memory O(k).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.hits.pagelet_links import PageletLinks, TemplatePagelets, template_pagelets

if TYPE_CHECKING:
    import numpy.typing as npt

    Ids = npt.NDArray[np.uint64]
    Numbers = npt.NDArray[np.uint32]
    Int64s = npt.NDArray[np.int64]

# Links whose ends are compared at once.
_CHUNK = 1 << 18


def find_templates(
    page: Ids, pagelet: Numbers, prints: npt.NDArray[np.uint64], links: PageletLinks | None
) -> TemplatePagelets:
    """Return which of the pagelets (*page[i]*, *pagelet[i]*) are templates.

    *prints*: ``uint64[k, p]``, those of its content. *links*: of all pages; None
    for local detection.
    """
    chosen = np.zeros(len(page), dtype=np.bool_)
    for content in prints.T:
        chosen |= _of_templates(page, content, links)
    return template_pagelets(page[chosen], pagelet[chosen])


def _of_templates(
    page: Ids, content: npt.NDArray[np.uint64], links: PageletLinks | None
) -> npt.NDArray[np.bool_]:
    """Return which of the pagelets are templates by one print of each."""
    pages, at = np.unique(page, return_inverse=True)
    _, of_content = np.unique(content, return_inverse=True)
    # a vertex for each content of each page, ascending by page
    n_contents = np.int64(of_content.max(initial=0) + 1)
    vertex, of_pagelet = np.unique(at * n_contents + of_content, return_inverse=True)
    n_owners = np.bincount(vertex % n_contents, minlength=int(n_contents))
    shared = vertex[n_owners[vertex % n_contents] > 1]
    is_template = np.zeros(len(vertex), dtype=np.bool_)
    if links is None:
        is_template[np.searchsorted(vertex, shared)] = True
    elif len(shared):
        in_component = _linked(shared, n_contents, pages, links)
        is_template[np.searchsorted(vertex, shared[in_component])] = True
    found: npt.NDArray[np.bool_] = is_template[of_pagelet]
    return found


def _linked(
    vertex: Int64s, n_contents: np.int64, pages: Ids, links: PageletLinks
) -> npt.NDArray[np.bool_]:
    """Return which of *vertex* are linked with another of the same content: whose component is more than itself."""
    first = np.searchsorted(vertex, np.arange(len(pages) + 1) * n_contents)
    joined = np.zeros(len(vertex), dtype=np.bool_)
    for start in range(0, len(links.page), _CHUNK):
        ends = links.page[start : start + _CHUNK], links.target[start : start + _CHUNK]
        source, target = (np.minimum(np.searchsorted(pages, ids), len(pages) - 1) for ids in ends)
        inside = (pages[source] == ends[0]) & (pages[target] == ends[1]) & (source != target)
        a, b = source[inside], target[inside]
        counts = first[a + 1] - first[a]
        # the vertices of each link's source, one behind the other
        before = np.cumsum(counts) - counts
        tails = np.arange(counts.sum()) + np.repeat(first[a] - before, counts)
        wanted = np.repeat(b * n_contents, counts) + vertex[tails] % n_contents
        heads = np.minimum(np.searchsorted(vertex, wanted), len(vertex) - 1)
        found = vertex[heads] == wanted
        joined[tails[found]] = joined[heads[found]] = True
    return joined
