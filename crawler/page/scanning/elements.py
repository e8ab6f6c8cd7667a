"""The open elements of the source: tag paths and pagelets, by start and end tags alone.

No tree is built and no element moved; the end tags that HTML lets authors leave out are supplied
where they change a path (items, cells, rows, paragraphs). ``a``, ``html``, ``head`` and ``body``
are left out of paths; every path begins at ``body``. Elements deeper than the limit are counted only.

A pagelet is an element of which no child holds k or more hyperlinks (`PageRules.pagelet_links`) and no ancestor is a
pagelet. *Source: Bar-Yossef and Rajagopalan 2002, definition 2.* When an element is closed, its children are known: one
of them with k links splits it, and what was found within stays; else it takes the place of what was found within.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.jit import cold_part, part
from crawler.page.scanning.hiding import close_hiders, is_unseen
from crawler.page.scanning.letters import is_blank, lower
from crawler.page.scanning.names import FIRST_MADE_UP, TOO_MANY_MADE_UP
from crawler.page.scanning.state import (
    CUT_DEPTH,
    CUT_MADE_UP,
    CUTS,
    DEPTH,
    E_BLOCK,
    E_CLOSABLE,
    E_CLOSABLES,
    E_IS_SPLIT,
    E_LINK,
    E_N_LINKS,
    E_NAME,
    E_PAGELET,
    E_PATH,
    E_UNSEEN,
    G_BLOCK,
    G_END_BLOCK,
    G_END_LINK,
    G_LINK,
    HIDDEN,
    HIDDEN_DEPTH,
    M_SIZE,
    M_START,
    MAX_DEPTH,
    MAX_MADE_UP,
    N_BLOCKS,
    N_DEEPER,
    N_LINKS,
    N_MADE_UP,
    N_PAGELETS,
    PAGELET_LINKS,
    SEEN,
    UNSEEN,
    Elements,
    Found,
)

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64, U8

# Odd, and a signed number of 64 bits, as the products are.
_FACTOR = 0x1E3779B97F4A7C15
_SLOTS = 2 * MAX_MADE_UP
_GT, _LT, _SLASH = 62, 60, 47


@part
def open_element(name: int, closable: int, flags: int, state: I64, elements: Elements) -> None:
    """Put a start tag on the stack; *flags* are those of its token."""
    depth = state[DEPTH] + 1
    if depth > state[MAX_DEPTH]:
        state[N_DEEPER] += 1
        state[CUTS] |= CUT_DEPTH
        return
    says = flags & (UNSEEN | SEEN)
    unseen = says == UNSEEN if says else is_unseen(state, elements)
    state[DEPTH] = depth
    elements.levels[depth, E_UNSEEN] = unseen
    elements.levels[depth, E_NAME] = name
    elements.levels[depth, E_CLOSABLE] = closable
    elements.levels[depth, E_CLOSABLES] = elements.levels[depth - 1, E_CLOSABLES] | closable
    mixed = (elements.levels[depth - 1, E_PATH] + name) * _FACTOR
    elements.levels[depth, E_PATH] = mixed ^ mixed >> 29
    elements.levels[depth, E_N_LINKS] = 0
    elements.levels[depth, E_IS_SPLIT] = 0
    elements.levels[depth, E_BLOCK] = state[N_BLOCKS]
    elements.levels[depth, E_LINK] = state[N_LINKS]
    elements.levels[depth, E_PAGELET] = state[N_PAGELETS]
    elements.n_open[name] += 1
    if flags & HIDDEN and state[HIDDEN_DEPTH] == 0:
        state[HIDDEN_DEPTH] = depth


@part
def close_element(name: int, state: I64, elements: Elements, found: Found) -> None:
    """Take an end tag: close the innermost element of that name and all within it."""
    if state[N_DEEPER]:
        state[N_DEEPER] -= 1
        return
    if elements.n_open[name] == 0:
        return
    while elements.levels[state[DEPTH], E_NAME] != name:
        _pop(state, elements, found)
    _pop(state, elements, found)


@cold_part
def close_implied(closed: int, bounds: int, state: I64, elements: Elements, found: Found) -> None:
    """Close the elements *closed* up to the innermost of *bounds*, with all within them."""
    depth = state[DEPTH]
    if elements.levels[depth, E_CLOSABLES] & closed == 0:
        return
    first = depth + 1
    while depth > 0:
        if elements.levels[depth, E_CLOSABLE] & closed:
            first = depth
        elif elements.levels[depth, E_CLOSABLE] & bounds:
            break
        depth -= 1
    while state[DEPTH] >= first:
        _pop(state, elements, found)


@part
def close_all(state: I64, elements: Elements, found: Found) -> None:
    """Close what is open at the end of the source, and the body."""
    while state[DEPTH] > 0:
        _pop(state, elements, found)
    _end_pagelet(0, state, elements, found)


@cold_part
def _pop(state: I64, elements: Elements, found: Found) -> None:
    depth = state[DEPTH]
    _end_pagelet(depth, state, elements, found)
    n_links = elements.levels[depth, E_N_LINKS]
    elements.levels[depth - 1, E_N_LINKS] += n_links
    if n_links >= state[PAGELET_LINKS]:
        elements.levels[depth - 1, E_IS_SPLIT] = 1
    elements.n_open[elements.levels[depth, E_NAME]] -= 1
    state[DEPTH] = depth - 1
    if depth == state[HIDDEN_DEPTH]:
        state[HIDDEN_DEPTH] = 0
    close_hiders(depth, state, elements)


@part
def _end_pagelet(depth: int, state: I64, elements: Elements, found: Found) -> None:
    """Make the element at *depth* a pagelet, unless it is split or there is nothing in it."""
    if elements.levels[depth, E_IS_SPLIT]:
        return
    block, link = elements.levels[depth, E_BLOCK], elements.levels[depth, E_LINK]
    if state[N_BLOCKS] == block and state[N_LINKS] == link:
        return
    place = elements.levels[depth, E_PAGELET]
    found.pagelets[place, G_BLOCK] = block
    found.pagelets[place, G_END_BLOCK] = state[N_BLOCKS]
    found.pagelets[place, G_LINK] = link
    found.pagelets[place, G_END_LINK] = state[N_LINKS]
    state[N_PAGELETS] = place + 1


@cold_part
def made_up_name(source: U8, start: int, state: I64, elements: Elements) -> int:
    """Return the number of the unknown name at *start*; equal names get equal numbers."""
    end = start
    mixed = 0
    while end < len(source) and not is_blank(source[end]):
        byte = source[end]
        if byte == _SLASH or byte == _GT or byte == _LT:
            break
        mixed = (mixed + lower(byte)) * _FACTOR
        mixed ^= mixed >> 31
        end += 1
    slot = mixed & _SLOTS - 1
    while elements.made_up_slots[slot]:
        number = elements.made_up_slots[slot] - 1
        if _is_same(
            source, start, end, elements.made_up[number, M_START], elements.made_up[number, M_SIZE]
        ):
            return FIRST_MADE_UP + number
        slot = (slot + 1) % _SLOTS
    number = state[N_MADE_UP]
    if number >= MAX_MADE_UP:
        state[CUTS] |= CUT_MADE_UP
        return TOO_MANY_MADE_UP
    elements.made_up_slots[slot] = number + 1
    elements.made_up[number, M_START] = start
    elements.made_up[number, M_SIZE] = end - start
    state[N_MADE_UP] = number + 1
    return FIRST_MADE_UP + number


@part
def _is_same(source: U8, start: int, end: int, other: int, size: int) -> bool:
    if end - start != size:
        return False
    for i in range(size):
        if lower(source[start + i]) != lower(source[other + i]):
            return False
    return True
