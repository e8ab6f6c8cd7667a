"""Greedy wrapping of words, one after the other: what the compiled counts must agree with."""

from __future__ import annotations

from crawler.page.lines import W_MAX
from crawler.page.words import columns


def wrapped(words, w_max=W_MAX):
    """The lines that *words* fill, as lists of words."""
    lines, used = [], w_max
    for word in words:
        used += 1 + columns(word)
        if used > w_max:
            lines.append([])
            used = columns(word)
        lines[-1].append(word)
    return lines


def wrap_counts(words, w_max=W_MAX):
    """(lines, words on the last one) of *words*; (0, 0) without words."""
    lines = wrapped(words, w_max)
    return len(lines), len(lines[-1]) if lines else 0
