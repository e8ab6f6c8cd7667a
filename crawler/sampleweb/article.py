"""The main text of a page: what a perfect cleaner would keep, before any template touches it."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, NamedTuple

from crawler.sampleweb import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

# Words of main text: log-normal, as document lengths are; median and spread of news and blog pages.
_MEDIAN_WORDS = 210
_SPREAD = 0.45
MIN_WORDS, MAX_WORDS = 90, 600
# A planted resemblance of .95 within .02 needs so many words: one altered word alters five shingles.
PAIR_WORDS = (280, 480)
THIN_WORDS = 20
THIN_BELOW_WORDS = 50

# The shape of the members of planted pairs: long blocks only, which every cleaner keeps, so that no
# cleaner drops the very words in which they differ.
TWIN = "twin"


class Block(NamedTuple):
    """One block of main text.

    *kind* is ``p``, ``h2``, ``li``, ``key``, ``value``, ``entry`` (*anchor* is then its linked
    beginning), ``post`` (the paragraph that begins a forum post) or ``quote``.
    """

    kind: str
    text: str
    anchor: str = ""

    @property
    def shown(self) -> str:
        """The whole text of the block as a reader sees it."""
        return f"{self.anchor} {self.text}" if self.anchor else self.text


@dataclass(frozen=True, slots=True)
class Article:
    """The title and the blocks of a page's main text."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def text(self) -> str:
        """The main text, one block a line, the title first."""
        return "\n".join((self.title, *(block.shown for block in self.blocks)))


@dataclass(frozen=True, slots=True)
class Brief:
    """What an article shall be; *shape* is the template whose kinds of blocks it uses, or TWIN."""

    language: str
    topic: int
    shape: str
    n_words: int


def draw_length(rng: Random) -> int:
    """Draw the number of words of an ordinary article."""
    n_words = int(rng.lognormvariate(log(_MEDIAN_WORDS), _SPREAD))
    return max(MIN_WORDS, min(MAX_WORDS, n_words))


def write(rng: Random, brief: Brief, title: str) -> Article:
    """Write the article of *brief* under *title*."""
    shape = _SHAPES.get(brief.shape, _plain)
    return Article(title, tuple(shape(rng, brief)))


def _paragraphs(rng: Random, brief: Brief, share: float = 1.0) -> list[str]:
    n_words = max(12, int(brief.n_words * share))
    return text.paragraphs(rng, brief.language, brief.topic, n_words=n_words)


def _label(rng: Random, brief: Brief) -> str:
    return text.label(rng, brief.language, brief.topic)


def _plain(rng: Random, brief: Brief) -> Iterator[Block]:
    for number, paragraph in enumerate(_paragraphs(rng, brief)):
        if number and rng.random() < 0.25:
            yield Block("h2", text.title(rng, brief.language, brief.topic))
        yield Block("p", paragraph)


def _paragraphs_only(rng: Random, brief: Brief) -> Iterator[Block]:
    yield from (Block("p", paragraph) for paragraph in _paragraphs(rng, brief))


def _with_list(rng: Random, brief: Brief) -> Iterator[Block]:
    yield from _plain(rng, Brief(brief.language, brief.topic, brief.shape, brief.n_words * 5 // 6))
    if rng.random() < 0.5:
        for _ in range(rng.randint(2, 4)):
            yield Block("li", text.title(rng, brief.language, brief.topic))


def _with_table(rng: Random, brief: Brief) -> Iterator[Block]:
    yield from (Block("p", paragraph) for paragraph in _paragraphs(rng, brief, 0.9))
    for _ in range(rng.randint(2, 5)):
        yield Block("key", _label(rng, brief))
        yield Block("value", _label(rng, brief))


def _posts(rng: Random, brief: Brief) -> Iterator[Block]:
    until_next = 0
    for paragraph in _paragraphs(rng, brief):
        yield Block("p" if until_next else "post", paragraph)
        until_next = until_next - 1 if until_next else rng.randint(0, 1)


def _entries(rng: Random, brief: Brief) -> Iterator[Block]:
    for paragraph in _paragraphs(rng, brief, 0.45):
        yield Block("p", paragraph)
    n_left = int(brief.n_words * 0.55)
    while n_left > 0:
        description = text.sentence(rng, brief.language, brief.topic)
        yield Block("entry", description, text.title(rng, brief.language, brief.topic))
        n_left -= 20


_SHAPES: dict[str, Callable[[Random, Brief], Iterator[Block]]] = {
    TWIN: _paragraphs_only,
    "table": _with_table,
    "semantic": _with_list,
    "forum": _posts,
    "shop": _with_table,
    "directory": _entries,
}
