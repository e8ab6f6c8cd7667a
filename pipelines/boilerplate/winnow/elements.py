# ruff: noqa: PLR1714 - the compiler takes no sets
"""The elements around the blocks of a page, from the markup between their runs of text.

A short reading of the source beside the page model's: start and end tags of elements that are not
inline, with what their ``class``, ``id``, ``role`` and ``itemprop`` say. An end tag closes the nearest open
element of its name among the innermost 48, else nothing; ``p``, ``li``, ``dd``, ``dt``, ``tr``, ``td``,
``th`` and ``option`` close an open one right above. Scripts, styles and comments are passed over.

Shapes: :class:`Elements` has one entry an element, in the order of their start tags, element 0 around all
others; ``block_element: uint32[n]`` is the innermost element at the begin of each block.
Cost: O(n) in the bytes of the source. Invariant: the parent of an element stands before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.byte_search import find_byte
from crawler.kernels.jit import lean_kernel, part
from pipelines.boilerplate.winnow.element_tables import (
    CLOSES_ITSELF,
    IS_INLINE,
    IS_RAW,
    IS_VOID,
    MAX_NAME_BYTES,
    NAME_SLOTS,
    Tables,
    tables,
)
from pipelines.boilerplate.winnow.element_values import (
    Values,
    further_letters,
    no_values,
    value_place,
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
def _slot(key: Any, known: Tables) -> int:
    """Return the place of *key* in the tables, or of the free one where it would be."""
    slot = key % NAME_SLOTS
    while known.key[slot] != 0 and known.key[slot] != key:
        slot = (slot + 1) % NAME_SLOTS
    return int(slot)


@lean_kernel
def read_elements(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - one pass over the bytes
    source: U8,
    runs: U32,
    known: Tables,
    elements: Elements,
    stack: U32,
    stack_key: U64,
    values: Values,
    block_element: U32,
) -> int:
    """Read the elements of *source*; return how many there are.

    *stack*, *stack_key*: room for MAX_DEPTH; *values*: what has been read of this page.
    """
    n_bytes, n_runs, n_blocks = len(source), len(runs), len(block_element)
    depth = 1
    stack[0] = 0
    stack_key[0] = 0
    elements.parent[0] = 0
    elements.name[0] = 0
    elements.keywords[0] = 0
    elements.signature[0] = 17
    elements.first_block[0] = 0
    n_elements = 1
    run = 0
    next_block = 0
    place = 0
    while True:
        place = find_byte(source, place, n_bytes, 60)
        if place + 1 >= n_bytes:
            break
        while run < n_runs and runs[run, 0] < place:
            block = runs[run, 2]
            if block >= next_block:
                while next_block <= block:
                    block_element[next_block] = stack[depth - 1]
                    next_block += 1
            run += 1
        byte = source[place + 1]
        if byte == 33:
            if place + 3 < n_bytes and source[place + 2] == 45 and source[place + 3] == 45:
                end = place + 4
                while True:
                    end = find_byte(source, end, n_bytes, 62)
                    if end >= n_bytes or (
                        end >= place + 4 and source[end - 1] == 45 and source[end - 2] == 45
                    ):
                        break
                    end += 1
                place = end + 1
            else:
                place = find_byte(source, place, n_bytes, 62) + 1
            continue
        is_end = byte == 47
        at = place + 2 if is_end else place + 1
        key = np.uint64(0)
        size = 0
        while at < n_bytes:
            code = _name_code(source[at])
            if code == 0:
                break
            if size < MAX_NAME_BYTES:
                key = key * np.uint64(37) + np.uint64(code)
            size += 1
            at += 1
        if size == 0:
            place += 1
            continue
        slot = _slot(key, known)
        is_known = known.key[slot] == key
        kind = known.kind[slot] if is_known else 0
        if is_end:
            place = find_byte(source, at, n_bytes, 62) + 1
            if kind & (IS_INLINE | IS_VOID):
                continue
            lowest = max(depth - _LOOKED_AT, 1)
            level = depth - 1
            while level >= lowest and stack_key[level] != key:
                level -= 1
            if level >= lowest:
                while depth > level:
                    depth -= 1
                    elements.end_block[stack[depth]] = next_block
            continue
        if kind & (IS_INLINE | IS_VOID | IS_RAW):
            place = find_byte(source, at, n_bytes, 62) + 1
            if kind & IS_RAW and source[place - 2] != 47:
                while True:
                    place = find_byte(source, place, n_bytes, 60)
                    if place + 2 >= n_bytes:
                        place = n_bytes
                        break
                    if source[place + 1] == 47 and source[place + 2] | 32 == 115:
                        break
                    place += 1
            continue
        # The attributes.
        keywords = np.uint32(0)
        classes = np.uint32(0)
        is_closed = False
        while at < n_bytes:
            byte = source[at]
            if byte == 62:
                break
            if byte <= 32 or byte == 34 or byte == 39 or byte == 61:
                at += 1
                continue
            if byte == 47:
                is_closed = at + 1 < n_bytes and source[at + 1] == 62
                at += 1
                continue
            name_start = at
            while at < n_bytes and source[at] > 32 and source[at] != 61 and source[at] != 62:
                at += 1
            name_size = at - name_start
            while at < n_bytes and source[at] <= 32:
                at += 1
            if at >= n_bytes or source[at] != 61:
                continue
            at += 1
            while at < n_bytes and source[at] <= 32:
                at += 1
            if at >= n_bytes:
                break
            quote = source[at]
            if quote == 34 or quote == 39:
                start = at + 1
                end = find_byte(source, start, n_bytes, quote)
                at = end + 1
            else:
                start = at
                while at < n_bytes and source[at] > 32 and source[at] != 62:
                    at += 1
                end = at
            first, second = source[name_start] | 32, 0
            if name_size > 1:
                second = source[name_start + 1] | 32
            is_class = name_size == 5 and first == 99 and second == 108
            if (
                is_class
                or (name_size == 2 and first == 105 and second == 100)
                or (name_size == 4 and first == 114 and second == 111)
                or (name_size == 8 and first == 105 and second == 116)
            ):
                said = value_place(source, start, end, known, values)
                keywords |= values.keywords[said]
                if is_class and classes:
                    classes = further_letters(source, start, end, known, values, classes)
                elif is_class:
                    classes = values.letters[said]
        place = at + 1
        if is_closed:
            continue
        if kind & CLOSES_ITSELF and stack_key[depth - 1] == key and depth > 1:
            depth -= 1
            elements.end_block[stack[depth]] = next_block
        if depth == MAX_DEPTH or n_elements == len(elements.parent):
            continue
        parent = stack[depth - 1]
        elements.parent[n_elements] = parent
        elements.name[n_elements] = known.number[slot] if is_known else 0
        elements.keywords[n_elements] = keywords
        signature = (
            elements.signature[parent] ^ np.uint32(key & np.uint64(0xFFFFFFFF))
        ) * np.uint32(2654435761)
        elements.signature[n_elements] = (signature ^ classes ^ (signature >> 15)) * np.uint32(
            2246822519
        )
        elements.first_block[n_elements] = next_block
        stack[depth] = n_elements
        stack_key[depth] = key
        depth += 1
        n_elements += 1
    while next_block < n_blocks:
        block_element[next_block] = stack[depth - 1]
        next_block += 1
    while depth:
        depth -= 1
        elements.end_block[stack[depth]] = n_blocks
    return n_elements


def page_elements(page: PageModel) -> tuple[Elements, U32]:
    """Return the elements of *page*, and the innermost one of each block, uint32[n].

    Without markup there is element 0 alone.
    """
    # The shortest element is of three bytes; few pages have so many that room for all is made.
    most = len(page.source) // 3 + 2
    room = min(most, _USUALLY_ENOUGH)
    elements, size, block_element = _read(page, room)
    if size == room < most:
        elements, size, block_element = _read(page, most)
    return Elements(*(column[:size] for column in elements)), block_element


def _read(page: PageModel, room: int) -> tuple[Elements, int, U32]:
    """Read at most *room* elements; return them and how many they are."""
    elements = Elements(*np.empty((6, room), np.uint32))
    block_element = np.zeros(len(page.blocks), np.uint32)
    size = read_elements(
        np.frombuffer(page.source, np.uint8),
        page.found_runs,
        tables(),
        elements,
        np.empty(MAX_DEPTH, np.uint32),
        np.empty(MAX_DEPTH, np.uint64),
        no_values(),
        block_element,
    )
    return elements, size, block_element
