"""The markup of a page as landmarks are looked for in it: tags, comments and elements of raw text, with their places.

What an element holds is told by counting, as the extractors of Gottron's thesis do: it ends at the end tag that is one
more than the start tags of its name within. Elements whose end tag may be left out (``p``, ``li``, cells) end where
HTML has them end. *Source: Gottron 2008, appendix A; HTML standard, "optional tags".* Cost: O(n) a page, and O(n) an
element.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from crawler.page.markup_events import markup_matches
from crawler.page.tags import CLOSED_BY, PHRASING, TRANSPARENT, VOID

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

START, END, COMMENT, RAW = "start", "end", "comment", "raw"
# Those of which an end tag without a start says nothing of what is around.
INLINE = TRANSPARENT | PHRASING | {"a"}
_NO_HOLDERS = INLINE | {"p"}
_OPTIONAL_END = frozenset(name for closed, _ in CLOSED_BY.values() for name in closed)
_ENDS_WITH_PAGE = _OPTIONAL_END | {"html", "body"}


class Mark(NamedTuple):
    """Markup, bytes *start* to *end* of the source. *kind*: one of the four above.

    *text*: the attributes of a tag or of an element of raw text as they are written, the text of a comment with
    whitespace collapsed. *inner*: where the content of an element of raw text is. *is_stray*: an end tag whose name no
    element bears that is open there, of which HTML takes no notice.
    """

    kind: str
    start: int
    end: int
    name: str = ""
    text: bytes = b""
    inner: tuple[int, int] = (0, 0)
    is_stray: bool = False


class Slot(NamedTuple):
    """What a landmark holds, bytes *start* to *end*, and with its own markup, *outer_start* to *outer_end*.

    *name* of the element, "" between comments; *next_mark*: the first mark that is not in it.
    """

    outer_start: int
    start: int
    end: int
    outer_end: int
    name: str
    next_mark: int


def marks_of(source: bytes) -> list[Mark]:
    """Return the marks of *source*, in order.

    >>> [(mark.kind, mark.name or mark.text.decode()) for mark in marks_of(b"<p>a<!--  S  BO --></p>")]
    [('start', 'p'), ('comment', 'S BO'), ('end', 'p')]
    """
    return list(_marks(source))


def _marks(source: bytes) -> Iterator[Mark]:
    is_open: Counter[str] = Counter()
    for match in markup_matches(source, 0, len(source)):
        start, end = match.span()
        if match["name"] is not None:
            name = _name(match["name"])
            is_open[name] += 1
            yield Mark(START, start, end, name, match["attributes"])
        elif match["end"] is not None:
            name = _name(match["end"])
            is_stray = not is_open[name]
            is_open[name] -= not is_stray
            yield Mark(END, start, end, name, is_stray=is_stray)
        elif match["raw"] is not None:
            name, inner = _name(match["raw"]), match.span("content")
            yield Mark(RAW, start, end, name, match["raw_attributes"], inner)
        elif match["comment"] is not None:
            yield Mark(COMMENT, start, end, text=b" ".join(match["comment"].split()))


def _name(name: bytes) -> str:
    return name.decode("utf-8", "replace").lower()


def element_at(marks: Sequence[Mark], place: int, stop: int, end: int) -> Slot | None:
    """Return what the element that begins at mark *place* holds; None where it has no end before mark *stop*.

    *end*: the byte that mark *stop* begins at, or the end of the source.
    """
    mark = marks[place]
    if mark.kind == RAW:
        return Slot(mark.start, *mark.inner, mark.end, mark.name, place + 1)
    if mark.name in VOID:
        return Slot(mark.start, mark.end, mark.end, mark.end, mark.name, place + 1)
    is_open: Counter[str] = Counter()
    for number in range(place + 1, stop):
        ended = _ends(mark.name, marks[number], is_open)
        if ended:
            last = marks[number]
            has_own_end = last.kind == END and last.name == mark.name
            outer_end, following = (last.end, number + 1) if has_own_end else (last.start, number)
            return Slot(mark.start, mark.end, last.start, outer_end, mark.name, following)
    if mark.name in _ENDS_WITH_PAGE:
        return Slot(mark.start, mark.end, end, end, mark.name, stop)
    return None


def _ends(name: str, mark: Mark, is_open: Counter[str]) -> bool:
    """Tell whether *mark* ends an element called *name*, in which the elements of *is_open*, brought up to date, are
    open.
    """
    if mark.kind == START:
        closed, up_to = CLOSED_BY.get(mark.name, (frozenset(), frozenset()))
        if name in closed and not any(is_open[other] for other in up_to):
            return True
        is_open[mark.name] += mark.name not in VOID
    elif mark.kind == END:
        if not is_open[mark.name]:
            is_outer = mark.name not in INLINE and not mark.is_stray
            return mark.name == name or (name in _OPTIONAL_END and is_outer)
        is_open[mark.name] -= 1
    return False


def between_comments(
    marks: Sequence[Mark], place: int, stop: int, comments: tuple[frozenset[str], frozenset[str]]
) -> Slot | None:
    """Return what is between the comment at mark *place*, one of the first *comments*, and its end; None without an
    end.

    Pairs of the same comments within are counted.
    """
    begins, ends = comments
    depth = 1
    for number in range(place + 1, stop):
        mark = marks[number]
        if mark.kind != COMMENT:
            continue
        text = mark.text.decode("utf-8", "replace")
        depth += (text in begins) - (text in ends)
        if not depth:
            first = marks[place]
            return Slot(first.start, first.end, mark.start, mark.end, "", number + 1)
    return None


def end_of_holder(marks: Sequence[Mark], place: int, stop: int) -> int:
    """Return the mark that ends the element which mark *place* stands in, paragraphs and inline elements left out;
    *stop* for none.
    """
    is_open: Counter[str] = Counter()
    for number in range(place + 1, stop):
        mark = marks[number]
        if mark.kind == START:
            is_open[mark.name] += 1
        elif mark.kind == END and is_open[mark.name]:
            is_open[mark.name] -= 1
        elif mark.kind == END and not mark.is_stray and mark.name not in _NO_HOLDERS:
            return number
    return stop
