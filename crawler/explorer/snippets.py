"""The part of a text that shows words of a query, and where they stand in it."""

from __future__ import annotations

import re
from typing import NamedTuple

SNIPPET_CHARS = 280
# What stands before the first word that is shown.
_BEFORE = 60


class Piece(NamedTuple):
    """A part of a snippet; *is_found*: a word of the query."""

    text: str
    is_found: bool


def snippet(text: str, query: str, n_chars: int = SNIPPET_CHARS) -> list[Piece]:
    """Return *n_chars* of *text* from shortly before the first word of *query*, cut into pieces.

    Where the text has none as a word, as in scripts that put no blanks between them, parts of words count.

    >>> [piece.text for piece in snippet("There is a Fox in the wood", "fox", 22)]
    ['There is a ', 'Fox', ' in the ', ' …']
    """
    line = " ".join(text.split())
    words = _words(query, line)
    first = words.search(line) if words else None
    start = 0 if first is None else max(0, first.start() - _BEFORE)
    if start and first is not None:  # at a blank, if there is one
        start = line.find(" ", start, first.start()) + 1 or start
    shown = line[start : start + n_chars]
    pieces = [Piece("… ", is_found=False)] if start else []
    end = 0
    for found in words.finditer(shown) if words else ():
        pieces += [Piece(shown[end : found.start()], is_found=False)]
        pieces += [Piece(found.group(), is_found=True)]
        end = found.end()
    pieces.append(Piece(shown[end:], is_found=False))
    if start + n_chars < len(line):
        pieces.append(Piece(" …", is_found=False))
    return [piece for piece in pieces if piece.text]


def _words(query: str, line: str) -> re.Pattern[str] | None:
    """Return what finds the words of *query* in *line*; None when it has none."""
    words = sorted(set(re.findall(r"\w+", query.lower())), key=len, reverse=True)
    if not words:
        return None
    any_word = "|".join(map(re.escape, words))
    whole = re.compile(rf"\b(?:{any_word})\b", re.IGNORECASE)
    return whole if whole.search(line) else re.compile(any_word, re.IGNORECASE)
