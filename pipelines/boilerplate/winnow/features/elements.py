# ruff: noqa: PLR0913, PLR0917 - parts of kernels hand their arrays on
"""The elements around the blocks of a page, from the tags that the page's scan found.

Start and end tags of elements that are not inline, with what their ``class``, ``id``, ``role`` and
``itemprop`` say. An end tag closes the nearest open element of its name among the innermost 48, else
nothing; ``p``, ``li``, ``dd``, ``dt``, ``tr``, ``td``, ``th`` and ``option`` close an open one right above.
What stands within a drawing is passed over.

Shapes: :class:`Elements` has one entry an element, in the order of their start tags, element 0 around all
others; ``block_element: uint32[n]`` is the innermost element at the begin of each block.
Cost: O(n) in the bytes of the source. Invariant: the parent of an element stands before it.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import lean_kernel, part, with_first_types
from crawler.page.scanning.state import IS_END_TAG, N_END, N_NAME, N_START
from pipelines.boilerplate.winnow.features.element_attributes import Said, read_attributes
from pipelines.boilerplate.winnow.features.element_tables import (
    CLOSES_ITSELF,
    IS_INLINE,
    IS_RAW,
    IS_VOID,
    MAX_NAME_BYTES,
    NAME_SLOTS,
    Tables,
    tables,
)
from pipelines.boilerplate.winnow.features.element_values import (
    Values,
    forget_values,
    room_for_values,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel

    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

MAX_DEPTH = 200
_LOOKED_AT = 48
_USUALLY_ENOUGH = 4096
_SLASH, _SMALL_S = 47, 115
# Places in the state of the reading.
_DEPTH, _N_ELEMENTS, _NEXT_BLOCK, _RUN, _IN_DRAWING, _N_STATE = range(6)


class Elements(NamedTuple):
    """The elements: parent, number of the name, keyword bits of its own, signature, block range.

    The signature is a hash of the names and classes from the root to the element, digits left out. The
    range of blocks that begin within the element is *first_block* to *end_block*.
    """

    parent: U32
    name: U32
    keywords: U32
    signature: U32
    first_block: U32
    end_block: U32


class _Open(NamedTuple):
    """Where the reading is: its state, and the open elements with the keys of their names."""

    state: npt.NDArray[np.int64]
    element: U32
    key: U64


class _Kept(threading.local):
    """What a thread has used before to read elements: where the reading is, and the values that were read."""

    def __init__(self) -> None:
        self.opened = _Open(
            np.empty(_N_STATE, np.int64),
            np.empty(MAX_DEPTH, np.uint32),
            np.empty(MAX_DEPTH, np.uint64),
        )
        self.values = room_for_values()


_kept = _Kept()


class _Name(NamedTuple):
    """A tag's name: key, number, kind."""

    key: Any
    number: Any
    kind: Any


@part
def _open_root(elements: Elements, opened: _Open) -> None:
    opened.state[:] = 0
    opened.state[_DEPTH] = opened.state[_N_ELEMENTS] = 1
    opened.element[0] = opened.key[0] = 0
    elements.parent[0] = elements.name[0] = elements.keywords[0] = elements.first_block[0] = 0
    elements.signature[0] = 17


@lean_kernel
def read_elements(
    source: U8,
    tags: U32,
    runs: U32,
    known: Tables,
    columns: U32,
    opened: _Open,
    values: Values,
    block_element: U32,
) -> None:
    """Read the elements of *source* to *columns*, those of :class:`Elements`; the state says how many there are."""
    elements = Elements(columns[0], columns[1], columns[2], columns[3], columns[4], columns[5])
    state = opened.state
    _open_root(elements, opened)
    forget_values(values)
    for tag in range(len(tags)):
        start, end = tags[tag, N_START], tags[tag, N_END]
        is_end = tags[tag, N_NAME] & IS_END_TAG != 0
        if state[_IN_DRAWING]:
            if not is_end or byte_at(source, start + 2) | 32 != _SMALL_S:
                continue
            state[_IN_DRAWING] = 0
        name = _name(source, start + 1 + is_end, end, tags[tag, N_NAME] & 0xFFFF, known)
        if name.kind & (IS_INLINE | IS_VOID):
            continue
        # The tags since those that were taken last open and close nothing.
        _take_runs(start, runs, opened, block_element)
        if is_end:
            _close(name.key, elements, opened)
        elif name.kind & IS_RAW:
            state[_IN_DRAWING] = byte_at(source, end - 2) != _SLASH
        else:
            said = read_attributes(source, start, end, known, values)
            if not said.is_closed:
                _open(name, said, elements, opened)
    _take_runs(np.uint32(0xFFFFFFFF), runs, opened, block_element)
    while state[_NEXT_BLOCK] < len(block_element):
        block_element[state[_NEXT_BLOCK]] = opened.element[state[_DEPTH] - 1]
        state[_NEXT_BLOCK] += 1
    _close_to(0, elements, opened)


