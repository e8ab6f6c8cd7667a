"""Attributes of a token, and the words of their values, read as they stand in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part, part
from crawler.page.scanning.letters import is_blank, lower
from crawler.page.scanning.names import WORD_ID, number_of
from crawler.page.scanning.state import (
    A_END,
    A_NUMBER,
    A_START,
    T_FIRST_ATTRIBUTE,
    T_N_ATTRIBUTES,
    Tokens,
)

if TYPE_CHECKING:
    from crawler.page.scanning.names import NameTable
    from crawler.page.scanning.state import U8

_NOFOLLOW, _UGC, _SPONSORED = (WORD_ID[name] for name in ("nofollow", "ugc", "sponsored"))
_COMMA = 44


@part
def find_attribute(tokens: Tokens, token: int, number: int) -> int:
    """Return the place of an attribute of *token*, -1 when it has none of that number."""
    first = tokens.rows[token, T_FIRST_ATTRIBUTE]
    for place in range(first, first + tokens.rows[token, T_N_ATTRIBUTES]):
        if tokens.attributes[place, A_NUMBER] == number:
            return place
    return -1


@part
def read_word(
    source: U8, start: int, end: int, splits_at_commas: bool
) -> tuple[int, np.uint64, np.uint64]:
    """Return the end of the word at *start*, and the word packed, small; zeros for none."""
    low, high = np.uint64(0), np.uint64(0)
    place = start
    while place < end:
        byte = lower(source[place])
        if is_blank(byte) or (splits_at_commas and byte == _COMMA):
            break
        size = place - start
        if size < 8:
            low |= np.uint64(byte) << np.uint64(8 * size)
        elif size < 16:
            high |= np.uint64(byte) << np.uint64(8 * (size - 8))
        else:
            high = np.uint64(0xFFFFFFFFFFFFFFFF)
        place += 1
    return place, low, high


@cold_part
def word_set(source: U8, tokens: Tokens, attribute: int, words: NameTable) -> int:
    """Return the known words in the value of an attribute (-1: none) as bits ``1 << number``."""
    found = 0
    if attribute < 0:
        return found
    place, end = tokens.attributes[attribute, A_START], tokens.attributes[attribute, A_END]
    while place < end:
        place, low, high = read_word(source, place, end, False)
        found |= 1 << number_of(words, low, high)
        place += 1
    return found & ~1


@part
def has_word(source: U8, tokens: Tokens, attribute: int, number: int, words: NameTable) -> bool:
    """Tell whether the value of an attribute (-1: none) has a word."""
    return word_set(source, tokens, attribute, words) & (1 << number) != 0


@part
def has_nofollow(source: U8, tokens: Tokens, rel: int, words: NameTable) -> bool:
    """Tell whether a ``rel`` asks that the link be not followed."""
    unwanted = 1 << _NOFOLLOW | 1 << _UGC | 1 << _SPONSORED
    return word_set(source, tokens, rel, words) & unwanted != 0
