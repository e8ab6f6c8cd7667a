"""The ``X-Robots-Tag`` header: what a site wishes of one answer.

Source: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag (no standard
describes it). ``noindex, nofollow`` is for all; ``name: noindex`` for the robot of that name only, up
to the next name. Each header begins anew. ``unavailable_after: DATE`` is ``noindex`` from that time on;
the date is of RFC 822, RFC 850 or ISO 8601, and one that is none says nothing. Blanks may stand for commas,
and around colons. Cost: linear in the bytes.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ENDS = "unavailable_after"
"""The directive that has a date: a page that bears it is to be looked at again."""
NO_INDEX = frozenset({"noindex", "none"})
"""The directives by which a page may not be kept."""
# What has a value behind a colon, which is no directive; any other word before a colon names a robot.
# "Saturday, 25 Jun 2010", "25-Jun-10" and "June 25, 2010": the comma belongs to the date.
_DIRECTIVE = re.compile(
    rf"""
      max-(?:snippet|image-preview|video-preview) \s* : \s* [^\s,]*
    | {ENDS} \s* : (?P<date> \s* (?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* \s* ,)? [^,]*
                            (?:, (?= \s* \d{{1,4}} (?:\s | - | :\d | ,)) [^,]*){{0,2}})
    | (?P<robot> [a-z0-9_*.+-]{{1,64}}) \s* :
    | (?P<word> [^\s,]+)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Of RFC 850's days, not of "-0800".
_DASH = re.compile(r"(?<=\d)-(?=[a-z])|(?<=[a-z])-(?=\d)", re.IGNORECASE)


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
        for match in _DIRECTIVE.finditer(header.decode("latin-1")):
            if match["robot"]:
                ours = match["robot"].lower() in {"*", agent.lower()}
            elif ours and match["word"]:
                found.add(match["word"].lower())
            elif ours and match["date"] and at is not None:
                ends = _date(match["date"].strip())
                found |= {"noindex"} if ends is not None and ends < at else set()
    return found


def _date(text: str) -> datetime | None:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        try:
            when = parsedate_to_datetime(_DASH.sub(" ", text))
        except (ValueError, OverflowError):
            return None
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)
