"""Writes arcs to the streams that `crawler.webgraph.arcs.streams` describes. Cost: O(m)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.webgraph.arcs.streams import (
    BITS,
    ESCAPE,
    EXTENT,
    FLAGS,
    FOREIGN,
    HOST_BITS,
    HOSTS,
    LOCAL,
    N_HOSTS,
    N_LOCAL,
    N_PAGES,
    SOURCES,
    TARGETS,
    extended,
    n_bits,
    rice_shift,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.arcs.streams import Bytes, Numbers, Streams

_ZERO, _ONE, _SEVEN, _32 = np.uint64(0), np.uint64(1), np.uint64(7), np.uint64(32)
_6, _63 = np.uint64(6), np.uint64(63)
_LOW_BITS, _MORE = np.uint64(0x7F), np.uint64(0x80)
_LOW = np.uint64(0xFFFFFFFF)


@part
def _put(stream: Bytes, end: np.uint64, number: np.uint64) -> Any:
    while number > _LOW_BITS:
        stream[end] = np.uint8(number & _LOW_BITS | _MORE)
        number >>= _SEVEN
        end += _ONE
    stream[end] = np.uint8(number)
    return end + _ONE


@part
def _put_bits(words: Numbers, end: np.uint64, value: np.uint64, size: np.uint64) -> Any:
    """Append the *size* lower bits of *value*, which has no others; return the new end."""
    word, used = end >> _6, end & _63
    words[word] |= value << used
    if used + size > np.uint64(64):
        words[word + _ONE] |= (value >> _ONE) >> (_63 - used)
    return end + size


@part
def _put_host(gap: np.uint64, out: Streams, ends: Numbers) -> None:
    if len(out.bits) == 0:
        ends[HOSTS] = _put(out.hosts, ends[HOSTS], gap)
        return
    size = n_bits(gap + _ONE)
    out.hosts[ends[HOSTS]] = np.uint8(size)
    ends[HOSTS] += _ONE
    rest = gap + _ONE - (_ONE << size - _ONE)
    ends[HOST_BITS] = _put_bits(out.host_bits, ends[HOST_BITS], rest, size - _ONE)


@part
def _put_foreign_page(gap: np.uint64, out: Streams, ends: Numbers) -> None:
    if len(out.bits) == 0:
        ends[FOREIGN] = _put(out.foreign, ends[FOREIGN], gap)
        return
    size = n_bits(gap + _ONE)
    out.foreign[ends[FOREIGN]] = np.uint8(size)
    ends[FOREIGN] += _ONE
    rest = gap + _ONE - (_ONE << size - _ONE)
    ends[BITS] = _put_bits(out.bits, ends[BITS], rest, size - _ONE)


@part
def _put_rice(gap: np.uint64, shift: np.uint64, words: Numbers, end: np.uint64) -> Any:
    ones = gap >> shift
    if ones >= ESCAPE:
        end = _put_bits(words, end, (_ONE << ESCAPE) - _ONE, ESCAPE)
        return _put_bits(words, end, gap, _32)
    end = _put_bits(words, end, (_ONE << ones) - _ONE, ones + _ONE)
    return _put_bits(words, end, gap & ((_ONE << shift) - _ONE), shift)


@part
def _put_source(source: np.uint64, before: np.uint64, out: Streams, ends: Numbers) -> None:
    """Append *source*; *before* is the source before it, or -1."""
    host, last = source >> _32, before >> _32
    if before != ~_ZERO and host == last:
        ends[SOURCES] = _put(out.sources, ends[SOURCES], source - before)
        return
    gap = host if before == ~_ZERO else host - last - _ONE
    ends[SOURCES] = _put(out.sources, ends[SOURCES], _ZERO)
    ends[SOURCES] = _put(out.sources, ends[SOURCES], gap)
    ends[SOURCES] = _put(out.sources, ends[SOURCES], source & _LOW)


@part
def _put_flags(targets: Numbers, flags: Bytes, stream: Bytes, ends: Numbers) -> Any:
    """Append what of *flags* is to be told; return the number of targets, each counted once."""
    n = np.uint64(len(targets))
    n_targets = _ZERO
    for j in range(n):
        is_first = j == _ZERO or targets[j] != targets[j - _ONE]
        is_last = j + _ONE == n or targets[j] != targets[j + _ONE]
        if is_first:
            n_targets += _ONE
        if not (is_first and is_last and flags[j] == 0):
            ends[FLAGS] = _put(stream, ends[FLAGS], ends[TARGETS])
            ends[FLAGS] = _put(stream, ends[FLAGS], np.uint64(flags[j]))
            ends[TARGETS] = _ZERO
        if is_last:
            ends[TARGETS] += _ONE
    return n_targets


@part
def _put_local(targets: Numbers, out: Streams, ends: Numbers) -> Any:
    """Append the targets on the own host, flat; return their number."""
    n = np.uint64(len(targets))
    n_targets, following, j = _ZERO, _ZERO, _ZERO
    while j < n:
        gap = (targets[j] & _LOW) - following
        following = (targets[j] & _LOW) + _ONE
        ends[LOCAL] = _put(out.local, ends[LOCAL], gap)
        n_targets += _ONE
        run = _ZERO
        j += _ONE
        while j < n and (targets[j] == targets[j - _ONE] or (
            gap == _ZERO and targets[j] & _LOW == following
        )):  # fmt: skip
            if targets[j] != targets[j - _ONE]:
                run += _ONE
                following += _ONE
            j += _ONE
        if gap == _ZERO:
            ends[LOCAL] = _put(out.local, ends[LOCAL], run)
            n_targets += run
    return n_targets


@part
def _pack_local(targets: Numbers, extent: np.uint64, out: Streams, ends: Numbers) -> Any:
    """Append the targets on the own host, packed; return their number."""
    n = np.uint64(len(targets))
    n_targets = _ZERO
    for j in range(n):
        n_targets += np.uint64(j == _ZERO or targets[j] != targets[j - _ONE])
    shift, following = rice_shift(extent, n_targets), _ZERO
    for j in range(n):
        if j == _ZERO or targets[j] != targets[j - _ONE]:
            gap = (targets[j] & _LOW) - following
            ends[BITS] = _put_rice(gap, shift, out.bits, ends[BITS])
            following = (targets[j] & _LOW) + _ONE
    ends[EXTENT] = max(extent, following)
    return n_targets


@part
def _put_foreign(targets: Numbers, host_after: np.uint64, out: Streams, ends: Numbers) -> Any:
    """Append targets on other hosts; *host_after*: the HostID above the last; return the hosts' number."""
    n = np.uint64(len(targets))
    n_hosts, n_pages, following = _ZERO, _ZERO, _ZERO
    for j in range(n):
        host, local = targets[j] >> _32, targets[j] & _LOW
        if j == _ZERO or host != targets[j - _ONE] >> _32:
            _put_host(host - host_after, out, ends)
            host_after = host + _ONE
            n_hosts += _ONE
            n_pages, following = _ZERO, _ZERO
        if n_pages == _ZERO or local >= following:
            _put_foreign_page(local - following, out, ends)
            n_pages += _ONE
            following = local + _ONE
        if j + _ONE == n or host != targets[j + _ONE] >> _32:
            ends[N_PAGES] = _put(out.n_pages, ends[N_PAGES], n_pages - _ONE)
    return n_hosts


