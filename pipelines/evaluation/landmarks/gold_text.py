"""The gold text of a page by the rule of its site, or why there is none.

The text is what stands in the slots of all parts, in the order of the page and each once, though a slot lie in another;
what is excluded, and what is in elements nested in a part without them, is left out. A line of it is a block of the
page model: tags, comments, scripts, styles, what is for browsers without scripts, and signs without a word in a line of
their own are no text; entities are decoded, whitespace is collapsed. What the page hides is text, unless the rule
excludes it.

A page that does not match has no gold text, but a reason: that a part is missing (``no PART``), that it has no end
(``no end of PART``), that what is excluded has none (``no end of an exclusion``), or that nothing is left
(``no words``). *Source: Gottron 2008, sections 5.2.1 and 5.3.2.* Cost: O(n) for each part.
"""

from __future__ import annotations

from bisect import bisect_left
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from crawler.page import PageRules, build_page
from crawler.page.attributes import decoded_value, written_values
from crawler.page.encoding.text import decode
from pipelines.evaluation.landmarks.marks import (
    COMMENT,
    END,
    INLINE,
    RAW,
    START,
    Slot,
    between_comments,
    element_at,
    end_of_holder,
    marks_of,
)
from pipelines.evaluation.landmarks.rules import Landmark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipelines.evaluation.landmarks.marks import Mark
    from pipelines.evaluation.landmarks.rules import Part, SiteRule

_RULES = PageRules(inline="phrasing")
_UTF_8 = "text/html; charset=utf-8"
_NOSCRIPT = Landmark(tags=frozenset({"noscript"}))
NO_WORDS, NO_END_OF_EXCLUSION = "no words", "no end of an exclusion"


class GoldText(NamedTuple):
    """The *text* of a page, or "" and the *reason* why it has none."""

    text: str = ""
    reason: str = ""


class _NoEndError(Exception):
    """A landmark begins and does not end."""


class _Range(NamedTuple):
    """Marks *place* to *stop*, not with it, and the byte *end* where *stop* begins."""

    place: int
    stop: int
    end: int


class _Piece(NamedTuple):
    """Bytes of the source that are gold; *prefix* is left out where the text begins so."""

    start: int
    end: int
    prefix: str = ""
    is_raw: bool = False


def gold_text(rule: SiteRule, body: bytes, content_type: str | None = None) -> GoldText:
    """Return the gold text of the page *body* by *rule*; never raises on any bytes."""
    source = decode(body, content_type=content_type).utf8.replace(b"\0", b"")
    marks = marks_of(source)
    whole = _Range(0, len(marks), len(source))
    pieces: list[_Piece] = []
    ends: dict[str, int] = {}
    for part in rule.parts:
        try:
            found = list(_slots_of(part, marks, whole, ends))
        except _NoEndError:
            return GoldText(reason=f"no end of {part.name}")
        if not found and not part.is_optional:
            return GoldText(reason=f"no {part.name}")
        if found:
            ends[part.name] = max(slot.next_mark for slot in found)
        pieces += [piece for slot in found for piece in _pieces(part, slot, marks)]
    try:
        text = "\n".join(_texts(source, marks, _merged(pieces), rule.exclude))
    except _NoEndError:
        return GoldText(reason=NO_END_OF_EXCLUSION)
    return GoldText(text) if text else GoldText(reason=NO_WORDS)


def _slots_of(
    part: Part, marks: Sequence[Mark], whole: _Range, ends: dict[str, int]
) -> Iterator[Slot]:
    """Yield the slots of *part*; *ends* are the marks behind the parts before it."""
    for around in _ranges_of(part, marks, whole, ends):
        slots = _slots(part.landmark, marks, around)
        if part.after_comment and (begun := _begun(part.landmark, marks, around)):
            yield begun
            if not part.is_all:
                return
        for slot in slots:
            yield slot
            if not part.is_all:
                return


def _ranges_of(
    part: Part, marks: Sequence[Mark], whole: _Range, ends: dict[str, int]
) -> Iterator[_Range]:
    """Yield where *part* is looked for."""
    if part.within is not None:
        for slot in _slots(part.within, marks, whole):
            yield _inside(marks, slot.start, slot.end)
    elif part.after_comment:
        for place, mark in enumerate(marks):
            if mark.kind == COMMENT and _comment(mark) in part.after_comment:
                stop = end_of_holder(marks, place, whole.stop)
                end = marks[stop].start if stop < whole.stop else whole.end
                yield _Range(place + 1, stop, end)
                return
    elif not part.after_part:
        yield whole
    elif part.after_part in ends:
        yield whole._replace(place=ends[part.after_part])


