"""Single bytes of markup, and words at a place in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.jit import part

if TYPE_CHECKING:
    from crawler.page.scanning.state import U8


@part
def is_blank(byte: int) -> bool:
    """Tell whether *byte* is HTML's whitespace: space, tab, line feed, form feed, return."""
    return byte == 32 or (9 <= byte <= 13 and byte != 11)


@part
def is_letter(byte: int) -> bool:
    """Tell whether *byte* is one of A to Z or a to z."""
    return 97 <= (byte | 32) <= 122


@part
def lower(byte: int) -> int:
    """Return *byte*, as a small letter if it is one of A to Z."""
    return byte | 32 if 65 <= byte <= 90 else byte


@part
def matches(source: U8, start: int, end: int, word: U8) -> bool:
    """Tell whether *source* has *word*, given in small letters, at *start*, in any case."""
    if start + len(word) > end:
        return False
    for i in range(len(word)):
        if lower(source[start + i]) != word[i]:
            return False
    return True
