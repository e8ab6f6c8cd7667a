"""What a robots.txt says to one crawler: rules, crawl delay, sitemaps, signals.

The file is first reduced to what concerns the crawler, and only that is given to Protego, which
matches paths. So a group is found as RFC 9309 section 2.2.1 says, by its whole product token; groups
for the same token are one; only ``Allow`` and ``Disallow`` end the list of user agents of a group, and
what a file says to ten thousand others costs nothing.

Where RFC 9309 is silent we read as Google's parser does (github.com/google/robotstxt): a missing colon
and common misspellings are overlooked, a user agent ends at its first character that no product token
has, a line ends after 16,664 bytes, ``index.html`` stands for its folder too (by Protego). ``Crawl-delay``,
``Content-Signal`` and ``Content-Usage`` belong to the user agents named above them in their group; of
several delays the longest counts.

In a query, ``/`` and ``%2F`` are one, and so are ``+`` and ``%20``: a page's canonical URL has the
second of each pair where the site may have written the first. What is matched is the canonical URL, for
that is what is fetched: the fields of its query are sorted.

Cost: linear in the bytes of the file to read it; to match, linear in the bytes of our rules and the
characters of the URL, with no regular expression. Memory: see :attr:`RobotsRules.n_bytes`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from protego import Protego

from crawler.page.signals import MAX_SIGNALS, signal_words

if TYPE_CHECKING:
    from collections.abc import Iterable

# Google's limit (robots.cc, kMaxLineLen): eight times the longest URL that browsers once took.
MAX_LINE_BYTES = 8 * 2083
# sitemaps.org sets no limit; a file of 500 KiB has room for twenty thousand.
MAX_SITEMAPS = 1000

# RFC 9309 section 2.2: lines end at CR, LF or both, and nowhere else.
_LINE_END = re.compile(rb"\r\n|\r|\n")
# What else :meth:`str.splitlines`, and so Protego, takes for the end of a line.
_OTHER_LINE_ENDS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_TOKEN = re.compile(r"[A-Za-z_-]*")
ALL = "*"
"""The user agent that stands for all."""

_BOM = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

# Field names and the misspellings that Google's parser and Protego take for them.
_FIELDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "agent"),
    "allow": "allow",
    **dict.fromkeys(
        ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"
    ),
    **dict.fromkeys(("sitemap", "sitemaps", "site-map"), "sitemap"),
    **dict.fromkeys(("crawl-delay", "crawl delay", "crawldelay"), "delay"),
    **dict.fromkeys(("content-signal", "content-signals", "content-usage"), "signal"),
}
_RULES = frozenset({"allow", "disallow"})

# Measured by tests/test_robots_rules.py: a parser with its group, a plain pattern, one with a star.
_BASE_BYTES, _PLAIN_BYTES, _STAR_BYTES = 1100, 270, 800


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What a site's robots.txt says to one crawler.

    *crawl_delay* is in seconds as the site asks, None when it asks for none that is a number of at
    least 0; *sitemaps* are the URLs as they are written; *signals* the content signals, sorted.
    *n_bytes* estimates the memory that the rules take.
    """

    matcher: Protego | None = None
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()
    n_bytes: int = 200

    def allows(self, url: str) -> bool:
        """Tell whether *url* may be fetched; the most specific rule decides, ``Allow`` at a draw."""
        return self.matcher is None or self.matcher.can_fetch(_plain_query(url), _AGENT)


# The one agent that a reduced file is for.
_AGENT = "us"

EVERYTHING = RobotsRules()
"""The rules of a site that has none."""


def product_token(agent: str) -> str:
    """Return the product token that *agent*, a name or a user agent, begins with, lower-case.

    >>> product_token("Winnow/0.1 (+https://a.example)"), product_token("*"), product_token("360Spider")
    ('winnow', '*', '')
    """
    if agent[:1] == "*" and not agent[1:2].strip():
        return ALL
    match = _TOKEN.match(agent)
    return match[0].lower() if match else ""


def parse_robots(body: bytes, agent: str) -> RobotsRules:
    r"""Return what *body* says to the crawler whose product token is *agent*.

    >>> rules = parse_robots(b"User-agent: *\nDisallow: /a\nCrawl-delay: 2", "winnow")
    >>> rules.allows("http://a.example/ab"), rules.allows("http://a.example/b"), rules.crawl_delay
    (False, True, 2.0)
    """
    groups = _Groups(product_token(agent))
    for line in _LINE_END.split(_utf8(body)):
        if field := _field(line[:MAX_LINE_BYTES]):
            groups.add(*field)
    return groups.rules()


