"""Markdown of the kept blocks of a page.

CommonMark 0.31 with the tables, task lists and strikethrough of GitHub's dialect (GFM 0.29, sections 4.10, 5.3, 6.5).
Powers and indices keep their tags (``sup``, ``sub``), for which Markdown has no marks; formulas are TeX between ``$``
or, on a line of their own, ``$$``. Lists keep their
nesting and numbers (one that does not count up by one is divided, :mod:`.numbered`), code its whitespace and, where
the page names it, its language; a line break is two spaces at the end of a line. A cell of a table may hold no blocks:
its paragraphs, lines, items (with their marks) and lines of code are parted by ``<br>``, and a heading beside them is
bold. Text is escaped so that it reads as it stands on the page, where that could be taken for markup; emphasis that the
rules for its marks would not let work is left out.

Cost: O(n). Invariant: read by a CommonMark reader, the words and signs are those of the kept blocks, formulas apart,
and the marks and numbers of lists in cells.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote

from crawler.page.words import nfc
from pipelines.boilerplate.renderers.nodes import Code, List, Paragraph, Quote, Table
from pipelines.boilerplate.renderers.outline import outline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from crawler.page import PageModel
    from pipelines.boilerplate.labels import Labels
    from pipelines.boilerplate.renderers.nodes import Node, Piece

# CommonMark 0.31, sections 2.4 to 2.5 and 6: what may begin markup within a line. GitHub strikes out what stands
# between two tildes, of which the second has no blank before it.
_REFERENCE = "&(?=#?[A-Za-z0-9]{1,31};)"
_SPECIAL = re.compile(rf"[\\`*\[\]<]|~~|(?<!\s)~|_|{_REFERENCE}")
# Sections 4 and 5: what may begin a block at the start of a line.
_LINE_START = re.compile(r"^(?:([#>+=|-]|:(?=-))|([0-9]{1,9})([.)])(?=\s|$))", re.MULTILINE)
# A star or tilde that no backslash escapes; a star that is text always is.
_ENDS_IN_MARK = re.compile(r"(?<!\\)(?>(?:\\\\)*)[*~]\Z")
# Blanks, and what has no width, which programs leave in bold text behind a break.
_BLANK = " \n\u200b\u200c\u200d\u2060\ufeff"
# The sign of a trade mark is raised by itself.
_HAS_WORD = re.compile(r"[^\W_]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_TICKS = re.compile("`+")
_ITEM_MARKS = (("-", "*"), (".", ")"))


def markdown(page: PageModel, labels: Labels, *, with_links: bool = False) -> str:
    """Return the kept blocks of *page* as Markdown, without a line break at the end.

    *with_links* keeps the links, absolute where the page has a web address.
    """
    text = markdown_of(outline(page, labels.kept, with_links=with_links))
    # An accent may stand in another element than its letter.
    return text if text.isascii() else nfc(text)


def markdown_of(nodes: Sequence[Node]) -> str:
    """Return the *nodes* of an outline as Markdown."""
    return "\n\n".join(_blocks(nodes))


def _blocks(nodes: Sequence[Node]) -> list[str]:
    blocks = []
    n_lists = 0
    for node in nodes:
        # Two lists side by side would be one, did they not have other marks.
        n_lists = n_lists + 1 if isinstance(node, List) else 0
        blocks.append(_list(node, n_lists) if isinstance(node, List) else _block(node))
    return blocks


def _block(node: Paragraph | Code | Quote | Table) -> str:
    if isinstance(node, Paragraph):
        if node.level:
            return f"{'#' * node.level} {_closed(_one_line(node.pieces))}"
        return _task(node) + _at_line_starts(_inline(node.pieces)).replace("\n", "  \n")
    if isinstance(node, Code):
        fence = _fence(node.text, at_least=3)
        return f"{fence}{node.language}\n{node.text}\n{fence}"
    if isinstance(node, Quote):
        lines = markdown_of(node.children).split("\n")
        return "\n".join(f"> {line}" if line else ">" for line in lines)
    return _table(node)


def _task(node: Paragraph) -> str:
    return "" if node.is_done is None else "[x] " if node.is_done else "[ ] "


def _closed(heading: str) -> str:
    # Number signs at the end of a heading are part of its mark.
    return f"{heading[:-1]}\\#" if heading.endswith("#") else heading


def _list(node: List, n_lists: int) -> str:
    marks = _ITEM_MARKS[node.first is not None]
    mark = marks[(n_lists - 1) % 2]
    items = []
    for place, item in enumerate(node.items):
        start = f"{mark} " if node.first is None else f"{node.first + place}{mark} "
        items.append(start + _indented(_item(item), " " * len(start)))
    is_tight = all(map(_is_tight, node.items))
    return ("\n" if is_tight else "\n\n").join(items)


def _is_tight(item: Sequence[Node]) -> bool:
    # Section 5.3: of numbered lists only those from 1 on end a paragraph without a blank line.
    return isinstance(item[0], Paragraph) and all(
        isinstance(node, List) and node.first in {None, 1} for node in item[1:]
    )


def _item(item: Sequence[Node]) -> str:
    return ("\n" if _is_tight(item) else "\n\n").join(_blocks(item))


def _indented(text: str, blanks: str) -> str:
    return re.sub(r"\n(?=[^\n])", f"\n{blanks}", text)


def _table(node: Table) -> str:
    width = max(map(len, node.rows))
    rows = ["| " + " | ".join(map(_cell, row)) + " |" for row in node.rows]
    rows[0] += " |" * (width - len(node.rows[0]))
    return "\n".join((rows[0], "|" + " --- |" * width, *rows[1:]))


def _cell(nodes: Sequence[Node]) -> str:
    return "<br>".join(_cell_lines(nodes)).replace("|", "\\|")


def _cell_lines(nodes: Sequence[Node]) -> list[str]:
    """Return the lines of a cell, which may hold no blocks."""
    lines: list[str] = []
    for node in nodes:
        if isinstance(node, Paragraph):
            is_head = node.level and len(nodes) > 1
            pieces = [p._replace(strong=True) for p in node.pieces] if is_head else node.pieces
            first, *others = map(_inline, _divided(pieces))
            lines += [_task(node) + first, *others]
        elif isinstance(node, Code):
            lines += _code_lines(node.text).split("\n")
        elif isinstance(node, List):
            for place, item in enumerate(node.items):
                mark = "-" if node.first is None else f"{node.first + place}."
                first, *others = _cell_lines(item)
                lines += [f"{mark} {first}", *(f"  {line}" for line in others)]
    return lines


def _divided(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return *pieces* line by line."""
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        first, *others = (piece._replace(text=text) for text in piece.text.split("\n"))
        lines[-1].append(first)
        lines += [[other] for other in others]
    return lines


def _one_line(pieces: Sequence[Piece]) -> str:
    return _inline(pieces).replace("\n", " ")


def _at_line_starts(text: str) -> str:
    return _LINE_START.sub(
        lambda match: f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}", text
    )


def _inline(pieces: Sequence[Piece]) -> str:
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
        return _code_lines(text)
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


def _code_lines(text: str) -> str:
    """Return the lines of *text* as code, each by itself: section 6.1 knows no breaks within it."""
    return "\n".join(_code(line.strip()) for line in text.split("\n") if line.strip())


def _code(text: str) -> str:
    fence = _fence(text, at_least=1)
    blank = " " if "`" in (text[0], text[-1]) else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def _fence(text: str, *, at_least: int) -> str:
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