_read_elements = with_first_types(read_elements)


@part
def _take_runs(place: Any, runs: U32, opened: _Open, block_element: U32) -> None:
    """Say of the blocks that begin before *place* what element they stand in."""
    state = opened.state
    run = state[_RUN]
    while run < len(runs) and runs[run, 0] < place:
        block = runs[run, 2]
        while state[_NEXT_BLOCK] <= block:
            block_element[state[_NEXT_BLOCK]] = opened.element[state[_DEPTH] - 1]
            state[_NEXT_BLOCK] += 1
        run += 1
    state[_RUN] = run


@part
def _name(source: U8, start: int, end: int, number: int, known: Tables) -> _Name:
    """Return the name of a tag by the scan's *number* of it, or from its letters where it has none."""
    if number:
        return _Name(known.tag_key[number], known.tag_number[number], known.tag_kind[number])
    key = np.uint64(0)
    for place in range(start, min(start + MAX_NAME_BYTES, end)):
        code = _name_code(byte_at(source, place))
        if code == 0:
            break
        key = key * np.uint64(37) + np.uint64(code)
    slot = key % np.uint64(NAME_SLOTS)
    while known.key[slot] != 0 and known.key[slot] != key:
        slot = (slot + np.uint64(1)) % np.uint64(NAME_SLOTS)
    # A free slot has number and kind 0.
    return _Name(key, known.number[slot], known.kind[slot])


@part
def _name_code(byte: int) -> int:
    """Return 1 to 36 for a letter or digit, 0 for any other byte."""
    lower = byte | 32
    if 97 <= lower <= 122:
        return lower - 96
    if 48 <= byte <= 57:
        return byte - 21
    return 0


@part
def _open(name: _Name, said: Said, elements: Elements, opened: _Open) -> None:
    state = opened.state
    depth = state[_DEPTH]
    if name.kind & CLOSES_ITSELF and opened.key[depth - 1] == name.key and depth > 1:
        depth -= 1
        elements.end_block[opened.element[depth]] = state[_NEXT_BLOCK]
        state[_DEPTH] = depth
    new = state[_N_ELEMENTS]
    if depth == MAX_DEPTH or new == len(elements.parent):
        return
    parent = opened.element[depth - 1]
    elements.parent[new] = parent
    elements.name[new] = name.number
    elements.keywords[new] = said.keywords
    low = np.uint32(name.key & np.uint64(0xFFFFFFFF))
    signature = np.uint32((elements.signature[parent] ^ low) * np.uint32(2654435761))
    elements.signature[new] = (signature ^ said.classes ^ (signature >> 15)) * np.uint32(2246822519)
    elements.first_block[new] = state[_NEXT_BLOCK]
    opened.element[depth] = new
    opened.key[depth] = name.key
    state[_DEPTH] = depth + 1
    state[_N_ELEMENTS] = new + 1


@part
def _close(key: Any, elements: Elements, opened: _Open) -> None:
    """Close the innermost open element with *key*, if it is near."""
    depth = opened.state[_DEPTH]
    lowest = max(depth - _LOOKED_AT, 1)
    level = depth - 1
    while level >= lowest and opened.key[level] != key:
        level -= 1
    if level >= lowest:
        _close_to(level, elements, opened)


@part
def _close_to(level: int, elements: Elements, opened: _Open) -> None:
    state = opened.state
    while state[_DEPTH] > level:
        state[_DEPTH] -= 1
        elements.end_block[opened.element[state[_DEPTH]]] = state[_NEXT_BLOCK]


def page_elements(page: PageModel) -> tuple[Elements, U32]:
    """Return the elements of *page*, and the innermost one of each block, uint32[n].

    Without markup there is element 0 alone.
    """
    # Few pages have so many that room for all is made.
    most = len(page.found_tags) + 2
    room = min(most, _USUALLY_ENOUGH)
    elements, size, block_element = _read(page, room)
    if size == room < most:
        elements, size, block_element = _read(page, most)
    return Elements(*elements[:, :size]), block_element


def _read(page: PageModel, room: int) -> tuple[U32, int, U32]:
    """Read at most *room* elements; return them and how many they are."""
    elements = np.empty((len(Elements._fields), room), np.uint32)
    block_element = np.zeros(len(page.blocks), np.uint32)
    _read_elements(
        np.frombuffer(page.source, np.uint8),
        page.found_tags,
        page.found_runs,
        tables(),
        elements,
        _kept.opened,
        _kept.values,
        block_element,
    )
    return elements, int(_kept.opened.state[_N_ELEMENTS]), block_element