def _utf8(body: bytes) -> bytes:
    """Leave out a byte order mark, also one that lost its end; UTF-16 that has one is read as that."""
    if body.startswith(_UTF16_MARKS):
        return body.decode("utf-16", "replace").encode()
    for size in (3, 2, 1):
        if body.startswith(_BOM[:size]):
            return body[size:]
    return body


def _field(line: bytes) -> tuple[str, str] | None:
    """Return the field that *line* holds and its value, None for a line without a known one."""
    text = line.partition(b"#")[0].decode("utf-8", "replace").strip()
    name, colon, value = text.partition(":")
    known = _FIELDS.get(name.strip().lower()) if colon else None
    if known is not None:
        return known, value.strip()
    words = text.split(None, 2)
    for n_words in (1, 2):
        known = _FIELDS.get(" ".join(words[:n_words]).lower())
        if known is not None and len(words) > n_words:
            return known, text.split(None, n_words)[n_words]
    return None


class _Lines:
    """What the groups of one product token say."""

    __slots__ = ("delay", "rules", "signals")

    def __init__(self) -> None:
        self.rules: dict[tuple[str, str], None] = {}
        self.delay: float | None = None
        self.signals: set[str] = set()


class _Groups:
    """Gathers the groups for *token* and those for all."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.ours = _Lines()
        self.all = _Lines()
        self.has_ours = False
        self.sitemaps: dict[str, None] = {}
        # A group may name one agent ten thousand times.
        self._open: set[_Lines] = set()
        self._had_rule = False

    def add(self, field: str, value: str) -> None:
        if field == "agent":
            self._agent(value)
        elif field == "sitemap":
            if value and len(self.sitemaps) < MAX_SITEMAPS:
                self.sitemaps[value] = None
        else:
            self._had_rule |= field in _RULES
            for lines in self._open:
                _add(lines, field, value)

    def _agent(self, value: str) -> None:
        if self._had_rule:
            self._open, self._had_rule = set(), False
        named = product_token(value)
        if named == ALL:
            self._open.add(self.all)
        elif named and named == self.token:
            self.has_ours = True
            self._open.add(self.ours)

    def rules(self) -> RobotsRules:
        lines = self.ours if self.has_ours else self.all
        matcher = None
        if lines.rules:
            text = "\n".join(f"{field}: {value}" for field, value in lines.rules)
            matcher = Protego.parse(f"user-agent: *\n{text}")
        return RobotsRules(
            matcher,
            lines.delay,
            tuple(self.sitemaps),
            tuple(sorted(lines.signals)),
            _n_bytes(lines, self.sitemaps),
        )


def _n_bytes(lines: _Lines, sitemaps: Iterable[str]) -> int:
    of_rules = sum(map(_pattern_bytes, (value for _, value in lines.rules)))
    return _BASE_BYTES + of_rules + sum(100 + len(url) for url in sitemaps)


def _pattern_bytes(value: str) -> int:
    size = _STAR_BYTES if "*" in value else _PLAIN_BYTES
    # Protego keeps a second pattern for one with a dollar sign.
    return 3 * size if "$" in value and "*" not in value else size * (1 + ("$" in value))


def _add(lines: _Lines, field: str, value: str) -> None:
    if field in _RULES:
        if value:
            lines.rules[field, _plain_query(_one_line(value))] = None
    elif field == "delay":
        secs = _seconds(value)
        if secs is not None:
            lines.delay = max(secs, lines.delay or 0.0)
    elif len(lines.signals) < MAX_SIGNALS:
        lines.signals.update(signal_words(value))


def _one_line(value: str) -> str:
    return _OTHER_LINE_ENDS.sub(lambda match: quote(match[0]), value)


def _plain_query(url: str) -> str:
    path, mark, query = url.partition("?")
    return f"{path}?{query.replace('/', '%2F').replace('+', '%20')}" if mark else url


def _seconds(value: str) -> float | None:
    try:
        secs = float(value)
    except ValueError:
        return None
    return secs if math.isfinite(secs) and secs >= 0 else None
