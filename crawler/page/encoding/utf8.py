"""How much of a page is valid UTF-8, counted in one pass without decoding it.

Source: WHATWG encoding standard, section 8.1.1 (UTF-8 decoder): each maximal part of an invalid
sequence is one error, as in Python's "replace".

Cost: O(n), 32 bytes at a time over ASCII. Measured on a page of 319 kB, one byte in ninety not
ASCII (`bench_encoding`): 27 microseconds, Python's strict decoder 90; on Chinese the two are even.
Invariant: *n_characters* is the length of ``body.decode("utf-8", "replace")`` and ``n_errors +
n_marks`` the number of its U+FFFD.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.byte_search import find_above
from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt


class Census(NamedTuple):
    """*n_multi*: valid sequences of two to four bytes; *n_marks*: those that are U+FFFD itself.

    *n_partial*: errors of several bytes, which are sequences that lack their end; *is_cut* says
    that the last error is one that the end of the body cut short.
    """

    n_characters: int
    n_multi: int
    n_errors: int
    n_marks: int
    n_partial: int
    is_cut: bool


def census(body: bytes) -> Census:
    r"""Count the characters and errors of *body* read as UTF-8.

    >>> census("é".encode() + b"\xff.")
    Census(n_characters=3, n_multi=1, n_errors=1, n_marks=0, n_partial=0, is_cut=False)
    """
    n_characters, n_multi, n_errors, n_marks, n_partial, is_cut = _census(
        np.frombuffer(body, np.uint8)
    )
    return Census(n_characters, n_multi, n_errors, n_marks, n_partial, bool(is_cut))


@part
def _following(lead: np.uint8) -> tuple[int, int, int]:
    """Return how many bytes follow *lead*, and the least and largest that the first may be."""
    if 0xC2 <= lead <= 0xDF:
        return 1, 0x80, 0xBF
    if 0xE0 <= lead <= 0xEF:
        return 2, 0xA0 if lead == 0xE0 else 0x80, 0x9F if lead == 0xED else 0xBF
    if 0xF0 <= lead <= 0xF4:
        return 3, 0x90 if lead == 0xF0 else 0x80, 0x8F if lead == 0xF4 else 0xBF
    return 0, 0x80, 0xBF


@lean_kernel
def _census(body: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    # One loop over the bytes: splitting it would hand six counters back and forth.
    n = body.size
    i = n_characters = n_multi = n_errors = n_marks = n_partial = is_cut = 0
    while i < n:
        lead = body[i]
        if lead < 0x80:
            end = find_above(body, i, n, 0x7F)
            i, n_characters = end, n_characters + end - i
            continue
        if 0xE1 <= lead <= 0xEC and i + 2 < n and body[i + 1] & 0xC0 == 0x80 == body[i + 2] & 0xC0:
            # Most letters of Asia. Measured: this halves the time of a Chinese page.
            i += 3
            n_characters += 1
            n_multi += 1
            continue
        # Those of Europe.
        if 0xC2 <= lead <= 0xDF and i + 1 < n and body[i + 1] & 0xC0 == 0x80:
            i += 2
            n_characters += 1
            n_multi += 1
            continue
        n_more, low, high = _following(lead)
        end = i + 1
        while end <= i + n_more and end < n and low <= body[end] <= high:
            end += 1
            low, high = 0x80, 0xBF
        n_characters += 1
        if n_more and end == i + n_more + 1:
            n_multi += 1
            if lead == 0xEF and body[i + 1] == 0xBF and body[i + 2] == 0xBD:
                n_marks += 1
        else:
            n_errors += 1
            n_partial += 1 if end > i + 1 else 0
            is_cut = 1 if n_more and end == n else 0
        i = end
    return n_characters, n_multi, n_errors, n_marks, n_partial, is_cut
