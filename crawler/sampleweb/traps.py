"""The traps of a sample web that has some: where they stand, and which page is of which.

A trap has no end: each of its pages is computed from its URL and links to more of them. A *set* of
traps has one of each of the :data:`KINDS` on a host of its own and one beside the pages of an ordinary
host; home pages of ordinary hosts lead to them.

=========== ========================================================================================
calendar    months and days for ever, next to no text
session     few articles, under a new session id in every link
repeat      relative links that make the path longer: ``/a/b/a/b/``
facet       a list of the same things, filtered and sorted by eight parameters
pagination  five pages of text, then empty ones with a link to the next
subdomain   any name below the domain shows the same page
soft404     every path answers 200 and an apology, with links to more such paths
maze        babble of a Markov chain, with links into more of it
redirect    redirects to redirects, and now and then a page of links to redirects
=========== ========================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.sampleweb import names
from crawler.sampleweb.answers import Answer
from crawler.sampleweb.seeded import number, stream
from crawler.sampleweb.trap_pages import KINDS_OF_DOMAINS, MAKERS, html_of
from crawler.sampleweb.writer import Link
from crawler.urls.domains import registrable_domain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.sampleweb.hosts import Host
    from crawler.sampleweb.library import Library

KINDS = tuple(MAKERS)

# Beyond the hosts of any web, and a multiple of ten: a `www.` host of a domain of its own.
_FIRST_OWN = 20_000

# Links that a page of a trap beside ordinary pages has to these.
_N_NAV = 6


@dataclass(frozen=True, slots=True)
class Trap:
    """One trap of *kind* below *prefix* of *host*, or on all names below the domain *host*.

    *nav* are URLs of the ordinary pages that it stands beside; *code* tells it from all others.
    """

    kind: str
    host: str
    prefix: str
    code: int
    language: str
    topic: int
    nav: tuple[str, ...] = ()

    @property
    def entrance(self) -> str:
        """The URL that leads into the trap."""
        name = f"{names.word(stream(self.code), 3)}.{self.host}" if self.is_domain else self.host
        return f"http://{name}{self.prefix}{MAKERS[self.kind].first(self.code)}"

    @property
    def is_domain(self) -> bool:
        return self.kind in KINDS_OF_DOMAINS


class Traps:
    """*n_sets* sets of traps in the web of *library*."""

    def __init__(self, library: Library, n_sets: int) -> None:
        self.library = library
        self.seed = library.table.seed
        self.all: list[Trap] = []
        self._of_host: dict[str, Trap] = {}
        self._of_domain: dict[str, Trap] = {}
        self._entrances: dict[int, list[Trap]] = {}
        plain = [index for index in range(library.table.n_hosts) if library.table.host(index).plain]
        if n_sets and len(plain) < 2 * len(KINDS) * n_sets:
            raise ValueError(
                f"{n_sets} sets of traps need {2 * len(KINDS) * n_sets} ordinary hosts, "
                f"there are {len(plain)}"
            )
        for turn in range(n_sets * len(KINDS)):
            kind = KINDS[turn % len(KINDS)]
            near, far = plain[turn * len(plain) // (n_sets * len(KINDS))], plain[-1 - turn]
            self._add(self._beside(kind, library.table.host(near), 2 * turn), near)
            self._add(self._own(kind, 2 * turn + 1), far)

    def _beside(self, kind: str, host: Host, code: int) -> Trap:
        layout = self.library.layout(host.content)
        nav = tuple(host.root + layout.path(page) for page in range(min(_N_NAV, host.n_regular)))
        prefix = f"/{names.word(stream(self.seed, 'trap', code), 3)}"
        name = host.name
        if kind in KINDS_OF_DOMAINS:
            name, prefix = registrable_domain(host.name), ""
        return Trap(kind, name, prefix, code, _spaced(host.language), host.topic, nav)

    def _own(self, kind: str, code: int) -> Trap:
        name = names.host_name(self.seed, _FIRST_OWN + 10 * code)
        if kind in KINDS_OF_DOMAINS:
            name = registrable_domain(name)
        return Trap(kind, name, "", code, "en", number(self.seed, "trap topic", code) % 12)

    def _add(self, trap: Trap, entered_from: int) -> None:
        self.all.append(trap)
        (self._of_domain if trap.is_domain else self._of_host)[trap.host] = trap
        self._entrances.setdefault(entered_from, []).append(trap)

    def entrances(self, host: Host) -> list[Link]:
        """Return the links of the home page of *host* that lead into traps."""
        traps = self._entrances.get(host.index, ())
        return [Link(trap.entrance, names.word(stream(trap.code), 2)) for trap in traps]

    def find(self, name: str, path: str) -> Trap | None:
        """Return the trap that *path* of the host called *name* is in, None outside of traps."""
        trap = self._of_host.get(name)
        if trap is None and self.library.table.find(name) is None:
            trap = self._of_domain.get(registrable_domain(name))
        if trap is None or path in ("/robots.txt", "/sitemap.xml"):
            return None
        is_in = not trap.prefix or path == trap.prefix or path.startswith((f"{trap.prefix}/",))
        return trap if is_in or path.startswith(f"{trap.prefix}?") else None

    def answer(self, name: str, path: str) -> Answer | None:
        """Return what the host called *name* answers for *path*; None outside of traps."""
        trap = self.find(name, path)
        if trap is None:
            is_own = name in self._of_host or registrable_domain(name) in self._of_domain
            is_there = is_own and self.library.table.find(name) is None
            return Answer(404, b"not found\n", "text/plain") if is_there else None
        page = MAKERS[trap.kind].make(trap, name, path.removeprefix(trap.prefix))
        if page.location:
            return Answer(302, b"", location=page.location)
        return Answer(200, html_of(page, trap).encode(), "text/html; charset=utf-8")

    def hosts(self) -> Iterator[str]:
        """Yield the names of hosts that are traps; ``*.domain`` for all names below a domain."""
        for trap in self.all:
            if trap.is_domain:
                yield f"*.{trap.host}"
            elif not trap.prefix:
                yield trap.host


def _spaced(language: str) -> str:
    """Return *language*, or English for one whose words have no spaces between them."""
    return "en" if language in ("zh", "ja") else language
