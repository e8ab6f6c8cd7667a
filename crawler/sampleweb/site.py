"""What all pages of a host have in common: its furniture and its way of writing HTML.

A template is a plan; a *style* is how one host carries it out: which elements it uses, on which
side the side bar stands, how deep it nests, whether a cookie banner opens or closes the page. Class
names and ids come from one pool of meaningless words a host, for content and boilerplate alike, so
that a name tells a cleaner nothing that the text does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.sampleweb import names, text
from crawler.sampleweb.seeded import number, stream

if TYPE_CHECKING:
    from random import Random

    from crawler.sampleweb.hosts import Host
    from crawler.sampleweb.library import Library

_N_NAMES = 24
N_NAV = 8


@dataclass(frozen=True, slots=True)
class Style:
    """How a host writes its template; *noise* in [0, 1] is how much long boilerplate it carries."""

    paragraph: str
    heading: str
    menu: str
    depth: int
    side_first: bool
    cookie: str
    trail: bool
    newline: str
    spelling: str
    noise: float


@dataclass(frozen=True, slots=True)
class Furniture:
    """The texts that every page of a host shows."""

    brand: str
    tagline: str
    cookie: str
    cookie_button: str
    imprint: str
    claim: str
    headings: tuple[str, ...]
    labels: tuple[str, ...]


class Site:
    """The style, the furniture and the class names of one host; a mirror shares its original's."""

    def __init__(self, library: Library, host: Host) -> None:
        seed = library.table.seed
        self.host = library.table.host(host.content)
        self.layout = library.layout(host.content)
        rng = stream(seed, "site", self.host.index)
        self.style = _style(rng, self.host)
        self.furniture = _furniture(rng, self.host)
        self._seed = seed
        self._names = [names.word(rng, rng.randint(1, 3)) for _ in range(_N_NAMES)]
        self._attributes: dict[str, str] = {}

    def name(self, slot: str) -> str:
        """Return the meaningless name that this host uses for *slot*, one of a pool of 24."""
        return self._names[number(self._seed, "class", self.host.index, slot) % _N_NAMES]

    def at(self, slot: str) -> str:
        """Return the attributes of an element in *slot*, with a leading space."""
        found = self._attributes.get(slot)
        if found is None:
            kind = "id" if number(slot, self.host.index) % 5 == 0 else "class"
            found = self._attributes[slot] = f' {kind}="{self.name(slot)}"'
        return found


def _style(rng: Random, host: Host) -> Style:
    spellings = ("root", "root", "absolute", "document", "protocol")
    spelling = rng.choice(spellings)
    if "mirrored" in host.roles:
        spelling = "root"  # so that the mirror can be the same to the byte
    elif "base" in host.roles:
        spelling = "base"
    return Style(
        paragraph=rng.choice(("p", "p", "div", "br")),
        heading=rng.choice(("h1", "h1", "h2")),
        menu=rng.choice(("ul", "pipe", "div", "br")),
        depth=rng.randint(0, 3),
        side_first=rng.random() < 0.5,
        cookie=rng.choice(("", "top", "bottom")),
        trail=rng.random() < 0.6,
        newline=rng.choice(("\n", "\n", "\n  ", "")),
        spelling=spelling,
        noise=rng.random(),
    )


def _furniture(rng: Random, host: Host) -> Furniture:
    language, topic = host.language, host.topic
    return Furniture(
        brand=text.label(rng, language, topic),
        tagline=text.title(rng, language, topic),
        cookie=" ".join(text.sentence(rng, language, topic) for _ in range(2)),
        cookie_button=text.label(rng, language, topic),
        imprint=text.title(rng, language, topic),
        claim=" ".join(text.sentence(rng, language, topic) for _ in range(2)),
        headings=tuple(text.label(rng, language, topic) for _ in range(6)),
        labels=tuple(text.label(rng, language, topic) for _ in range(N_NAV + 12)),
    )
