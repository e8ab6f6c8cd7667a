"""Pages of a corpus that are related to one by co-citation: what ``scrapy hits --related`` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import InputError
from crawler.ranking.hits.cocitation import Cocitation
from crawler.ranking.hits.pagelet_links import k_of_files, read_links, read_templates
from crawler.urls import page_key
from crawler.webgraph.graph import Graph
from crawler.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

N_BEST = 10


@dataclass(frozen=True, slots=True)
class RelatedReport:
    """The pages cited beside *url*, best first, and in how many pagelets it is cited."""

    url: str
    citing: int
    related: list[tuple[float, str]]

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [
            f"page        {self.url}",
            f"cited in    {counted(self.citing, 'pagelet')}",
            "",
            f"{'score':>12}  url",
            *(f"{score:12.6g}  {url}" for score, url in self.related),
        ]
        return "\n".join(lines)


def related_pages(
    folder: Path,
    url: str,
    *,
    pagelets: Path,
    templates: Path | None = None,
    same_page: float = 0.0,
) -> RelatedReport:
    """Return the pages related to *url* by the pagelets in the file *pagelets*.

    *templates*: file of those that are left out. *same_page*: what a link in another pagelet of the same
    page counts, 0 to 1, where one in the same pagelet counts 1. Raises :exc:`InputError` when there is
    no graph in *folder*, or it does not know *url* or a page that was found.
    """
    key = page_key(url)
    if key is None:
        raise InputError(f"--related is {url!r}; give the URL of a page, as http://host/path")
    flags = None if templates is None else read_templates(templates)
    links = read_links(pagelets)
    k_of_files(pagelets, templates)
    cocitation = Cocitation(links, templates=flags, same_page=same_page)
    with Graph.open(folder) as graph:
        ids, known = graph.find([key])
        if not known[0]:
            raise InputError(f"the graph in {folder} has no page {url}; give another --related")
        best = cocitation.related(int(ids[0]), N_BEST)
        try:
            urls = graph.urls(np.array([page for _, page in best], dtype=np.uint64))
        except KeyError as error:
            raise InputError(
                f"{pagelets} names page {error}, which is not in {folder}; give the pagelets of "
                "this corpus"
            ) from error
    return RelatedReport(
        url=url,
        citing=int((cocitation.links.target == ids[0]).sum()),
        related=[(score, found) for (score, _), found in zip(best, urls, strict=True)],
    )
