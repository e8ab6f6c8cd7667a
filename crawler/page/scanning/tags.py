"""The end of a tag, its name and its attributes, from the bytes.

Source: HTML standard, sections 13.2.5.6 to 13.2.5.40. Other than there, a tag also ends before the next
``<`` outside of quotes; a quote without its partner is an ordinary character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at, find_byte, u64_at
from crawler.kernels.eight_bytes import first_of, n_above, small_letters
from crawler.kernels.jit import cold_part, part
from crawler.page.scanning.letters import is_blank, lower, matches
from crawler.page.scanning.made_by_programs import class_hides, note_segment
from crawler.page.scanning.names import PACKED_BYTES, number_of, pack
from crawler.page.scanning.state import (
    A_END,
    A_NUMBER,
    A_START,
    N_ATTRIBUTES,
    NO_APOSTROPHE,
    NO_QUOTE,
    Tokens,
)
from crawler.page.scanning.styles import BOX, IS_SEEN, NO_BOX, NOT_SEEN, OWN_LINE, style_says

if TYPE_CHECKING:
    from crawler.page.scanning.names import NameTable
    from crawler.page.scanning.state import I64, U8

_CLASS, _HIDDEN, _STYLE, _POPOVER = (
    np.uint64(pack(name)[0]) for name in ("class", "hidden", "style", "popover")
)
# What the attributes of a tag say of it, as bits: that it hides; that it does until a script, or its reader, opens it;
# that it has a box though it may say so; that what it holds is not seen, or that it is; that it is on its own line.
HIDES, OPENS, HAS_BOX, IS_UNSEEN, SAYS_SEEN, HAS_OWN_LINE = (1 << bit for bit in range(6))
_LT, _GT, _SLASH, _EQUALS, _QUOTE, _APOSTROPHE = 60, 62, 47, 61, 34, 39
# Of a packed name, the bytes that one number holds; what stands for the rest of one that is too long.
_HALF, _TOO_LONG = 8, 0xFFFFFFFFFFFFFFFF
_UNTIL_FOUND = np.frombuffer(b"until-found", np.uint8)


@part
def read_name(source: U8, start: int, end: int) -> tuple[int, np.uint64, np.uint64]:
    """Return the end of the name at *start*, and the name packed; all bits set if too long."""
    low, high = np.uint64(0), np.uint64(0)
    place = start
    if start + PACKED_BYTES <= end:
        # Most names have no sign and no digit.
        eight = u64_at(source, start)
        n = n_above(eight, _GT)
        low = first_of(small_letters(eight), n)
        if n == _HALF:
            eight = u64_at(source, start + _HALF)
            n_more = n_above(eight, _GT)
            high = first_of(small_letters(eight), n_more)
            n += n_more
        place += n
    shift = 8 * (place - start)
    while place < end:
        byte = byte_at(source, place)
        # All that ends a name comes before the letters.
        if byte <= _GT and ends_name(byte):
            break
        if shift < 64:
            low |= np.uint64(lower(byte)) << np.uint64(shift)
        elif shift < 128:
            high |= np.uint64(lower(byte)) << np.uint64(shift - 64)
        else:
            high = np.uint64(_TOO_LONG)
        shift += 8
        place += 1
    return place, low, high


@part
def _packed(source: U8, start: int, end: int) -> tuple[np.uint64, np.uint64]:
    """Return the name from *start* to *end* packed, as :func:`read_name` does."""
    if end - start <= _HALF and start + _HALF <= len(source):
        return first_of(small_letters(u64_at(source, start)), end - start), np.uint64(0)
    _, low, high = read_name(source, start, end)
    return low, high


@part
def ends_name(byte: int) -> bool:
    """Tell whether *byte* is whitespace, a slash or an angle bracket."""
    return is_blank(byte) or byte == _SLASH or byte == _GT or byte == _LT


@part
def skip_blanks(source: U8, start: int, end: int) -> int:
    """Return the first place from *start* on that is no whitespace, *end* when there is none."""
    place = start
    while place < end and is_blank(byte_at(source, place)):
        place += 1
    return place


@part
def read_attributes(
    source: U8,
    start: int,
    end: int,
    state: I64,
    tokens: Tokens,
    table: NameTable,
    is_wanted: bool,
    to_the_end: bool,
) -> tuple[int, bool, int]:
    """Read the attributes from *start* on: the tag's end, whether it has one, what they say of hiding.

    The places of those wanted and known go to *tokens*. *to_the_end*: *end* is that of the source.
    """
    first = state[N_ATTRIBUTES]
    has_hidden, is_hidden, has_style, style, said = False, False, False, 0, 0
    place = start
    while True:
        place, byte = _skip_to_name(source, place, end)
        if place >= end or byte == _GT or byte == _LT:
            break
        name_start, place = place, _skip_name(source, place, end)
        low, high = np.uint64(0), np.uint64(0)
        # Of most tags only the names of five to seven letters matter: class, style, hidden and popover.
        if is_wanted or 5 <= place - name_start <= 7:
            low, high = _packed(source, name_start, place)
        place, value_start, value_end = _read_value(source, place, end, state, to_the_end)
        # The first of equal names counts.
        if high == 0 and low == _STYLE:
            style = style if has_style else style_says(source, value_start, value_end)
            has_style = True
        elif high == 0 and low == _HIDDEN:
            # What may be found is folded up, not withheld.
            is_found = matches(source, value_start, value_end, _UNTIL_FOUND)
            is_hidden = is_hidden or not (has_hidden or is_found)
            has_hidden = True
        elif high == 0 and low == _POPOVER:
            said |= OPENS
        else:
            if high == 0 and low == _CLASS:
                if class_hides(source, start, value_start, value_end, state):
                    said |= HIDES
            note_segment(source, name_start, value_start, value_end, state)
            number = number_of(table, low, high) if is_wanted else 0
            if number:
                _note(tokens, state, first, number, value_start, value_end)
    return place + (byte == _GT), place < end, said | _said_by_style(style, is_hidden)


@part
def _said_by_style(style: int, is_hidden: bool) -> int:
    """Return what a *style* says of hiding: it overrides the attribute ``hidden``."""
    hides = style & NO_BOX or (is_hidden and not style & BOX)
    said = (HIDES if hides else 0) | (HAS_BOX if style & BOX else 0)
    said |= HAS_OWN_LINE if style & OWN_LINE else 0
    return said | (IS_UNSEEN if style & NOT_SEEN else SAYS_SEEN if style & IS_SEEN else 0)


@cold_part
def find_value(
    source: U8, start: int, end: int, state: I64, low: np.uint64, high: np.uint64
) -> tuple[int, int]:
    """Return the ends of the value of the attribute of a packed name, of the tag from *start* to *end*; -1 for none."""
    place = start
    while True:
        place, byte = _skip_to_name(source, place, end)
        if place >= end or byte == _GT or byte == _LT:
            return -1, -1
        name_start, place = place, _skip_name(source, place, end)
        its_low, its_high = _packed(source, name_start, place)
        place, value_start, value_end = _read_value(source, place, end, state, False)
        if its_high == high and its_low == low:
            return value_start, value_end


@part
def _skip_name(source: U8, start: int, end: int) -> int:
    """Return the end of an attribute's name; an equals sign may begin, but not be within it."""
    place = start + 1
    while place < end:
        byte = byte_at(source, place)
        if byte <= _GT and (byte == _EQUALS or ends_name(byte)):
            break
        place += 1
    return place