def _begun(landmark: Landmark, marks: Sequence[Mark], around: _Range) -> Slot | None:
    """Return the rest of an element of *landmark* that is open where *around* begins, None when none is."""
    for number in range(around.place, around.stop):
        mark = marks[number]
        if mark.name in landmark.tags and mark.kind in {START, END}:
            if mark.kind == START:
                return None
            start = marks[around.place - 1].end
            return Slot(start, start, mark.start, mark.end, mark.name, number + 1)
    return None


def _slots(landmark: Landmark, marks: Sequence[Mark], around: _Range) -> Iterator[Slot]:
    """Yield what *landmark* holds in *around*, one behind the other; raise `_NoEndError` for one without an end."""
    place = around.place
    while place < around.stop:
        if not _is_at(landmark, marks[place]):
            place += 1
            continue
        if landmark.comments:
            slot = between_comments(marks, place, around.stop, landmark.comments)
        else:
            slot = element_at(marks, place, around.stop, around.end)
        if slot is None:
            raise _NoEndError
        yield slot
        place = max(slot.next_mark, place + 1)


def _is_at(landmark: Landmark, mark: Mark) -> bool:
    """Tell whether *landmark* begins at *mark*."""
    if landmark.comments:
        return mark.kind == COMMENT and _comment(mark) in landmark.comments[0]
    if mark.kind not in {START, RAW} or (landmark.tags and mark.name not in landmark.tags):
        return False
    if not (landmark.classes or landmark.ids):
        return True
    values: dict[bytes, str] = {}
    for name, value in written_values(mark.text):
        # Of two of a name the first counts in HTML.
        values.setdefault(name, decoded_value(value.decode("utf-8", "replace")))
    has_class = not landmark.classes or landmark.classes & set(values.get(b"class", "").split())
    return bool(has_class) and (not landmark.ids or values.get(b"id", "").strip() in landmark.ids)


def _comment(mark: Mark) -> str:
    return mark.text.decode("utf-8", "replace")


def _pieces(part: Part, slot: Slot, marks: Sequence[Mark]) -> Iterator[_Piece]:
    """Yield what *part* takes of *slot*; raise `_NoEndError` for a nested element without an end."""
    last = marks[slot.next_mark - 1]
    is_raw = last.kind == RAW and last.name == slot.name
    start, prefix = slot.start, part.strip_prefix
    if part.drops_nested:
        nested = Landmark(tags=frozenset({slot.name}))
        for inner in list(_slots(nested, marks, _inside(marks, slot.start, slot.end))):
            yield _Piece(start, inner.outer_start, prefix)
            start, prefix = inner.outer_end, ""
    yield _Piece(start, slot.end, prefix, is_raw)


def _inside(marks: Sequence[Mark], start: int, end: int) -> _Range:
    """Return the marks that begin in the bytes *start* to *end*."""
    place, stop = (bisect_left(marks, at, key=lambda mark: mark.start) for at in (start, end))
    return _Range(place, stop, end)


def _merged(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Return *pieces* in the order of the page, those that share bytes as one."""
    merged: list[_Piece] = []
    for piece in sorted(pieces, key=lambda each: (each.start, -each.end)):
        if merged and piece.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(merged[-1].end, piece.end))
        elif piece.start < piece.end:
            merged.append(piece)
    return merged


def _texts(
    source: bytes, marks: Sequence[Mark], pieces: Sequence[_Piece], exclude: Sequence[Landmark]
) -> Iterator[str]:
    for piece in pieces:
        around = _inside(marks, piece.start, piece.end)
        dropped = [slot for landmark in exclude for slot in _slots(landmark, marks, around)]
        with suppress(_NoEndError):
            # The page model reads it where there is little else, as in a part of a page there often is.
            dropped += _slots(_NOSCRIPT, marks, around)
        fragment = _without(source, piece, dropped)
        if piece.is_raw:
            fragment = fragment.replace(b"<", b"&lt;")
        model = build_page(fragment, url="", content_type=_UTF_8, rules=_RULES)
        text = "\n".join(model.blocks.text)
        if text[: len(piece.prefix)].lower() == piece.prefix.lower():
            text = text[len(piece.prefix) :].lstrip()
        if text:
            yield text


def _without(source: bytes, piece: _Piece, dropped: Sequence[Slot]) -> bytes:
    """Return the bytes of *piece* without those of *dropped*, for each of which something divides what was around
    it.
    """
    parts, place = [], piece.start
    for slot in sorted(dropped):
        if slot.outer_end > place:
            parts.append(source[place : max(place, slot.outer_start)])
            parts.append(b" " if slot.name in INLINE else b"<div></div>")
            place = slot.outer_end
    return b"".join([*parts, source[min(place, piece.end) : piece.end]])
