"""The ``X-Robots-Tag`` header: what a site wishes of one answer.

Source: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag (no standard
describes it). ``noindex, nofollow`` is for all; ``name: noindex`` for the robot of that name only, up
to the next name. Each header begins anew. ``unavailable_after: DATE`` is ``noindex`` from that time on;
the date is of RFC 822, RFC 850 or ISO 8601, and one that is none says nothing.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Directives that have a value behind a colon; any other word before a colon names a robot.
_VALUED = frozenset({"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"})
_NAMED = re.compile(r"\s*([a-z0-9_*.+-]{1,64})\s*:\s*")
ENDS = "unavailable_after"
"""The directive that has a date: a page that bears it is to be looked at again."""
# "Saturday, 25 Jun 2010" and "25-Jun-10": the comma belongs to the date.
_WEEKDAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*", re.IGNORECASE)


def robots_words(headers: Iterable[bytes], agent: str, *, at: datetime | None = None) -> set[str]:
    """Return the directives without a value among *headers* that are for *agent* or for all.

    A page that is unavailable after a time before *at* has ``noindex``; without *at*, time stands still.

    >>> sorted(robots_words([b"max-image-preview: none, NoFollow", b"otherbot: noindex"], "winnow"))
    ['nofollow']
    >>> robots_words([b"Winnow: noindex"], "winnow")
    {'noindex'}
    """
    found: set[str] = set()
    for header in headers:
        ours = True
        for name, value in _directives(header.decode("latin-1")):
            if name and name not in _VALUED:
                ours = name in {"*", agent.lower()}
            elif name == ENDS and ours and at is not None:
                ends = _date(value)
                found |= {"noindex"} if ends is not None and ends < at else set()
            if ours and name not in _VALUED:
                found.add(value.lower())
    return found - {""}


def _directives(header: str) -> Iterator[tuple[str, str]]:
    """Yield (word before a colon, the rest) for each directive of *header*."""
    parts = header.split(",")
    place = 0
    while place < len(parts):
        part = parts[place]
        place += 1
        match = _NAMED.match(part.lower())
        if match is None:
            yield "", part.strip()
            continue
        name, value = match[1], part[match.end() :].strip()
        if name not in _VALUED and (inner := _NAMED.match(value.lower())):
            yield name, ""
            name, value = inner[1], value[inner.end() :].strip()
        if name == ENDS and _WEEKDAY.fullmatch(value) and place < len(parts):
            value, place = parts[place].strip(), place + 1
        yield name, value


def _date(text: str) -> datetime | None:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        try:
            when = parsedate_to_datetime(text.replace("-", " "))
        except (ValueError, OverflowError):
            return None
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)
