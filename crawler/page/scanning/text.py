"""The text between two tags: its references decoded, its whitespace collapsed, put to its block.

Where linked text begins and ends, a byte says so in the text; the count of words takes it out again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from crawler.kernels.byte_search import byte_at, find_above
from crawler.kernels.jit import cold_part, part
from crawler.page.characters import DROPPED, SPACE, UNSETTLED, WORD
from crawler.page.scanning.anchors import add_anchor_character, add_anchor_run, close_anchor
from crawler.page.scanning.character_references import ReferenceTable, next_point
from crawler.page.scanning.characters import write_character
from crawler.page.scanning.letters import is_blank
from crawler.page.scanning.plain_copy import copy_words
from crawler.page.scanning.state import (
    AFTER_A,
    AFTER_DRAWING,
    ANCHOR_OPEN,
    ANCHOR_SPACE,
    GAP,
    HAS_TEXT,
    HAS_WORD,
    IN_SPACE,
    IS_LINKED,
    IS_MARKED,
    IS_UNSETTLED,
    LINK_ENDS,
    LINK_STARTS,
    N_BLOCKS,
    N_RUNS,
    PENDING_A,
    R_BLOCK,
    R_END,
    R_START,
    TEXT_END,
    Found,
)
from crawler.page.tags import GAP_BITS, NO_GAP

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64, U8

# A line break or a box divides the words of an anchor, as it does on the screen.
_DIVIDES = GAP_BITS["br"] | ~NO_GAP
_ROOM = 32
_ASCII = 127
# Beside the class bits: that there was a character.
_SEEN = 1 << 8


class TextTables(NamedTuple):
    """What is known of characters, and of the names of references."""

    classes: U8
    references: ReferenceTable


@part
def add_text(
    source: U8, start: int, end: int, state: I64, found: Found, tables: TextTables
) -> None:
    """Add the text from *start* to *end* to the block at hand and to the open anchor."""
    # Once there is a space, control characters beside it change nothing.
    place = start
    if is_blank(byte_at(source, start)):
        # With room behind the text even a short one is searched many bytes at once.
        place = min(find_above(source, start, min(end + _ROOM, len(source)), 32), end)
    if place == end:
        # Most of what stands between tags is whitespace.
        state[IN_SPACE] = 1
        state[ANCHOR_SPACE] = 1
        return
    if place > start or (
        state[AFTER_DRAWING] and _is_between_words(source, start, end, state, found, tables)
    ):
        state[IN_SPACE] = 1
        state[ANCHOR_SPACE] = 1
    state[AFTER_DRAWING] = 0
    was_open = state[ANCHOR_OPEN]
    bits, in_anchor = _add_characters(source, start, place, end, state, found, tables)
    state[HAS_WORD] |= bits & WORD
    state[IS_UNSETTLED] |= bits & UNSETTLED
    if was_open and not in_anchor:
        close_anchor(state, found)


@cold_part
def _is_between_words(
    source: U8, start: int, end: int, state: I64, found: Found, tables: TextTables
) -> bool:
    """Tell whether a drawing before the text from *start* to *end* divides words: it is no sign that joins to one."""
    point, _, _ = next_point(source, start, end, 0, tables.references, False)
    if not state[HAS_TEXT] or not tables.classes[point] & WORD:
        return False
    before = found.text[state[TEXT_END] - 1]
    return before > _ASCII or tables.classes[before] & WORD != 0


@part
def _add_characters(
    source: U8, start: int, place: int, end: int, state: I64, found: Found, tables: TextTables
) -> tuple[int, bool]:
    """Add the text from *place* on, of a run from *start*: its class bits, and if the anchor is open."""
    text_end, in_space = state[TEXT_END], state[IN_SPACE] != 0
    in_anchor = state[ANCHOR_OPEN] != 0
    bits, second = 0, 0
    while place < end or second:
        # Most text is ASCII: what is neither whitespace nor a reference is written as it is.
        if bits and not in_space and not second:
            stop, bits = _copy_run(source, place, end, found.text, text_end, tables.classes, bits)
            if in_anchor and stop > place:
                in_anchor = add_anchor_run(source, place, stop, state, found)
            text_end, place = text_end + stop - place, stop
            if place >= end:
                break
        point, place, second = next_point(source, place, end, second, tables.references, False)
        kind = tables.classes[point]
        if kind & SPACE:
            in_space = True
            state[ANCHOR_SPACE] = 1
            continue
        if kind & DROPPED:
            continue
        if not bits:
            text_end = _begin_run(start, end, text_end, in_space, state, found)
        elif in_space:
            found.text[text_end] = 32
            text_end += 1
        in_space = False
        bits |= kind | _SEEN
        text_end = write_character(found.text, text_end, point)
        if in_anchor:
            in_anchor = add_anchor_character(point, state, found)
    state[TEXT_END], state[IN_SPACE] = text_end, in_space
    return bits, in_anchor


@part
def _copy_run(
    source: U8, start: int, end: int, text: U8, text_end: int, classes: U8, bits: int
) -> tuple[int, int]:
    """Copy plain characters from *start* on, and single spaces between two of them.

    Return where they end, and *bits* with their class bits.
    """
    stop = copy_words(source, start, end, text, text_end)
    place = start
    while place < stop and not bits & WORD:
        bits |= classes[byte_at(source, place)]
        place += 1
    return stop, bits


@part
def _begin_run(
    start: int, end: int, text_end: int, in_space: bool, state: I64, found: Found
) -> int:
    """Take note of text from *start* to *end* that belongs to the block; return the text's end."""
    if not state[HAS_TEXT]:
        state[HAS_TEXT] = 1
        if state[GAP] & _DIVIDES:
            state[ANCHOR_SPACE] = 1
    elif in_space:
        found.text[text_end] = 32
        text_end += 1
    state[PENDING_A] = 0
    state[AFTER_A] = 0
    if state[IS_MARKED] != state[IS_LINKED]:
        state[IS_MARKED] = state[IS_LINKED]
        found.text[text_end] = LINK_STARTS if state[IS_LINKED] else LINK_ENDS
        text_end += 1
    run = state[N_RUNS]
    found.runs[run, R_START] = start
    found.runs[run, R_END] = end
    found.runs[run, R_BLOCK] = state[N_BLOCKS]
    state[N_RUNS] = run + 1
    return text_end
