"""A page before its template: the article, and the links that stand around it.

About 93 % of a page's links stay on its host (Kohlschütter 2011, Table 3.2: 93.81 %): so many
links to other hosts are drawn as make this come true for the links that the page has already.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.sampleweb import text
from crawler.sampleweb.layout import BRANCHES
from crawler.sampleweb.site import N_NAV
from crawler.sampleweb.writer import Link

if TYPE_CHECKING:
    from random import Random

    from crawler.sampleweb.article import Article
    from crawler.sampleweb.hosts import Host
    from crawler.sampleweb.library import Library
    from crawler.sampleweb.site import Site

# measured: external links for one internal link that make 7 % of the distinct arcs external.
_EXTERNAL_RATIO = 0.066

N_RELATED = 8
N_RECENT = 18


@dataclass(slots=True)
class View:
    """All that a template needs to write one page of *host*.

    *noise* is how much long boilerplate the page carries: 0 for the planted near-duplicates, which
    must come out of a cleaner alike, and for thin pages, of which nothing else may remain, else 1 to
    3. *inline* are targets of links within the main text; *robots* is the content of its robots meta
    element, *refresh* the beginning of its refresh element's content and the target.
    """

    host: Host
    site: Site
    article: Article
    rng: Random
    noise: int
    nav: list[Link]
    trail: list[Link]
    children: list[Link]
    related: list[Link]
    recent: list[Link]
    partners: list[Link]
    inline: list[Link]
    robots: str = ""
    refresh: tuple[str, str] | None = None

    def sentence(self) -> str:
        """Write a sentence of boilerplate in the page's language."""
        return text.sentence(self.rng, self.host.language, self.host.topic)

    def label(self) -> str:
        return text.label(self.rng, self.host.language, self.host.topic)


class Linker:
    """Draws the links of the pages of *host*."""

    def __init__(self, library: Library, site: Site, host: Host) -> None:
        self.library = library
        self.site = site
        self.host = host
        self.layout = site.layout

    def to(self, page: int, label: str = "") -> Link:
        """Return a link to page number *page* of this host, by its title unless *label* is given."""
        anchor = label or self.library.title(self.host.content, page)
        url = self.host.root + self.layout.path(page)
        return Link(url, anchor, self.layout.kind(page) == "hidden")

    def nav(self) -> list[Link]:
        labels = self.site.furniture.labels
        n_nav = min(N_NAV, self.layout.n_regular - 1)
        return [self.to(page, labels[page]) for page in range(n_nav + 1)]

    def children(self, page: int) -> list[Link]:
        return [self.to(child) for child in self.layout.children(page)]

    def trail(self, page: int) -> list[Link]:
        """Return links to the page above *page* and to the first."""
        labels = self.site.furniture.labels
        above = max(0, (page - 1) // BRANCHES)
        return [self.to(0, labels[0]), self.to(above, labels[above % len(labels)])]

    def some(self, rng: Random, count: int, *, skew: float = 1.0) -> list[Link]:
        """Return up to *count* links to ordinary pages; *skew* above 1 prefers the first ones."""
        n_regular = self.layout.n_regular
        drawn = {int(n_regular * rng.random() ** skew): None for _ in range(count)}
        return [self.to(page) for page in drawn]

    def partners(self, rng: Random, n_internal: int) -> list[Link]:
        """Return links to other hosts, as many as *n_internal* links on the host ask for."""
        if self.library.table.n_hosts == 1:
            return []
        n_external = int(n_internal * _EXTERNAL_RATIO + rng.random())
        return [link for _ in range(n_external) if (link := self._partner(rng))]

    def _partner(self, rng: Random) -> Link | None:
        table = self.library.table
        # a mirror has the very links of its original
        other = table.host(table.neighbour(self.host.content, rng.random(), rng.random()))
        if other.content == self.host.content:
            return None  # original and mirror would spell this link each in its own way
        layout = self.library.layout(other.content)
        page = int(layout.n_regular * rng.random()) if rng.random() < 0.5 else 0
        anchor = text.label(rng, self.host.language, self.host.topic)
        return Link(other.root + layout.path(page), anchor, rng.random() < 0.05)
