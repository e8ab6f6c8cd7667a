"""Reads the numbers of a stream of `crawler.webgraph.arcs.streams`, never beyond its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import part
from crawler.webgraph.arcs.streams import ESCAPE, n_ones

if TYPE_CHECKING:
    from crawler.webgraph.arcs.streams import Bytes, Numbers

_ZERO, _ONE, _SEVEN, _32 = np.uint64(0), np.uint64(1), np.uint64(7), np.uint64(32)
_6, _63 = np.uint64(6), np.uint64(63)
_LOW_BITS, _MORE = np.uint64(0x7F), np.uint64(0x80)
_LOW, _MAX_SHIFT = np.uint64(0xFFFFFFFF), np.uint64(35)
# What a read beyond the end of a stream gives: no stream holds so large a number.
NOTHING = np.uint64(2**63)
_MANY = ~NOTHING


@part
def get_number(stream: Bytes, place: np.uint64) -> Any:
    """Return the number at *place* and the place behind it, `NOTHING` if it does not end."""
    size = np.uint64(len(stream))
    if place < size and stream[place] <= _LOW_BITS:
        return np.uint64(stream[place]), place + _ONE
    number, shift = _ZERO, _ZERO
    while place < size and shift < _MAX_SHIFT:
        byte = np.uint64(stream[place])
        place += _ONE
        number |= (byte & _LOW_BITS) << shift
        if byte < _MORE:
            return number, place
        shift += _SEVEN
    return NOTHING, place


@part
def _window(words: Numbers, place: np.uint64) -> Any:
    """Return the 64 bits from bit *place* on; zeros from within the last word, which is empty."""
    word, used = place >> _6, place & _63
    if word + _ONE >= np.uint64(len(words)):
        return _ZERO
    return words[word] >> used | (words[word + _ONE] << _ONE) << (_63 - used)


@part
def get_split(stream: Bytes, at: np.uint64, words: Numbers, place: np.uint64) -> Any:
    """Return a gap: its number of bits stands at *at* in *stream*, its lower bits from *place* on.

    And the place behind it; `NOTHING` if there is none.
    """
    if at >= np.uint64(len(stream)) or stream[at] == 0 or stream[at] > 33:
        return NOTHING, place
    n_bits = np.uint64(stream[at]) - _ONE
    rest = _window(words, place) & ((_ONE << n_bits) - _ONE)
    return rest + (_ONE << n_bits) - _ONE, place + n_bits


@part
def get_rice(shift: np.uint64, words: Numbers, place: np.uint64) -> Any:
    """Return the gap at bit *place* and the place behind it."""
    window = _window(words, place)
    ones = n_ones(window & _MANY)
    if ones >= ESCAPE:
        return window >> ESCAPE & _LOW, place + ESCAPE + _32
    gap = (window >> ones + _ONE) & ((_ONE << shift) - _ONE) | ones << shift
    return gap, place + ones + _ONE + shift
