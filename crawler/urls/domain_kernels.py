"""The registrable domains of many host keys at once.

A rule of the Public Suffix List, and each beginning of one, is known by the 64-bit FNV-1a hash of its
labels (Fowler, Noll and Vo; draft-eastlake-fnv, section 2), which grows label by label as a key is read.

Invariant: equal to :func:`crawler.urls.domain_key`; a test holds it. Memory: 0.6 MB. Cost: 20 ns a key.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from crawler.urls.domains import suffix_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]
    U64 = npt.NDArray[np.uint64]

_BASIS, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_PART, _WHOLE, _ABOVE_ANY, _EXCEPTION = 1, 2, 4, 8
_SLOTS = 2**16
_LAST_SLOT = np.uint64(_SLOTS - 1)
_DOT, _COLON, _BRACKET, _CLOSED, _ZERO, _NINE = map(ord, ".:[]09")


class _Rules(NamedTuple):
    """A hash table: *prints* uint64[_SLOTS], 0 where nothing is, and what each is, *flags* uint8."""

    prints: U64
    flags: U8


@part
def _hashed(print_: np.uint64, byte: int) -> np.uint64:
    return (print_ ^ np.uint64(byte)) * _PRIME


@part
def _slot(prints: U64, wanted: np.uint64) -> np.uint64:
    slot = (wanted ^ wanted >> np.uint64(32)) & _LAST_SLOT
    while prints[slot] != np.uint64(0) and prints[slot] != wanted:
        slot = (slot + np.uint64(1)) & _LAST_SLOT
    return slot


@lean_kernel
def _add(rules: _Rules, data: U8, ends: I64, flag: int) -> None:
    start = 0
    for end in ends:
        print_ = _BASIS
        for k in range(start, end):
            print_ = _hashed(print_, data[k])
        slot = _slot(rules.prints, print_)
        rules.prints[slot] = print_
        rules.flags[slot] |= np.uint8(flag)
        start = end


@part
def _domain_end(rules: _Rules, data: U8, start: int, end: int) -> int:
    """Return where the domain of a name ends: a label after its suffix, at most at *end*."""
    print_, above, n_labels, n_suffix, at = _BASIS, 0, 0, 0, start
    first_end = second_end = end
    # Of the labels read: where each ends that may be the last one of the domain.
    suffix_end = -1
    while at < end:
        if at > start:
            print_ = _hashed(print_, _DOT)
            at += 1
        while at < end and data[at] != _DOT:
            print_ = _hashed(print_, data[at])
            at += 1
        n_labels += 1
        if n_labels == 1:
            first_end = at
        elif n_labels == 2:
            second_end = at
        flags = int(rules.flags[_slot(rules.prints, print_)])
        if not flags & _PART:
            if above & _ABOVE_ANY:
                return at if flags & _EXCEPTION else _label_end(data, at, end)
            break
        if flags & _WHOLE:
            n_suffix, suffix_end = n_labels, at
        above = flags
    if not n_suffix:
        return second_end if n_labels > 1 else _label_end(data, first_end, end)
    return _label_end(data, suffix_end, end)


@part
def _label_end(data: U8, at: int, end: int) -> int:
    """Return where the label ends that comes after the one that ends at *at*, *end* if none does."""
    at += 1
    while at < end and data[at] != _DOT:
        at += 1
    return min(at, end)


@lean_kernel
def _fill_ends(rules: _Rules, data: U8, starts: I64, ends: I64, found: I64) -> None:
    for i in range(starts.size):
        start, end = starts[i], ends[i]
        if start == end:
            found[i] = end
            continue
        is_v6 = data[start] == _BRACKET
        name_end = start
        while name_end < end and data[name_end] != (_CLOSED if is_v6 else _COLON):
            name_end += 1
        if is_v6:
            found[i] = min(name_end + 1, end)
        elif _ZERO <= data[start] <= _NINE:
            found[i] = name_end
        else:
            found[i] = _domain_end(rules, data, start, name_end)


def domain_ends(data: U8, starts: I64, ends: I64) -> I64:
    """Return where in *data* the domain of each host key ends: ``data[starts[i]:ends[i]]`` is key i."""
    found = np.empty(len(starts), dtype=np.int64)
    _fill_ends(_rules(), data, starts, ends, found)
    return found


@cache
def _rules() -> _Rules:
    known = suffix_rules()
    rules = _Rules(np.zeros(_SLOTS, dtype=np.uint64), np.zeros(_SLOTS, dtype=np.uint8))
    for flag, texts in (
        (_PART, known.parts),
        (_WHOLE, known.whole),
        (_ABOVE_ANY, known.above_any),
        (_EXCEPTION, known.exceptions),
    ):
        _add_all(rules, sorted(texts), flag)
    return rules


def _add_all(rules: _Rules, texts: Iterable[str], flag: int) -> None:
    parts = [text.encode() for text in texts]
    ends = np.cumsum([len(each) for each in parts], dtype=np.int64)
    _add(rules, np.frombuffer(b"".join(parts), dtype=np.uint8), ends, flag)
