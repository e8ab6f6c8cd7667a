"""The hosts of the sample web: names, sizes, languages, templates, roles, addresses.

Sizes follow Zipf's law as Mandelbrot shifted it, ``pages(rank) ~ (rank + q)^-s``: a power law whose
largest hosts stay small enough for a polite crawl to end. The sins of the web live on the smaller
hosts (:mod:`~crawler.sampleweb.roles`), the larger ones are plain.

Memory: about 200 bytes a host, nothing a page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from crawler.sampleweb import charsets, names
from crawler.sampleweb.roles import mirrored_by, roles_of
from crawler.sampleweb.seeded import number
from crawler.sampleweb.text import LANGUAGES, N_TOPICS

MAX_HOSTS = 10_000
MIN_PAGES = 6

# measured: with these the largest of 60 hosts holds 9 % of the pages, of 10,000 hosts 6 %.
_SHIFT = 5.0
_EXPONENT = 1.4

# A listening socket each: few enough for the usual limit of 1,024 open files.
N_ADDRESSES = 200

TEMPLATES = ("table", "divsoup", "semantic", "blog", "forum", "shop", "directory", "minimal")

# Of the links that leave a host, those that stay within its topic.
TOPICAL_SHARE = 0.8

# English is met more often than the others, as on the web.
_LANGUAGE_CYCLE = (*LANGUAGES, "en", "en", "en")


@dataclass(frozen=True, slots=True)
class Host:
    """One host. *n_regular* counts its ordinary pages; *content* is the host whose pages it shows.

    *content* differs from *index* for a mirror only. *roles* are the sins that live here.
    """

    index: int
    name: str
    roles: frozenset[str]
    n_regular: int
    language: str
    topic: int
    template: str
    charset: charsets.Charset
    coding: str
    content: int
    category: str

    @property
    def root(self) -> str:
        """The URL of the host without its path."""
        return f"http://{self.name}"

    @property
    def plain(self) -> bool:
        """Whether this is an ordinary host, without any role."""
        return not self.roles


def host_sizes(n_hosts: int, n_pages: int) -> list[int]:
    """Return pages a host, largest first, summing to *n_pages* or the least that gives each six."""
    weights = [(rank + _SHIFT + 1) ** -_EXPONENT for rank in range(n_hosts)]
    spare = max(0, n_pages - MIN_PAGES * n_hosts)
    scale = spare / sum(weights)
    sizes = [MIN_PAGES + int(weight * scale) for weight in weights]
    for rank in range(MIN_PAGES * n_hosts + spare - sum(sizes)):
        sizes[rank % n_hosts] += 1
    return sizes


class HostTable:
    """All hosts of a web, by index and by name; index 0 is the largest.

    *plain*: no host has a role. *largest*: pages of host 0, where not 0.
    """

    def __init__(
        self, seed: int, n_hosts: int, n_pages: int, *, plain: bool = False, largest: int = 0
    ) -> None:
        if not 1 <= n_hosts <= MAX_HOSTS:
            raise ValueError(f"n_hosts must be 1 to {MAX_HOSTS}, got {n_hosts}")
        if n_pages < 1:
            raise ValueError(f"n_pages must be at least 1, got {n_pages}")
        self.seed = seed
        self.n_hosts = n_hosts
        self._is_plain = plain
        self._sizes = host_sizes(n_hosts, n_pages)
        self._sizes[0] = largest or self._sizes[0]
        self._index = {names.host_name(seed, index): index for index in range(n_hosts)}
        self._by_topic: list[list[int]] = [[] for _ in range(N_TOPICS)]
        self._plain: dict[str, list[int]] = {language: [] for language in LANGUAGES}
        self._turn: list[int] = []
        self.host = lru_cache(maxsize=1024)(self._host)
        seen: Counter[str] = Counter()
        for index in range(n_hosts):
            language = self.language(index)
            self._turn.append(seen[language])
            seen[language] += 1
            self._by_topic[self.topic(index)].append(index)
            if not self.roles(index):
                self._plain[language].append(index)

    def find(self, name: str) -> Host | None:
        """Return the host called *name*, None when there is none."""
        index = self._index.get(name)
        return None if index is None else self.host(index)

    def sister(self, index: int, step: int = 1) -> int:
        """Return the plain host of the same language *step* further round; itself if alone."""
        circle = self._plain[self.language(index)]
        return circle[(bisect_left(circle, index) + step) % len(circle)]

    def neighbour(self, index: int, draw: float, topical: float) -> int:
        """Return a host to link to from *index*: large ones rather, and of its topic mostly.

        *draw* and *topical* are random numbers in [0, 1); four links in five follow the topic.
        """
        circle = self._by_topic[self.topic(index)]
        if topical < TOPICAL_SHARE and len(circle) > 1:
            other = circle[int(len(circle) * draw**2)]
        else:
            other = int(self.n_hosts * draw**2)
        return other if other != index else (index + 1) % self.n_hosts

    def address(self, index: int) -> str:
        """Return the loopback address of host *index*; every fifth host shares its neighbour's."""
        owner = index - 1 if index % 5 == 4 else index
        code = number(self.seed, "address", owner % N_ADDRESSES)
        return f"127.{code % 254 + 1}.{code // 254 % 256}.{code // 65_536 % 254 + 1}"

    def content(self, index: int) -> int:
        """Return the host whose pages *index* shows: another one for mirrors, else itself."""
        is_mirror = "mirror" in self.roles(index)
        return mirrored_by(index, self.n_hosts) if is_mirror else index

    def roles(self, index: int) -> frozenset[str]:
        """Return the roles of host *index*."""
        return frozenset() if self._is_plain else roles_of(index, self.n_hosts)

    def language(self, index: int) -> str:
        index = self.content(index)
        return _LANGUAGE_CYCLE[(index + index // len(TEMPLATES)) % len(_LANGUAGE_CYCLE)]

    def topic(self, index: int) -> int:
        return number(self.seed, "topic", self.content(index)) % N_TOPICS

    def _host(self, index: int) -> Host:
        content = self.content(index)
        language = self.language(index)
        return Host(
            index=index,
            name=names.host_name(self.seed, index),
            roles=self.roles(index),
            n_regular=self._sizes[content],
            language=language,
            topic=self.topic(index),
            template=TEMPLATES[content % len(TEMPLATES)],
            charset=charsets.charset_of(language, self._turn[content]),
            coding=("", "gzip", "", "br", "", "gzip")[content % 6],
            content=content,
            category=names.category(language, self.topic(index), content),
        )
