"""Related pages by co-citation: pages that are linked to beside a page, within one pagelet.

Given page p, each pagelet that holds a link to p gives `within` to every other page that it links to;
the other pagelets of its page, those without a link to p, give `same_page` to every page but p that they link
to. Template pagelets give nothing. *Source: Bar-Yossef and Rajagopalan 2002, section 4, case 3, which
counts within a pagelet only, or weights that more; Dean and Henzinger 1999, which counts within a page: that is
`by_page`.*

Cost of a query: O(links of the pages that link to p). Memory: 8 bytes a link beside the links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.ranking.hits.pagelet_links import PageletLinks, TemplatePagelets, without_templates

if TYPE_CHECKING:
    import numpy.typing as npt


class Cocitation:
    """Answers which pages are cited beside a page in *links*, *templates* left out.

    *within*: for a link in the same pagelet. *same_page*: in another pagelet of the same page, at most
    *within*. Raises :exc:`ValueError` when they are not 0 <= *same_page* <= *within*.
    """

    def __init__(
        self,
        links: PageletLinks,
        *,
        templates: TemplatePagelets | None = None,
        within: float = 1.0,
        same_page: float = 0.0,
    ) -> None:
        if not 0 <= same_page <= within:
            raise ValueError(
                f"same_page must be at least 0 and at most within ({within}), got {same_page}"
            )
        self.links = links if templates is None else without_templates(links, templates)
        self.within, self.same_page = within, same_page
        self._by_target = np.argsort(self.links.target, kind="stable")
        self._targets = self.links.target[self._by_target]

    def related(self, page: int, n_best: int = 10) -> list[tuple[float, int]]:
        """Return (score, page) of the *n_best* pages related to *page*, best first, ties by id.

        Pages with score 0 are left out.
        """
        wanted = np.uint64(page)
        places = self._by_target[
            np.searchsorted(self._targets, wanted, "left") : np.searchsorted(
                self._targets, wanted, "right"
            )
        ]
        targets, scores = [np.zeros(0, dtype=np.uint64)], [np.zeros(0)]
        for parent in np.unique(self.links.page[places]):
            cited, score = self._of_parent(parent, wanted)
            targets.append(cited)
            scores.append(score)
        return _best(np.concatenate(targets), np.concatenate(scores), n_best)

    def _of_parent(
        self, parent: np.uint64, page: np.uint64
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
        """Return what the pagelets of *parent* give to which pages."""
        start = np.searchsorted(self.links.page, parent, "left")
        stop = np.searchsorted(self.links.page, parent, "right")
        pagelet, target = self.links.pagelet[start:stop], self.links.target[start:stop]
        citing = np.isin(pagelet, pagelet[target == page])
        score = np.where(citing, self.within, self.same_page)
        kept = (target != page) & (score > 0)
        return target[kept], score[kept]


def by_page(links: PageletLinks) -> PageletLinks:
    """Return *links* as if each page were one pagelet."""
    key = np.lexsort((links.target, links.page))
    page, target = links.page[key], links.target[key]
    first = np.ones(len(page), dtype=np.bool_)
    first[1:] = (page[1:] != page[:-1]) | (target[1:] != target[:-1])
    zeros = np.zeros(int(first.sum()), dtype=np.uint32)
    return PageletLinks(page[first], zeros, target[first])


def _best(
    targets: npt.NDArray[np.uint64], scores: npt.NDArray[np.float64], n_best: int
) -> list[tuple[float, int]]:
    found, place = np.unique(targets, return_inverse=True)
    total = np.bincount(place, weights=scores, minlength=len(found))
    order = np.lexsort((found, -total))[:n_best]
    return list(zip(total[order].tolist(), found[order].tolist(), strict=True))
