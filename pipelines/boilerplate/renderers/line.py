"""The text of one paragraph, put together from kept blocks and what stands between them.

Text without a word makes no block: the full stop behind a link, the bracket around bold text, the
equals sign in code. It is kept when the text before and after it in the paragraph is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipelines.boilerplate.renderers.nodes import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLANKS = re.compile(r"\s+")
_NEWLINES = re.compile(r" *\n[ \n]*")


class Style(NamedTuple):
    """The style that a text has by the inline tags around it."""

    strong: bool = False
    emphasis: bool = False
    code: bool = False
    href: str | None = None


class Part(NamedTuple):
    """A text of a paragraph. *kept* is None for what has no word and stands in no block."""

    text: str
    kept: bool | None
    style: Style = Style()


BREAK = Part("\n", None)
SPACE = Part(" ", None)


def kept_parts(parts: Sequence[Part]) -> list[Part]:
    """Return the kept of *parts*, with those without a word that belong to them.

    >>> [part.text for part in kept_parts([Part("a", True), Part("-", None), Part("b", False)])]
    ['a']
    """
    kept: list[Part] = []
    waiting: list[Part] = []
    goes_on = True
    for part in parts:
        if part.kept is None:
            waiting.append(part)
            continue
        if part.kept:
            # Between what is kept and what is not, only the space stays.
            kept += waiting if goes_on else [SPACE] * bool(kept and waiting)
            kept.append(part)
        waiting = []
        goes_on = part.kept
    if goes_on and kept:
        kept += waiting
    return kept if any(part.kept for part in kept) else []


def pieces_of(parts: Sequence[Part]) -> list[Piece]:
    """Return *parts* as pieces: neighbours of one style joined, no blanks at ends and breaks."""
    joined: list[tuple[list[str], Style]] = []
    for part in parts:
        is_blank = part.text.isspace()
        if joined and (is_blank or joined[-1][1] == part.style):
            joined[-1][0].append(part.text)
        else:
            joined.append(([part.text], Style() if is_blank else part.style))
    pieces: list[Piece] = []
    before = "\n"
    for texts, style in joined:
        text = _NEWLINES.sub("\n", _BLANKS.sub(_one_blank, "".join(texts)))
        if before.isspace():
            text = text.lstrip(" \n" if before == "\n" else " ")
        if text:
            before = text[-1]
            pieces.append(Piece(text, *style))
    return _without_end_blanks(pieces)


def _one_blank(match: re.Match[str]) -> str:
    return "\n" if "\n" in match[0] else " "


def _without_end_blanks(pieces: list[Piece]) -> list[Piece]:
    while pieces:
        text = pieces[-1].text.rstrip()
        if text:
            pieces[-1] = pieces[-1]._replace(text=text)
            break
        pieces.pop()
    return pieces
