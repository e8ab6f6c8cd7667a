"""Arcs in about a byte each, by their locality: most links of a page stay on its host.

A page's targets are a sorted set. Those of its own host are coded by the gaps between their
LocalIDs; those of other hosts are grouped by host: the gap to the host before, how many pages
there, and the gaps between their LocalIDs. A gap is the difference of two ascending numbers less
one, the number before the first being -1.

*Source: Kohlschütter 2011, section 3.2.1 (link locality, HostID and LocalID), section 3.2.2 ("by
grouping the list of target pages by host, we need to transmit each target host ID only once"); gaps
and runs as in Boldi and Vigna 2004, without references to other pages' lists.*

*On disk.* k pages, ascending by id, are ten streams. A number there is written in groups of seven
bits, lowest first, with bit 7 set but on the last. *Flat* and *packed* blocks differ in the gaps:

===========  =======================================================================================
``sources``  a page: 0, the gap of its HostID, its LocalID; or, on the host of the page before, the
             difference of LocalIDs
``n_local``  a page: the number of its targets on its own host
``local``    flat only. A target there: its gap; after a gap of 0 the number of targets beyond it
             that follow without a gap
``n_hosts``  a page: the number of other hosts that it links to
``hosts``    one of those: the gap of its HostID; packed: the number of bits b of gap + 1
``n_pages``  one of those: the number of targets there, less one
``foreign``  a target there: its gap; packed: the number of bits b of gap + 1
``flags``    a (target, flags) that is not alone with flags 0: the number of targets of these k pages
             since the last such target, and the flags. Flags of one target ascend
===========  =======================================================================================

``bits`` and ``host_bits`` are there in packed blocks only: words of 64 bits, little-endian, filled from
their lowest bit, and an empty one. In ``bits``, in the order of targets: of a gap of ``foreign`` the
b - 1 lower bits of gap + 1; of a gap on the own host its Golomb-Rice code, ``gap >> shift`` ones, a
zero, ``shift`` lower bits of the gap, or `ESCAPE` ones and 32 bits of the gap. ``shift`` is
floor(log2(extent // (n + 1))), or 0, for n targets, extent being the pages of the host as far as
they are known from the sources and targets before it in the block (see `extended`). In ``host_bits``:
of a gap of ``hosts`` the b - 1 lower bits of gap + 1.

The streams are to be compressed one by one. Flat suits sites whose pages have a menu in common and
name what they were the first to link to: runs, and lists that stand there again in equal bytes. Packed
suits links that have no order.

Invariant: decoding gives back the batch that was encoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numba.cpython.unsafe import numbers as _unsafe

from crawler.kernels.jit import is_interpreted, part

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]
    Numbers = npt.NDArray[np.uint64]


class Streams(NamedTuple):
    """The streams of some pages, uint8 each, but words of bits; see the module."""

    sources: Bytes
    n_local: Bytes
    local: Bytes
    n_hosts: Bytes
    hosts: Bytes
    n_pages: Bytes
    foreign: Bytes
    flags: Bytes
    bits: Numbers
    host_bits: Numbers


# Places of the streams in an array of positions; the last two count bits.
SOURCES, N_LOCAL, LOCAL, N_HOSTS, HOSTS, N_PAGES, FOREIGN, FLAGS, BITS, HOST_BITS = range(10)
# Behind them: the place of the next target (in encoding: targets since the last with flags), the
# extent of the host, and the host.
TARGETS, EXTENT, HOST = range(10, 13)
N_PLACES = 13

# A number takes at most 5 groups of 7 bits; a gap of 0 begins with one byte more.
MAX_NUMBER_BYTES = 5
MAX_TARGET_BYTES = MAX_NUMBER_BYTES + 1
MAX_SOURCE_BYTES = 1 + 2 * MAX_NUMBER_BYTES
ESCAPE = np.uint64(31)
# Pages that a host is taken to have before anything is known of it.
FIRST_EXTENT = np.uint64(16)

_ONE, _32 = np.uint64(1), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
# numba's own types leave out what intrinsics are called with.
_leading_zeros: Any = _unsafe.leading_zeros
_trailing_zeros: Any = _unsafe.trailing_zeros


def streams_of(streams: Iterable[Bytes], words: Iterable[Numbers] = ()) -> Streams:
    """Return the `Streams` of the eight *streams* of bytes and the two of *words*, empty if not given."""
    both = list(words) or [np.zeros(0, dtype=np.uint64)] * 2
    return Streams(*cast("Any", [*streams, *both]))


if is_interpreted:

    def n_bits(number: np.uint64) -> Any:
        """Return the number of bits of *number*, 0 for 0."""
        return np.uint64(int(number).bit_length())

    def n_ones(number: np.uint64) -> Any:
        """Return the number of ones at the lower end of *number*, which has a zero."""
        return np.uint64(((~int(number)) & (int(number) + 1)).bit_length() - 1)

else:

    @part
    def n_bits(number: np.uint64) -> Any:
        """Return the number of bits of *number*, 0 for 0."""
        return np.uint64(64) - np.uint64(_leading_zeros(number))

    @part
    def n_ones(number: np.uint64) -> Any:
        """Return the number of ones at the lower end of *number*, which has a zero."""
        return np.uint64(_trailing_zeros(~number))


@part
def extended(places: Numbers, source: np.uint64) -> Any:
    """Return the extent of the host of *source*: the LocalIDs seen there, and that of *source*."""
    if places[HOST] != (source >> _32) + _ONE:
        places[HOST] = (source >> _32) + _ONE
        places[EXTENT] = FIRST_EXTENT
    places[EXTENT] = max(places[EXTENT], (source & _LOW) + _ONE)
    return places[EXTENT]


@part
def rice_shift(extent: np.uint64, n_targets: np.uint64) -> Any:
    """Return the number of bits that a gap between *n_targets* of *extent* pages has at least."""
    return max(n_bits(extent // (n_targets + _ONE)), _ONE) - _ONE
