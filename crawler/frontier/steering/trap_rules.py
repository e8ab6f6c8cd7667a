"""When a pattern of URLs is a trap: evidence that grows with pages that were worth nothing.

Each pattern of a host has a cumulative sum *s* (E. S. Page 1954, "Continuous inspection schemes",
Biometrika 41, 2.1): a page of it that is worth nothing adds its weight, a page that is kept takes
:data:`KEPT_WEIGHT` off, and *s* is never below 0. The pattern is closed when *s* reaches *evidence*
times the factor of its level, the wider the later. So a genuine pattern whose pages are kept once in
a while is never closed, however many pages it has, and one that turns bad after a thousand good pages is
closed as fast as one that never was any good.

Of a list that is filtered and sorted without end most pages are near-duplicates, and some, by chance, just not.
So a kept page that is like others of its host (the *likeness* that the look for duplicates tells) takes no
more off than a duplicate adds, where most of what speaks against the pattern are duplicates: it is
closed when they outnumber such pages. Tried on two lists of the sample web, which had 201 fetches
(tests/test_crawl_steering.py): 169 when :data:`KEPT_WEIGHT` falls with the likeness, 130 so, 115 when
such pages take nothing off, but that closes a catalogue with some near-duplicates, too.

What adds nothing: the same variable part (`url_patterns`) a second time, so that what is finite, such as
each page once more with ``?print=1``, is no trap; a page that leads on, which has new links of another
plan that was never tried or whose pages are kept; a page without any new link, unless links of worthless
pages feed its pattern: a trap feeds itself, and a row of copies is over some day. A duplicate with a
query speaks against its parameters first, each of which the page's new links bear too, and half as much
(:data:`SCRIPT_SHARE`) against its script.

What has an end may still be most of a site: a wiki's forms, histories and logins are ten addresses a page. Pages
without any new link that say ``noindex``, or have a query and are duplicates or thin, have a sum of their own for
each shape (:data:`Level.BARREN`); a shape of which a page was ever kept has none.

A maze shows pages that look like text. Its own sum counts the kept pages in a row that link to new pages
below the same section (or host) only, and to none that was known; a page that does not ends the row.

A host or section is closed by what is scattered over it. Of a host pages of a plan that was never tried are still
fetched then, until twice as much speaks against the host, for plans may have no end either; and those of one of which
pages were kept, unless a quarter of *evidence* speaks against it; of a section those of such a shape.

A closed pattern is probed: of the pages refused for it the 128th, 256th, 512th … is fetched, and a sum
that falls below half of what closed it opens it again. Of what has an end one in :data:`BARREN_PROBES` is, by its
address: it may be a gallery, of whose first pictures none had a text.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from xxhash import xxh3_64_intdigest

from crawler.frontier.steering.page_worth import Worth
from crawler.frontier.steering.url_patterns import is_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.frontier.steering.url_patterns import UrlPattern

# A page without text may be an index; a duplicate of main text seldom is. Dead links come in rows on
# genuine hosts too, and have no end only where pages lead to them.
WEIGHTS = {
    Worth.DUPLICATE: 1.0,
    Worth.THIN: 0.4,
    Worth.REDIRECT: 1.0,
    Worth.GONE: 0.2,
    Worth.NOINDEX: 0.4,
}
# Of a page that leads nowhere: it is no index, so that what it says of itself counts in full.
BARREN_WEIGHTS = {Worth.DUPLICATE: 1.0, Worth.THIN: 0.4, Worth.NOINDEX: 1.0}
KEPT_WEIGHT = 3.0
# Of a kept page to others of its host, from which on it says no more than a duplicate. Measured: kept pages
# of the lists in tests/test_traps_avoided.py have .36 to .57; of 5,915 stored real ones 26 have .35 or more.
MIN_LIKENESS = 0.35
# What a duplicate says of the script, as its parameters are blamed first.
SCRIPT_SHARE = 0.5

# Of what closes a host: the sum up to which plans are still tried.
UNTRIED_UNTIL = 2.0

FIRST_PROBE = 128
BARREN_PROBES = 16

# Variable parts that are remembered of one pattern: more than any threshold needs.
MAX_VARIABLES = 512


class Level(StrEnum):
    """How much of the URLs of a host, or of a domain, a pattern takes in."""

    SCRIPT = "script"
    PARAMETER = "parameter"
    SHAPE = "shape"
    PLAN = "plan"
    SECTION = "section"
    BARREN = "barren"
    REPEAT = "repeat"
    HOST = "host"
    MAZE_SECTION = "maze-section"
    MAZE_HOST = "maze-host"
    DOMAIN = "domain"


# Thresholds in units of the setting's evidence.
FACTORS = {
    Level.SCRIPT: 1.0,
    Level.PARAMETER: 1.0,
    Level.SHAPE: 1.0,
    Level.PLAN: 1.5,
    Level.SECTION: 1.25,
    Level.BARREN: 3.0,
    Level.REPEAT: 0.5,
    Level.HOST: 3.0,
    Level.MAZE_SECTION: 3.0,
    Level.MAZE_HOST: 2.5,
    Level.DOMAIN: 1.0,
}
MAZES = frozenset({Level.MAZE_SECTION, Level.MAZE_HOST})

PatternKey = tuple[Level, str]


class Evidence:
    """What is known against one pattern; *text* is the pattern, *kind* what closed it is called."""

    __slots__ = (
        "example",
        "is_closed",
        "kind",
        "level",
        "n_duplicates",
        "n_fed",
        "n_redirects",
        "n_refused",
        "n_worthless",
        "score",
        "text",
        "variables",
    )

    def __init__(self, level: Level, text: str) -> None:
        self.level = level
        self.text = text
        self.score = 0.0
        self.is_closed = False
        self.kind = ""
        self.example = ""
        self.n_refused = self.n_fed = 0
        self.n_worthless = self.n_duplicates = self.n_redirects = 0
        self.variables: set[int] = set()

    def is_fed(self, *, is_barren: bool) -> bool:
        """Tell whether a worthless page counts; a barren one uses up a link that fed the pattern."""
        if is_barren and self.n_fed:
            self.n_fed -= 1
            return True
        return not is_barren

    def add(self, weight: float, worth: Worth, variable: str) -> bool:
        """Add a worthless page whose *variable* part is new; tell whether it was.

        Once the pattern is closed no more of them are remembered.
        """
        mark = text_mark(variable)
        if mark in self.variables:
            return False
        if not self.is_closed and len(self.variables) < MAX_VARIABLES:
            self.variables.add(mark)
        self.score += weight
        self.n_worthless += 1
        self.n_duplicates += worth == Worth.DUPLICATE
        self.n_redirects += worth == Worth.REDIRECT
        return True

    def praise(self, likeness: float) -> float:
        """Return what a kept page of that *likeness* to others of its host takes off."""
        if likeness < MIN_LIKENESS or 2 * self.n_duplicates <= self.n_worthless:
            return KEPT_WEIGHT
        weight = WEIGHTS[Worth.DUPLICATE]
        return weight * SCRIPT_SHARE if self.level == Level.SCRIPT else weight

    def take_off(self, weight: float) -> bool:
        """Take *weight* off; tell whether nothing is left against the pattern."""
        self.score = max(0.0, self.score - weight)
        return self.score == 0 and not self.is_closed

    def may_probe(self, local: str) -> bool:
        """Count a page that is to be refused; tell whether it, *local*, may be fetched for once."""
        self.n_refused += 1
        if self.level == Level.BARREN:
            # The same when its link is found and when it is to be fetched.
            return text_mark(local) % BARREN_PROBES == 0
        n = self.n_refused
        return n >= FIRST_PROBE and n & (n - 1) == 0


def text_mark(text: str) -> int:
    """Return the 64 bits that stand for *text* in memory."""
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


def pattern_keys(pattern: UrlPattern) -> Iterator[PatternKey]:
    """Yield the patterns of a URL, the narrowest first."""
    if pattern.script:
        yield Level.SCRIPT, pattern.script
    for name, _ in pattern.parameters:
        yield Level.PARAMETER, name
    yield Level.SHAPE, pattern.shape
    yield Level.BARREN, pattern.shape
    if pattern.is_repeat:
        yield Level.REPEAT, ""
    if pattern.section:
        yield Level.MAZE_SECTION, pattern.section
        yield Level.SECTION, pattern.section
    yield Level.PLAN, pattern.plan
    yield Level.MAZE_HOST, pattern.scheme
    yield Level.HOST, pattern.scheme


def trap_kind(evidence: Evidence, pattern: UrlPattern) -> str:
    """Return what to call the trap that *evidence* shows, *pattern* being of its last page.

    The name is for reports; nothing is decided by it.
    """
    if evidence.level in MAZES:
        return "maze"
    if evidence.level == Level.DOMAIN:
        return "subdomain"
    if evidence.level == Level.BARREN:
        return "barren"
    if evidence.n_redirects * 2 > evidence.n_worthless:
        return "redirect"
    if evidence.level == Level.REPEAT or pattern.is_repeat:
        return "repeat"
    values = [value for _, value in pattern.parameters]
    if any(map(is_id, values)):
        return "session"
    numbers = [part for part in (*values, *pattern.variable.split("/")) if part.isdigit()]
    if len(numbers) > 1 and any(1900 <= int(number[:5]) < 2200 for number in numbers):
        return "calendar"
    if len(values) > 1 or (values and evidence.level == Level.PARAMETER):
        return "facet"
    if evidence.n_duplicates * 2 > evidence.n_worthless:
        return "same_page"
    return "pagination" if numbers else "empty"
