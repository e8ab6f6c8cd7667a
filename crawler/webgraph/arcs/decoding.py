"""Reads arcs from the streams that `crawler.webgraph.arcs.streams` describes.

Targets are decoded to ids, or right to page numbers: those of a graph whose LocalIDs count up from 0
on each host, where page L of host H has the number ``bases[H] + L`` (`bases` uint64[h+1], HostIDs
below h; ``bases[H + 1]`` is the end of the host). Without *bases* they are ids.

Nothing is read or written beyond an array, whatever the streams hold: damage ends in False.
Cost: O(m), nothing allocated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.webgraph.arcs.numbers import NOTHING, get_number, get_rice, get_split
from crawler.webgraph.arcs.streams import (
    BITS,
    EXTENT,
    FOREIGN,
    HOST_BITS,
    HOSTS,
    LOCAL,
    N_HOSTS,
    N_LOCAL,
    N_PAGES,
    TARGETS,
    extended,
    rice_shift,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.arcs.streams import Bytes, Numbers, Streams

    Targets = npt.NDArray[np.unsignedinteger[Any]]

_ZERO, _ONE, _32 = np.uint64(0), np.uint64(1), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@lean_kernel
def decode_sources(stream: Bytes, sources: Numbers) -> Any:
    """Fill *sources* from their *stream*; return False when it is damaged."""
    place, host, local = _ZERO, _ZERO, _ZERO
    for i in range(np.uint64(len(sources))):
        number, place = get_number(stream, place)
        if number == _ZERO:
            gap, place = get_number(stream, place)
            local, place = get_number(stream, place)
            host += gap if i == _ZERO else gap + _ONE
        else:
            local += number
            if i == _ZERO:
                return False
        if host > _LOW or local > _LOW:
            return False
        sources[i] = host << _32 | local
    return place == np.uint64(len(stream))


@part
def _range(host: np.uint64, bases: Numbers) -> Any:
    """Return what LocalID 0 of *host* becomes, what its last one becomes, and whether there is one."""
    if len(bases) == 0:
        return host << _32, host << _32 | _LOW, True
    if host + _ONE >= np.uint64(len(bases)) or bases[host] == bases[host + _ONE]:
        return _ZERO, _ZERO, False
    return bases[host], bases[host + _ONE] - _ONE, True


@part
def _get_local(
    following: np.uint64, last: np.uint64, stream: Bytes, places: Numbers, targets: Targets
) -> Any:
    """Fill *targets* with targets from *following* to *last*, of a flat block."""
    n_left, at, place = np.uint64(len(targets)), _ZERO, places[LOCAL]
    while n_left > _ZERO:
        gap, place = get_number(stream, place)
        if gap > last - following:
            return False
        following += gap
        targets[at] = following
        at += _ONE
        n_left -= _ONE
        if gap == _ZERO:
            run, place = get_number(stream, place)
            if run > n_left or run > last - following:
                return False
            for _ in range(run):
                following += _ONE
                targets[at] = following
                at += _ONE
            n_left -= run
        if following == last:
            break
        following += _ONE
    places[LOCAL] = place
    return n_left == _ZERO


@part
def _unpack_local(
    following: np.uint64, last: np.uint64, words: Numbers, places: Numbers, targets: Targets
) -> Any:
    """Fill *targets* with targets from *following* to *last*, of a packed block."""
    n_left, at, place, base = np.uint64(len(targets)), _ZERO, places[BITS], following
    shift = rice_shift(places[EXTENT], n_left)
    while n_left > _ZERO:
        gap, place = get_rice(shift, words, place)
        if gap > last - following:
            return False
        following += gap
        targets[at] = following
        at += _ONE
        n_left -= _ONE
        if following == last:
            break
        following += _ONE
    if at > _ZERO:
        places[EXTENT] = max(places[EXTENT], targets[at - _ONE] - base + _ONE)
    places[BITS] = place
    return n_left == _ZERO


@part
def _get_own(
    source: np.uint64, streams: Streams, bases: Numbers, places: Numbers, targets: Targets
) -> Any:
    """Fill *targets* with those of *source* on its own host; False when they are damaged."""
    base, last, is_there = _range(source >> _32, bases)
    if len(streams.bits) > 0:
        extended(places, source)
        return is_there and _unpack_local(base, last, streams.bits, places, targets)
    return is_there and _get_local(base, last, streams.local, places, targets)


@part
def _get_foreign(
    host: np.uint64, streams: Streams, bases: Numbers, places: Numbers, targets: Targets
) -> Any:
    """Fill *targets* with those on *host*; False when they are damaged."""
    is_packed = len(streams.bits) > 0
    following, last, is_there = _range(host, bases)
    for i in range(np.uint64(len(targets))):
        if is_packed:
            gap, places[BITS] = get_split(
                streams.foreign, places[FOREIGN], streams.bits, places[BITS]
            )
            places[FOREIGN] += _ONE
        else:
            gap, places[FOREIGN] = get_number(streams.foreign, places[FOREIGN])
        if not is_there or gap > last - following:
            return False
        following += gap
        targets[i] = following
        is_there = following < last
        following += _ONE
    return True


@part
def _get_host(streams: Streams, places: Numbers) -> Any:
    """Return the next gap of ``hosts``."""
    if len(streams.bits) == 0:
        gap, places[HOSTS] = get_number(streams.hosts, places[HOSTS])
        return gap
    gap, places[HOST_BITS] = get_split(
        streams.hosts, places[HOSTS], streams.host_bits, places[HOST_BITS]
    )
    places[HOSTS] += _ONE
    return gap


@part
def _get_page(  # noqa: C901 (each branch is one kind of damage)
    source: np.uint64, streams: Streams, bases: Numbers, places: Numbers, targets: Targets
) -> Any:
    """Write the targets of *source* to *targets* from ``places[TARGETS]`` on; False when damaged."""
    own, at, size = source >> _32, places[TARGETS], np.uint64(len(targets))
    n_local, places[N_LOCAL] = get_number(streams.n_local, places[N_LOCAL])
    n_hosts, places[N_HOSTS] = get_number(streams.n_hosts, places[N_HOSTS])
    if n_hosts > size:
        return False
    host_after, own_stop = _ZERO, _ZERO
    for _ in range(n_hosts):
        gap = _get_host(streams, places)
        n_less, places[N_PAGES] = get_number(streams.n_pages, places[N_PAGES])
        if gap > _LOW - min(host_after, _LOW):
            return False
        host = host_after + gap
        if own >= host_after and host >= own:
            own_stop = at + n_local
            if host == own or n_local > size - at:
                return False
            if not _get_own(source, streams, bases, places, targets[at:own_stop]):
                return False
            at = own_stop
        host_after = host + _ONE
        if n_less >= size - at:
            return False
        stop = at + n_less + _ONE
        if not _get_foreign(host, streams, bases, places, targets[at:stop]):
            return False
        at = stop
    if own >= host_after:
        if n_local > size - at:
            return False
        stop = at + n_local
        if not _get_own(source, streams, bases, places, targets[at:stop]):
            return False
        at = stop
    places[TARGETS] = at
    return True


@lean_kernel
def decode(
    sources: Numbers,
    streams: Streams,
    bases: Numbers,
    places: Numbers,
    counts: npt.NDArray[np.uint32],
    targets: Targets,
) -> Any:
    """Fill *counts* and *targets*, each target of a page once, from the streams of *sources*.

    Ids take uint64, page numbers uint32. *places* is uint64[13] and 0. Return False when the streams are damaged, or
    name a page that is not in *bases*.
    """
    for i in range(np.uint64(len(sources))):
        before = places[TARGETS]
        if not _get_page(sources[i], streams, bases, places, targets):
            return False
        counts[i] = np.uint32(places[TARGETS] - before)
    return places[TARGETS] == np.uint64(len(targets))


@lean_kernel
def decode_flags(stream: Bytes, places: Numbers, flags: Bytes) -> Any:
    """Fill *places* (targets as counted in the streams) and *flags*; False when damaged."""
    place, target = _ZERO, _ZERO
    for i in range(np.uint64(len(places))):
        gap, place = get_number(stream, place)
        value, place = get_number(stream, place)
        if gap >= NOTHING or value > np.uint64(0xFF):
            return False
        target += gap
        places[i] = target
        flags[i] = np.uint8(value)
    return place == np.uint64(len(stream))
