"""The compiled scan behind :mod:`pipelines.boilerplate.token_stream`: texts, and the tags before each.

The scan of the page has found its text; what is between two runs of it is read here again for its
tags. No reading goes on beyond the next run, so that one mistake cannot spread. Cost: O(n); what was
looked for up to the next run and not found is not looked for again before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at, find_byte
from crawler.kernels.jit import cold_part, lean_kernel, part
from pipelines.boilerplate.word_kernels import is_letter, measure

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    I64 = npt.NDArray[np.int64]

# Columns of a row: its text, and the tags between it and the text before.
WORDS, CHARS, BLOCK, TAGS, TAG_CHARS, A_TAGS, A_CHARS, RAW_TAGS, CODE_CHARS = range(9)
N_COLUMNS = 9
# Places of the state: rows written, the row that holds the body's tag, and what the gap lacks.
N_ROWS, BODY_ROW, NO_COMMENT_END, IS_PLAIN = range(4)
N_STATE = 4

_LT, _GT, _SLASH, _BANG, _QUESTION, _DASH, _EQUALS = 60, 62, 47, 33, 63, 45, 61
_QUOTE, _APOSTROPHE = 34, 39
_A, _SCRIPT, _STYLE, _BODY = (
    np.frombuffer(name, np.uint8) for name in (b"a", b"script", b"style", b"body")
)


@lean_kernel
def read_stream(source: U8, runs: I64, classes: U8, state: I64, rows: I64) -> None:
    """Fill *rows*, zeros before, from *source*; the last row has no text.

    *runs*: start, end and block of the text that is known, int64[m, 3].
    """
    place = 0
    for run in range(len(runs)):
        start, end = runs[run, 0], runs[run, 1]
        _read_gap(source, place, start, classes, state, rows)
        words, chars = measure(source, start, end, classes)
        _add_text(max(words, 1), chars, runs[run, 2], state, rows)
        place = end
    _read_gap(source, place, len(source), classes, state, rows)
    state[N_ROWS] += 1


@part
def _add_text(words: int, chars: int, block: int, state: I64, rows: I64) -> None:
    row = state[N_ROWS]
    rows[row, WORDS] = words
    rows[row, CHARS] = chars
    rows[row, BLOCK] = block
    state[N_ROWS] = row + 1


@cold_part
def _read_gap(source: U8, start: int, end: int, classes: U8, state: I64, rows: I64) -> None:
    """Read what is between two runs: tags, and text that belongs to no block."""
    place = start
    state[NO_COMMENT_END] = state[IS_PLAIN] = 0
    while place < end:
        markup = _find(source, place, end, _LT)
        while markup < end and not _is_markup(source, markup, end):
            markup = _find(source, markup + 1, end, _LT)
        if markup > place:
            words, chars = measure(source, place, markup, classes)
            if chars:
                _add_text(words, chars, -1, state, rows)
        place = markup
        if place < end:
            place = _read_markup(source, place, end, classes, state, rows)


@cold_part
def _find(source: U8, start: int, end: int, byte: int) -> int:
    return find_byte(source, start, end, byte)


@part
def _is_blank(byte: int) -> bool:
    return byte == 32 or 9 <= byte <= 13


@part
def _is_markup(source: U8, place: int, end: int) -> bool:
    if place + 1 >= end:
        return False
    byte = byte_at(source, place + 1)
    return is_letter(byte) or byte == _SLASH or byte == _BANG or byte == _QUESTION  # noqa: PLR1714  no sets in kernels


@cold_part
def _read_markup(source: U8, start: int, end: int, classes: U8, state: I64, rows: I64) -> int:
    """Count the tag, comment or declaration at *start*; return where it ends."""
    row = state[N_ROWS]
    byte = byte_at(source, start + 1)
    is_end = byte == _SLASH
    name = start + 2 if is_end else start + 1
    if name < end and is_letter(byte_at(source, name)):
        stop = _tag_end(source, name, end, state)
        _, chars = measure(source, start, stop, classes)
        if _is_name(source, name, stop, _A):
            rows[row, A_TAGS] += 1
            rows[row, A_CHARS] += chars
        elif _is_name(source, name, stop, _SCRIPT) or _is_name(source, name, stop, _STYLE):
            rows[row, RAW_TAGS] += 1
            if not is_end:
                return _raw_end(source, name, stop, end)
        else:
            rows[row, TAGS] += 1
            rows[row, TAG_CHARS] += chars
            if not is_end and _is_name(source, name, stop, _BODY):
                state[BODY_ROW] = row
        return stop
    if is_end:
        return min(_find(source, start, end, _GT) + 1, end)
    stop, is_comment = _declaration_end(source, start, end, state)
    if not is_comment:
        _, chars = measure(source, start, stop, classes)
        rows[row, CODE_CHARS] += chars
    return stop


@cold_part
def _is_name(source: U8, start: int, end: int, name: U8) -> bool:
    stop = start + len(name)
    if stop > end:
        return False
    for place in range(len(name)):
        if byte_at(source, start + place) | 32 != name[place]:
            return False
    if stop == end:
        return True
    byte = byte_at(source, stop)
    return _is_blank(byte) or byte == _SLASH or byte == _GT or byte == _LT  # noqa: PLR1714  no sets in kernels


@cold_part
def _raw_end(source: U8, name: int, start: int, end: int) -> int:
    """Return the end tag of the script or style whose start tag is named at *name*, else *end*."""
    is_script = _is_name(source, name, start, _SCRIPT)
    place = _find(source, start, end, _LT)
    while place + 2 < end:
        if byte_at(source, place + 1) == _SLASH:
            if is_script and _is_name(source, place + 2, end, _SCRIPT):
                return place
            if not is_script and _is_name(source, place + 2, end, _STYLE):
                return place
        place = _find(source, place + 1, end, _LT)
    return end


@cold_part
def _tag_end(source: U8, start: int, end: int, state: I64) -> int:
    """Return the end of the tag named at *start*: its ``>`` outside of quotes, else the first."""
    place = start
    if not state[IS_PLAIN]:
        after_equals = False
        while place < end:
            byte = byte_at(source, place)
            if byte == _GT:
                return place + 1
            if after_equals and (byte == _QUOTE or byte == _APOSTROPHE):  # noqa: PLR1714, SIM109  no sets in kernels
                place = _find(source, place + 1, end, byte)
            after_equals = byte == _EQUALS or (after_equals and _is_blank(byte))
            place += 1
        state[IS_PLAIN] = 1
    place = start
    while place < end and byte_at(source, place) != _GT and byte_at(source, place) != _LT:
        place += 1
    return place + 1 if place < end and byte_at(source, place) == _GT else place


@cold_part
def _declaration_end(source: U8, start: int, end: int, state: I64) -> tuple[int, bool]:
    """Return the end of the comment, declaration or instruction at *start*; is it a comment?"""
    is_comment = (
        start + 3 < end
        and byte_at(source, start + 1) == _BANG
        and byte_at(source, start + 2) == _DASH
        and byte_at(source, start + 3) == _DASH
    )
    if is_comment and not state[NO_COMMENT_END]:
        place = _find(source, start + 4, end, _GT)
        while place < end:
            if byte_at(source, place - 1) == _DASH and byte_at(source, place - 2) == _DASH:
                return place + 1, True
            place = _find(source, place + 1, end, _GT)
        state[NO_COMMENT_END] = 1
    return min(_find(source, start, end, _GT) + 1, end), is_comment
