"""The text of one paragraph, put together from kept blocks and what stands between them.

Text without a word makes no block: the full stop behind a link, the bracket around bold text, the
equals sign in code. It is kept when the text before and after it in the paragraph is.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from pipelines.boilerplate.renderers.nodes import Piece
from pipelines.boilerplate.renderers.paragraphs import PARAGRAPH_END

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLANKS = re.compile(r"\s+")
# What goes on behind a box, and what goes on in one: general categories of Unicode, and what of them begins a word.
_ENDS_WORD = frozenset({"Pe", "Pf", "Po"})
_BEGINS_WORD = frozenset('#&@"·•¿¡')
_OPENS = frozenset({"Ps", "Pi"})
# Behind these in Chinese and Japanese a box may hold something else, such as the number of comments.
_ENDS_SENTENCE = frozenset("。．！？")
# Addresses are shown in parts, of which browsers leave out some.
_ADDRESS = re.compile(r"(?:(?<![a-z])[a-z]++://|www\.)\S*+\Z")
# As many parts as they are shown in, and what is looked at of each.
_N_BEFORE, _MAX_BEFORE_CHARS = 3, 200
# The first letter of a text in a box of its own, and one of a word that an editor has cut.
_LONE_START = re.compile(r"(?:\A|[\W_])[^\W\d_]\Z")
_LONE_END = re.compile(r"[^\W\d_](?:\Z|[\W_])")
# Chinese and Japanese, which part no words, with their digits and brackets.
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_BESIDE_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff0-9（「『【《]")


class Style(NamedTuple):
    """The style that a text has by the inline tags around it; the fields of `Piece`."""

    strong: bool = False
    emphasis: bool = False
    code: bool = False
    href: str | None = None
    raised: str = ""
    struck: bool = False
    formula: str = ""


class Part(NamedTuple):
    """A text of a paragraph. *kept* is None for what has no word and stands in no block."""

    text: str
    kept: bool | None
    style: Style = Style()


BREAK = Part("\n", None)
SPACE = Part(" ", None)


def continues(before: str, after: str, *, is_sign: bool = False) -> bool:
    """Tell whether *after*, the text of a box, goes on what stands *before* it, without a space.

    *is_sign*: the last sign of that is a text of its own.

    >>> continues("a link", ", and"), continues("C", "orn"), continues("Jane Doe", "5 May")
    (True, True, False)
    """
    if not before or not after:
        return False
    last, first = before[-1], after[0]
    if first not in _BEGINS_WORD and unicodedata.category(first) in _ENDS_WORD:
        return True
    if (_has_room(last) and last not in _ENDS_SENTENCE) or _has_room(first):
        return True
    kind = unicodedata.category(last)
    if kind in _OPENS or last in "¿¡" or _ADDRESS.search(before):
        return True
    if kind == "Sc" and first.isdigit():
        return True
    if is_sign and last in ".,:" and first.isdigit():
        # Prices and times; the point behind the number of a heading stands in one box with it.
        return before[-2:-1].isdigit()
    if first == "-":
        return after[1:2].isalpha()
    if last == "=":
        # An option and its value.
        return before[-2:-1].isalnum()
    if _HAN.match(first) or _HAN.match(last):
        return bool(_BESIDE_HAN.match(first) and _BESIDE_HAN.match(last))
    is_small = last.isalpha() and first.islower()
    return is_small and bool(_LONE_START.search(before) or _LONE_END.match(after))


def goes_on_box(parts: Sequence[Part], words: str) -> bool:
    """Tell whether the *words* of a box go on the *parts* before it, without a space."""
    before = "".join(part.text[-_MAX_BEFORE_CHARS:] for part in parts[-_N_BEFORE:])
    return continues(before, words, is_sign=bool(parts) and len(parts[-1].text) == 1)


def _has_room(sign: str) -> bool:
    """Tell whether *sign* is one of Chinese and Japanese, which is as wide as a letter and holds its own room."""
    is_wide = not sign.isascii() and unicodedata.east_asian_width(sign) in {"F", "W"}
    return is_wide and unicodedata.category(sign)[0] == "P"


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
    """Return *parts* as pieces: neighbours of one style joined, no blanks at ends and breaks, no more than two breaks.

    Blanks between two codes, and in neither, part them.
    """
    joined: list[tuple[list[str], Style]] = []
    for part in parts:
        is_blank = part.text.isspace()
        is_behind_code = bool(joined) and joined[-1][1].code and not part.style.code
        # Of two formulas side by side each is one.
        goes_on = bool(joined) and not joined[-1][1].formula
        if goes_on and (joined[-1][1] == part.style or (is_blank and not is_behind_code)):
            joined[-1][0].append(part.text)
        else:
            joined.append(([part.text], Style() if is_blank else part.style))
    pieces: list[Piece] = []
    before = "\n"
    for texts, style in joined:
        text = _BLANKS.sub(_one_blank, "".join(texts))
        if before.isspace():
            text = text.lstrip(" \n" if before == "\n" else " ")
        if text:
            before = text[-1]
            pieces.append(Piece(text, *style))
    return _without_end_blanks(pieces)


def _one_blank(match: re.Match[str]) -> str:
    n_breaks = match[0].count("\n")
    return PARAGRAPH_END if n_breaks > 1 else "\n" * n_breaks or " "


def _without_end_blanks(pieces: list[Piece]) -> list[Piece]:
    while pieces:
        text = pieces[-1].text.rstrip()
        if text:
            pieces[-1] = pieces[-1]._replace(text=text)
            break
        pieces.pop()
    return pieces
