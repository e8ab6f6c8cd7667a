"""From (host, path) to what stands there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from crawler.sampleweb import resources, robots, sins
from crawler.sampleweb.pages import CALENDAR_MONTHS, sessions
from crawler.sampleweb.writer import Link

if TYPE_CHECKING:
    from crawler.sampleweb.hosts import Host
    from crawler.sampleweb.library import Library
    from crawler.sampleweb.robots import RobotsFile
    from crawler.sampleweb.sins import Special, Table
    from crawler.sampleweb.traps import Traps

_TABLES = 256

_CALENDAR = re.compile(r"/calendar/(0|[1-9]\d?)")
# Endless in both directions of use: the first is closed by robots.txt, the second by nofollow.
_ENDLESS = re.compile(r"(/agenda/day-|/planner\?day=)(0|[1-9]\d{0,8})")
_SESSION = re.compile(r"(.*)\?sid=([0-9a-f]{16})")


@dataclass(frozen=True, slots=True)
class Place:
    """What stands at a path of *host*.

    *kind* is that of the answers; *page* the number of a numbered page, else -1; *session* the id
    in its query; *special* the entry of a fixed path; *following* the links of a trap.
    """

    host: Host
    path: str
    kind: str
    page: int = -1
    session: str = ""
    special: Special | None = None
    following: tuple[Link, ...] = ()


class Places:
    """Finds places; holds the tables of special pages of the latest hosts."""

    def __init__(self, library: Library, traps: Traps) -> None:
        self.library = library
        self.traps = traps
        self._tables = lru_cache(maxsize=_TABLES)(self._table)
        self._robots = lru_cache(maxsize=_TABLES)(self._robots_file)

    def specials(self, host: Host) -> Table:
        """Return the special pages of *host* by path."""
        return self._tables(host.index)

    def robots(self, host: Host) -> RobotsFile:
        """Return the robots.txt of *host*."""
        return self._robots(host.index)

    def find(self, name: str, path: str) -> Place | None:
        """Return what stands at *path* of the host called *name*; None for a host that is not there."""
        host = self.library.table.find(name)
        if host is None:
            return None
        return (
            self._numbered(host, path)
            or self._special(host, path)
            or self._trap(host, path)
            or self._resource(host, path)
            or self._missing(host, path)
        )

    def home_links(self, host: Host) -> list[Link]:
        """Return the links that the home page of *host* has beside the usual ones."""
        links = [
            Link(host.root + path, path.strip("/").replace("/", " "), special.nofollow)
            for path, special in self.specials(host).items()
            if special.linked
        ]
        links += self.traps.entrances(host)
        return links + [
            Link(host.root + path, path.strip("/").replace("/", " "), nofollow)
            for role, path, nofollow in _ENTRANCES
            if role in host.roles
        ]

    def _numbered(self, host: Host, path: str) -> Place | None:
        layout = self.library.layout(host.content)
        session = ""
        bare = path
        if "sessions" in host.roles and (match := _SESSION.fullmatch(path)):
            bare, session = match[1], match[2]
            if session not in sessions(host, self.library.table.seed):
                return None
        page = layout.page(bare)
        if page is None:
            return None
        kind = "session" if session else layout.kind(page)
        return Place(host, path, kind, page=page, session=session)

    def _special(self, host: Host, path: str) -> Place | None:
        special = self.specials(host).get(path)
        return None if special is None else Place(host, path, special.kind, special=special)

    def _missing(self, host: Host, path: str) -> Place:
        if "soft404" not in host.roles:
            return Place(host, path, "missing")
        special = self.specials(host)[sins.ANY_SOFT404]
        return Place(host, path, special.kind, special=special)

    def _trap(self, host: Host, path: str) -> Place | None:
        root = host.root
        if "calendar" in host.roles and (match := _CALENDAR.fullmatch(path)):
            month = int(match[1])
            near = [n for n in (month - 1, month + 1) if 0 <= n < CALENDAR_MONTHS]
            links = tuple(Link(f"{root}/calendar/{n}", str(n)) for n in near)
            return (
                Place(host, path, "calendar", following=links) if month < CALENDAR_MONTHS else None
            )
        if "endless" in host.roles and (match := _ENDLESS.fullmatch(path)):
            nofollow = match[1].startswith("/planner")
            day = int(match[2]) + 1
            link = Link(f"{root}{match[1]}{day}", str(day), nofollow)
            return Place(host, path, "endless", following=(link,))
        return None

    def _resource(self, host: Host, path: str) -> Place | None:
        return Place(host, path, "resource") if resources.is_resource(path) else None

    def _table(self, index: int) -> Table:
        host = self.library.table.host(index)
        return sins.specials(host, self.library.layout(host.content))

    def _robots_file(self, index: int) -> RobotsFile:
        return robots.robots_file(self.library.table.host(index))


_ENTRANCES = (
    ("calendar", "/calendar/0", False),
    ("endless", "/agenda/day-0", False),
    ("endless", "/planner?day=0", True),
)
