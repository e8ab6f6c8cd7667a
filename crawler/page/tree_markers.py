"""Markers that find the runs of a page's text again in a tree that was parsed from it.

A marker is the noncharacter U+FDD0 and two private-use characters that write its number to base
6400. Run r has marker 2r before its first and 2r + 1 behind its last character that is no
whitespace. A parser sees text there anyhow, so that it builds the same tree. The page has no U+FDD0
of its own: noncharacters are no text, and those that it has become U+FDD1.

Cost: O(n) in time and memory.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.runs import TextRuns

    U8 = npt.NDArray[np.uint8]
    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_LEAD = "\ufdd0"
_FIRST_DIGIT = 0xE000
_BASE = 6400  # U+E000 to U+F8FF
_CHARS = 3
_BYTES = 9
# Of more runs the rest has no markers, and counts as dropped.
MAX_RUNS = _BASE**2 // 2
_MARKER = re.compile(f"{_LEAD}[\ue000-\uf8ff]{{2}}")

_OWN_LEAD = _LEAD.encode()
_OTHER = "\ufdd1".encode()
_REFERENCE_TO_LEAD = re.compile(rb"&#(?:[xX]0*[fF][dD][dD]0|0*64976)(?![0-9a-fA-F]);?")
_BLANKS = np.zeros(256, np.bool_)
_BLANKS[[9, 10, 11, 12, 13, 28, 29, 30, 31, 32]] = True


class Marks(NamedTuple):
    """The markers found in texts, in their order: number, text, and place once all are taken out."""

    number: I64
    text: I64
    place: I64


def with_markers(source: bytes, runs: TextRuns) -> bytes:
    """Return *source* with markers around the first MAX_RUNS *runs*."""
    data = np.frombuffer(source.replace(_OWN_LEAD, _OTHER), np.uint8)
    at = _marked_places(data, runs)
    starts = at + _BYTES * np.arange(len(at))
    marked = np.zeros(len(data) + _BYTES * len(at), np.uint8)
    is_source = np.ones(len(marked), np.bool_)
    for offset, column in enumerate(_marker_bytes(len(at))):
        marked[starts + offset] = column
        is_source[starts + offset] = False
    marked[is_source] = data
    return _REFERENCE_TO_LEAD.sub(_OTHER, marked.tobytes())


def _marked_places(data: U8, runs: TextRuns) -> I64:
    """Return the places of all markers, the whitespace at the ends of runs left outside."""
    start, end = runs.start[:MAX_RUNS].astype(np.int64), runs.end[:MAX_RUNS].astype(np.int64)
    ink = np.flatnonzero(~_BLANKS[data])
    if not len(ink):
        return np.stack((start, end), axis=1).ravel()
    first, last = np.searchsorted(ink, start), np.searchsorted(ink, end) - 1
    has_ink = first <= last
    start = np.where(has_ink, ink[np.minimum(first, len(ink) - 1)], start)
    end = np.where(has_ink, ink[np.maximum(last, 0)] + 1, end)
    return np.stack((start, end), axis=1).ravel()


def _marker_bytes(n_markers: int) -> list[U8]:
    """Return the bytes of the first *n_markers* markers, by their place in the marker."""
    number = np.arange(n_markers)
    columns = [np.full(n_markers, byte, np.uint8) for byte in _OWN_LEAD]
    for digit in (number // _BASE, number % _BASE):
        point = digit + _FIRST_DIGIT
        columns += [
            (0xE0 | point >> 12).astype(np.uint8),
            (0x80 | point >> 6 & 0x3F).astype(np.uint8),
            (0x80 | point & 0x3F).astype(np.uint8),
        ]
    return columns


def without_markers(text: str) -> str:
    """Return *text* with the markers taken out."""
    return _MARKER.sub("", text)


def has_markers(text: str) -> bool:
    """Tell whether *text* holds a marker."""
    return _LEAD in text and _MARKER.search(text) is not None


def find_markers(texts: list[str], n_runs: int) -> Marks:
    """Return the markers of *n_runs* runs in *texts*, which hold no NUL."""
    joined = "\0".join((*texts, "")).encode("utf-32-le", "replace")
    points = np.frombuffer(joined, np.uint32)
    lead = np.flatnonzero(points[:-2] == ord(_LEAD))
    first, second = (points[lead + k].astype(np.int64) - _FIRST_DIGIT for k in (1, 2))
    number = first * _BASE + second
    is_marker = (number < 2 * n_runs) & (np.minimum(first, second) >= 0) & (second < _BASE)
    lead, number = lead[is_marker], number[is_marker]
    text_end = np.flatnonzero(points == 0)
    text = np.searchsorted(text_end, lead)
    text_start = np.append(0, text_end + 1)[text]
    n_before = np.arange(len(lead)) - np.searchsorted(lead, text_start)
    return Marks(number, text, lead - text_start - _CHARS * n_before)


def out_of_order(places: I64) -> Bools:
    """Tell which of *places* lie before one that stands earlier in the array.

    >>> out_of_order(np.array([0, 3, 1, 2, 4])).tolist()
    [False, False, True, True, False]
    """
    return np.asarray(places < np.maximum.accumulate(places), np.bool_)