@part
def _skip_to_name(source: U8, start: int, end: int) -> tuple[int, int]:
    """Return where the next name of an attribute or the end of the tag is, and its first byte."""
    place = start
    while place < end:
        byte = byte_at(source, place)
        if not is_blank(byte) and byte != _SLASH:
            return place, byte
        place += 1
    return place, 0


@part
def _read_value(
    source: U8, start: int, end: int, state: I64, to_the_end: bool
) -> tuple[int, int, int]:
    """Return where the value behind the name ending at *start* ends, and the value's two ends."""
    place = skip_blanks(source, start, end)
    if place >= end or source[place] != _EQUALS:
        return place, place, place
    place = skip_blanks(source, place + 1, end)
    if place >= end:
        return place, place, place
    quote = byte_at(source, place)
    if quote == _QUOTE or quote == _APOSTROPHE:
        memory = NO_QUOTE if quote == _QUOTE else NO_APOSTROPHE
        if place + 1 < state[memory]:
            close = find_byte(source, place + 1, end, quote)
            if close < end:
                return close + 1, place + 1, close
            if to_the_end:
                state[memory] = place + 1
    value_start = place
    while place < end:
        byte = byte_at(source, place)
        if byte <= _GT and (is_blank(byte) or byte == _GT or byte == _LT):
            break
        place += 1
    return place, value_start, place


@part
def _note(
    tokens: Tokens, state: I64, first: int, number: int, value_start: int, value_end: int
) -> None:
    """Put an attribute down, unless the tag has it already: the first of equal names counts."""
    last = state[N_ATTRIBUTES]
    for place in range(first, last):
        if tokens.attributes[place, A_NUMBER] == number:
            return
    tokens.attributes[last, A_NUMBER] = number
    tokens.attributes[last, A_START] = value_start
    tokens.attributes[last, A_END] = value_end
    state[N_ATTRIBUTES] = last + 1
