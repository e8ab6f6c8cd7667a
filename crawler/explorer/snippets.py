"""The part of a text that shows words of a query, and where they stand in it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from crawler.page.greek_letters import without_tonos
from crawler.page.words import search_spans, small_letters, without_strokes
from pipelines.retrieval.queries import query_words

if TYPE_CHECKING:
    from collections.abc import Iterator

SNIPPET_CHARS = 280
# What stands before the first word that is shown.
_BEFORE = 60
# Longest part of a word that is left out at the end. It could be marked as another word, which the query has.
_CUT_CHARS = 30


class Piece(NamedTuple):
    """A part of a snippet; *is_found*: a word of the query."""

    text: str
    is_found: bool


def snippet(text: str, query: str, n_chars: int = SNIPPET_CHARS) -> list[Piece]:
    """Return *n_chars* of *text*, or a word less, from shortly before the first word of *query*, cut into pieces.

    >>> [piece.text for piece in snippet("There is a Fox in the wood", "fox", 22)]
    ['There is a ', 'Fox', ' in the', ' …']
    """
    line = " ".join(text.split())
    rows = {word.words for word in query_words(query)}
    first, behind = next(_found(line, rows), (0, 0))
    start = max(0, first - _BEFORE)
    if start:  # at a blank, if there is one
        start = line.find(" ", start, first) + 1 or start
    last = start + n_chars
    if line[last : last + 1].strip():  # within a word
        blank = line.rfind(" ", max(behind, last - _CUT_CHARS), last)
        last = last if blank == -1 else blank
    shown = line[start:last]
    pieces = [Piece("… ", is_found=False)] if start else []
    end = 0
    for found, found_end in _joined(sorted({*_found(shown, rows)})):
        pieces += [Piece(shown[end:found], is_found=False)]
        pieces += [Piece(shown[found:found_end], is_found=True)]
        end = found_end
    pieces.append(Piece(shown[end:], is_found=False))
    if last < len(line):
        pieces.append(Piece(" …", is_found=False))
    return [piece for piece in pieces if piece.text]


def _found(line: str, rows: set[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Yield start and end of the words of *line* that are in one of *rows*, some several times."""
    sizes = sorted({len(row) for row in rows})
    last: deque[tuple[str, int, int]] = deque(maxlen=max(sizes, default=0))
    for start, end in search_spans(line) if rows else ():
        last.append((small_letters(without_strokes(without_tonos(line[start:end]))), start, end))
        for size in sizes[: len(last)]:
            row = [*last][-size:]
            if tuple(word for word, _, _ in row) in rows:
                yield from ((first, behind) for _, first, behind in row)


def _joined(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield *spans*, those that touch as one: characters of scripts without blanks are words of their own."""
    start = end = 0
    for span_start, span_end in spans:
        if span_start > end or not end:
            if end:
                yield start, end
            start = span_start
        end = span_end
    if end:
        yield start, end
