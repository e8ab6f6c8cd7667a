"""What boilerpipe reads in a block: the begin of a comment section, and the title.

*Source: Kohlschütter 2011, section 4.4.3 (Main Content Filter)*: "a block solely containing one out
of 11 indicator strings like 'User comments:' etc." and "a clearly identifiable title (derived from
the HTML document's TITLE value)". The thesis prints one of its strings; those below are the ones of
the program that its author released, boilerpipe 1.1, filters TerminatingBlocksFinder and
DocumentTitleMatchClassifier, with the published one. No claim that they are the eleven.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Longer blocks are sentences that only speak of comments; shorter ones may be anything.
MAX_MARKER_WORDS = 14
MIN_MARKER_CHARS = 8
_PREFIXES = (
    *("comments", "user comments", "\u00a9 reuters", "please rate this", "post a comment"),
    "thanks for your comments - this feedback is now closed",
)
_ANYWHERE = (
    *("what you think...", "add your comment", "add comment", "reader views", "have your say"),
    *("reader comments", "r\u00e4tta artikeln"),
)
_COUNTED = re.compile(r"\d+(?: comments| users responded in)")

# Titles are cut at ever more separators; each cut gives the longest part as a candidate.
_SEPARATORS = ("|»:", "|»:()", "|»:()-", "|»,:()-")
_CUTS = tuple(re.compile(f"[{re.escape(separators)}]") for separators in _SEPARATORS)


def indicates_end_of_text(text: str, n_words: int) -> bool:
    """Tell whether a block of *text* and *n_words* words begins a comment section or the like.

    >>> indicates_end_of_text("Comments (12)", 2), indicates_end_of_text("12 comments on this", 4)
    (True, True)
    >>> indicates_end_of_text("The comments of the minister", 5)
    False
    """
    if n_words > MAX_MARKER_WORDS or len(text) < MIN_MARKER_CHARS:
        return False
    text = text.lower()
    return (
        text.startswith(_PREFIXES)
        or _COUNTED.match(text) is not None
        or any(marker in text for marker in _ANYWHERE)
    )


def title_candidates(title: str | None) -> frozenset[str]:
    """Return what a block that shows *title* may say, as :func:`comparable` gives it.

    >>> sorted(title_candidates("Storm hits coast | Example News"))
    ['storm hits coast', 'storm hits coast | example news']
    """
    title = comparable(title or "")
    return frozenset(candidate for candidate in (title, *_longest_parts(title)) if candidate)


def comparable(text: str) -> str:
    """Return *text* as titles are compared: lower-cased, without apostrophes."""
    return " ".join(text.replace("'", "").lower().split())


def _longest_parts(title: str) -> Iterator[str]:
    for cut in _CUTS:
        longest, most_words = "", 0
        for part in map(str.strip, cut.split(title)):
            n_words = len(part.split())
            # The program's own rule: longer than the one before, in words or in characters.
            if ".com" not in part and (n_words > most_words or len(part) > len(longest)):
                longest, most_words = part, n_words
        yield longest
