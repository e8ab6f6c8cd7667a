"""Where raw text ends, and comments: at a fixed string, not at a tag.

What was not found once is not looked for again, so that all searches of a page together are linear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import find_byte
from crawler.kernels.jit import cold_part, part
from crawler.page.scanning.letters import is_blank, matches
from crawler.page.scanning.names import TAG_HIGH, TAG_ID, TAG_LOW, TAG_RAW, pack
from crawler.page.scanning.state import MAX_TITLE_BYTES, NO_COMMENT_END
from crawler.page.scanning.tags import find_value, read_name

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64, U8

_SCRIPT, _STYLE, _TEMPLATE, _TITLE = (
    TAG_ID[name] for name in ("script", "style", "template", "title")
)
_ROOT_LOW, _ROOT_HIGH = (np.uint64(half) for half in pack("shadowrootmode"))
_OPEN, _CLOSED = (np.frombuffer(word, np.uint8) for word in (b"open", b"closed"))
_END_OF_HEAD, _BODY = (np.frombuffer(word, np.uint8) for word in (b"/head", b"body"))
_LT, _GT, _SLASH, _DASH, _BANG = 60, 62, 47, 45, 33
NOWHERE = -1


@cold_part
def end_of_comment(source: U8, start: int, end: int, state: I64) -> int:
    """Return the end of the comment whose ``<!--`` ends at *start*, NOWHERE when it has none."""
    if start < end and source[start] == _GT:
        return start + 1
    if start + 1 < end and source[start] == _DASH and source[start + 1] == _GT:
        return start + 2
    if start >= state[NO_COMMENT_END]:
        return NOWHERE
    place = find_byte(source, start, end, _GT)
    while place < end:
        if place - start >= 2 and source[place - 1] == _DASH and source[place - 2] == _DASH:
            return place + 1
        if place - start >= 3 and source[place - 1] == _BANG and source[place - 2] == _DASH:
            if source[place - 3] == _DASH:
                return place + 1
        place = find_byte(source, place + 1, end, _GT)
    state[NO_COMMENT_END] = start
    return NOWHERE


@cold_part
def end_of_raw_text(
    source: U8, start: int, end: int, name: int, rows: I64, raw_found: I64, state: I64
) -> int:
    """Return where the raw text of the element *name* ends, NOWHERE when it is an ordinary one."""
    found = find_end_tag(source, start, end, name, rows, raw_found)
    if name == _TITLE:
        # Not closed, or only by that of a drawing further down.
        if found < 0 or found - start > state[MAX_TITLE_BYTES]:
            return find_byte(source, start, end, _LT)
    elif found < 0 and (name == _SCRIPT or name == _STYLE):
        return _find_body(source, start, end)
    elif found >= 0 and name == _TEMPLATE:
        return _end_of_nested(source, start, end, name, rows)
    return found


@cold_part
def is_shadow_root(source: U8, start: int, end: int, state: I64) -> bool:
    """Tell whether a ``template``, of attributes from *start* to *end*, is a shadow root: what is in it is shown."""
    value, value_end = find_value(source, start, end, state, _ROOT_LOW, _ROOT_HIGH)
    for mode in (_OPEN, _CLOSED):
        if value_end - value == len(mode) and matches(source, value, value_end, mode):
            return True
    return False


@cold_part
def find_end_tag(source: U8, start: int, end: int, name: int, rows: I64, raw_found: I64) -> int:
    """Return the place of the next end tag of *name* from *start* on, NOWHERE when none follows.

    *raw_found* remembers the last answer for each name: start tags before one end tag share it.
    """
    slot = rows[name, TAG_RAW]
    if raw_found[slot] >= start:
        return NOWHERE if raw_found[slot] == end else raw_found[slot]
    place = find_byte(source, start, end, _LT)
    while place < end:
        if place + 1 < end and source[place + 1] == _SLASH:
            if _is_name(source, place + 2, end, name, rows):
                raw_found[slot] = place
                return place
        place = find_byte(source, place + 1, end, _LT)
    raw_found[slot] = end
    return NOWHERE


@part
def _is_name(source: U8, start: int, end: int, name: int, rows: I64) -> bool:
    # The first byte is looked at before the whole name is read: most are other tags.
    if start >= end or (source[start] | 32) != rows[name, TAG_LOW] & 255:
        return False
    stop, low, high = read_name(source, start, end)
    if np.int64(low) != rows[name, TAG_LOW] or stop >= end:
        return False
    if np.int64(high) != rows[name, TAG_HIGH]:
        return False
    return is_blank(source[stop]) or source[stop] == _SLASH or source[stop] == _GT


@cold_part
def _end_of_nested(source: U8, start: int, end: int, name: int, rows: I64) -> int:
    """Return the end tag that closes as many start tags as there were, else the last end tag."""
    depth = 1
    last = NOWHERE
    place = find_byte(source, start, end, _LT)
    while place < end:
        if place + 1 < end and source[place + 1] == _SLASH:
            if _is_name(source, place + 2, end, name, rows):
                depth -= 1
                last = place
                if depth == 0:
                    break
        elif _is_name(source, place + 1, end, name, rows):
            depth += 1
        place = find_byte(source, place + 1, end, _LT)
    return last


@cold_part
def _find_body(source: U8, start: int, end: int) -> int:
    """Return where the head ends or the body begins, *end* when neither is said."""
    place = find_byte(source, start, end, _LT)
    while place < end:
        for word in (_END_OF_HEAD, _BODY):
            stop = place + 1 + len(word)
            if stop < end and matches(source, place + 1, end, word):
                if is_blank(source[stop]) or source[stop] == _GT:
                    return place
        place = find_byte(source, place + 1, end, _LT)
    return end
