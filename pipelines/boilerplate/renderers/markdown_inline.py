"""What Markdown has within a line: emphasis, links, code and formulas, and text that is escaped where it would be markup.

Emphasis that the rules for its marks would not let work is left out. Of line starts and line breaks
:mod:`.markdown` takes care.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote

from crawler.page.words import nfc

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipelines.boilerplate.renderers.nodes import Piece

# CommonMark 0.31, sections 2.4 to 2.5 and 6: what may begin markup within a line. GitHub strikes out what stands
# between two tildes, of which the second has no blank before it.
_REFERENCE = "&(?=#?[A-Za-z0-9]{1,31};)"
_SPECIAL = re.compile(rf"[\\`*\[\]<]|~~|(?<!\s)~|_|{_REFERENCE}")
# A star or tilde that no backslash escapes; a star that is text always is.
_ENDS_IN_MARK = re.compile(r"(?<!\\)(?>(?:\\\\)*)[*~]\Z")
# Blanks, and what has no width, which programs leave in bold text behind a break.
_BLANK = " \n\u200b\u200c\u200d\u2060\ufeff"
# The sign of a trade mark is raised by itself.
_HAS_WORD = re.compile(r"[^\W_]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_TICKS = re.compile("`+")


def inline(pieces: Sequence[Piece]) -> str:
    """Return *pieces* as Markdown; the caller sees to line starts and line breaks."""
    written: list[str] = []
    for href, linked in groupby(pieces, key=lambda piece: piece.href):
        group = list(linked)
        if href is None:
            _write_styled(group, written)
        else:
            inner: list[str] = []
            _write_styled(group, inner)
            link = _link("".join(inner), href)
            if link.startswith("["):
                _escape_mark_of_image(written)
            written.append(link)
    return "".join(written)


def _escape_mark_of_image(written: list[str]) -> None:
    # Section 6.4: an exclamation mark before a link makes an image of it.
    for place in range(len(written) - 1, -1, -1):
        if written[place]:
            if written[place].endswith("!"):
                written[place] = f"{written[place][:-1]}\\!"
            return


def _link(text: str, href: str) -> str:
    inner = text.strip()
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    # A backslash would escape what follows, and a reference to a character be read as that.
    href = re.sub(_REFERENCE, r"\\&", href.replace("\\", "%5C"))
    if nfc(href) != href:
        # Put together, letters and their accents would be other bytes, and lead elsewhere.
        href = _BEYOND_ASCII.sub(lambda match: quote(match[0]), href)
    return f"{before}[{inner}](<{href}>){after}" if inner else text


def _write_styled(pieces: Iterable[Piece], written: list[str]) -> None:
    group = _with_whole_code(pieces)
    has_formula = any(piece.formula for piece in group)
    for place, piece in enumerate(group):
        mark = "**" * piece.strong + "*" * piece.emphasis + "~~" * piece.struck
        text = piece.text
        inner = text.strip(None if piece.code else _BLANK)
        shown = _shown(piece, inner, has_formula=has_formula) if inner else ""
        before, _, after = text.partition(inner) if inner else (text, "", "")
        next_text = after or (group[place + 1].text if place + 1 < len(group) else "")
        so_far = before or next(filter(None, reversed(written)), "")
        if mark and inner and _works(so_far, shown, next_text):
            shown = f"{mark}{shown}{mark[::-1]}"
        written += [before, shown, after]


def _shown(piece: Piece, text: str, *, has_formula: bool) -> str:
    """Return the *text* of *piece*, but for the marks of emphasis."""
    if piece.formula:
        return f"{piece.formula}{text}{piece.formula}"
    if piece.code:
        return code_lines(text)
    shown = _escaped(text)
    if has_formula:
        shown = shown.replace("$", "\\$")
    is_raised = piece.raised and _HAS_WORD.search(text)
    return f"<{piece.raised}>{shown}</{piece.raised}>" if is_raised else shown


def _with_whole_code(pieces: Iterable[Piece]) -> list[Piece]:
    """Return *pieces*, neighbours in code as one: two of them side by side are read as one with ticks in it."""
    whole: list[Piece] = []
    for piece in pieces:
        if not (whole and whole[-1].code and piece.code):
            whole.append(piece)
            continue
        before = whole.pop()
        strong, emphasis = before.strong and piece.strong, before.emphasis and piece.emphasis
        whole.append(
            before._replace(text=before.text + piece.text, strong=strong, emphasis=emphasis)
        )
    return whole


def _works(before: str, shown: str, after: str) -> bool:
    """Tell whether marks around *shown* are read as such: CommonMark 0.31, section 6.2."""
    if _ENDS_IN_MARK.search(before):
        return False
    outside = (before[-1:], after[:1])
    return all(
        _is_letter(inside) or not near or not _is_letter(near)
        for near, inside in zip(outside, (shown[0], shown[-1]), strict=True)
    )


def _is_letter(sign: str) -> bool:
    # Section 2.1: neither whitespace nor punctuation; the vowels of Indic scripts are marks, and no letters to Python.
    return not sign.isspace() and unicodedata.category(sign)[0] not in "PS"


def code_lines(text: str) -> str:
    """Return the lines of *text* as code, each by itself: section 6.1 knows no breaks within it."""
    return "\n".join(_code(line.strip()) for line in text.split("\n") if line.strip())


def _code(text: str) -> str:
    ticks = fence(text, at_least=1)
    blank = " " if "`" in (text[0], text[-1]) else ""
    return f"{ticks}{blank}{text}{blank}{ticks}"


def fence(text: str, *, at_least: int) -> str:
    """Return *at_least* so many ticks, and more than stand in a row in *text*."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    return "`" * max(at_least, longest + 1)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: _escape(match, text), text)


def _escape(match: re.Match[str], text: str) -> str:
    sign = match[0]
    if sign == "_":
        # Within a word an underscore is no mark.
        around = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        return sign if all(near.isalnum() for near in around) else "\\_"
    return "\\" + "\\".join(sign)
