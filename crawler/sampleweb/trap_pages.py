"""What the pages of traps show: text, and links to more of the trap, all computed from the URL."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from crawler.sampleweb import names, text
from crawler.sampleweb.seeded import number, stream

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from crawler.sampleweb.traps import Trap

KINDS_OF_DOMAINS = frozenset({"subdomain"})

_EMPTY_WORDS, _TEXT_WORDS = 10, 130
_N_ARTICLES = 8
_N_FULL_PAGES = 5
_PARAMETERS = ("brand", "colour", "fit", "material", "order", "price", "size", "sort")
_CORPUS_WORDS = 8_000
_MARKOV_WORDS = 180


@dataclass(slots=True)
class TrapPage:
    """A page of a trap: title, paragraphs, hrefs; or, with *location*, a redirect."""

    title: str = ""
    paragraphs: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    location: str = ""


class Maker(NamedTuple):
    """*first* gives the path of the entrance of a trap by its code, *make* any page by its path."""

    first: Callable[[int], str]
    make: Callable[[Trap, str, str], TrapPage]


def html_of(page: TrapPage, trap: Trap) -> str:
    """Return the document of *page*, with the menu of the site that *trap* stands beside."""
    menu = "".join(f'<a href="{escape(url)}">{number(url) % 1000}</a> ' for url in trap.nav)
    main = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in page.paragraphs)
    more = "".join(
        f'<li><a href="{escape(href)}">{turn}</a></li>' for turn, href in enumerate(page.links, 1)
    )
    title = escape(page.title)
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title></head><body><div>{menu}</div>\n"
        f"<h1>{title}</h1>\n{main}<ul>{more}</ul></body></html>\n"
    )


def _stream(trap: Trap, *name: int | str) -> Random:
    return stream("trap", trap.code, trap.kind, *name)


def _page(trap: Trap, links: list[str], *name: int | str, n_words: int = _TEXT_WORDS) -> TrapPage:
    """Return a page whose text is that of *name* alone."""
    rng = _stream(trap, *name)
    title = text.title(rng, trap.language, trap.topic)
    if n_words > _EMPTY_WORDS:
        return TrapPage(
            title, text.paragraphs(rng, trap.language, trap.topic, n_words=n_words), links
        )
    return TrapPage(title, [text.label(rng, trap.language, trap.topic)], links)


def _hex(*name: int | str) -> str:
    return f"{number(*name):016x}"


def _calendar(trap: Trap, _host: str, path: str) -> TrapPage:
    year = int(found[1]) if (found := re.search(r"(?:events/|year=)(\d{1,6})", path)) else 2024
    month = int(found[1]) if (found := re.search(r"(?:events/\d+/|month=)(\d\d?)", path)) else 1
    spelling = "/events/{}/{:02d}/" if trap.code % 2 == 0 else "/events?month={1}&year={0}"
    months = [
        (year + (month + step - 1) // 12, (month + step - 1) % 12 + 1) for step in (-1, 1, 12)
    ]
    links = [trap.prefix + spelling.format(*each) for each in months]
    if trap.code % 2 == 0:
        links += [f"{trap.prefix}/events/{year}/{month:02d}/{day:02d}/" for day in (1, 8, 15, 22)]
    return _page(trap, links, path, n_words=_EMPTY_WORDS)


def _session(trap: Trap, _host: str, path: str) -> TrapPage:
    found = re.fullmatch(r"/doc/(\d+)(?:\?sid=([0-9a-f]+))?", path)
    article, session = (int(found[1]) % _N_ARTICLES, found[2] or "") if found else (0, "")
    links = [
        f"{trap.prefix}/doc/{other}?sid={_hex(trap.code, session, article, other)}"
        for other in range(_N_ARTICLES)
    ]
    return _page(trap, links, article)


def _repeat(trap: Trap, _host: str, path: str) -> TrapPage:
    rng = _stream(trap)
    words = [names.word(rng, 2) for _ in range(3)]
    return _page(trap, [f"{word}/" for word in words if not path.endswith(f"/{word}/")])


def _facet(trap: Trap, _host: str, path: str) -> TrapPage:
    chosen = dict(pair.split("=", 1) for pair in path.partition("?")[2].split("&") if "=" in pair)
    links = []
    for turn, name in enumerate(_PARAMETERS):
        for value in range(2):
            other = chosen | {name: str((number(path, turn) + value) % 8)}
            query = "&".join(f"{key}={other[key]}" for key in sorted(other))
            links.append(f"{trap.prefix}/list?{query}")
    rng = _stream(trap)
    goods = [text.sentence(rng, trap.language, trap.topic) for _ in range(15)]
    order = _stream(trap, path)
    return TrapPage(text.title(rng, trap.language, trap.topic), order.sample(goods, 13), links)


def _pagination(trap: Trap, _host: str, path: str) -> TrapPage:
    found = re.search(r"(\d+)/?$", path)
    page = int(found[1][:9]) if found else 1
    spelling = "/archive/page/{}/" if trap.code % 2 == 0 else "/archive?page={}"
    links = [
        trap.prefix + spelling.format(other) for other in (page - 1, page + 1, page + 10) if other
    ]
    return _page(trap, links, page, n_words=_TEXT_WORDS if page <= _N_FULL_PAGES else _EMPTY_WORDS)


def _subdomain(trap: Trap, host: str, _path: str) -> TrapPage:
    rng = _stream(trap, host)
    return _page(trap, [f"http://{names.word(rng, 4)}.{trap.host}/" for _ in range(6)])


def _soft404(trap: Trap, _host: str, path: str) -> TrapPage:
    rng = _stream(trap, path)
    links = []
    for turn in range(6):
        words = "/".join(names.word(rng, 3) for _ in range(1 + turn % 3))
        links.append(f"{trap.prefix}/{words}{'.html' if turn % 2 else '/'}")
    return _page(trap, links, n_words=90)


def _maze(trap: Trap, _host: str, path: str) -> TrapPage:
    rng = _stream(trap, path)
    links = [
        f"{trap.prefix}/{'/'.join(names.word(rng, 3) for _ in range(rng.randint(1, 4)))}"
        for _ in range(8)
    ]
    return TrapPage(names.word(rng, 3), _babble(rng, trap.language, trap.topic), links)


def _redirect(trap: Trap, host: str, path: str) -> TrapPage:
    if number(trap.code, path) % 5 and path != "/go":
        return TrapPage(location=f"http://{host}{trap.prefix}/go/{_hex(trap.code, path)}")
    links = [f"{trap.prefix}/go/{_hex(trap.code, path, turn)}" for turn in range(5)]
    return _page(trap, links, path, n_words=_EMPTY_WORDS)


@lru_cache(maxsize=32)
def _chain(language: str, topic: int) -> dict[str, list[str]]:
    """Return what follows each word in a corpus: the Markov chain of order one."""
    corpus = text.paragraphs(
        stream("maze", language, topic), language, topic, n_words=_CORPUS_WORDS
    )
    follows: dict[str, list[str]] = {}
    for paragraph in corpus:
        words = paragraph.split()
        for word, following in pairwise(words):
            follows.setdefault(word, []).append(following)
    return follows


def _babble(rng: Random, language: str, topic: int) -> list[str]:
    follows = _chain(language, topic)
    starts = [word for word in follows if word[:1].isupper()] or list(follows)
    paragraphs = []
    for _ in range(4):
        word = rng.choice(starts)
        babble = [word]
        while len(babble) < _MARKOV_WORDS // 4:
            word = rng.choice(follows.get(word) or starts)
            babble.append(word)
        paragraphs.append(" ".join(babble))
    return paragraphs


MAKERS = {
    "calendar": Maker(
        lambda code: ("/events/2024/01/", "/events?month=1&year=2024")[code % 2], _calendar
    ),
    "session": Maker(lambda _: "/doc/0", _session),
    "repeat": Maker(lambda _: "/start/", _repeat),
    "facet": Maker(lambda _: "/list", _facet),
    "pagination": Maker(
        lambda code: ("/archive/page/1/", "/archive?page=1")[code % 2], _pagination
    ),
    "subdomain": Maker(lambda _: "/", _subdomain),
    "soft404": Maker(lambda _: "/missing.html", _soft404),
    "maze": Maker(lambda _: "/once", _maze),
    "redirect": Maker(lambda _: "/go", _redirect),
}
