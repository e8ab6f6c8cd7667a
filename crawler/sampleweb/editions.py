"""Editions of the sample web: what a later visit finds changed, and how the server says what did not.

Edition 1 is the web itself. In each later one, of the HTML pages (home pages apart) one in eight has a
sentence and a link more, one in 32 is gone, one in 32 redirects to the home page; what is gone or
moved stays so. A quarter of the pages has no validators, a quarter only an ETag, a quarter only
Last-Modified, the others both. All of it is a function of host, path and edition.
"""

from __future__ import annotations

from dataclasses import replace
from email.utils import formatdate, parsedate_to_datetime
from typing import TYPE_CHECKING

from xxhash import xxh3_64_hexdigest, xxh3_64_intdigest

from crawler.sampleweb.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping

# Seconds since 1970 at which edition 1 was modified, and between two editions.
_FIRST, _STEP = 1_767_225_600, 86_400

SAME, CHANGED, GONE, MOVED = "same", "changed", "gone", "moved"

_GONE = b"<html><body><p>Error 404</p></body></html>"


def fate(host: str, path: str, edition: int) -> tuple[str, int]:
    """Return what became of a page of edition 1 until *edition*, and the edition in which it did.

    >>> fate("a.sample", "/", 1)
    ('same', 1)
    """
    found, since = SAME, 1
    for number in range(2, edition + 1):
        draw = xxh3_64_intdigest(f"{host}{path} {number}".encode()) % 32
        if draw < 2:
            return (GONE, MOVED)[draw], number
        if draw < 6:
            found, since = CHANGED, number
    return found, since


def in_edition(answer: Answer, host: str, path: str, edition: int) -> Answer:
    """Return what the server sends in *edition* where it sent *answer* in the first."""
    if edition == 1 or answer.status != 200 or path == "/" or not _is_html(answer):
        return answer
    what, since = fate(host, path, edition)
    if what == GONE:
        return Answer(404, _GONE, "text/html")
    if what == MOVED:
        return Answer(301, b"", location="/")
    return replace(answer, body=_longer(answer.body, since)) if what == CHANGED else answer


def _is_html(answer: Answer) -> bool:
    return answer.content_type.startswith("text/html") and b"</p>" in answer.body


def _longer(body: bytes, edition: int) -> bytes:
    """Return *body* with a sentence and a link more, in a paragraph in its middle or behind it."""
    place = body.find(b"</p>", len(body) // 2)
    place = body.rfind(b"</p>") if place < 0 else place
    more = f' This page was written anew for edition {edition}. <a href="/">home</a>'
    return body[:place] + more.encode() + body[place:]


def validators(answer: Answer, host: str, path: str, edition: int) -> dict[str, str]:
    """Return the headers by which the server tells one *answer* from another."""
    if answer.status != 200:
        return {}
    draw = xxh3_64_intdigest(f"{host}{path} validators".encode()) % 4
    found = {}
    if draw in (1, 3):
        found["ETag"] = f'"{xxh3_64_hexdigest(answer.body)}"'
    if draw in (2, 3):
        since = fate(host, path, edition)[1] if _is_html(answer) and path != "/" else 1
        found["Last-Modified"] = formatdate(_FIRST + _STEP * since, usegmt=True)
    return found


def is_not_modified(ours: Mapping[str, str], asked: Mapping[str, str]) -> bool:
    """Tell whether a request with the headers *asked* is answered by 304 (RFC 9110 section 13.2.2)."""
    if (tags := asked.get("If-None-Match")) is not None:
        return ours.get("ETag") in [tag.strip().removeprefix("W/") for tag in tags.split(",")]
    since, modified = asked.get("If-Modified-Since"), ours.get("Last-Modified")
    if since is None or modified is None:
        return False
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except (ValueError, TypeError):
        return False
