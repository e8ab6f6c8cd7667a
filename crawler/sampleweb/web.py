"""The sample web: a web computed from a seed, page by page, with all the answers.

Every page, every answer and every seed is a function of (seed, host, path), and of the size of the
web; nothing depends on the port, on the order of calls or on the process. No list of pages is ever
held: memory is that of the hosts (some 200 bytes each) and of bounded caches, whatever the number
of pages. A page costs about a millisecond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from crawler.sampleweb import resources, text
from crawler.sampleweb.hosts import HostTable
from crawler.sampleweb.library import Library
from crawler.sampleweb.places import Places
from crawler.sampleweb.replies import Replies
from crawler.sampleweb.seeded import number, stream
from crawler.sampleweb.traps import Traps
from crawler.sampleweb.truths import Truths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.sampleweb.answers import Answer, Truth
    from crawler.sampleweb.hosts import Host
    from crawler.sampleweb.places import Place


class SampleWeb:
    """A web of *n_hosts* hosts (1 to 10,000) with *n_pages* ordinary pages or more, from *seed*.

    *plain*: all hosts are ordinary ones; *largest*: pages of the first host, 0 for its share;
    *n_traps*: sets of endless traps (:mod:`~crawler.sampleweb.traps`), which :meth:`pages` and the
    answers do not list.
    """

    def __init__(
        self,
        seed: int = 1,
        n_hosts: int = 60,
        n_pages: int = 3000,
        *,
        plain: bool = False,
        largest: int = 0,
        n_traps: int = 0,
    ) -> None:
        self.options = {
            "seed": seed,
            "hosts": n_hosts,
            "pages": n_pages,
            "plain": plain,
            "largest": largest,
            "traps": n_traps,
        }
        self.seed = seed
        self.table = HostTable(seed, n_hosts, n_pages, plain=plain, largest=largest)
        self.library = Library(self.table)
        self.traps = Traps(self.library, n_traps)
        self.places = Places(self.library, self.traps)
        self.replies = Replies(self.library, self.places)
        self._truths = Truths(self.library, self.places, self.replies)

    def hosts(self) -> Iterator[Host]:
        """Yield all hosts, the largest first."""
        return map(self.table.host, range(self.table.n_hosts))

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Yield (name, loopback address) of all hosts, traps too: ``*.x`` is every name below x."""
        for host in self.hosts():
            yield host.name, self.address(host.name)
        for turn, name in enumerate(self.traps.hosts()):
            yield name, self.table.address(turn % self.table.n_hosts)

    def address(self, host: str) -> str:
        """Return the loopback address of the host called *host*."""
        return self.table.address(self._host(host).index)

    def pages(self, host: str) -> Iterator[str]:
        """Yield the paths of the pages of *host*: the numbered ones, then those at fixed paths."""
        found = self._host(host)
        layout = self.library.layout(found.content)
        yield from map(layout.path, range(layout.n_pages))
        yield from self.places.specials(found)

    def n_pages(self, host: str) -> int:
        """Return how many paths :meth:`pages` yields, without making them."""
        found = self._host(host)
        return self.library.layout(found.content).n_pages + len(self.places.specials(found))

    def url(self, host: int, page: int) -> str:
        """Return the URL of page number *page* of host number *host*."""
        found = self.table.host(host)
        return found.root + self.library.layout(found.content).path(page)

    def page(self, host: str, path: str) -> Answer | None:
        """Return what the host called *host* answers for *path*; None when there is no such host."""
        if self.traps.all and (answer := self.traps.answer(host, path)) is not None:
            return answer
        place = self.places.find(host, path)
        return None if place is None else self.replies.answer(place)

    def truth(self, url: str) -> Truth | None:
        """Return all that is known of the canonical *url*; None when it is not on this web."""
        place = self.place(url)
        return None if place is None else self._truths.of(place)

    def truths(self, host: str) -> Iterator[Truth]:
        """Yield what is known of each of the :meth:`pages` of *host*."""
        for path in self.pages(host):
            place = self.places.find(host, path)
            assert place is not None
            yield self._truths.of(place)

    def sins(self) -> Iterator[tuple[str, str]]:
        """Yield (kind, URL) of every page that is no ordinary one: where each sin is to be found.

        Left out is what has no end: sessions, calendars and unknown paths of soft 404 hosts.
        """
        for host in self.hosts():
            layout = self.library.layout(host.content)
            for page in range(layout.n_regular, layout.n_pages):
                yield layout.kind(page), host.root + layout.path(page)
            for path, special in self.places.specials(host).items():
                yield special.kind, host.root + path

    def is_followed(self, url: str) -> bool:
        """Whether a crawl for text follows an ordinary link to *url*."""
        place = self.place(url)
        return place is not None and resources.is_followed(place.path)

    def seeds(self) -> Iterator[tuple[str, str]]:
        """Yield (category, URL): all home pages, and for some hosts a page deep inside."""
        for host in self.hosts():
            yield host.category, host.root + "/"
            if host.index % 4 == 0 and host.plain:
                deep = number(self.seed, "seed", host.index) % host.n_regular
                yield host.category, self.url(host.index, deep)

    def description(self, url: str) -> tuple[str, str]:
        """Return what a human editor would call the seed *url*: a title and a sentence."""
        place = self.place(url)
        if place is None or place.page < 0:
            raise ValueError(f"url must be that of a numbered page, got {url!r}")
        host = place.host
        rng = stream(self.seed, "description", host.index, place.page)
        title = self.library.title(host.content, place.page)
        return title, text.sentence(rng, host.language, host.topic)

    def _host(self, name: str) -> Host:
        host = self.table.find(name)
        if host is None:
            raise ValueError(f"host must be one of this web's, got {name!r}")
        return host

    def place(self, url: str) -> Place | None:
        """Return what stands at *url*; None when it is not on this web."""
        parts = urlsplit(url)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return self.places.find(parts.netloc, path) if parts.scheme == "http" else None
