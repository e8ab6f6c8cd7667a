"""Where the markup of a page has what React sends later: comments, placeholders, and what may be a part.

A tag ends at its first ``>`` and has no ``<`` before it. Comments, ``script``, ``style``, ``textarea`` and ``title`` hold
no tags, to the end where they have none. What may be a part is a ``div`` or ``table`` with the letters before a part's
number in its tag, or in that of a row right behind it.

Cost: O(n) in bytes; in memory 40 bytes a mark, of which there is one in 8 bytes at most.
Invariant: an end tag closes the nearest ``div``, or ``table``, before it that none between them does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.byte_search import byte_at, find_byte
from crawler.kernels.jit import lean_kernel, part
from crawler.page.scanning.letters import is_letter, matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    I32 = npt.NDArray[np.int32]
    I64 = npt.NDArray[np.int64]

# Kinds of marks, the first two what parts come in.
DIV, TABLE, TEMPLATE, COMMENT = range(4)
# The columns: those of Mark, how many of its name are open around it, and the mark that it is within.
_KIND, _START, _END, _ROW, _END_TAG, _END_ROW, _CLOSED, _LEVEL, _AROUND, _N_COLUMNS = range(10)
# No mark is shorter.
_LEAST_BYTES = len("<!--$-->")
# Marks that are made at once: of a page that has nothing else, all would take a hundred times its bytes.
_AT_ONCE = 1 << 12
_NOTHING = -1
_BANG, _SLASH, _LT, _GT, _DASH, _DOLLAR, _COLON = b"!/<>-$:"
_ZERO, _NINE, _UNDERLINE, _B, _P, _S = b"09_BPS"
_DIV, _TABLE, _TEMPLATE, _TBODY, _TR, _SCRIPT, _STYLE, _TEXTAREA, _TITLE = (
    np.frombuffer(name, np.uint8)
    for name in b"div table template tbody tr script style textarea title".split()
)
_EMPTY_TEMPLATE = np.frombuffer(b"</template>", np.uint8)


class Mark(NamedTuple):
    """A mark: its kind, where it begins and ends, an empty template with its end tag.

    Of a table *row* is where its own tag ends, and that of the row right behind it begins if *end* is farther on. What
    may be a part ends at *end_tag*, or at *end_row*, where the end tag of a row stands right before; behind both it is
    *closed*. Where it has no end tag, these are the end of the source.
    """

    kind: int
    start: int
    end: int
    row: int
    end_tag: int
    end_row: int
    closed: int


def stream_marks(source: bytes) -> Iterator[Mark]:
    """Yield the marks of *source*, in their order.

    >>> [mark[:3] for mark in stream_marks(b'<!--$--><p><template id="B:1"></template>')]
    [(3, 0, 5), (2, 11, 41)]
    """
    marks = np.empty((len(source) // _LEAST_BYTES + 1, _N_COLUMNS), np.int32)
    opened = np.array([[0, _NOTHING], [0, _NOTHING]])
    n = _find(np.frombuffer(source, np.uint8), marks, opened)
    for start in range(0, n, _AT_ONCE):
        yield from map(Mark._make, marks[start : min(start + _AT_ONCE, n), :_LEVEL].tolist())


@lean_kernel
def _find(source: U8, marks: I32, opened: I64) -> int:
    """Fill in *marks*, and return how many there are.

    *opened*, of both names: how many are open, and the innermost that is marked.
    """
    n, size = 0, len(source)
    at = find_byte(source, 0, size, _LT)
    while at < size:
        following = byte_at(source, at + 1) if at + 1 < size else 0
        if following == _SLASH:
            at = _take_end(source, at, marks, opened)
        elif following == _BANG:
            n, at = _take_comment(source, at, marks, n)
        elif is_letter(following):
            n, at = _take_start(source, at, marks, n, opened)
        else:
            at += 1
        at = find_byte(source, at, size, _LT)
    return n


@part
def _take_comment(source: U8, at: int, marks: I32, n: int) -> tuple[int, int]:
    """Take what begins at *at* like a comment; return how many marks there are then, and where to go on."""
    size, start = len(source), at + len("<!--")
    if start > size or byte_at(source, at + 2) != _DASH or byte_at(source, at + 3) != _DASH:
        return n, at + 1
    end = find_byte(source, min(start + 2, size), size, _GT)
    while end < size and (byte_at(source, end - 1) != _DASH or byte_at(source, end - 2) != _DASH):
        end = find_byte(source, end + 1, size, _GT)
    end = end - 2 if end < size else size
    said = start + (start < end and byte_at(source, start) == _SLASH)
    if said < end and byte_at(source, said) == _DOLLAR:
        n = _add(COMMENT, at, end, marks, n)
    return n, end


@part
def _add(kind: int, start: int, end: int, marks: I32, n: int) -> int:
    marks[n, _KIND], marks[n, _START], marks[n, _END] = kind, start, end
    return n + 1


@part
def _take_end(source: U8, at: int, marks: I32, opened: I64) -> int:
    """Take what begins at *at* like an end tag; return where to go on."""
    tag = _behind_row(source, at)
    if _is_name(source, tag + 2, _DIV):
        name, end = DIV, tag + 2 + len(_DIV)
    elif _is_name(source, tag + 2, _TABLE):
        name, end = TABLE, tag + 2 + len(_TABLE)
    else:
        return at + 1
    while end < len(source) and byte_at(source, end) != _LT:
        end += 1
        if byte_at(source, end - 1) == _GT:
            break
    opened[name, 0] -= 1
    mark = opened[name, 1]
    if mark != _NOTHING and marks[mark, _LEVEL] == opened[name, 0]:
        marks[mark, _END_TAG], marks[mark, _END_ROW], marks[mark, _CLOSED] = tag, at, end
        opened[name, 1] = marks[mark, _AROUND]
    return end


@part
def _behind_row(source: U8, at: int) -> int:
    """Return where the end tag right behind that of a row, or rows, at *at* begins; *at* where there is none."""
    end = at + 2
    if matches(source, end, len(source), _TBODY):
        end += len(_TBODY)
    elif matches(source, end, len(source), _TR):
        end += len(_TR)
    else:
        return at
    is_followed = end + 2 < len(source) and byte_at(source, end) == _GT
    is_followed = is_followed and byte_at(source, end + 1) == _LT
    return end + 1 if is_followed and byte_at(source, end + 2) == _SLASH else at


@part
def _is_name(source: U8, start: int, name: U8) -> bool:
    """Tell whether *name* stands at *start*, and no letter, digit or underline behind it."""
    end = start + len(name)
    if not matches(source, start, len(source), name):
        return False
    if end == len(source):
        return True
    following = byte_at(source, end)
    is_digit = _ZERO <= following <= _NINE
    return not (is_letter(following) or is_digit or following == _UNDERLINE)


@part
def _take_start(source: U8, at: int, marks: I32, n: int, opened: I64) -> tuple[int, int]:
    """Take what begins at *at* like a start tag; return how many marks there are then, and where to go on."""
    start = at + 1
    if _is_name(source, start, _DIV):
        return _take_box(source, at, DIV, start + len(_DIV), marks, n, opened)
    if _is_name(source, start, _TABLE):
        return _take_box(source, at, TABLE, start + len(_TABLE), marks, n, opened)
    if _is_name(source, start, _TEMPLATE):
        end, is_marked = _read_tag(source, start + len(_TEMPLATE))
        if end == _NOTHING:
            return n, start
        if matches(source, end, len(source), _EMPTY_TEMPLATE):
            end += len(_EMPTY_TEMPLATE)
        return _add(TEMPLATE, at, end, marks, n) if is_marked else n, end
    if _is_name(source, start, _SCRIPT):
        return n, _end_of_raw(source, start, _SCRIPT)
    if _is_name(source, start, _STYLE):
        return n, _end_of_raw(source, start, _STYLE)
    if _is_name(source, start, _TEXTAREA):
        return n, _end_of_raw(source, start, _TEXTAREA)
    if _is_name(source, start, _TITLE):
        return n, _end_of_raw(source, start, _TITLE)
    return n, start


@part
def _end_of_raw(source: U8, start: int, name: U8) -> int:
    """Return where the end tag of the element *name* begins that does so at *start*, the end of *source* for none."""
    size = len(source)
    at = find_byte(source, start, size, _LT)
    while at + 1 < size:
        if byte_at(source, at + 1) == _SLASH and matches(source, at + 2, size, name):
            return at
        at = find_byte(source, at + 1, size, _LT)
    return size


@part
def _read_tag(source: U8, start: int) -> tuple[int, bool]:
    """Return where the tag whose name ends at *start* does, _NOTHING for none, and whether it may have a number."""
    is_marked = False
    before = 0
    for at in range(start, len(source)):
        byte = byte_at(source, at)
        if byte == _GT:
            return at + 1, is_marked
        if byte == _LT:
            break
        is_marked |= byte == _COLON and (before == _B or before == _P or before == _S)
        before = byte
    return _NOTHING, is_marked


@part
def _take_box(
    source: U8, at: int, name: int, start: int, marks: I32, n: int, opened: I64
) -> tuple[int, int]:
    """Take the tag at *at* of what parts come in, whose *name* ends at *start*."""
    size = len(source)
    end, is_marked = _read_tag(source, start)
    if end == _NOTHING:
        return n, start
    row = end
    if name == DIV and matches(source, end, size, _EMPTY_TEMPLATE):
        # Read as one that is right behind a template is.
        end += len(_EMPTY_TEMPLATE)
    elif name == TABLE and end < size and byte_at(source, end) == _LT:
        end, is_row_marked = _read_row(source, end)
        is_marked |= is_row_marked
    if is_marked:
        marks[n, _ROW], marks[n, _LEVEL], marks[n, _AROUND] = row, opened[name, 0], opened[name, 1]
        marks[n, _END_TAG] = marks[n, _END_ROW] = marks[n, _CLOSED] = size
        opened[name, 1] = n
        n = _add(name, at, end, marks, n)
    opened[name, 0] += 1
    return n, end


@part
def _read_row(source: U8, at: int) -> tuple[int, bool]:
    """Return where the tag of a row, or rows, at *at* ends, *at* for none, and whether it may have a number."""
    end, is_marked = at, False
    if _is_name(source, at + 1, _TBODY):
        end, is_marked = _read_tag(source, at + 1 + len(_TBODY))
    elif _is_name(source, at + 1, _TR):
        end, is_marked = _read_tag(source, at + 1 + len(_TR))
    return (at, False) if end == _NOTHING else (end, is_marked)
