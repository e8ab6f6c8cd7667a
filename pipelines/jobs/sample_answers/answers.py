"""What a web must know of itself to be compared with a crawl of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class ArcAnswer(Protocol):
    """An out-link: the canonical URL of its target, and whether it must not be followed."""

    @property
    def target(self) -> str: ...
    @property
    def nofollow(self) -> bool: ...


class PageAnswer(Protocol):
    """What is known of a URL.

    *kind* is ``resource`` for what is no page (robots.txt, site maps). *first_status* is that of the
    first answer if a later one differs, else 0. Two pages with one *cluster* are exact duplicates;
    *partner* is the elder of a pair of near-duplicates *planted* with that resemblance, else ``""``.
    """

    @property
    def url(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def status(self) -> int: ...
    @property
    def first_status(self) -> int: ...
    @property
    def is_text(self) -> bool: ...
    @property
    def disallowed(self) -> bool: ...
    @property
    def noindex(self) -> bool: ...
    @property
    def trap(self) -> bool: ...
    @property
    def template(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def main_text(self) -> str: ...
    @property
    def arcs(self) -> Sequence[ArcAnswer]: ...
    @property
    def cluster(self) -> str: ...
    @property
    def partner(self) -> str: ...
    @property
    def planted(self) -> float: ...


class Answers(Protocol):
    """A web that knows its answers."""

    def truth(self, url: str) -> PageAnswer | None:
        """Return what is known of the canonical *url*, None when it is not of this web."""

    def seeds(self) -> Iterable[tuple[str, str]]:
        """Return (category, URL) of every seed."""

    def is_followed(self, url: str) -> bool:
        """Whether a crawl for text follows an ordinary link to *url*."""


# Pages kept in memory, at about 10 kB each; the checks go through them one after the other.
CACHED_PAGES = 20_000


class CachedAnswers:
    """The same *answers*, a bounded number of them remembered."""

    def __init__(self, answers: Answers, n_pages: int = CACHED_PAGES) -> None:
        self.truth = lru_cache(maxsize=n_pages)(answers.truth)
        self.seeds = answers.seeds
        self.is_followed = answers.is_followed


@dataclass(frozen=True, slots=True)
class CrawlRules:
    """What the crawl was told: *retries* further attempts, *max_hops* redirects in a row."""

    retries: int = 2
    max_hops: int = 5
