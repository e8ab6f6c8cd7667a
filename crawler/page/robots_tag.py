"""The ``X-Robots-Tag`` header: what a site wishes of one answer.

Source: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag (no standard
describes it). ``noindex, nofollow`` is for all; ``name: noindex`` for the robot of that name only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Directives that have a value behind a colon; any other word before a colon names a robot.
_VALUED = frozenset({"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"})


def robots_words(headers: Iterable[bytes], agent: str) -> set[str]:
    """Return the directives without a value among *headers* that are for *agent* or for all.

    >>> sorted(robots_words([b"max-image-preview: none, NoFollow", b"otherbot: noindex"], "winnow"))
    ['nofollow']
    >>> robots_words([b"Winnow: noindex"], "winnow")
    {'noindex'}
    """
    found: set[str] = set()
    for header in headers:
        ours = True
        for part in header.decode("latin-1").lower().split(","):
            name, colon, word = part.partition(":")
            if colon and name.strip() in _VALUED:
                continue
            if colon:
                ours = name.strip() in {"*", agent.lower()}
            if ours:
                found.add((word if colon else name).strip())
    return found - {""}
