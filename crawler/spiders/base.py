"""The base of Winnow's spiders: limits of a crawl, and pages that go to the pipelines as they are."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Spider
from scrapy.settings import SETTINGS_PRIORITIES

from crawler.categories import clean_category
from crawler.engine import scheduler_of
from crawler.errors import InputError
from crawler.page.links import LinkKind
from crawler.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from crawler.items import Page
    from crawler.page.links import Links
    from crawler.seeds import Seed
    from crawler.spiders.link_sources import LinkSources


# Seeds of one transaction: the engine gets its turn between two.
SEEDS_CHUNK = 2_000
_UNIT_SECS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_DURATION = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)([smhd])")
# No limit is larger; a kernel takes 64 bits.
_WHOLE = re.compile("[0-9]{1,15}")
_DECIMAL = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?|\.[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a crawl ends; 0 is no limit, as Scrapy's DEPTH_LIMIT and its kin have it. All count what earlier runs of
    the crawl did.

    Pages in all, links from a seed, pages of one host, hours that the crawl ran, bytes of answers.
    """

    max_pages: int = 0
    max_depth: int = 0
    pages_per_host: int = 0
    max_hours: float = 0.0
    max_bytes: int = 0


class WinnowSpider(Spider):
    """Takes the :class:`Limits` and ``recrawl_after``; yields every page it is given."""

    arguments: ClassVar[tuple[str, ...]] = ()
    follow_links: ClassVar[bool] = True
    in_one_process: ClassVar[bool] = False
    # Whether links of pages are followed, not only where a page leads on to by itself.
    page_links: bool = True
    link_sources: LinkSources | None = None

    def __init__(self, name: str | None = None, **arguments: Any):
        self.limits = parse_limits(arguments)
        self.recrawl_after_secs = parse_duration(arguments, "recrawl_after")
        super().__init__(name, **arguments)

    @classmethod
    def check(cls, arguments: Mapping[str, str], settings: BaseSettings) -> None:
        """Raise :exc:`InputError` for arguments or files that are wrong, before anything starts."""
        known = {*cls.arguments, *(limit.name for limit in fields(Limits))}
        if cls.follow_links:
            known.add("recrawl_after")
        for name, value in arguments.items():
            if name not in known:
                raise InputError(
                    f"spider {cls.name!r} has no argument {name!r}; it takes {', '.join(sorted(known))}"
                )
            # Of a variable that is not set: an empty category would be all that a directory lists.
            if not value.strip():
                raise InputError(f"-a {name} is empty; give it a value, or leave it out")
        parse_limits(arguments)
        parse_duration(arguments, "recrawl_after")
        # In the settings of a project it is for spiders that make a request of each link; 0 is no limit.
        is_asked = settings.getpriority("DEPTH_LIMIT") == SETTINGS_PRIORITIES["cmdline"]
        if is_asked and str(settings["DEPTH_LIMIT"]) != "0":
            raise InputError("DEPTH_LIMIT is nothing for Winnow's spiders; give -a max_depth=N")

    @property
    def followed(self) -> str:
        """Which links it follows, in words, "" for none that it would fetch: crawls that differ in it share no
        queue.
        """
        if not self.follow_links:
            return ""
        return "all links" if self.page_links else "no links"

    async def plant(self, seeds: Iterable[Seed]) -> None:
        """Hand *seeds* to the frontier in chunks.

        Stats: ``seeds/read``, ``seeds/new``, ``seeds/skipped/no_key``.
        """
        scheduler = scheduler_of(self.crawler)
        stats = self.crawler.stats
        source = iter(seeds)
        while chunk := list(islice(source, SEEDS_CHUNK)):
            keyed = [(page_key(seed.url), seed.categories) for seed in chunk]
            usable = [(key, categories) for key, categories in keyed if key is not None]
            stats.inc_value("seeds/read", len(chunk))
            stats.inc_value("seeds/skipped/no_key", len(chunk) - len(usable))
            stats.inc_value("seeds/new", scheduler.add_seeds(usable))
            await asyncio.sleep(0)

    def take_redirect(self, links: Links, url: str, depth: int) -> None:
        """Say whether the one of *links*, by which the page at *url*, so many links deep, redirects, is followed: any
        is.
        """

    def parse(self, response: Response, **_: Any) -> Iterator[Page]:
        """Yield the page that the link-graph middleware made of *response*."""
        page = response.meta.get("winnow_page")
        if page is not None:
            if not self.follow_links:
                page.model.links.follow[:] = False
            elif not self.page_links:
                page.model.links.follow &= page.model.links.kind == LinkKind.REFRESH
            if self.link_sources is not None:
                self.link_sources.take(page, response)
            yield page


def parse_limits(arguments: Mapping[str, Any]) -> Limits:
    """Read the limits among *arguments*; raise :exc:`InputError` for one that is no whole number."""
    values: dict[str, Any] = {}
    for limit in fields(Limits):
        text = str(arguments.get(limit.name, 0))
        whole = isinstance(limit.default, int)
        if not (_WHOLE if whole else _DECIMAL).fullmatch(text):
            kind = "whole number below 10^15" if whole else "number such as 1.5"
            raise InputError(f"{limit.name} is {text[:30]!r}; give a {kind}, 0 for no limit")
        values[limit.name] = int(text) if whole else float(text)
    return Limits(**values)


def parse_duration(arguments: Mapping[str, Any], name: str) -> float | None:
    """Read the duration *name* among *arguments* in seconds, None when it is not there.

    Raises :exc:`InputError` for one that is no number with a unit.

    >>> parse_duration({"recrawl_after": "7d"}, "recrawl_after")
    604800.0
    """
    if name not in arguments:
        return None
    match = _DURATION.fullmatch(str(arguments[name]))
    if match is None:
        raise InputError(
            f"{name} is {str(arguments[name])!r}; give a number and s, m, h or d, such as 7d"
        )
    return float(match[1]) * _UNIT_SECS[match[2]]


def parse_switches(arguments: Mapping[str, Any], defaults: Mapping[str, bool]) -> dict[str, bool]:
    """Read the switches of *defaults* among *arguments*; raise :exc:`InputError` for no 0 or 1."""
    texts = {name: str(arguments.get(name, int(on))) for name, on in defaults.items()}
    for name, text in texts.items():
        if text not in {"0", "1"}:
            raise InputError(f"{name} is {text!r}; give 1 for yes, 0 for no")
    return {name: text == "1" for name, text in texts.items()}


def check_category(arguments: Mapping[str, str], name: str) -> None:
    """Raise :exc:`InputError` for an argument *name* of which no path is left: it would be that of all seeds."""
    if name in arguments and not clean_category(arguments[name]):
        raise InputError(
            f"{name} is {arguments[name]!r}, which is no category; give one of the seeds, such as Top/Arts"
        )


def require(arguments: Mapping[str, str], name: str, example: str) -> str:
    """Return argument *name*; raise :exc:`InputError` with an *example* when it is missing."""
    if not arguments.get(name):
        raise InputError(f"argument {name} is missing; give it as -a {name}={example}")
    return arguments[name]
