"""The text of anchors and the references of links: one line a link in each of two buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import cold_part, part
from crawler.page.characters import DROPPED, SPACE
from crawler.page.scanning.character_references import next_point
from crawler.page.scanning.characters import write_character
from crawler.page.scanning.plain_copy import copy_words
from crawler.page.scanning.state import (
    A_END,
    A_START,
    ANCHOR_CHARS,
    ANCHOR_END,
    ANCHOR_OPEN,
    ANCHOR_SPACE,
    BLOCK_ENDS,
    CUT_ANCHORS,
    CUT_LINKS,
    CUTS,
    HREF_END,
    L_BLOCK,
    L_KIND,
    L_NOFOLLOW,
    MAX_ANCHOR_CHARS,
    MAX_LINKS,
    MAX_URL_BYTES,
    N_BLOCKS,
    N_LINKS,
    Found,
    Tokens,
)

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64, U8
    from crawler.page.scanning.text import TextTables


@part
def add_anchor_character(point: int, state: I64, found: Found) -> bool:
    """Add a character that is no whitespace to the open anchor; tell whether there was room."""
    place = state[ANCHOR_END]
    spaced = state[ANCHOR_SPACE] != 0 and state[ANCHOR_CHARS] > 0
    if state[ANCHOR_CHARS] + spaced >= state[MAX_ANCHOR_CHARS]:
        state[CUTS] |= CUT_ANCHORS
        return False
    if spaced:
        found.anchors[place] = 32
        place += 1
        state[ANCHOR_CHARS] += 1
    state[ANCHOR_SPACE] = 0
    state[ANCHOR_END] = write_character(found.anchors, place, point)
    state[ANCHOR_CHARS] += 1
    return True


@part
def add_anchor_run(source: U8, start: int, end: int, state: I64, found: Found) -> bool:
    """Add words of ASCII with single spaces to the open anchor; tell whether there was room."""
    if state[ANCHOR_SPACE] or state[ANCHOR_CHARS] + end - start > state[MAX_ANCHOR_CHARS]:
        for place in range(start, end):
            byte = byte_at(source, place)
            if byte == 32:
                state[ANCHOR_SPACE] = 1
            elif not add_anchor_character(byte, state, found):
                return False
        return True
    line_end = state[ANCHOR_END]
    for place in range(start, end):
        found.anchors[line_end + place - start] = byte_at(source, place)
    state[ANCHOR_END] += end - start
    state[ANCHOR_CHARS] += end - start
    return True


@part
def open_anchor(state: I64) -> None:
    """Take text as that of the last link's anchor from now on."""
    state[ANCHOR_OPEN] = 1
    state[ANCHOR_CHARS] = 0
    state[ANCHOR_SPACE] = 0


@part
def close_anchor(state: I64, found: Found) -> None:
    """End the line of the open anchor, if there is one."""
    if state[ANCHOR_OPEN]:
        state[ANCHOR_OPEN] = 0
        found.anchors[state[ANCHOR_END]] = BLOCK_ENDS
        state[ANCHOR_END] += 1


@cold_part
def end_line(
    source: U8, alt: int, state: I64, tokens: Tokens, found: Found, tables: TextTables
) -> None:
    """Write the line of a link that is no ``a``: the text of the attribute *alt* (-1: none).

    It ends the text of an anchor that is open.
    """
    close_anchor(state, found)
    open_anchor(state)
    if alt >= 0:
        start, end = tokens.attributes[alt, A_START], tokens.attributes[alt, A_END]
        add_alternative_text(source, start, end, state, found, tables)
    close_anchor(state, found)


@cold_part
def add_alternative_text(
    source: U8, start: int, end: int, state: I64, found: Found, tables: TextTables
) -> None:
    """Add the text that stands for an image to the open anchor, as words of its own."""
    state[ANCHOR_SPACE] = 1
    place = start
    second = 0
    while place < end or second:
        point, place, second = next_point(source, place, end, second, tables.references, True)
        kind = tables.classes[point]
        if kind & SPACE:
            state[ANCHOR_SPACE] = 1
        elif not kind & DROPPED and not add_anchor_character(point, state, found):
            close_anchor(state, found)
            return
    state[ANCHOR_SPACE] = 1


@cold_part
def add_link(
    source: U8,
    start: int,
    end: int,
    kind: int,
    nofollow: bool,
    state: I64,
    found: Found,
    tables: TextTables,
) -> bool:
    """Add the reference from *start* to *end*; tell whether it is a link and there was room.

    The line of its anchor is the caller's.
    """
    line = state[HREF_END]
    line_end = _write_reference(source, start, end, line, state, found, tables)
    # A fragment of this page is no link.
    if line_end > line and found.hrefs[line] == 35:
        return False
    if state[N_LINKS] >= state[MAX_LINKS]:
        state[CUTS] |= CUT_LINKS
        return False
    found.hrefs[line_end] = BLOCK_ENDS
    state[HREF_END] = line_end + 1
    link = state[N_LINKS]
    found.links[L_KIND, link] = kind
    found.links[L_NOFOLLOW, link] = nofollow
    found.links[L_BLOCK, link] = state[N_BLOCKS]
    state[N_LINKS] = link + 1
    return True


@cold_part
def _write_reference(
    source: U8, start: int, end: int, line: int, state: I64, found: Found, tables: TextTables
) -> int:
    """Write a reference without the whitespace around it and without line breaks within.

    Source: URL standard, section 4.1 (basic URL parser, first steps). What is longer than any URL
    that is taken is cut, and still too long then.
    """
    limit = line + state[MAX_URL_BYTES]
    line_end = line
    kept = line
    place = start
    second = 0
    while (place < end or second) and line_end < limit:
        # Most characters are written as they are.
        if place < end and not second and byte_at(source, place) > 32:
            stop = min(end, place + limit - line_end)
            copied = copy_words(source, place, stop, found.hrefs, line_end) - place
            line_end, place = line_end + copied, place + copied
            kept = line_end
        if line_end >= limit or (place >= end and not second):
            break
        point, place, second = next_point(source, place, end, second, tables.references, True)
        if point == 10 or point == 13 or point == 9 or (point <= 32 and line_end == line):
            continue
        line_end = write_character(found.hrefs, line_end, point)
        if point > 32:
            kept = line_end
    return kept if line_end < limit else _whole_characters(found.hrefs, line, line_end)


@part
def _whole_characters(buffer: U8, start: int, end: int) -> int:
    """Return the end of ``buffer[start:end]`` without its last character, which may be cut."""
    place = end - 1
    while place > start and buffer[place] & 0xC0 == 0x80:
        place -= 1
    return place
