"""Words, linked words and wrapped lines of texts, in one pass over their characters.

The units are those of :func:`crawler.page.words.density_tokens`, the lines those of
:mod:`crawler.page.lines`. A word is linked when its first letter or digit is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import lean_kernel, part
from crawler.page.characters import ASIAN, HAN, SPACE, WORD
from crawler.page.scanning.characters import read_character
from crawler.page.scanning.plain_copy import copy_word
from crawler.page.scanning.state import BLOCK_ENDS, LINK_ENDS, LINK_STARTS
from crawler.page.words import HAN_KANA_UNIT_CHARS, SOUTH_EAST_ASIAN_UNIT_CHARS

if TYPE_CHECKING:
    from crawler.page.scanning.state import U8, U32

# Rows of the counts.
N_WORDS, N_LINKED, N_LINES, N_LAST = range(4)
_UNLIMITED = 1 << 62


@lean_kernel
def count(
    marked: U8, n_bytes: int, w_max: int, classes: U8, clean: U8, counts: U32
) -> tuple[int, int]:
    """Count each line of ``marked[:n_bytes]``, wrapped at *w_max* columns, into *counts*.

    *clean*, as long as *marked*, gets the text without the bytes that mark links. Return its
    length and the number of words outside of links.
    """
    size, text, place, n_plain = 0, 0, 0, 0
    while place < n_bytes:
        place, size = _count_text(marked, place, n_bytes, w_max, classes, clean, size, counts, text)
        plain: Any = np.int64(counts[N_WORDS, text]) - np.int64(counts[N_LINKED, text])
        n_plain += plain
        text += 1
    return size, n_plain


# One loop over the words: its parts would hand ten numbers back and forth.
@part
def _count_text(  # noqa: C901, PLR0915
    marked: U8,
    start: int,
    end: int,
    w_max: int,
    classes: U8,
    clean: U8,
    size: int,
    counts: U32,
    text: int,
) -> tuple[int, int]:
    """Count the text at *start*; return where the next one begins, and the clean text's end."""
    n_linked, n_words, n_lines, n_last, used = 0, 0, 0, 0, w_max
    width, script, bits, unit_is_linked, is_linked, room = 0, -1, 0, 0, 0, 0
    place = start
    point = 0
    while point != BLOCK_ENDS:
        first, point = place, BLOCK_ENDS
        if place < end:
            point, place = read_character(marked, place)
        if point == LINK_STARTS or point == LINK_ENDS:
            is_linked = point == LINK_STARTS
            continue
        kind = classes[point]
        own_script = kind & (HAN | ASIAN)
        if kind & SPACE or own_script != script or room == 0:
            # A unit ends here, and counts if it has a letter or digit.
            if bits & WORD:
                n_linked, n_words = n_linked + unit_is_linked, n_words + 1
                columns = 2 * width if script == HAN else width
                n_lines, n_last, used = _wrap(columns, w_max, n_lines, n_last, used)
            width, bits = 0, 0
            script, room = (-1 if kind & SPACE else own_script), _room(own_script)
        if not kind & SPACE:
            if kind & WORD and not bits & WORD:
                unit_is_linked = is_linked
            bits |= kind
            width, room = width + 1, room - 1
        for byte_place in range(first, place):
            clean[size] = byte_at(marked, byte_place)
            size += 1
        if bits & WORD and script == 0:
            # The rest of an ASCII word: nothing but its length matters.
            first = place
            place = copy_word(marked, place, end, clean, size)
            width, size = width + place - first, size + place - first
            # Most words are ASCII, and one space stands before the next.
            while place + 1 < end and byte_at(marked, place) == 32:
                byte = byte_at(marked, place + 1)
                if byte >= 127 or not classes[byte] & WORD:
                    break
                n_linked, n_words = n_linked + unit_is_linked, n_words + 1
                n_lines, n_last, used = _wrap(width, w_max, n_lines, n_last, used)
                unit_is_linked, first = is_linked, place + 1
                clean[size] = 32
                place = copy_word(marked, first, end, clean, size + 1)
                width, size = place - first, size + 1 + place - first
    counts[N_WORDS, text], counts[N_LINKED, text] = n_words, n_linked
    counts[N_LINES, text], counts[N_LAST, text] = n_lines, n_last
    return place, size


@part
def _wrap(columns: int, w_max: int, n_lines: int, n_last: int, used: int) -> tuple[int, int, int]:
    """Put a word of *columns* on the line at hand or on a new one: lines, words on it, its width."""
    if used + 1 + columns > w_max:
        return n_lines + 1, 1, columns
    return n_lines, n_last + 1, used + 1 + columns


@part
def _room(script: int) -> int:
    if script == HAN:
        return HAN_KANA_UNIT_CHARS
    return SOUTH_EAST_ASIAN_UNIT_CHARS if script else _UNLIMITED
