"""Where the pages of a host are: numbers, paths and kinds, computed and never listed.

A host's numbered pages form a tree: page 0 is ``/``, page *i* links to pages ``8i+1 … 8i+8``, so that
each is reached. The first ``n_regular`` are ordinary, the others are of the kinds below, in that
order; being last, they are leaves. A path tells its page's number, and is right only if it is
the very path that the number gives; every other path of the host is a 404 (or a soft one).

======== =========================================================================================
near     a near-duplicate of a page of this host or of its sister: :meth:`Layout.pair`
copy     the same page again under another path
quote    an article that quotes a paragraph of the sister host
noindex  ``<meta name=robots content=noindex>``
nofollow ``<meta name=robots content=nofollow>``: its links are not to be followed
hidden   linked by ``rel=nofollow`` links only
thin     under 50 words of main text
private  disallowed by robots.txt, on hosts that have rules
======== =========================================================================================
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from crawler.sampleweb import names
from crawler.sampleweb.seeded import number, stream

if TYPE_CHECKING:
    from crawler.sampleweb.hosts import Host, HostTable

# Children of a page; 8 keeps a host of 100,000 pages within six clicks.
BRANCHES = 8

# One planted pair for so many ordinary pages, and so on; a small host has none.
PAGES_A_PAIR = 16
PAGES_A_COPY = 40
PAGES_A_QUOTE = 30
PAGES_A_RARITY = 45

RESEMBLANCES = (0.95, 0.9, 0.8, 0.5)

_RARITIES = ("noindex", "nofollow", "hidden", "thin")

_TEMPLATE_OF_PATH = (
    "/{section}/{slug}-{number}.html",
    "/{number}/{slug}/",
    "/article.php?id={number}",
    "/{section}/{year}/{month:02d}/{slug}-{number}",
    "/view?item={number}&lang={language}",
    "/caf%C3%A9/{slug}.{number}.htm",
)
_QUERY_PATHS = frozenset({2, 4})
_NUMBER = (
    re.compile(r"-(\d+)\.html$"),
    re.compile(r"/(\d+)/[^/]*/$"),
    re.compile(r"\?id=(\d+)$"),
    re.compile(r"-(\d+)$"),
    re.compile(r"\?item=(\d+)&"),
    re.compile(r"\.(\d+)\.htm$"),
)


class Pair(NamedTuple):
    """A near-duplicate: page *number* of host *host* written again with *resemblance* to it."""

    host: int
    number: int
    resemblance: float


class Layout:
    """The numbered pages of one host; those of a mirror are its original's."""

    def __init__(self, table: HostTable, host: Host) -> None:
        self.table = table
        self.host = table.host(host.content)
        self.n_regular = host.n_regular
        self._ranges = _ranges(table, self.host)
        self.n_pages = max(pages.stop for pages in self._ranges.values())
        self._style = number(table.seed, "paths", self.host.index) % len(_NUMBER)
        if "sessions" in self.host.roles and self._style in _QUERY_PATHS:
            self._style = 0  # the session's parameter shall be the only one
        rng = stream(table.seed, "sections", self.host.index)
        self._sections = [names.word(rng, 2) for _ in range(6)]

    def kind(self, page: int) -> str:
        """Return the kind of page number *page*."""
        return next(kind for kind, pages in self._ranges.items() if page < pages.stop)

    def rank(self, page: int) -> int:
        """Return how many pages of its kind come before *page* on this host."""
        return page - self._ranges[self.kind(page)].start

    def pages(self, kind: str) -> range:
        """Return the numbers of the pages of *kind*."""
        return self._ranges.get(kind, range(0))

    def children(self, page: int) -> range:
        """Return the numbers of the pages below *page* in the tree."""
        return range(BRANCHES * page + 1, min(BRANCHES * page + BRANCHES + 1, self.n_pages))

    def path(self, page: int) -> str:
        """Return the path of page number *page*, with its query."""
        if page == 0:
            return "/"
        code = number(self.table.seed, "path", self.host.index, page)
        path = _TEMPLATE_OF_PATH[self._style].format(
            section=self._sections[code % 6],
            slug=names.slug(code),
            number=page,
            year=2001 + code % 25,
            month=code // 25 % 12 + 1,
            language=self.host.language,
        )
        return f"/private{path}" if self.kind(page) == "private" else path

    def page(self, path: str) -> int | None:
        """Return the number of the page at *path*, None when there is none."""
        if path == "/":
            return 0
        match = _NUMBER[self._style].search(path)
        if match is None:
            return None
        page = int(match[1][:9])
        return page if page < self.n_pages and self.path(page) == path else None

    def pair(self, page: int) -> Pair:
        """Return what page number *page*, which must be of kind ``near``, is a near-duplicate of.

        Even pairs of a host stay on it, odd ones lie on its sister. No page is in two pairs.
        """
        rank = self.rank(page)
        n_own = -(-n_pairs(self.host) // 2)
        origin = self.host
        pair = 2 * rank
        if rank >= n_own:
            origin = self.table.host(self.table.sister(self.host.index, -1))
            pair = 2 * (rank - n_own) + 1
        level = RESEMBLANCES[(pair + origin.index) % len(RESEMBLANCES)]
        return Pair(origin.index, origin.n_regular - 1 - pair, level)

    def original(self, page: int) -> int:
        """Return the page that *page*, which must be of kind ``copy``, shows again."""
        return 1 + self.rank(page)

    def is_paired(self, page: int) -> bool:
        """Whether *page* is the elder member of a pair."""
        return self.n_regular - n_pairs(self.host) <= page < self.n_regular


def n_pairs(host: Host) -> int:
    """Return how many near-duplicate pairs start on *host*."""
    return host.n_regular // PAGES_A_PAIR if host.plain else 0


def _ranges(table: HostTable, host: Host) -> dict[str, range]:
    """Return the numbers of the pages of each kind, in ascending order."""
    n = host.n_regular
    counts = {"regular": n}
    if host.plain:
        elder = table.host(table.sister(host.index, -1))
        counts["near"] = -(-n_pairs(host) // 2) + n_pairs(elder) // 2
        counts["copy"] = n // PAGES_A_COPY
        counts["quote"] = n // PAGES_A_QUOTE
    counts |= dict.fromkeys(_RARITIES, n // PAGES_A_RARITY)
    counts["private"] = max(1, n // PAGES_A_RARITY)
    stops = accumulate(counts.values())
    return {
        kind: range(stop - count, stop)
        for (kind, count), stop in zip(counts.items(), stops, strict=True)
    }
