"""When a page changed, as a sitemap says it: ``lastmod``, a W3C date (www.w3.org/TR/NOTE-datetime).

A date may be a year, a month, a day, or a time; it is the span that it names. One without a zone is read
as UTC, for many sites leave it out.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

_DATE = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?"
    r" ?(?:[Zz]|([+-]\d\d):?(\d\d))?)?)?)?",
    re.ASCII,
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Span(NamedTuple):
    """Microseconds since 1970, from *start* until before *end*."""

    start: int
    end: int

    def is_after(self, visited_us: int, now_us: int) -> bool:
        """Tell whether a page that changed in this span is to be visited again at *now_us*.

        A visit within the span may have been too early to see the change; that it is over is waited for,
        so that there is one more visit, not one after the other.
        """
        return visited_us < self.start or visited_us < self.end <= now_us


def read_lastmod(text: str) -> Span | None:
    """Return the span that *text* names, None when it is no date.

    >>> read_lastmod("1970-01-02")
    Span(start=86400000000, end=172800000000)
    >>> read_lastmod("1970-01-01T01:00:00+01:00"), read_lastmod("yesterday")
    (Span(start=0, end=1000000), None)
    """
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second, zone, zone_minutes = (
        None if part is None else int(part) for part in match.groups()
    )
    assert year is not None
    try:
        offset = timedelta(hours=abs(zone or 0), minutes=zone_minutes or 0)
        where = timezone(-offset if (match[7] or "").startswith("-") else offset)
        parts = (year, month or 1, day or 1, hour or 0, minute or 0, second or 0)
        start = datetime(*parts, tzinfo=where)
        return Span(_microseconds(start), _microseconds(_end(start, month, day, hour, second)))
    except (ValueError, OverflowError):
        return None


def _end(
    start: datetime, month: int | None, day: int | None, hour: int | None, second: int | None
) -> datetime:
    if month is None:
        return start.replace(year=start.year + 1)
    if day is None:
        return (start + timedelta(days=31)).replace(day=1)
    if hour is None:
        return start + timedelta(days=1)
    return start + timedelta(minutes=1) if second is None else start + timedelta(seconds=1)


def _microseconds(when: datetime) -> int:
    return (when - _EPOCH) // _MICROSECOND
