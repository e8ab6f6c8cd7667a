"""The instantaneous codes of the BV format, in bits from the highest of a byte to the lowest.

Unary: n zeros and a one. Gamma of n, with m the bits of n + 1 behind its highest one: m in unary, then
those m bits. Zeta_k of n: with h = m // k in unary, then n + 1 - 2^(hk) in minimal binary for numbers
below 2^(hk+k) - 2^(hk). A number of either sign becomes 2n, or -2n - 1 if it is negative.

*Source: Boldi and Vigna 2004, "The WebGraph framework I" section 2, and "II: Codes for the World-Wide
Web", section 3 (zeta codes).* The functions are parts of kernels; ``write`` False only measures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.jit import part
from crawler.webgraph.arcs.streams import n_bits

if TYPE_CHECKING:
    from crawler.webgraph.arcs.streams import Bytes

_ONE, _THREE, _SEVEN, _TOP = np.uint64(1), np.uint64(3), np.uint64(7), np.uint64(0x80)


class Parameters(NamedTuple):
    """Window, longest chain of references, shortest interval (0: none), k of the residuals' zeta."""

    window: np.uint64
    max_ref: np.uint64
    min_interval: np.uint64
    zeta_k: np.uint64


@part
def put_bits(out: Bytes, place: np.uint64, value: np.uint64, size: np.uint64, write: bool) -> Any:
    """Write the *size* lower bits of *value* at bit *place* of *out*, which is 0; return the end."""
    if write:
        for i in range(size):
            if value >> (size - _ONE - np.uint64(i)) & _ONE:
                at = place + np.uint64(i)
                out[at >> _THREE] |= np.uint8(_TOP >> (at & _SEVEN))
    return place + size


@part
def put_unary(out: Bytes, place: np.uint64, value: np.uint64, write: bool) -> Any:
    """Write *value* in unary; return the end."""
    return put_bits(out, place + value, _ONE, _ONE, write)


@part
def put_gamma(out: Bytes, place: np.uint64, value: np.uint64, write: bool) -> Any:
    """Write *value* in gamma code; return the end."""
    size = n_bits(value + _ONE) - _ONE
    place = put_unary(out, place, size, write)
    return put_bits(out, place, value + _ONE, size, write)


@part
def put_zeta(out: Bytes, place: np.uint64, value: np.uint64, k: np.uint64, write: bool) -> Any:
    """Write *value* in zeta_k code; return the end."""
    number = value + _ONE
    h = (n_bits(number) - _ONE) // k
    place = put_unary(out, place, h, write)
    left = _ONE << h * k
    size = h * k + k
    if number - left < left:  # the first 2^(hk) numbers are a bit shorter
        return put_bits(out, place, number - left, size - _ONE, write)
    return put_bits(out, place, number, size, write)


@part
def folded(value: np.uint64, origin: np.uint64) -> Any:
    """Return *value* - *origin* as a number that is not negative."""
    if value >= origin:
        return (value - origin) << _ONE
    return ((origin - value) << _ONE) - _ONE
