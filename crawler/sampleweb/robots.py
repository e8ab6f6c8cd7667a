"""The robots.txt files of the sample web, of many kinds, and what they forbid.

The kind goes by the host's role; hosts without one take the ordinary kinds in turn. The matcher is
its own, so that the crawler's robots parser is held against a second opinion: RFC 9309 section
2.2.2, the longest pattern wins, and ``Allow`` wins a draw.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.sampleweb.hosts import Host

# The crawler that the answers are for.
AGENT = "winnow"

REAL_ROBOTS = "/robots-really.txt"
CRAWL_DELAY_SECS = 0.2

_PRIVATE = ("Disallow: /private/",)
_GROUPS = (
    "User-agent: *",
    "Disallow: /for-all/",
    "",
    "User-agent: otherbot",
    "User-agent: thirdbot",
    "Disallow: /",
    "",
    "User-agent: Winnow",
    "Disallow: /for-winnow/",
    "Allow: /for-winnow/open",
)
_WILDCARD = (
    "User-agent: *",
    "Disallow: /*?print=",
    "Disallow: /*.pdf$",
    "Disallow: /shelf/*/draft",
    "Allow: /shelf/*/draft/open",
)
_ORDINARY = ("private", "missing", "sitemap", "everything", "commented")


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """What ``/robots.txt`` answers, and the rules for :data:`AGENT`: (allow, pattern) each."""

    status: int
    body: bytes
    media_type: str = "text/plain"
    location: str = ""
    rules: tuple[tuple[bool, str], ...] = ()

    def forbids(self, path: str) -> bool:
        """Whether *path* (with its query) must not be fetched."""
        verdict = (0, True)
        for allow, pattern in self.rules:
            if _compiled(pattern).match(path):
                verdict = max(verdict, (len(pattern), allow))
        return not verdict[1]


def robots_file(host: Host) -> RobotsFile:
    """Return the robots.txt of *host*; a mirror has its original's."""
    ordinary = _ORDINARY[host.content % len(_ORDINARY)]
    kinds = (role.removeprefix("robots-") for role in sorted(host.roles))
    return _KINDS[next((kind for kind in kinds if kind in _KINDS), ordinary)](host)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    end = "$" if pattern.endswith("$") else ""
    body = ".*".join(map(re.escape, pattern.removesuffix("$").split("*")))
    return re.compile(body + end)


def _rules(lines: tuple[str, ...]) -> tuple[tuple[bool, str], ...]:
    """Return the Allow and Disallow lines of *lines*, all of which are for our agent."""
    pairs = (line.split(": ") for line in lines if ": " in line)
    return tuple(
        (field == "Allow", value)
        for field, value in pairs
        if field in ("Allow", "Disallow") and value
    )


def _text(lines: tuple[str, ...], ours: tuple[str, ...] | None = None) -> RobotsFile:
    body = "\n".join(lines) + "\n"
    return RobotsFile(200, body.encode(), rules=_rules(lines if ours is None else ours))


def _private(_host: Host) -> RobotsFile:
    return _text(("User-agent: *", *_PRIVATE))


def _missing(_host: Host) -> RobotsFile:
    return RobotsFile(404, b"not found\n")


def _sitemap(host: Host) -> RobotsFile:
    return _text(("User-agent: *", *_PRIVATE, "", f"Sitemap: {host.root}/sitemap.xml"))


def _everything(_host: Host) -> RobotsFile:
    return _text(("User-agent: *", "Disallow:"))


def _commented(_host: Host) -> RobotsFile:
    return _text(("# no robots in here, please", "user-agent: *", *_PRIVATE, "# the end"))


def _messy(_host: Host) -> RobotsFile:
    """Byte order mark, CRLF, capitals, stray blanks, unknown fields."""
    lines = (
        "USER-AGENT: *  # all of you",
        "Noise: yes",
        "disallow : /private/ # ours",
        "::",
        "Host",
    )
    body = b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n"
    return RobotsFile(200, body, rules=((False, "/private/"),))


def _delay(_host: Host) -> RobotsFile:
    return _text(("User-agent: *", f"Crawl-delay: {CRAWL_DELAY_SECS}", *_PRIVATE))


def _html(_host: Host) -> RobotsFile:
    page = b"<!DOCTYPE html><html><body><p>This host has no such page.</p></body></html>"
    return RobotsFile(200, page, "text/html")


def _status(code: int) -> RobotsFile:
    forbidden = ((False, "/"),) if code >= 500 else ()
    return RobotsFile(code, b"no\n", rules=forbidden)


def _redirect(host: Host) -> RobotsFile:
    real = _private(host)
    return RobotsFile(301, b"", location=host.root + REAL_ROBOTS, rules=real.rules)


_KINDS: dict[str, Callable[[Host], RobotsFile]] = {
    "private": _private,
    "missing": _missing,
    "sitemap": _sitemap,
    "sitemaps": _sitemap,
    "everything": _everything,
    "commented": _commented,
    "messy": _messy,
    "delay": _delay,
    "html": _html,
    "redirect": _redirect,
    "403": lambda _host: _status(403),
    "500": lambda _host: _status(500),
    "empty": lambda _host: RobotsFile(200, b""),
    "out": lambda _host: _text((f"User-agent: {AGENT}", "Disallow: /")),
    "others": lambda _host: _text(("User-agent: badbot", "Disallow: /"), ()),
    "wildcard": lambda _host: _text(_WILDCARD),
    "groups": lambda _host: _text(_GROUPS, _GROUPS[-2:]),
    "endless": lambda _host: _text(("User-agent: *", "Disallow: /agenda/")),
}