@lean_kernel
def encode(
    sources: Numbers,
    starts: npt.NDArray[np.int64],
    targets: Numbers,
    flags: Bytes,
    out: Streams,
    ends: Numbers,
) -> Any:
    """Write the arcs of *sources* to *out* and the ends of the streams to *ends*, uint64[13] and 0.

    *starts* int64[k+1]: the arcs of source i. The words of *out* are 0; the block is packed if there
    are any. Return the number of targets, each of a page counted once.
    """
    n_targets = _ZERO
    before = ~_ZERO
    for i in range(np.uint64(len(sources))):
        source = sources[i]
        _put_source(source, before, out, ends)
        before = source
        start, stop = starts[i], starts[i + _ONE]
        n_targets += _put_flags(targets[start:stop], flags[start:stop], out.flags, ends)
        own, host = start, source >> _32
        while own < stop and targets[own] >> _32 < host:
            own += 1
        own_stop = own
        while own_stop < stop and targets[own_stop] >> _32 == host:
            own_stop += 1
        n_hosts = _put_foreign(targets[start:own], _ZERO, out, ends)
        if len(out.bits):
            extent = extended(ends, source)
            n_local = _pack_local(targets[own:own_stop], extent, out, ends)
        else:
            n_local = _put_local(targets[own:own_stop], out, ends)
        ends[N_LOCAL] = _put(out.n_local, ends[N_LOCAL], n_local)
        after = _ZERO if own == start else (targets[own - 1] >> _32) + _ONE
        n_hosts += _put_foreign(targets[own_stop:stop], after, out, ends)
        ends[N_HOSTS] = _put(out.n_hosts, ends[N_HOSTS], n_hosts)
    return n_targets
